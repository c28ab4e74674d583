import type { Outcome, Run } from './run';

/** Ranges that are written out before the rest is only counted. */
const MAX_RANGES = 20;

/**
 * Says what became of the items of a run that stopped, so that it can be continued without doing anything twice:
 * `Of 100 items, 12 were carried out (0–11), 1 was refused (12), 87 were not sent (13–99).`
 */
export function summary(run: Run): string {
	if (run.size < 2) return '';
	const groups: Array<[Outcome, string]> = [
		['done', 'carried out'],
		['refused', 'refused'],
		['unknown', 'sent with unknown outcome'],
		['notSent', 'not sent'],
	];
	const of = (outcome: Outcome) =>
		[...Array(run.size).keys()].filter((item) => (run.outcomes.get(item) ?? 'notSent') === outcome);
	const parts = groups
		.map(([outcome, words]) => [of(outcome), words] as const)
		.filter(([items]) => items.length > 0);
	return `Of ${run.size} items, ${parts
		.map(
			([items, words]) =>
				`${items.length} ${items.length === 1 ? 'was' : 'were'} ${words} (${ranges(items)})`,
		)
		.join(', ')}.`;
}

/** Ascending numbers as ranges: `0–3, 7, 9–12`. */
export function ranges(numbers: number[]): string {
	const found: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = found[found.length - 1];
		if (last && last[1] === number - 1) last[1] = number;
		else found.push([number, number]);
	}
	const shown = found.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
	return found.length > MAX_RANGES ? `${shown.join(', ')} and more` : shown.join(', ');
}
