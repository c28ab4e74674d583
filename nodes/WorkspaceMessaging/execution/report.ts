import type { RequestStats } from '../transport/client';
import type { Outcome, RunItem } from './run';

/** Ranges that are written out before the rest is only counted. */
const MAX_RANGES = 20;

/** What became of items, in words; `done` is what the operation does: "carried out", "sent". */
const outcomeWords = (done: string): Array<[Outcome, string]> => [
	['done', done],
	['refused', 'refused'],
	['unknown', 'sent with unknown outcome'],
	['notSent', 'not sent'],
];

/** How a number of items is written: `1,000`. */
const written = (count: number) => count.toLocaleString('en-US');

/**
 * Says what became of the items of a run that stopped, so that it can be continued without doing anything twice:
 * `Of 100 items, 12 were carried out (0–11), 1 was refused (12), 87 were not sent (13–99).` Nothing for a single item.
 *
 * @param done what is said of an item with which all went well
 * @param maxRanges how many ranges of numbers are written out
 */
export function describeOutcomes(
	items: ReadonlyArray<Pick<RunItem, 'index' | 'outcome'>>,
	done = 'carried out',
	maxRanges = MAX_RANGES,
): string {
	if (items.length < 2) return '';
	const parts = outcomeWords(done)
		.map(([outcome, words]) => {
			const numbers = items.filter((item) => item.outcome === outcome).map(({ index }) => index);
			return { words, numbers };
		})
		.filter(({ numbers }) => numbers.length > 0)
		.map(
			({ words, numbers }) =>
				`${written(numbers.length)} ${numbers.length === 1 ? 'was' : 'were'} ${words} (${ranges(numbers, maxRanges)})`,
		);
	return `Of ${written(items.length)} items, ${parts.join(', ')}.`;
}

/** Ascending numbers as ranges: `0–3, 7, 9–12`. */
export function ranges(numbers: number[], maxRanges = MAX_RANGES): string {
	const found: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = found[found.length - 1];
		if (last && last[1] === number - 1) last[1] = number;
		else found.push([number, number]);
	}
	const shown = found.slice(0, maxRanges).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
	return found.length > maxRanges ? `${shown.join(', ')} and more` : shown.join(', ');
}

/** Says what a run had to go through; nothing when all went well. */
export function describeStats({ retries, tooManyRequests, waitedMs }: RequestStats): string {
	const parts: string[] = [];
	if (waitedMs >= 1000) {
		parts.push(
			`waited ${written(Math.round(waitedMs / 1000))} s in all to keep within the requests that the workspace allows`,
		);
	}
	if (retries > 0)
		parts.push(`repeated ${written(retries)} ${retries === 1 ? 'request' : 'requests'} that had failed`);
	if (tooManyRequests > 0) {
		parts.push(
			`was asked ${tooManyRequests} ${tooManyRequests === 1 ? 'time' : 'times'} by the service to slow down`,
		);
	}
	const last = parts.pop();
	if (last === undefined) return '';
	return `This run ${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last}.`;
}

/** Says how many phone numbers were sent with a leading 0, and what completes them. */
export function describeNationalNumbers(count: number): string {
	const numbers =
		count === 1
			? '1 phone number with a leading 0 was sent as it is'
			: `${count.toLocaleString('en-US')} phone numbers with a leading 0 were sent as they are`;
	return `${numbers}, without a country code. Set Default Country Code in the options or in the credential to complete such numbers.`;
}
