import { readMovingList } from '../support/fakes/movingList';

/*
 * Random histories of a list against a plain model: who was there all the time must come. Each seed
 * is one history.
 */

const HISTORIES = 100;

const lists = [
	{ contacts: 1220, perPage: 50 },
	{ contacts: 130, perPage: 50 },
	{ contacts: 61, perPage: 6 },
	{ contacts: 1220, perPage: 50, limit: 300 },
];

test.each([
	['deletions alone', 0, [0.01, 0.05, 0.3]],
	['creations alone', 1, [0.01, 0.05, 0.3]],
	['deletions and creations', 0.5, [0.01, 0.05, 0.3]],
])(
	'Lists lose nobody without a hint under %s',
	async (_, creations, rates) => {
		for (const list of lists) {
			for (const rate of rates) {
				const lossy: number[] = [];
				let hints = 0;
				for (let seed = 1; seed <= HISTORIES; seed++) {
					const creates = rate * Math.min(1, 2 * creations);
					const deletes = rate * Math.min(1, 2 - 2 * creations);
					const result = await readMovingList({ ...list, seed, creates, deletes });
					if (result.hints.length > 0) hints++;
					else if (result.lost.length > 0) lossy.push(seed);
				}
				process.stderr.write(
					`  ${JSON.stringify({ ...list, rate })}: ${hints} hints, losses without one at the seeds ${JSON.stringify(lossy)}\n`,
				);
				expect(lossy).toEqual([]);
			}
		}
	},
	1_200_000,
);
