import type { IDataObject } from 'n8n-workflow';
import { by, fromItem, shownOf, writesOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import type { WorkspaceOptions } from '../../../sandbox/options';

/* Tags and sequences of many contacts, in as few requests as the service allows. */

const newest: WorkspaceOptions = { service: 'newer', newest: true };

async function many(count: number, options: WorkspaceOptions = newest) {
	const { workspace, run } = await testWorkspace({
		contacts: count,
		counts: { tags: 0, sequences: 1 },
		...options,
	});
	const vip = await workspace.add('tags', { name: 'VIP' });
	const contacts = (await workspace.state()).contacts;
	const rows = contacts.map(({ id }) => ({ id }));
	await workspace.clearJournal();
	const change = (operation: string, more: IDataObject) => ({
		...{ resource: 'contact', operation, identifier: by('id', fromItem('id')) },
		...(more as object),
	});
	return {
		...{ workspace, run, vip, rows, change },
		named: (names: string, operation = 'addTags', more: IDataObject = {}) =>
			change(operation, { tagsBy: 'names', tagNames: names, ...more }),
		tagsOf: async (id: string) =>
			(await workspace.contact(`id:${id}`)).tags.map(({ name }) => name),
		withTag: async (name = 'VIP') =>
			(await workspace.state()).contacts.filter(({ tags }) => tags.some((tag) => tag.name === name))
				.length,
		paths: async () => (await writesOf(workspace)).map(({ method, path }) => `${method} ${path}`),
	};
}

const bulkPath = (call: string) => `POST /api/v1/contacts/bulk/${call}`;

test.each([
	['addTags', 'tags', []],
	['removeTags', 'tags/remove', ['VIP']],
] as const)(
	'%s sends what the list calls the tag, whether by name or by ID',
	async (operation, call, before) => {
		const { run, rows, named, change, vip, paths, withTag } = await many(40);
		if (before.length > 0) await run(named('VIP'), rows);
		await run(named(' vip ', operation), rows.slice(0, 20));
		await run(change(operation, { tagIds: [vip.id] }), rows.slice(20));
		expect((await paths()).slice(before.length)).toEqual([bulkPath(call), bulkPath(call)]);
		expect(await withTag()).toBe(before.length > 0 ? 0 : 40);
	},
);

test('Sequences are added and removed in one request', async () => {
	const { run, rows, change, workspace, paths } = await many(25);
	const [{ id }] = (await workspace.state()).sequences;
	const ids = { sequenceIds: [id] };
	const added = await run(change('addToSequences', ids), rows);
	const removed = await run(change('removeFromSequences', ids), rows);
	expect([added.json.length, removed.json.length]).toEqual([25, 25]);
	expect(await paths()).toEqual([bulkPath('sequences'), bulkPath('sequences/remove')]);
});

test.each([
	['sequences', 'removeFromSequences', 'sequences/remove', 'The sequence 999999 no longer exists.'],
	[
		'tags',
		'removeTags',
		'tags/remove',
		'The tag 999999 no longer exists, so there was nothing to remove.',
	],
] as const)(
	'Of %s, the request for all names only those that exist',
	async (list, operation, call, hint) => {
		const { run, rows, change, workspace, paths } = await many(25);
		const [{ id }] = (await workspace.state())[list];
		const key = list === 'tags' ? 'tagIds' : 'sequenceIds';
		const { json: items, hints } = await run(change(operation, { [key]: [id, '999999'] }), rows);
		expect(items).toHaveLength(25);
		expect(hints).toEqual([hint]);
		expect(await paths()).toEqual([bulkPath(call)]);
	},
);

test('An unknown sequence is refused before the request for all', async () => {
	const { run, rows, change, workspace } = await many(25);
	const result = await run(change('addToSequences', { sequenceIds: ['999999'] }), rows);
	expect(shownOf(result)).toContain('The sequence 999999 no longer exists. Nothing was changed');
	expect(await writesOf(workspace)).toEqual([]);
});

test('Who does not exist fails alone, and who was left out gets a request of its own', async () => {
	const { run, rows, named, workspace, paths, withTag } = await many(30);
	await workspace.faults({ skippedInBulk: [rows[7].id] });
	const gone = { id: '99999999' };
	const input = [...rows.slice(0, 3), gone, ...rows.slice(3)];
	const { json: items, error } = await run(named('VIP'), input, {
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	expect(items.map(({ success }) => success ?? false)).toEqual(input.map((row) => row !== gone));
	expect(String(items[3].error)).toMatch(
		/^No contact has the ID 99999999\. Nothing was changed for this item\./,
	);
	expect(await paths()).toEqual([
		bulkPath('tags'),
		...[gone.id, rows[7].id].map((id) => `POST /api/v1/contacts/id%3A${id}/tags`),
	]);
	expect(await withTag()).toBe(30);
});

test('Nothing is made unless Create Missing Tags is on, and then once', async () => {
	const { run, rows, named, workspace, withTag } = await many(25);
	expect(shownOf(await run(named('New'), rows))).toMatch(/^There is no tag named "New"\./);
	expect(await writesOf(workspace)).toEqual([]);
	await run(named('New', 'addTags', { createMissing: true }), rows);
	expect((await workspace.state()).tags.map(({ name }) => name)).toEqual(['VIP', 'New']);
	expect(await withTag('New')).toBe(25);
});

test('A row that may not create a tag does not get the one that another row creates', async () => {
	const { run, rows, named, tagsOf } = await many(25);
	const createMissing = '={{ $itemIndex > 0 }}';
	const { json: items } = await run(named('New', 'addTags', { createMissing }), rows, {
		onError: 'continueRegularOutput',
	});
	const hasTag = (await tagsOf(rows[0].id)).includes('New');
	expect(items[0].success ?? false).toBe(hasTag);
	expect(await tagsOf(rows[1].id)).toEqual(['New']);
});

test('Two rows of one contact, and rows with other tags, are all done', async () => {
	const { run, rows, named, workspace, tagsOf, paths } = await many(25);
	await workspace.add('tags', { name: 'Gold' });
	const input = [...rows, rows[0], ...rows.slice(0, 2)].map((row, index) => ({
		...row,
		value: index > 25 ? 'Gold' : 'VIP',
	}));
	const { json: items } = await run(named(fromItem()), input);
	expect(items).toHaveLength(28);
	expect(await tagsOf(rows[0].id)).toEqual(['VIP', 'Gold']);
	expect((await paths()).filter((path) => path === bulkPath('tags'))).toHaveLength(1);
});

test('With Batching, each contact has a request of its own', async () => {
	const { run, rows, named, paths } = await many(20);
	const batch = { batchSize: 10, batchInterval: 1 };
	await run({ ...named('VIP'), requestOptions: { batching: { batch } } } as never, rows);
	expect(await paths()).toHaveLength(20);
});

test.each([
	['fewer than twenty contacts', 19, {}],
	['a service of the older kind', 20, { service: 'older', newest: false }],
	['the service of the reference', 20, { service: 'reference', newest: false }],
] as const)('%s: each contact has a request of its own', async (_, count, options) => {
	const { run, rows, named, paths, withTag } = await many(count, { ...newest, ...options });
	await run(named('VIP'), rows);
	const sent = await paths();
	expect(sent).toHaveLength(count);
	expect(sent).not.toContain(bulkPath('tags'));
	expect(await withTag()).toBe(count);
});

test('A service that only adds in bulk removes the tags one by one', async () => {
	const { run, rows, named, withTag, paths } = await many(20, { service: 'newer' });
	await run(named('VIP'), rows);
	const { error } = await run(named('VIP', 'removeTags'), rows);
	expect(error).toBeUndefined();
	expect(await withTag()).toBe(0);
	expect(await paths()).toHaveLength(1 + 1 + 20);
});

test.each(['VIP', 'vip'])(
	'Of the tags VIP and %s, only the one that the user selected is added',
	async (name) => {
		const { run, rows, change, workspace, vip, paths } = await many(20);
		await workspace.add('tags', { name });
		await run(change('addTags', { tagIds: [vip.id] }), rows);
		expect(await paths()).not.toContain(bulkPath('tags'));
		const { tags } = await workspace.contact(`id:${rows[0].id}`);
		expect(tags.map(({ id }) => id)).toEqual([vip.id]);
	},
);

test('Rows by email have a request each', async () => {
	const { run, change, vip, workspace, paths } = await many(40);
	const { contacts } = await workspace.state();
	const rows = contacts.flatMap(({ email }) => (email ? { email } : [])).slice(0, 20);
	const identifier = by('email', fromItem('email'));
	const { json: items } = await run(change('addTags', { identifier, tagIds: [vip.id] }), rows);
	expect(items).toHaveLength(20);
	const sent = await paths();
	expect(sent).toHaveLength(20);
	expect(sent).not.toContain(bulkPath('tags'));
});

test('A tag whose name ends with a blank is added by a request for each contact', async () => {
	const { run, rows, change, workspace, paths } = await many(20);
	const { id } = await workspace.add('tags', { name: 'Gold ' });
	await run(change('addTags', { tagIds: [id] }), rows);
	expect(await paths()).not.toContain(bulkPath('tags'));
});

test("n8n's Retry On Fail sends nothing again for those who are done", async () => {
	const { run, rows, named, paths } = await many(25);
	const retryOnFail = { maxTries: 2, waitBetweenTries: 0 };
	const gone = { id: '99999999' };
	const { error } = await run(named('VIP'), [...rows, gone], { retryOnFail });
	expect(error?.message).toContain('No contact has the ID 99999999');
	const own = `POST /api/v1/contacts/id%3A${gone.id}/tags`;
	expect(await paths()).toEqual([bulkPath('tags'), own, own]);
});

test.each(['null', 'emptyObject'] as const)(
	'After an answer that says nothing (%s), each contact has a request of its own',
	async (shape) => {
		const { run, rows, named, workspace, withTag, paths } = await many(20);
		const match = { operation: 'bulkAddTags' } as const;
		await workspace.faults({ hostile: [{ match, mode: 'wrongShape', shape }] });
		const { error } = await run(named('VIP'), rows);
		expect(error).toBeUndefined();
		expect(await paths()).toHaveLength(1 + 20);
		expect(await withTag()).toBe(20);
	},
);

test('After a lost answer, the request is sent again', async () => {
	const { run, rows, named, workspace, withTag, paths } = await many(20);
	await workspace.faults({ dropAfter: { match: { operation: 'bulkAddTags' }, times: 1 } });
	const { error } = await run(named('VIP'), rows);
	expect(error).toBeUndefined();
	expect(await paths()).toEqual([bulkPath('tags'), bulkPath('tags')]);
	expect(await withTag()).toBe(20);
});

test.each([
	[1000, [1000]],
	[1001, [1000, 1]],
])('%i contacts take requests for %j of them', async (count, sizes) => {
	const { run, rows, named, workspace } = await many(count);
	await run(named('VIP'), rows);
	const sent = (await writesOf(workspace)).map(({ body }) => body as { contactIds: string[] });
	expect(sent.map(({ contactIds }) => contactIds.length)).toEqual(sizes);
});

test.each([
	[20, 1],
	[21, 20],
])('%i tags for twenty contacts take %i requests', async (count, requests) => {
	const { run, rows, change, workspace, paths } = await many(20);
	const tagIds: string[] = [];
	for (let made = 0; made < count; made++)
		tagIds.push((await workspace.add('tags', { name: `Tag ${made}` })).id);
	await workspace.clearJournal();
	const { error } = await run(change('addTags', { tagIds }), rows);
	expect(error).toBeUndefined();
	expect(await paths()).toHaveLength(requests);
	const { tags } = await workspace.contact(`id:${rows[19].id}`);
	expect(tags).toHaveLength(count);
});
