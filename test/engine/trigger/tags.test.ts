import { active, identifier, idsOf, people, watched } from '../../support/engine/triggerSupport';
import { engines } from '../../support/engine/triggerHost';
import type { SandboxWorkspace } from '../../../sandbox/client';

const added = { event: 'tagAdded' };
const removed = { event: 'tagRemoved' };

/** Sets the tags of a contact, as another user would; nothing about it is said in `updatedAt`. */
async function tag(
	workspace: SandboxWorkspace,
	contact: { id: string; updatedAt: string },
	tagIds: string[],
) {
	const { updatedAt } = contact;
	await workspace.changeContacts([{ identifier: identifier(contact), changes: { tagIds, updatedAt } }]);
}

describe.each(engines)('polled by the %s engine', (engine) => {
	test('Tag Added finds each tag once, though nothing else of the contact changes', async () => {
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
	});

	test('Tag Removed finds each tag once, by its name', async () => {
		const { workspace, host } = await active(removed, { contacts: 60 }, engine);
		const { contacts } = await workspace.state();
		const [vip] = contacts[0].tags;
		await tag(workspace, contacts[0], []);
		expect(await host.poll()).toMatchObject([
			{ id: contacts[0].id, tags: [], tag: { id: vip.id, name: vip.name } },
		]);
		expect(await host.poll()).toEqual([]);
	});

	test('a tag that comes and goes is found each time, over restarts', async () => {
		const { workspace, host } = await active(added, { contacts: 10 }, engine);
		const { contacts, tags } = await workspace.state();
		for (let round = 0; round < 3; round++) {
			await tag(workspace, contacts[1], []);
			await host.poll();
			await host.poll();
			await host.restart(async () => await tag(workspace, contacts[1], [tags[0].id]));
			await host.poll();
			expect(host.items).toHaveLength(round + 1);
		}
	});

	test('a tag that goes after it came unnoticed is found, over restarts', async () => {
		const { workspace, host } = await active(removed, { contacts: 10 }, engine);
		const { contacts, tags } = await workspace.state();
		for (let round = 0; round < 3; round++) {
			await tag(workspace, contacts[1], [tags[0].id]);
			await host.poll();
			await host.restart(async () => await tag(workspace, contacts[1], []));
			await host.poll();
			expect(host.items).toHaveLength(round + 1);
		}
	});

	test('publishing once more loses and repeats nothing', async () => {
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

	test('other tags are a new beginning', async () => {
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
	});
});

test('only chosen tags count, as list or as text', async () => {
	const { workspace, host } = await watched({});
	const { contacts, tags } = await workspace.state();
	await host.republish({ ...added, tagIds: `${tags[0].id}, ${tags[1].id}` });
	await tag(workspace, contacts[1], [tags[0].id, tags[2].id]);
	await tag(workspace, contacts[3], [tags[2].id]);
	expect(await host.poll()).toMatchObject([{ id: contacts[1].id, tag: { id: tags[0].id } }]);
});

test('a thousand at once, a failure in the middle, capped pages in any order', async () => {
	const { workspace, host } = await active(added, {
		contacts: 3000,
		faults: { maxPerPage: 100, ignoreSort: true },
	});
	const { contacts, tags } = await workspace.state();
	const untagged = contacts.filter(({ tags: own }) => own.length === 0).slice(0, 1000);
	await workspace.changeContacts(
		untagged.map((contact) => ({ identifier: identifier(contact), changes: { tagIds: [tags[5].id] } })),
	);
	await workspace.faults({ fail: [{ match: { pathPattern: 'page=17' }, status: 403 }] });
	await expect(host.poll()).rejects.toThrow('403');
	await workspace.faults({ fail: null });
	expect(idsOf(await host.poll())).toEqual(idsOf(untagged));
	expect(await host.poll()).toEqual([]);
});

test('a new contact with a tag counts, a deleted one does not', async () => {
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

test('a contact that is missing from the list for a while is not new when it is back', async () => {
	const { workspace, host } = await active({ ...added, filters: { keyword: 'ann' } }, { contacts: 0 });
	const [{ id: tagId }] = (await workspace.state()).tags;
	const [ann] = await workspace.addContacts([{ firstName: 'Ann', tagIds: [tagId] }]);
	await host.poll();
	await workspace.changeContacts([{ identifier: identifier(ann), changes: { firstName: 'Bob' } }]);
	for (let poll = 0; poll < 20; poll++) await host.poll();
	await workspace.changeContacts([{ identifier: identifier(ann), changes: { firstName: 'Ann' } }]);
	await host.poll();
	expect(host.items).toHaveLength(1);
});

test('what is remembered without items starts the workflow with none, only where n8n would forget it', async () => {
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

test('remembers some ten characters for each contact with a watched tag', async () => {
	const { workspace, host } = await active(added, { contacts: 20_000 });
	const { contacts } = await workspace.state();
	const tagged = contacts.filter(({ tags }) => tags.length > 0).length;
	expect(host.size / tagged).toBeLessThan(11);
	const { tags } = await workspace.state();
	await host.republish({ ...added, tagIds: [tags[0].id] });
	expect(host.size / tagged).toBeLessThan(2);
});

test.each([
	['sorts', null],
	['refuses to', [{ match: { pathPattern: 'sort' }, status: 400 }]],
])('Fetch Test Event shows a contact with one of the tags, on a service that %s', async (_, fail) => {
	const { workspace, host } = await watched({ event: 'tagRemoved' }, { contacts: 20, faults: { fail } });
	const { tags, contacts } = await workspace.state();
	const changes = { tagIds: [tags[0].id] };
	await workspace.changeContacts([{ identifier: identifier(contacts[15]), changes }]);
	const { items } = await host.fetchTestEvent();
	expect(items).toHaveLength(1);
	expect(tags.map(({ id }) => id)).toContain((items[0].tag as { id: string }).id);
	// The one that changed last, where that can be asked for.
	if (!fail) expect(items[0].id).toBe(contacts[15].id);
});
