import type { INodeProperties } from 'n8n-workflow';

const SHOWN_CHARACTERS = 60;

/** Ranges of items in a text; the log has more, so that people can continue a run from it. */
const MAX_RANGES = 20;

/** Returns the labels of fields and of all fields inside them, by the fields' names. */
export function labelsOf(fields: INodeProperties[]): Record<string, string> {
	const labels: Record<string, string> = {};
	const visit = (entries: NonNullable<INodeProperties['options']>) => {
		for (const entry of entries) {
			if (!('displayName' in entry)) continue;
			if ('values' in entry) {
				visit(entry.values);
			} else {
				labels[entry.name] = entry.displayName;
				visit(entry.options ?? []);
			}
		}
	};
	visit(fields);
	return labels;
}

/**
 * The label of the field at a path of a request, such as `fieldMapping › 2 › column`: "Column of
 * Field Mapping 3".
 */
export function labelAt(
	path: readonly PropertyKey[],
	labels: Readonly<Record<string, string>>,
): string {
	const names = path
		.filter((step) => typeof step !== 'number')
		.map((step) => labels[String(step)] ?? String(step));
	if (names.length === 0) return 'The request';
	const [first, ...others] = names;
	const position = path.find((step) => typeof step === 'number');
	const outer = position === undefined ? first : `${first} ${position + 1}`;
	const inner = others.at(-1);
	return inner === undefined ? outer : `${inner} of ${outer}`;
}

/** A number with its noun: `1 item`, `1,000 items`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
	return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
}

/** A text in quotation marks, cut to what fits into a sentence. */
export function quoted(text: string): string {
	if (text.length <= SHOWN_CHARACTERS) return `"${text}"`;
	return `"${text.slice(0, SHOWN_CHARACTERS)}…"`;
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const ORDINAL_ENDS: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

/** Says which row has the number that n8n shows: `n8n counts from 0: item 2 is the 3rd.` */
export function explainItemNumber(index: number): string {
	const place = index + 1;
	return `n8n counts from 0: item ${index} is the ${place}${ORDINAL_ENDS[ordinals.select(place)]}.`;
}

/** Writes ascending numbers as ranges: `0–3, 7, 9–12`. */
export function itemRanges(numbers: number[], maxRanges = MAX_RANGES): string {
	const ranges = toRanges(numbers);
	const shown = ranges.slice(0, maxRanges);
	const text = shown.map(describeRange).join(', ');
	return ranges.length > maxRanges ? `${text} and more` : text;
}

type Range = Record<'from' | 'to', number>;

function toRanges(numbers: number[]) {
	const ranges: Range[] = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last?.to === number - 1) last.to = number;
		else ranges.push({ from: number, to: number });
	}
	return ranges;
}

const describeRange = ({ from, to }: Range) => (from === to ? `${from}` : `${from}–${to}`);

/** Items in a text: `item 7`, `items 0–3, 9`. */
export function nameItems(numbers: number[], maxRanges?: number): string {
	return `${numbers.length === 1 ? 'item' : 'items'} ${itemRanges(numbers, maxRanges)}`;
}

/** How many items an outcome shows by their numbers. */
const ITEMS_SHOWN = 3;

/** A number of items with the first of them: `5 items (items 0–1, 7 and more)`. */
export function describeItems(numbers: Iterable<number>): string {
	const sorted = [...numbers].sort((one, other) => one - other);
	const shown = nameItems(sorted.slice(0, ITEMS_SHOWN));
	const more = sorted.length > ITEMS_SHOWN ? ' and more' : '';
	return `${counted(sorted.length, 'item')} (${shown}${more})`;
}
