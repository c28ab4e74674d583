import { counted } from '../values/labels';
import { isNothing } from '../values/blankText';
import { canLackExpression, splitExpressions } from '../values/expression';
import { listEntered, type EnteredPanel } from './emptyValues';
import type { AnyItem } from './item';
import { oncePerRun } from './run';

/*
 * Expressions inside a text that return nothing, such as the name in `Hello {{ $json.nothing }}`:
 * n8n leaves a gap, and nobody notices. It may be meant, so it is no error.
 */

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
	const { literals, codes } = splitExpressions(text);
	const isInText = codes.length > 0 && /[\p{L}\p{N}]/u.test(literals.join(''));
	// Expressions take time, so only those that can have left a gap are evaluated again.
	if (!isInText || !canLackExpression(String(value), literals)) return false;
	return codes.some((code) => returnsNothing(item, code));
}

function returnsNothing({ run, index }: AnyItem, code: string): boolean {
	try {
		return isNothing(run.context.evaluateExpression(`{{${code}}}`, index));
	} catch {
		// It is more than one expression, or part of one.
		return false;
	}
}
