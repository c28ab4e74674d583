import { testWorkspace } from './workspace';

const tags = (operation: 'addTags' | 'removeTags', tagNames: string, more = {}) => ({
	resource: 'contact',
	operation,
	identifier: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
	tagsBy: 'names',
	tagNames,
	...more,
});

const people = Array.from({ length: 12 }, (_, n) => ({
	email: `p${n}@example.com`,
	phoneNumber: `+4915100000${n + 100}`,
}));

async function withPeople() {
	const test = await testWorkspace({ contacts: 0, counts: { tags: 0 } });
	await test.workspace.addContacts(people);
	for (const name of ['VIP', 'vip', 'Newsletter']) await test.workspace.add('tags', { name });
	await test.workspace.clearJournal();
	return test;
}

test('names are matched exactly first, then regardless of case, with one look-up for all items', async () => {
	const { run, workspace } = await withPeople();
	const { json, error } = await run(tags('addTags', 'vip, NEWSLETTER'), people);
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({
		success: true,
		contact: 'email:p0@example.com',
		addedTagNames: ['vip', 'NEWSLETTER'],
	});
	const contact = await workspace.contact('email:p0@example.com');
	expect(contact.tags.map(({ name }) => name).sort()).toEqual(['Newsletter', 'vip']);
	const { byOperation } = await workspace.summary();
	expect(byOperation.addContactTags).toBe(people.length);
	expect(byOperation.listTags).toBeLessThanOrEqual(2);

	await run(tags('removeTags', 'vip'), people);
	expect((await workspace.contact('email:p0@example.com')).tags.map(({ name }) => name)).toEqual([
		'Newsletter',
	]);
});

test('a name that does not exist is an error, or is created once for all items', async () => {
	const { run, workspace } = await withPeople();
	const { error } = await run(tags('addTags', 'Brand New'), [people[0]]);
	expect(error?.message).toMatch(/^There is no tag named "Brand New"/);

	const { json } = await run(tags('addTags', 'Brand New', { createMissing: true }), people);
	expect(json).toHaveLength(people.length);
	expect((await workspace.summary()).byOperation.createTag).toBe(1);
	expect((await workspace.contact('email:p11@example.com')).tags.map(({ name }) => name)).toEqual([
		'Brand New',
	]);
});

test('two runs that create the same tag at once both find it', async () => {
	const { run, workspace } = await withPeople();
	await workspace.faults({ latencyMs: 30 });
	const create = () => run(tags('addTags', 'Race', { createMissing: true }), people);
	const results = await Promise.all([create(), create()]);
	expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
	expect((await workspace.state()).tags.filter(({ name }) => name === 'Race')).toHaveLength(1);
});
