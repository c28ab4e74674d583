import { caseCount, turnsOf } from '../../support/cases';
import { active, identifier, idsOf, people, watched } from '../../support/engine/triggerSupport';
import { engines } from '../../support/engine/triggerHost';
import type { SandboxWorkspace } from '../../../sandbox/client';

const added = { event: 'tagAdded' };
const removed = { event: 'tagRemoved' };

/** Sets the tags of a contact as another user would, without a new `updatedAt`. */
async function tag(
	workspace: SandboxWorkspace,
	contact: { id: string; updatedAt: string },
	tagIds: string[],
) {
	const { updatedAt } = contact;
	await workspace.changeContacts([
		{ identifier: identifier(contact), changes: { tagIds, updatedAt } },
	]);
}

/** For tests in which n8n does not restart. */
const oneEngine = turnsOf([...engines]);

describe.each(engines)('polled by the %s engine', (engine) => {
	test('Tag Added finds a tag each time that comes and goes, over restarts', async () => {
		const { workspace, host } = await active(added, { contacts: 10 }, engine);
		const { contacts, tags } = await workspace.state();
		for (let round = 0; round < 2; round++) {
			await tag(workspace, contacts[1], []);
			await host.poll();
			await host.poll();
			await host.restart(async () => await tag(workspace, contacts[1], [tags[0].id]));
			await host.poll();
			expect(host.items).toHaveLength(round + 1);
		}
	});

	test('Tag Removed finds a tag each time that comes and goes, over restarts', async () => {
		const { workspace, host } = await active(removed, { contacts: 10 }, engine);
		const { contacts, tags } = await workspace.state();
		for (let round = 0; round < 2; round++) {
			await tag(workspace, contacts[1], [tags[0].id]);
			await host.poll();
			await host.restart(async () => await tag(workspace, contacts[1], []));
			await host.poll();
			expect(host.items).toHaveLength(round + 1);
		}
	});

	test('Tag Added loses and repeats nothing when a user publishes the workflow again', async () => {
		const { workspace, host } = await active(added, { contacts: 10 }, engine);
		const { contacts, tags } = await workspace.state();
		await tag(workspace, contacts[1], [tags[0].id]);
		await host.republish();
		await host.poll();
		await tag(workspace, contacts[3], [tags[0].id]);
		await host.poll();
		await host.republish();
		await host.poll();
		expect(host.items.map(({ id }) => id)).toEqual([contacts[1].id, contacts[3].id]);
	});
});

test.each(oneEngine())(
	'Tag Added finds each tag once if nothing else of the contact changes (%s engine)',
	async (engine) => {
		const { workspace, host } = await active(added, { contacts: 60 }, engine);
		const { contacts, tags } = await workspace.state();
		const [vip, news] = tags;
		// The contacts with odd numbers have no tags.
		await tag(workspace, contacts[1], [vip.id, news.id]);
		await tag(workspace, contacts[41], [news.id]);
		const items = await host.poll();
		expect(items).toHaveLength(3);
		expect(items).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ id: contacts[1].id, tag: { id: vip.id, name: vip.name } }),
				expect.objectContaining({ id: contacts[1].id, tag: { id: news.id, name: news.name } }),
				expect.objectContaining({ id: contacts[41].id, tag: { id: news.id, name: news.name } }),
			]),
		);
		expect(items.find(({ id }) => id === contacts[1].id)?.tags).toEqual([vip.name, news.name]);
		expect(await host.poll()).toEqual([]);
		await tag(workspace, contacts[1], [vip.id]);
		expect(await host.poll()).toEqual([]);
		await tag(workspace, contacts[1], [vip.id, news.id]);
		expect(await host.poll()).toMatchObject([{ id: contacts[1].id, tag: { id: news.id } }]);
	},
);

test.each(oneEngine())(
	'Tag Removed finds each tag once, with its name (%s engine)',
	async (engine) => {
		const { workspace, host } = await active(removed, { contacts: 60 }, engine);
		const { contacts } = await workspace.state();
		const [vip] = contacts[0].tags;
		await tag(workspace, contacts[0], []);
		expect(await host.poll()).toMatchObject([
			{ id: contacts[0].id, tags: [], tag: { id: vip.id, name: vip.name } },
		]);
		expect(await host.poll()).toEqual([]);
	},
);

test.each(oneEngine())(
	'Tag Added starts over with other tags, but not with the same ones in another order (%s engine)',
	async (engine) => {
		const { workspace, host } = await active({ ...added, tagIds: [] }, { contacts: 10 }, engine);
		const { contacts, tags } = await workspace.state();
		await tag(workspace, contacts[1], [tags[0].id, tags[1].id]);
		await host.republish({ ...added, tagIds: [tags[0].id, tags[2].id] });
		await host.poll();
		expect(host.items).toEqual([]);
		await host.republish({ ...added, tagIds: [tags[2].id, tags[0].id] });
		await tag(workspace, contacts[3], [tags[0].id, tags[1].id]);
		await host.poll();
		expect(host.items).toMatchObject([{ id: contacts[3].id, tag: { id: tags[0].id } }]);
	},
);

