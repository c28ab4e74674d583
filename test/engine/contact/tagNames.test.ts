import { once } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import type { Faults, WorkspaceOptions } from '../../../sandbox/options';

const tags = (operation: 'addTags' | 'removeTags', tagNames: string | string[], more = {}) => ({
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

async function withPeople(options: WorkspaceOptions = {}) {
	const test = await testWorkspace({ contacts: 0, counts: { tags: 0 }, ...options });
	await test.workspace.addContacts(people);
	for (const name of ['VIP', 'vip', 'Newsletter']) await test.workspace.add('tags', { name });
	await test.workspace.clearJournal();
	return test;
}

test('Add Tags matches names exactly first, then regardless of case, with one look-up for all items', async () => {
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

test.each(['addTags', 'removeTags'] as const)(
	'%s refuses a name that fits two tags only regardless of case, before anything is changed',
	async (operation) => {
		const { run, workspace } = await withPeople();
		const { error } = await run(tags(operation, 'Vip'), people.slice(0, 1));
		expect(error?.message).toMatch(/^2 tags fit the name "Vip": "VIP" \(\d+\), "vip" \(\d+\)\./);
		expect(error?.description).toContain('Choose one of them from the list.');
		const { byOperation } = await workspace.summary();
		expect(byOperation.addContactTags ?? byOperation.removeContactTags).toBeUndefined();
	},
);

test('Add Tags reports a name that does not exist, or creates the tag once for all items', async () => {
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

test('Two runs that create the same tag at once both find it', async () => {
	const { run, workspace } = await withPeople();
	await workspace.faults({ latencyMs: 30 });
	const create = () => run(tags('addTags', 'Race', { createMissing: true }), people);
	const results = await Promise.all([create(), create()]);
	expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
	expect((await workspace.state()).tags.filter(({ name }) => name === 'Race')).toHaveLength(1);
});

test.each([
	['text', ' vip , Newsletter ,,', ['vip', 'Newsletter']],
	['text with semicolons', 'vip; Newsletter;', ['vip', 'Newsletter']],
	['a list', [' vip ', '', null, 'VIP'], ['vip', 'VIP']],
	['JSON', '["vip", " Newsletter "]', ['vip', 'Newsletter']],
	['JSON of numbers', '[2025]', ['2025']],
	['a number', 2025, ['2025']],
	['text that begins like JSON', '[VIP] Gold, {x}', ['[VIP] Gold', '{x}']],
	['names in quotation marks', '"Berlin, Mitte","VIP"', ['Berlin, Mitte', 'VIP']],
	['a list of Python', "['vip', 'Berlin']", ['vip', 'Berlin']],
	['one name on each line', 'vip\r\nBerlin, Mitte\n', ['vip', 'Berlin', 'Mitte']],
	['lines with dashes', '- vip\n- Berlin\n', ['vip', 'Berlin']],
	['a name with a dash', '- VIP', ['- VIP']],
])('Tag Names accepts %s', async (_, value, names) => {
	const { run, workspace } = await withPeople();
	const { json, error } = await run(
		tags('addTags', '={{ $json.value }}', { createMissing: true }),
		[{ ...people[0], value }],
	);
	expect(error).toBeUndefined();
	expect(json[0].addedTagNames).toEqual(names);
	const added = (await workspace.contact('email:p0@example.com')).tags.map(({ name }) => name);
	expect(new Set(added)).toEqual(new Set(names));
});

test.each([
	['nothing', ' , ', 'Tag Names must be a list of 1 to 100 tags, but has 0 entries'],
	['the beginning of a list', '["a", "b"', 'must be a list of tag names, but is "["a", "b""'],
	['an object', { a: 1 }, 'Tag Names 1 must be 1 to 255 characters long'],
	['a name that is too long', `a, ${'x'.repeat(256)}`, 'but has 256 characters'],
])('Tag Names does not accept %s', async (_, value, message) => {
	const { run, workspace } = await withPeople();
	const parameters = tags('addTags', '={{ $json.value }}', { createMissing: true });
	const { error } = await run(parameters, [{ ...people[0], value }]);
	expect(error?.message).toContain(message);
	expect((await workspace.summary()).requests).toBe(0);
});

test('Tag IDs that hold names say how to use names', async () => {
	const { run } = await withPeople();
	const { error } = await run({ ...tags('addTags', ''), tagsBy: 'ids', tagIds: ['VIP'] }, [
		people[0],
	]);
	expect(error?.message).toBe(
		'Tag Names or IDs 1 must be an ID made of digits only (to enter names, set Select Tags By to By Name), but is "VIP" [item 0]',
	);
});

describe('Add Tags that created a tag but did not add it', () => {
	const nobody = [{ email: 'nobody@example.com' }];
	const create = { createMissing: true };

	test('reports the tag if the contact does not exist', async () => {
		const { run, workspace } = await withPeople();
		const { error } = await run(tags('addTags', 'Neu, VIP', create), nobody);
		expect(error?.message).toBe(
			'The tag "Neu" was created, but not added. No contact has the email nobody@example.com. [item 0]',
		);
		expect((await workspace.state()).tags.map(({ name }) => name)).toContain('Neu');
	});

	test('reports the tag if the service cannot create another one', async () => {
		const { run, workspace } = await withPeople();
		// Reading the tags takes two requests, and each tag one.
		await workspace.faults({
			rateLimit: { requests: 4, windowMs: 60_000, kind: 'fixed', tell: 'none' },
		});
		const { error } = await run({ ...tags('addTags', 'A, B, C', create), ...once }, [people[0]]);
		expect((await workspace.state()).tags.map(({ name }) => name).slice(3)).toEqual(['A', 'B']);
		expect(error?.message).toMatch(
			/^The tags "A", "B" were created, but not added\. Rate limit reached/,
		);
		expect(error?.message).not.toContain('Nothing was changed');
	});

	test('reports the tag if the answer got lost', async () => {
		const { run, workspace } = await withPeople();
		await workspace.faults({ dropAfter: { match: { operation: 'createTag' }, times: 1 } });
		const { error } = await run(tags('addTags', 'Neu', create), nobody);
		expect(error?.message).toMatch(/^The tag "Neu" was created, but not added\. No contact has/);
	});

	test('reports the tag if its outcome is unknown', async () => {
		const { run, workspace } = await withPeople();
		await workspace.faults({ fail: [{ match: { operation: 'addContactTags' }, status: 500 }] });
		const { error } = await run({ ...tags('addTags', 'Neu', create), ...once }, [people[0]]);
		expect(error?.message).toMatch(
			/^The tag "Neu" was created\. The service failed .* This may or may not have gone through/,
		);
	});
});

test.each(['reference', 'newer'] as const)(
	'a tag that could not be created, and that is not in the list, was not created (%s)',
	async (service) => {
		const { run, workspace } = await withPeople({ service });
		await workspace.faults({ fail: [{ match: { operation: 'createTag' }, status: 500 }] });
		const parameters = { ...tags('addTags', 'Neu', { createMissing: true }), ...once };
		const { error } = await run(parameters, [people[0]]);
		expect(error?.message).toBe(
			'The tag "Neu" was not created. The service failed (500): The server said 500. Nothing was changed. [item 0]',
		);
		expect((await workspace.state()).tags.map(({ name }) => name)).not.toContain('Neu');
	},
);

const match = { operation: 'createTag' as const };
const down: Faults = { fail: [{ match, status: 502, body: 'html', times: 1 }] };
const broken: Faults = { dropBefore: { match, times: 1 } };

test.each([
	['reference', 'a 502', down],
	['newer', 'a 502', down],
	['newer', 'a broken connection', broken],
] as const)(
	'a tag that the %s service does not have after %s is created once more',
	async (service, _, faults) => {
		const { run, workspace } = await withPeople({ service });
		await workspace.faults(faults);
		const { error } = await run(tags('addTags', 'Neu', { createMissing: true }), [people[0]]);
		expect(error).toBeUndefined();
		const { tags: all } = await workspace.contact('email:p0@example.com');
		expect(all.map(({ name }) => name)).toEqual(['Neu']);
		expect((await workspace.summary()).byOperation.createTag).toBe(2);
	},
);

test('nobody knows whether a tag is created after a broken connection if the service does not recognize retries', async () => {
	const { run, workspace } = await withPeople({ service: 'reference' });
	await workspace.faults(broken);
	const { error } = await run(tags('addTags', 'Neu', { createMissing: true }), [people[0]]);
	expect(error?.message).toContain('This may or may not have gone through');
	expect((await workspace.summary()).byOperation.createTag).toBe(1);
});

test('nobody knows whether a tag was created if the list of tags cannot be read after that', async () => {
	const { run, workspace } = await withPeople();
	// Reading the tags takes two requests, and creating one takes the third.
	await workspace.faults({
		fail: [{ match: { operation: 'createTag' }, status: 500 }],
		rateLimit: { requests: 3, windowMs: 60_000, kind: 'fixed', tell: 'none' },
	});
	const parameters = { ...tags('addTags', 'Neu', { createMissing: true }), ...once };
	const { error } = await run(parameters, [people[0]]);
	expect(error?.message).toMatch(/^The service failed .*This may or may not have gone through/);
});

test('Remove Tags offers no creation of tags', async () => {
	const { run, workspace } = await withPeople();
	const { error } = await run(tags('removeTags', 'Gone', { createMissing: true }), [people[0]]);
	expect(error?.message).toBe(
		'There is no tag named "Gone". Nothing was changed. The workspace has: "VIP", "vip", "Newsletter". [item 0]',
	);
	expect((await workspace.summary()).byOperation.createTag).toBeUndefined();
});

test.each([404, 405] as const)(
	'Tag Names reports a service without the list of tags (%d)',
	async (status) => {
		const { run, workspace } = await withPeople();
		await workspace.faults({ missing: { listTags: status } });
		const { error } = await run(tags('addTags', 'VIP'), [people[0]]);
		expect(error?.message).toBe(
			`This service can't list its tags (${status}), so n8n can't find them by their names. Nothing was changed. Enter the IDs of the tags: set Select Tags By to From List. [item 0]`,
		);
	},
);
