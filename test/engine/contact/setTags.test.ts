import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, once, pathOf, received, shownOf } from '../../support/engine/helpers';
import { pairs } from '../../support/cases';
import { testWorkspace } from '../../support/engine/workspace';
import { serviceNames, type ServiceName } from '../../../sandbox/services/names';

const faces = serviceNames.map((service) => [service] as const);

/** A contact with the tags A and B, in a workspace that has C as well. */
async function tagged(service: ServiceName = 'reference') {
	const { workspace, run } = await testWorkspace({ service, contacts: 0, counts: { tags: 0 } });
	for (const name of ['A', 'B', 'C']) await workspace.add('tags', { name });
	const { tags } = await workspace.state();
	const [contact] = await workspace.addContacts([{ tagIds: [tags[0].id, tags[1].id] }]);
	return {
		workspace,
		contact,
		set: async (tagNames: unknown, more: INodeParameters = {}) =>
			await run({
				resource: 'contact',
				operation: 'setTags',
				tagsBy: 'names',
				identifier: by('id', contact.id),
				tagNames: tagNames as string,
				...more,
			}),
		run,
		tagsNow: async () =>
			(await workspace.contact(`id:${contact.id}`))!.tags.map(({ name }) => name).sort(),
	};
}

interface Change {
	names: string;
	now: string[];
	added: string[];
	removed: string[];
}

const changes: Change[] = [
	{ names: 'B, C', now: ['B', 'C'], added: ['C'], removed: ['A'] },
	{ names: 'b,c', now: ['B', 'C'], added: ['c'], removed: ['A'] },
	{ names: 'A, B', now: ['A', 'B'], added: [], removed: [] },
	{ names: '={{ [] }}', now: [], added: [], removed: ['A', 'B'] },
	{ names: '[]', now: [], added: [], removed: ['A', 'B'] },
];

test.each(pairs([...serviceNames], changes))(
	'Set Tags on the %s service replaces the tags: %j',
	async (service, { names, now, added, removed }) => {
		const { set, tagsNow, contact } = await tagged(service);
		const { json, error } = await set(names);
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{
				success: true,
				contact: `id:${contact.id}`,
				contactId: contact.id,
				addedTagNames: added,
				removedTagNames: expect.arrayContaining([...removed]),
			},
		]);
		expect((json[0].removedTagNames as string[]).length).toBe(removed.length);
		expect(await tagsNow()).toEqual(now);
	},
);

test.each([
	[
		' ',
		'Tag Names must hold at least one name (to remove all tags, enter an empty list: {{ [] }})',
	],
	['={{ "" }}', 'Tag Names must hold at least one name'],
	['={{ undefined }}', 'Tag Names must hold at least one name'],
	['={{ [""] }}', 'Tag Names must hold at least one name'],
	['={{ [null] }}', 'Tag Names must hold at least one name'],
	['={{ {} }}', 'Tag Names must hold at least one name'],
	['={{ { names: [] } }}', 'Tag Names must hold at least one name'],
])('Set Tags removes nothing if Tag Names is %p', async (names, message) => {
	const { set, tagsNow } = await tagged();
	expect(shownOf(await set(names))).toContain(message);
	expect(await tagsNow()).toEqual(['A', 'B']);
});

test('Set Tags removes nothing if Tag Names was never filled in', async () => {
	const { set, tagsNow } = await tagged();
	await expect(set('')).rejects.toThrow('Parameter "Tag Names" is required');
	expect(await tagsNow()).toEqual(['A', 'B']);
});

test('Set Tags names a tag once that the item names several times', async () => {
	const { set, tagsNow } = await tagged();
	const { json } = await set('"New"\nnew, NEW\nA;a', { createMissing: true });
	expect(json[0]).toMatchObject({ addedTagNames: ['New'], removedTagNames: ['B'] });
	expect(await tagsNow()).toEqual(['A', 'New']);
});

test('Set Tags writes nothing if nothing changes', async () => {
	const { set, workspace } = await tagged();
	await set('A, B');
	expect((await received(workspace)).every(({ method }) => method === 'GET')).toBe(true);
});

test('Set Tags reports a tag that does not exist, or creates it', async () => {
	const { set, tagsNow } = await tagged();
	expect(shownOf(await set('A, New'))).toContain(
		'There is no tag named "New". Nothing was changed.',
	);
	expect(await tagsNow()).toEqual(['A', 'B']);
	expect((await set('A, New', { createMissing: true })).error).toBeUndefined();
	expect(await tagsNow()).toEqual(['A', 'New']);
});

test('Set Tags handles several items about one contact one after the other', async () => {
	const { run, contact, tagsNow, workspace } = await tagged();
	await workspace.faults({ latencyMs: [0, 20] });
	const { json } = await run(
		{
			resource: 'contact',
			operation: 'setTags',
			tagsBy: 'names',
			identifier: by('id', contact.id),
			tagNames: fromItem(),
		},
		[{ value: 'A' }, { value: 'B' }, { value: 'C' }],
	);
	expect(json.map(({ addedTagNames }) => addedTagNames)).toEqual([[], ['B'], ['C']]);
	expect(await tagsNow()).toEqual(['C']);
});

test('Set Tags handles items in order if they name one contact differently', async () => {
	const { run, contact, tagsNow, workspace } = await tagged();
	const email = 'ann@example.com';
	await workspace.changeContacts([{ identifier: `id:${contact.id}`, changes: { email } }]);
	// Both read the tags before either has changed them.
	await workspace.faults({ latencyMs: 20 });
	const { error } = await run(
		{
			resource: 'contact',
			operation: 'setTags',
			tagsBy: 'names',
			identifier: fromItem('who'),
			tagNames: fromItem(),
		},
		[
			{ who: `id:${contact.id}`, value: 'A, C' },
			{ who: `email:${email}`, value: 'B' },
		],
	);
	expect(error).toBeUndefined();
	expect(['A,C', 'B']).toContain((await tagsNow()).join());
});

