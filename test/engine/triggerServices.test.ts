import { active, identifier, idsOf, people } from '../support/engine/triggerSupport';

/* The events of contacts on services that know another way of sorting only, and give 50 contacts a page at most. */

describe.each(['newer', 'older'] as const)('on a service of the %s kind', (service) => {
	test('Contact Created finds each once, and a quiet poll costs at most three requests', async () => {
		const { workspace, host, requestsOfPoll } = await active(
			{ event: 'contactCreated' },
			{ contacts: 400, service },
		);
		const added = await workspace.addContacts(people(130));
		expect(idsOf(await host.poll())).toEqual(idsOf(added));
		for (let round = 0; round < 2; round++) await host.poll();
		expect(await requestsOfPoll()).toBeLessThanOrEqual(3);
		expect(host.items).toHaveLength(130);
	});

	test('Contact Updated finds each once, and a quiet poll costs at most three requests', async () => {
		const { workspace, host, requestsOfPoll } = await active(
			{ event: 'contactUpdated' },
			{ contacts: 700, service },
		);
		const { contacts } = await workspace.state();
		for (const index of [0, 350, 699]) {
			await workspace.changeContacts([{ identifier: identifier(contacts[index]), changes: { city: 'X' } }]);
			expect(idsOf(await host.poll())).toEqual([contacts[index].id]);
			expect(await requestsOfPoll()).toBeLessThanOrEqual(3);
		}
		expect(host.items).toHaveLength(3);
	});
});
