import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Faults, WorkspaceOptions } from '../../../sandbox/options';
import { by, fromItem } from '../../support/engine/helpers';
import { execute, faces, findBroken, peopleOf, TAG } from '../../support/engine/sendOnceRounds';
import { testWorkspace } from '../../support/engine/workspace';
import { until } from '../../support/n8n/until';

/* Send Once where the service takes many contacts in one request. */

/** Sends to the contact of each item, once. */
const hello = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'send',
	identifier: by('id', fromItem('contact')),
	text: 'Hello',
	options: { sendOnce: TAG },
	requestOptions: { maxRetries: 1 },
	...more,
});

/** A workspace with so many contacts, each with a row. */
async function withMany(contacts: number, options: WorkspaceOptions = faces.newest) {
	const test = await testWorkspace({ contacts, ...options });
	const rows = (await test.workspace.state()).contacts.map(({ id }) => ({ contact: id }));
	await test.workspace.faults({ rateLimit: null });
	return {
		...test,
		rows,
		/** How often each operation was called that writes something. */
		async writes() {
			const { byOperation } = await test.workspace.summary();
			const {
				addContactTags = 0,
				removeContactTags = 0,
				bulkAddTags = 0,
				bulkRemoveTags = 0,
				sendMessage = 0,
			} = byOperation;
			return { addContactTags, removeContactTags, bulkAddTags, bulkRemoveTags, sendMessage };
		},
		/** How many contacts have which mark and how many messages. */
		async outcome() {
			const people = await peopleOf(test);
			expect(findBroken(people)).toEqual([]);
			const counts: Record<string, number> = {};
			for (const { mark, texts } of people) {
				const key = `${mark} ${texts.length}`;
				counts[key] = (counts[key] ?? 0) + 1;
			}
			return counts;
		},
	};
}

const one = { addContactTags: 0, removeContactTags: 0, bulkAddTags: 0, bulkRemoveTags: 0 };

test('Of 120 contacts, at most a hundred get the tags and lose the second one in one request', async () => {
	const { run, rows, writes, outcome, workspace } = await withMany(120);
	await run(hello(), rows);
	expect(await writes()).toEqual({ ...one, bulkAddTags: 2, bulkRemoveTags: 2, sendMessage: 120 });
	expect(await outcome()).toEqual({ 'sent 1': 120 });
	const { requests } = await workspace.journal();
	expect(requests.length).toBeLessThan(145);
	const again = await run(hello(), rows);
	expect(again.json.filter(({ reason }) => reason === 'sentBefore')).toHaveLength(120);
});

test.each([
	['newer', { bulkAddTags: 1, removeContactTags: 25 }],
	['reference', { addContactTags: 25, removeContactTags: 25 }],
	['older', { addContactTags: 25, removeContactTags: 25 }],
] as const)('a %s service gets the other requests one by one', async (face, expected) => {
	const { run, rows, writes, outcome } = await withMany(25, faces[face]);
	await run(hello(), rows);
	expect(await writes()).toEqual({ ...one, ...expected, sendMessage: 25 });
	expect(await outcome()).toEqual({ 'sent 1': 25 });
});

test('fewer than twenty items have requests of their own', async () => {
	const { run, rows, writes } = await withMany(19);
	await run(hello(), rows);
	expect(await writes()).toMatchObject({ addContactTags: 19, bulkAddTags: 0 });
});

const broken: Array<[string, (ids: string[]) => Faults, number, number]> = [
	['leaves contacts out', (ids) => ({ skippedInBulk: ids.slice(0, 3) }), 3, 3],
	['refuses it', () => ({ fail: [{ status: 422, match: { operation: 'bulkAddTags' } }] }), 30, 0],
	['never answers it', () => ({ dropAfter: { match: { operation: 'bulkAddTags' } } }), 30, 0],
	[
		'does not answer the first one',
		() => ({ dropAfter: { times: 1, match: { operation: 'bulkAddTags' } } }),
		0,
		0,
	],
	[
		'fails when the second tag is to go',
		() => ({ fail: [{ status: 500, match: { operation: 'bulkRemoveTags' } }] }),
		0,
		30,
	],
];

test.each(broken)(
	'a service that takes many contacts in one request, but %s: each gets the message once',
	async (_, faults, added, removed) => {
		const { run, rows, writes, outcome, workspace } = await withMany(30);
		await workspace.faults(faults(rows.map(({ contact }) => contact)));
		await run(hello(), rows);
		expect(await outcome()).toEqual({ 'sent 1': 30 });
		expect(await writes()).toMatchObject({ addContactTags: added, removeContactTags: removed });
	},
);

