import { isBlank } from '../values/blankText';
import {
	canLackExpression,
	hasExpression,
	splitExpressions,
} from '../values/expressions/expression';
import { describeItems } from '../values/labels';
import { findLeftover, refuseNoText } from '../values/expressions/leftovers';
import { isFailedNumber } from '../values/numbers';
import { isFromModel, listEntered, type EnteredField } from './fieldValues';
import type { AnyItem } from './item';
import type { Field } from './operation';
import { oncePerRun } from './run';

/*
 * What failing expressions leave behind in texts: words such as in `Hi undefined`, and gaps where
 * they return nothing. It may be meant, so it is no error.
 */

/** Returns the text fields with expressions, of all that a panel shows. */
export const listTextExpressions = (
	fields: Field[],
	parameters: Record<string, unknown>,
): EnteredField[] =>
	listEntered(fields, parameters).filter(
		({ field, raw }) => ['string', 'json'].includes(field.type) && hasExpression(raw),
	);

/**
 * Notes what failing expressions left behind in the texts of an item. Throws an error if a text is
 * an invalid date.
 */
export function noteLeftovers(item: AnyItem, texts: EnteredField[]): void {
	for (const { field, path, raw } of texts)
		noteLeftoversIn(item, field.displayName, item.parameter(path, undefined), raw);
}

/**
 * The same for one text, or a list of texts; hints name it by its label.
 *
 * @param entered the text as the user entered it, with its expressions; undefined if it is a value
 * of the input
 * @param isSuffix whether the text is the end of an address, which must not be without its last part
 */
export function noteLeftoversIn(
	item: AnyItem,
	label: string,
	value: unknown,
	entered: unknown,
	isSuffix = false,
): void {
	const isWrittenByModel = entered === undefined || isFromModel(entered);
	if (item.run.isTool && isWrittenByModel) return;
	const ownTexts = [entered].flat();
	for (const [place, each] of [value].flat().entries()) {
		// One expression can return the whole list.
		const own: unknown = ownTexts[place] ?? ownTexts[0] ?? '=';
		const text = isFailedNumber(each) ? String(each) : each;
		if (typeof text !== 'string' || typeof own !== 'string' || !own.startsWith('=')) continue;
		refuseNoText(label, text);
		const word = findLeftover(text, own);
		if (word) itemsWith(item, label, word).add(item.index);
		const isOpen = isSuffix && endsOpen(text, own);
		if (isOpen || hasGap(item, text, own.slice(1))) itemsWith(item, label, GAP).add(item.index);
	}
}

/** Whether the expression at the end of an address returned nothing: `orders/`, `?id=`. */
function endsOpen(text: string, entered: string): boolean {
	const [last = ''] = /[/=?&#_-]$/.exec(text) ?? [];
	return last !== '' && entered.endsWith('}}') && entered.slice(1).includes(last);
}

const GAP = '';

/** The numbers of the items in whose text a word or gap was left behind. */
const itemsWith = oncePerRun((item: AnyItem, label: string, word: string) => {
	const items = new Set<number>();
	item.hint(() => {
		const found = describeItems(items);
		const goesOn = `n8n ${item.run.sendsMessages ? 'sends' : 'uses'} the text anyway.`;
		if (word === GAP) return `An expression in ${label} returned nothing for ${found}. ${goesOn}`;
		return `${label} contains "${word}" for ${found}. An expression writes this if it has no valid value. ${goesOn}`;
	});
	return items;
});

/** Stands around expressions; Unicode reserves it for programs, so that no text has it. */
const MARK = '\uFDD0';

/** Whether an expression inside a text left a gap. */
function hasGap(item: AnyItem, text: string, entered: string): boolean {
	const { literals, codes } = splitExpressions(entered);
	// Expressions take time, so only those that can have left a gap are evaluated again.
	if (!canHaveGap(text, literals)) return false;
	const marked = codes.map((code, place) => `${MARK}{{${code}}}${MARK}${literals[place + 1]}`);
	const evaluated = evaluate(item, literals[0] + marked.join(''));
	const values = evaluated.split(MARK).filter((_, place) => place % 2 === 1);
	return values.some(isBlank);
}

/** Whether a text with words of its own can have been made with an expression that returned blanks. */
function canHaveGap(text: string, literals: string[]) {
	if (literals.length === 1 || !/[\p{L}\p{N}]/u.test(literals.join(''))) return false;
	const hasMoreBlanks = countBlankRuns(text) > countBlankRuns(literals.join('x'));
	return hasMoreBlanks || canLackExpression(text, literals);
}

const BLANKS = /[\s\p{Cf}]{2,}/gu;
const countBlankRuns = (text: string) => text.match(BLANKS)?.length ?? 0;

/** Evaluates a text with expressions; empty if that fails, because no hint is worth an error. */
function evaluate({ run, index }: AnyItem, text: string): string {
	// n8n reads brackets behind a backslash in another way.
	if (/\\[{}]/.test(text)) return '';
	try {
		return String(run.context.evaluateExpression(text, index));
	} catch {
		return '';
	}
}