test('Set Tags removes more tags than fit in one request', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0, counts: { tags: 101 } });
	const { tags } = await workspace.state();
	const [contact] = await workspace.addContacts([{ tagIds: tags.map(({ id }) => id) }]);
	const { json } = await run({
		resource: 'contact',
		operation: 'setTags',
		tagsBy: 'names',
		identifier: by('id', contact.id),
		tagNames: '={{ [] }}',
	});
	expect(json[0].removedTagNames).toHaveLength(101);
	const removals = (await received(workspace)).filter(({ method }) => method === 'DELETE');
	expect(removals.map(({ body }) => (body as { tagIds: string[] }).tagIds.length)).toEqual([
		100, 1,
	]);
	expect(pathOf(removals[0])).toMatch(/\/tags$/);
});

test('Set Tags reports what it added before a removal failed', async () => {
	const { set, workspace } = await tagged();
	await workspace.faults({ fail: [{ match: { operation: 'removeContactTags' }, status: 403 }] });
	const shown = shownOf(await set('C'));
	expect(shown).toContain("n8n added C, but didn't remove all other tags of the contact.");
});

test('Set Tags reports what it added before a second removal failed', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0, counts: { tags: 201 } });
	const { tags } = await workspace.state();
	const [contact] = await workspace.addContacts([{ tagIds: tags.map(({ id }) => id) }]);
	// The contact is read and 100 tags are removed; then it is too much.
	await workspace.faults({ rateLimit: { requests: 2, windowMs: 60_000, tell: 'none' } });
	const result = await run({
		resource: 'contact',
		operation: 'setTags',
		tagsBy: 'names',
		identifier: by('id', contact.id),
		tagNames: '={{ [] }}',
		...once,
	});
	expect(shownOf(result)).toContain(
		"n8n removed 100 tags, but didn't remove all other tags of the contact.",
	);
});

test('Set Tags names the tags that it created before an addition failed', async () => {
	const { set, workspace } = await tagged();
	await workspace.faults({ fail: [{ match: { operation: 'addContactTags' }, status: 403 }] });
	const shown = shownOf(await set('New', { createMissing: true }));
	expect(shown).toContain('The tag "New" was created, but not added.');
});

test('Set Tags recognizes a tag of the contact in another case if the service cuts the list of tags', async () => {
	const { workspace, run } = await testWorkspace({
		service: 'older',
		contacts: 0,
		counts: { tags: 55 },
	});
	const held = await workspace.add('tags', { name: 'Newsletter' });
	const [contact] = await workspace.addContacts([{ tagIds: [held.id] }]);
	const { json, error } = await run({
		resource: 'contact',
		operation: 'setTags',
		tagsBy: 'names',
		identifier: by('id', contact.id),
		tagNames: 'newsletter',
		createMissing: true,
	});
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({ addedTagNames: [], removedTagNames: [] });
	expect((await workspace.contact(`id:${contact.id}`))!.tags.map(({ name }) => name)).toEqual([
		'Newsletter',
	]);
});

test('Set Tags recognizes the tags of the contact if the service does not list them', async () => {
	const { set, tagsNow, workspace } = await tagged();
	await workspace.faults({ fail: [{ match: { pathPattern: '^/api/v1/tags' }, status: 404 }] });
	expect((await set('B')).error).toBeUndefined();
	expect(await tagsNow()).toEqual(['B']);
	const shown = shownOf(await set('C'));
	expect(shown).toContain('set Select Tags By to From List');
});

describe.each(serviceNames)('Set Tags with tags from the list on the %s service', (service) => {
	async function byIds() {
		const { set, ...rest } = await tagged(service);
		const [a, b, c] = (await rest.workspace.state()).tags.map(({ id }) => id);
		return {
			...rest,
			ids: { a, b, c },
			set: async (tagIds: unknown) => await set('', { tagsBy: 'ids', tagIds: tagIds as string[] }),
		};
	}

	test('adds those that the contact lacks and removes the others', async () => {
		const { set, ids, tagsNow, contact } = await byIds();
		const { json, error } = await set([ids.b, ids.c]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ contactId: contact.id, addedTagNames: ['C'], removedTagNames: ['A'] },
		]);
		expect(await tagsNow()).toEqual(['B', 'C']);
	});

	test('removes all if an expression returns an empty list', async () => {
		const { set, tagsNow } = await byIds();
		expect((await set('={{ [] }}')).json).toMatchObject([
			{ addedTagNames: [], removedTagNames: ['A', 'B'] },
		]);
		expect(await tagsNow()).toEqual([]);
	});

	test('removes nothing if it is empty in another way', async () => {
		const { set, tagsNow } = await byIds();
		for (const tagIds of ['={{ "" }}', '={{ undefined }}', '={{ [""] }}', '={{ {} }}'])
			expect(shownOf(await set(tagIds))).toContain('Tag Names or IDs must hold at least one ID');
		expect(await tagsNow()).toEqual(['A', 'B']);
	});
});

test.each(faces)(
	'Set Tags changes nothing on the %s service if one of the IDs does not exist, and says which (difference 11)',
	async (service) => {
		const { set, tagsNow } = await tagged(service);
		const shown = shownOf(await set('', { tagsBy: 'ids', tagIds: ['999999'] }));
		expect(shown).toContain(
			'The tag 999999 no longer exists. Nothing was changed. Pick it again. The workspace has: ',
		);
		expect(await tagsNow()).toEqual(['A', 'B']);
	},
);