test('only whom the run sends something gets the tags', async () => {
	const { run, rows, outcome, workspace } = await withMany(40);
	await run(hello(), rows.slice(0, 5));
	// Expressions fail for some, one contact is unknown, and some are there twice.
	const input: IDataObject[] = rows.map((row, nth) => ({ ...row, text: nth < 30 ? 'Hello' : '' }));
	input.push({ contact: '999999999', text: 'Hello' }, ...input.slice(10, 15));
	const parameters = hello({ text: fromItem('text') });
	const { json } = await run(parameters, input, { onError: 'continueRegularOutput' });
	expect(json.filter(({ error }) => error)).toHaveLength(11);
	expect(json.filter(({ reason }) => reason === 'sentBefore')).toHaveLength(10);
	expect(await outcome()).toEqual({ 'sent 1': 30, 'none 0': 10 });
	const { requests } = await workspace.journal();
	const marked = requests.flatMap(
		({ body }) => (Object(body) as { contactIds?: string[] }).contactIds ?? [],
	);
	const sentTo = rows.slice(5, 30).map(({ contact }) => contact);
	expect(new Set(marked)).toEqual(new Set(sentTo));
});

test('if n8n is killed, at most two hundred have the second tag', async () => {
	const test = await withMany(300);
	const rows = test.rows.map(({ contact }) => ({ contact: `id:${contact}`, text: 'Hello' }));
	await execute(test, [{ rows }], { after: 40, reachesService: true });
	const inDoubt = (await peopleOf(test)).filter(({ mark }) => mark === 'sending').length;
	expect(inDoubt).toBeGreaterThan(100);
	expect(inDoubt).toBeLessThanOrEqual(200);
});

/** A message is refused while many others wait. */
const refuseOne: Faults = {
	latencyMs: 20,
	fail: [{ status: 403, times: 1, match: { operation: 'sendMessage' } }],
};

test.each([
	['', {}],
	[
		' although nobody knows whether they got the tags',
		{ dropAfter: { match: { operation: 'bulkAddTags' } } },
	],
	[
		' although the service refuses to take many',
		{ fail: [...refuseOne.fail!, { status: 422, match: { operation: 'bulkRemoveTags' } }] },
	],
] as Array<[string, Faults]>)(
	'if the run stops, who got nothing has neither tag%s, and gets it in the next run',
	async (_, faults) => {
		const { run, rows, outcome, workspace } = await withMany(120);
		await workspace.faults({ ...refuseOne, ...faults });
		const { error } = await run(hello(), rows);
		expect(error?.message).toContain('Nothing was sent');
		const stopped = await outcome();
		expect(Object.keys(stopped).sort()).toEqual(['none 0', 'sent 1']);
		expect(stopped['none 0']).toBeGreaterThan(20);
		await workspace.faults({ latencyMs: null, fail: null, dropAfter: null });
		await run(hello(), rows);
		expect(await outcome()).toEqual({ 'sent 1': 120 });
	},
);

test('with Retry On Fail, those who were refused get the tags together again, and the message', async () => {
	const { run, rows, writes, outcome, workspace } = await withMany(30);
	const refused = { status: 403, times: 1, per: 'request' as const };
	await workspace.faults({ fail: [{ ...refused, match: { operation: 'sendMessage' } }] });
	const goesOn = { onError: 'continueRegularOutput' } as const;
	await run(hello(), rows, { ...goesOn, retryOnFail: { maxTries: 2, waitBetweenTries: 1 } });
	expect(await outcome()).toEqual({ 'sent 1': 30 });
	expect(await writes()).toEqual({ ...one, bulkAddTags: 2, bulkRemoveTags: 2, sendMessage: 60 });
});

test('if the execution is cancelled, who got nothing loses both tags, unless n8n was sending', async () => {
	const { run, rows, outcome, workspace, writes } = await withMany(200);
	await workspace.faults({ latencyMs: 300 });
	let cancel!: () => void;
	const ended = run(hello(), rows, { onStarted: (how) => (cancel = how) });
	while ((await writes()).bulkAddTags < 2) await pause(5);
	cancel();
	await ended;
	await until(outcome, (counts) => counts['none 0'] > 20, 20_000);
});

test.each([
	[TAG.toUpperCase(), 2],
	[`${TAG} `, 0],
])('the tag goes by the name that the service lists: "%s"', async (name, bulk) => {
	const { run, rows, writes, workspace } = await withMany(20);
	const { id } = await workspace.add('tags', { name });
	await run(hello(), rows);
	const { bulkAddTags, bulkRemoveTags } = await writes();
	expect(bulkAddTags + bulkRemoveTags).toBe(bulk);
	const { contacts, tags } = await workspace.state();
	expect(contacts.every((contact) => contact.tags.some((tag) => tag.id === id))).toBe(true);
	expect(tags.filter((tag) => tag.name.toLowerCase().trim() === TAG)).toHaveLength(1);
});
