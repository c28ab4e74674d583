import { active, identifier, idsOf, people, watched } from '../../support/engine/triggerSupport';

/*
 * Services that sort in another form, return at most 50 contacts per page, and list them without
 * their tags.
 */

describe.each(['newer', 'older'] as const)('on a service of the kind "%s"', (service) => {
	test('Contact Created finds each contact once, and a poll without news takes at most three requests', async () => {
		const { workspace, host, requestsOfPoll } = await active(
			{ event: 'contactCreated' },
			{ contacts: 200, service },
		);
		const added = await workspace.addContacts(people(130));
		expect(idsOf(await host.poll())).toEqual(idsOf(added));
		for (let round = 0; round < 2; round++) await host.poll();
		expect(await requestsOfPoll()).toBeLessThanOrEqual(3);
		expect(host.items).toHaveLength(130);
	});

	test('Contact Updated finds each change once, and a poll without news takes at most three requests', async () => {
		const { workspace, host, requestsOfPoll } = await active(
			{ event: 'contactUpdated' },
			{ contacts: 200, service },
		);
		const { contacts } = await workspace.state();
		for (const index of [0, 100, 199]) {
			await workspace.changeContacts([
				{ identifier: identifier(contacts[index]), changes: { city: 'X' } },
			]);
			expect(idsOf(await host.poll())).toEqual([contacts[index].id]);
			expect(await requestsOfPoll()).toBeLessThanOrEqual(3);
		}
		expect(host.items).toHaveLength(3);
	});

	test('Tag Added finds each tag once', async () => {
		const { workspace, host } = await active({ event: 'tagAdded' }, { contacts: 120, service });
		const { contacts, tags } = await workspace.state();
		const untagged = contacts.filter((contact) => contact.tags.length === 0);
		const [first, last] = [untagged[0], untagged[untagged.length - 1]];
		await workspace.changeContacts([
			{ identifier: identifier(first), changes: { tagIds: [tags[0].id] } },
			{ identifier: identifier(last), changes: { tagIds: [tags[1].id] } },
		]);
		const found = (await host.poll()) ?? [];
		expect(idsOf(found).sort()).toEqual([first.id, last.id].sort());
		expect(await host.poll()).toEqual([]);
	});
});

test('a contact filter that the service stops applying is an error and starts nothing', async () => {
	const filter = {
		operator: 'and',
		conditions: [{ field: 'email', operator: 'eq', value: 'a@example.com' }],
	};
	const { workspace, host } = await active(
		{ event: 'contactCreated', filters: { contactFilter: JSON.stringify(filter) } },
		{ contacts: 10, service: 'newer' },
	);
	await workspace.faults({ contactFilter: 'ignored' });
	await workspace.addContacts(people(3));
	await expect(host.poll()).rejects.toThrow(/[Ff]ilter/);
});

test('Channel Status Changed watches the list of inboxes if the service has one', async () => {
	const { workspace, host } = await active({ event: 'channelStatusChanged' }, { service: 'newer' });
	expect((await workspace.journal()).requests.map(({ operation }) => operation)).toContain(
		'listInboxes',
	);
	expect(await host.poll()).toEqual([]);
});

describe('Contact Created with Channel Types on a newer service, which ignores that filter', () => {
	const filters = { channels: ['telegram'] };
	const on = (type: string, channels: Array<{ id: string; channel: string }>) => [
		channels.find(({ channel }) => channel === type)!.id,
	];

	test('does not find old contacts when the newest are on another channel', async () => {
		const { workspace, host } = await watched(
			{ event: 'contactCreated', filters },
			{ contacts: 0, service: 'newer' },
		);
		const { channels } = await workspace.state();
		const add = async (count: number, type: string) =>
			await workspace.addContacts(
				people(count).map((person) => ({ ...person, inboxIds: on(type, channels) })),
			);
		await add(200, 'telegram');
		await add(60, 'whatsapp');
		await host.activate();
		for (let round = 0; round < 3; round++) expect(await host.poll()).toEqual([]);
		const added = await add(5, 'telegram');
		await add(49, 'whatsapp');
		added.push(...(await add(1, 'telegram')));
		const found: unknown[] = [];
		for (let round = 0; round < 5; round++) found.push(...idsOf((await host.poll()) ?? []));
		expect(found.sort()).toEqual(idsOf(added).sort());
	});
});
