import { isObjectOrList } from '../../transport/guards';

/* Expressions of n8n, as the user enters them. */

/** Whether a value that the user entered is an expression, or has one inside. */
export function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return isObjectOrList(value) && Object.values(value).some(hasExpression);
}

/** A text, cut at its expressions. */
interface SplitText {
	/** What stands between the expressions, before the first and after the last; one more than those. */
	literals: string[];
	/** The expressions without their brackets. */
	codes: string[];
}

/** Splits a text at its expressions, where n8n does: `Hi {{ $json.name }}!`. */
export function splitExpressions(text: string): SplitText {
	const literals: string[] = [];
	const codes: string[] = [];
	let start = 0;
	for (;;) {
		const open = text.indexOf('{{', start);
		const close = open === -1 ? -1 : text.indexOf('}}', open);
		if (close === -1) break;
		literals.push(text.slice(start, open));
		codes.push(text.slice(open + 2, close));
		start = close + 2;
	}
	literals.push(text.slice(start));
	return { literals, codes };
}

/**
 * Whether a text can have been made with an expression that returned nothing: then what stands
 * before and after that one is in the text without a gap.
 *
 * @param literals what stands between the expressions
 */
export function canLackExpression(text: string, literals: string[]): boolean {
	return literals.slice(1).some((after, before) => {
		const joined = literals[before] + after;
		return hasInOrder(text, literals.toSpliced(before, 2, joined));
	});
}

/** Whether a text begins with the first part, ends with the last, and has the others between. */
function hasInOrder(text: string, [first, ...others]: string[]) {
	if (!text.startsWith(first)) return false;
	const last = others.pop();
	if (last === undefined) return text === first;
	let end = first.length;
	for (const part of others) {
		// If a part fits anywhere, it fits at the first place: that leaves most to the others.
		const at = text.indexOf(part, end);
		if (at === -1) return false;
		end = at + part.length;
	}
	return text.endsWith(last) && text.length - last.length >= end;
}