test('Tag Added finds only the chosen tags, entered as text', async () => {
	const { workspace, host } = await watched({});
	const { contacts, tags } = await workspace.state();
	await host.republish({ ...added, tagIds: `${tags[0].id}, ${tags[1].id}` });
	await tag(workspace, contacts[1], [tags[0].id, tags[2].id]);
	await tag(workspace, contacts[3], [tags[2].id]);
	expect(await host.poll()).toMatchObject([{ id: contacts[1].id, tag: { id: tags[0].id } }]);
});

test('Tag Added finds many tags at once after a failure, on capped pages in any order', async () => {
	const { workspace, host } = await active(added, {
		contacts: caseCount({ few: 600, many: 3000 }),
		faults: { maxPerPage: 20, ignoreSort: true },
	});
	const { contacts, tags } = await workspace.state();
	const untagged = contacts
		.filter(({ tags: own }) => own.length === 0)
		.slice(0, caseCount({ few: 200, many: 1000 }));
	await workspace.changeContacts(
		untagged.map((contact) => ({
			identifier: identifier(contact),
			changes: { tagIds: [tags[5].id] },
		})),
	);
	await workspace.faults({ fail: [{ match: { pathPattern: 'page=17' }, status: 403 }] });
	await expect(host.poll()).rejects.toThrow('403');
	await workspace.faults({ fail: null });
	expect(idsOf(await host.poll())).toEqual(idsOf(untagged));
	expect(await host.poll()).toEqual([]);
});

test('Tag Added finds the tag of a new contact, Tag Removed not that of a deleted one', async () => {
	const { workspace, host } = await active(added, { contacts: 10 });
	const { tags, contacts } = await workspace.state();
	const [ann] = await workspace.addContacts([{ firstName: 'Ann', tagIds: [tags[0].id] }]);
	expect(idsOf(await host.poll())).toEqual([ann.id]);
	await host.republish(removed);
	await host.poll();
	await workspace.removeContacts([identifier(ann), identifier(contacts[0])]);
	await host.poll();
	await host.poll();
	expect(host.items).toHaveLength(1);
});

test('Tag Added does not find the tag of a contact again that the list lacked for a while', async () => {
	const { workspace, host } = await active(
		{ ...added, filters: { keyword: 'ann' } },
		{ contacts: 0 },
	);
	const [{ id: tagId }] = (await workspace.state()).tags;
	const [ann] = await workspace.addContacts([{ firstName: 'Ann', tagIds: [tagId] }]);
	await host.poll();
	await workspace.changeContacts([{ identifier: identifier(ann), changes: { firstName: 'Bob' } }]);
	for (let poll = 0; poll < 20; poll++) await host.poll();
	await workspace.changeContacts([{ identifier: identifier(ann), changes: { firstName: 'Ann' } }]);
	await host.poll();
	expect(host.items).toHaveLength(1);
});

test('Tag Added starts the workflow without items only if n8n would not save the memory otherwise', async () => {
	const { workspace, host } = await active(added, { contacts: 10 });
	const { contacts, tags } = await workspace.state();
	expect(host.executions).toHaveLength(0);
	await tag(workspace, contacts[0], []);
	await host.poll();
	expect(host.executions).toEqual([[]]);
	await host.poll();
	await workspace.addContacts(people(2));
	await host.poll();
	expect(host.executions).toHaveLength(1);
	await tag(workspace, contacts[0], [tags[0].id]);
	await tag(workspace, contacts[2], []);
	await host.poll();
	expect(host.executions).toHaveLength(2);
});

test('Tag Added remembers less than eleven characters per contact with a watched tag', async () => {
	const { workspace, host } = await active(added, {
		contacts: caseCount({ few: 500, many: 2000 }),
	});
	const { contacts, tags } = await workspace.state();
	const tagged = contacts.filter((contact) => contact.tags.length > 0).length;
	expect(host.size / tagged).toBeLessThan(11);
	await host.republish({ ...added, tagIds: [tags[0].id] });
	expect(host.size / tagged).toBeLessThan(2);
});

test.each([
	['sorts', null],
	['refuses to sort', [{ match: { pathPattern: 'sort' }, status: 400 }]],
])('Fetch Test Event shows a contact with a tag, on a service that %s', async (_, fail) => {
	const { workspace, host } = await watched(
		{ event: 'tagRemoved' },
		{ contacts: 20, faults: { fail } },
	);
	const { tags, contacts } = await workspace.state();
	const changes = { tagIds: [tags[0].id] };
	await workspace.changeContacts([{ identifier: identifier(contacts[15]), changes }]);
	const { items } = await host.fetchTestEvent();
	expect(items).toHaveLength(1);
	expect(tags.map(({ id }) => id)).toContain((items[0].tag as { id: string }).id);
	// The one that changed last, if the service sorts.
	if (!fail) expect(items[0].id).toBe(contacts[15].id);
});

test.each([
	[added, true],
	[removed, false],
])('the sample of %j has the tag: %p', async (event, hasTag) => {
	const { host } = await watched(event, { contacts: 3 });
	const [{ tag, tags }] = (await host.fetchTestEvent()).items as Array<{
		tag: { name: string };
		tags: string[];
	}>;
	expect(tag.name).toMatch(/./);
	expect(tags.includes(tag.name)).toBe(hasTag);
});
