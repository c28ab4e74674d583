import { counted } from '../values/labels';
import { isNothing } from '../values/blankText';
import { listEntered, type EnteredPanel } from './emptyValues';
import type { AnyItem } from './item';
import { oncePerRun } from './run';

/*
 * Expressions inside a text that return nothing, such as the name in `Hello {{ $json.nothing }}`:
 * n8n leaves a gap, and nobody notices. It may be meant, so it is no error.
 */

const EXPRESSION = /\{\{([\s\S]*?)\}\}/;

/** Counts an item for a hint if an expression inside one of its texts returns nothing. */
export function hintAtEmptyExpressions(item: AnyItem, entered: EnteredPanel): void {
	// A model writes whole texts.
	if (entered.isTool) return;
	for (const { field, path, raw } of listEntered(entered.fields, entered.parameters)) {
		if (field.type !== 'string' || typeof raw !== 'string' || !raw.startsWith('=')) continue;
		if (hasEmptyExpression(item, raw.slice(1), entered.read(path)))
			itemsWithGaps(item, field.displayName).add(item.index);
	}
}

/** The numbers of the items with a gap in a field. */
const itemsWithGaps = oncePerRun((item: AnyItem, label: string) => {
	const items = new Set<number>();
	item.hint(() => {
		const count = counted(items.size, 'item');
		return `An expression in ${label} returned nothing for ${count}.`;
	});
	return items;
});

function hasEmptyExpression(item: AnyItem, text: string, value: unknown): boolean {
	// Between the parts of the text, at the odd places, are the expressions.
	const parts = text.split(EXPRESSION);
	const literals = parts.filter((_, place) => place % 2 === 0);
	const isInText = parts.length > 1 && /[\p{L}\p{N}]/u.test(literals.join(''));
	if (!isInText) return false;
	return parts.some((code, place) => {
		const isExpression = place % 2 === 1;
		// An expression takes time, so only one that can have left a gap is evaluated again.
		return isExpression && canBeEmpty(parts, place, String(value)) && returnsNothing(item, code);
	});
}

/** Whether a value is what the parts make if the expression at a place returns nothing. */
function canBeEmpty(parts: string[], empty: number, value: string): boolean {
	const pattern = parts.map((part, place) => {
		if (place % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		return place === empty ? '' : '[^]*';
	});
	return new RegExp(`^${pattern.join('')}$`).test(value);
}

function returnsNothing({ run, index }: AnyItem, code: string): boolean {
	try {
		return isNothing(run.context.evaluateExpression(`{{${code}}}`, index));
	} catch {
		// It is more than one expression, or part of one.
		return false;
	}
}
