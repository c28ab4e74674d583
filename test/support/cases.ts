/** Whether all cases run, as before a release: `ALL=true npm test`. */
const runsAll = process.env.ALL === 'true';

/** Returns how many random cases to run. */
export const caseCount = ({ few, many }: { few: number; many: number }) => (runsAll ? many : few);

/** Returns the cases that a test tries: with `ALL=true` also those that guard nothing more. */
export const casesOf = <Case>(few: Case[], more: Case[]): Case[] =>
	runsAll ? [...few, ...more] : few;

/**
 * Returns a function that returns one entry of a list, the next one for each test, so that tests to
 * which it makes no difference share the entries; with `ALL=true` it returns all of them.
 */
export function turnsOf<Entry>(list: Entry[]): () => Entry[] {
	let next = 0;
	return () => (runsAll ? list : [list[next++ % list.length]]);
}

/**
 * Returns the pairs of two lists that a test tries: all of them with `ALL=true`, otherwise enough
 * that each entry of both lists is in one.
 */
export function pairs<First, Second>(first: First[], second: Second[]): Array<[First, Second]> {
	if (runsAll) return first.flatMap((one) => second.map((other): [First, Second] => [one, other]));
	const count = Math.max(first.length, second.length);
	return Array.from({ length: count }, (_, index) => [
		first[index % first.length],
		second[index % second.length],
	]);
}

/**
 * Returns one of several equal shares of a list, which tests share by their index; with `ALL=true`
 * the whole list.
 */
export const shareOf = <Entry>(list: Entry[], index: number, shares: number): Entry[] =>
	runsAll ? list : list.filter((_, place) => place % shares === index % shares);
