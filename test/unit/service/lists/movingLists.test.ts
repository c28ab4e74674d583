import { caseCount } from '../../../support/cases';
import { readMovingList, type ListHistory } from '../../../support/fakes/movingList';

/** How many histories a test reads. */
const HISTORIES = caseCount({ few: 8, many: 25 });

const quiet = { seed: 1, creates: 0, deletes: 0 };

/** Reads lists with these histories, one for each seed. */
async function readMany(count: number, history: Omit<ListHistory, 'seed'>) {
	const results = [];
	for (let seed = 1; seed <= count; seed++)
		results.push({ seed, ...(await readMovingList({ ...history, seed })) });
	const lossy = results.filter(({ lost }) => lost.length > 0);
	return {
		results,
		silent: lossy.filter(({ hints }) => hints.length === 0).map(({ seed }) => seed),
	};
}

const lists = [
	['all of 130', { contacts: 130, perPage: 7 }],
	['all of 230', { contacts: 230, perPage: 20 }],
	['all of 201', { contacts: 201, perPage: 20 }],
	['all of 90', { contacts: 90, perPage: 50 }],
	['the newest 100 of 230', { contacts: 230, perPage: 20, limit: 100 }],
	['100 that are found early of 230', { contacts: 230, perPage: 20, limit: 100, endsEarly: true }],
] as const;

describe.each(lists)('Of %s contacts, a list', (_, list) => {
	test.each([
		['some are deleted', 0, 0.02],
		['many are deleted', 0, 0.2],
		['some are created', 0.02, 0],
		['many are created', 0.2, 0],
	])('lacks nobody when %s meanwhile', async (__, creates, deletes) => {
		const { silent } = await readMany(HISTORIES, { ...list, creates, deletes });
		expect(silent).toEqual([]);
	});

	test('lacks nobody without a hint when contacts are created and deleted meanwhile', async () => {
		const { silent } = await readMany(caseCount({ few: 25, many: 100 }), {
			...list,
			creates: 0.1,
			deletes: 0.1,
		});
		expect(silent).toEqual([]);
	});

	test('lacks nobody at all when a contact is created before each request', async () => {
		const { results } = await readMany(HISTORIES, { ...list, creates: 1, deletes: 0 });
		expect(results.flatMap(({ lost }) => lost)).toEqual([]);
	});

	test('has each contact once, and the newest first if it came to rest', async () => {
		const { results } = await readMany(HISTORIES, { ...list, creates: 0.05, deletes: 0.05 });
		for (const { seed, ids, hints } of results) {
			const once = [...new Set(ids)];
			if (hints.length === 0) once.sort((a, b) => Number(b) - Number(a));
			expect([seed, ids]).toEqual([seed, once]);
		}
	});

	test('takes at most four requests more if nobody changes it', async () => {
		const { ids, requests, hints, isComplete } = await readMovingList({ ...list, ...quiet });
		expect(ids).toHaveLength('limit' in list ? list.limit : list.contacts);
		expect(requests).toBeLessThanOrEqual(Math.ceil(ids.length / list.perPage) + 4);
		expect({ hints, isComplete }).toEqual({ hints: [], isComplete: true });
	});
});

test.each([0, 1, 20])('A list of %d contacts is complete with its only page', async (contacts) => {
	const { ids, requests, isComplete } = await readMovingList({ ...quiet, contacts, perPage: 20 });
	expect(ids).toHaveLength(contacts);
	expect(requests).toBeLessThanOrEqual(2);
	expect(isComplete).toBe(true);
});

test.each(['never', 'tooMany'] as const)(
	'A list whose pages the service counts wrongly (%s) is whole, but not known to be so',
	async (counts) => {
		const { ids, hints, isComplete } = await readMovingList({
			...quiet,
			contacts: 230,
			perPage: 20,
			counts,
		});
		expect(ids).toHaveLength(230);
		expect({ hints, isComplete }).toEqual({ hints: [], isComplete: false });
	},
);

test('Contacts that are created while n8n reads a long list seldom make it read the list again', async () => {
	const history = { contacts: 5000, perPage: 50, creates: 0.01, deletes: 0 };
	const { results } = await readMany(16, history);
	const readOnce = results.filter(({ requests }) => requests <= 103);
	expect(readOnce.length).toBeGreaterThanOrEqual(10);
});

test('A list that does not come to rest is read three times, and a hint says so', async () => {
	const { hints, isComplete } = await readMovingList({
		seed: 3,
		contacts: 230,
		perPage: 10,
		creates: 0.6,
		deletes: 0.6,
	});
	expect(hints).toEqual([expect.stringContaining('n8n read the list of contacts three times')]);
	expect(isComplete).toBe(false);
});

test('A list that does not come to rest has everyone whom one of its readings had', async () => {
	const history = { contacts: 230, perPage: 20, creates: 0, deletes: 0.6 };
	const { results } = await readMany(HISTORIES, history);
	const moving = results.filter(({ hints }) => hints.length > 0);
	expect(moving.length).toBeGreaterThan(HISTORIES * 0.8);
	expect(moving.flatMap(({ lost }) => lost)).toEqual([]);
});

test.each([152, 484, 500, 737])(
	'Nobody is missing who moved from the last page behind it, to a page that was read before (seed %d)',
	async (seed) => {
		const { lost } = await readMovingList({
			seed,
			contacts: 61,
			perPage: 6,
			creates: 0.3,
			deletes: 0,
		});
		expect(lost).toEqual([]);
	},
);

test.each([21, 77, 138, 331])(
	'Nobody is missing without a hint if a creation hides a deletion from the last page (seed %d)',
	async (seed) => {
		const { lost, hints } = await readMovingList({
			seed,
			contacts: 230,
			perPage: 20,
			limit: 100,
			endsEarly: true,
			creates: 0.3,
			deletes: 0.1,
		});
		expect(hints.length > 0 || lost.length === 0).toBe(true);
	},
);

test.each([
	[51, 1],
	[99, 49],
	[101, 51],
	[160, 10],
	[300, 150],
	[300, 250],
	[300, 299],
])(
	'Of %d contacts, nobody is missing if the newest %d are deleted at once',
	async (contacts, deletesAtOnce) => {
		const { lost, ids } = await readMovingList({ ...quiet, contacts, perPage: 50, deletesAtOnce });
		expect(lost).toEqual([]);
		expect(ids).toHaveLength(contacts - deletesAtOnce);
	},
);
