import { TriggerHost } from '../../support/engine/triggerHost';
import type { Engine } from '../../support/engine/triggerHost';
import { idsOf, people } from '../../support/engine/triggerSupport';
import { testWorkspace } from '../../support/engine/workspace';

/** Two triggers in one workflow. Each works on its own copy of what n8n saves for both. */
async function pair(engine: Engine) {
	const { workspace } = await testWorkspace({ contacts: 10 });
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	const created = new TriggerHost(
		credential,
		{ event: 'contactCreated' },
		engine,
		undefined,
		'Created',
	);
	const channels = new TriggerHost(
		credential,
		{ event: 'channelStatusChanged' },
		engine,
		created.database,
		'Channels',
	);
	await created.activate();
	await channels.activate();
	const [{ id }] = (await workspace.state()).channels;
	let isConnected = true;
	return {
		workspace,
		created,
		channels,
		toggle: async () => {
			isConnected = !isConnected;
			await workspace.change('channels', id, {
				status: isConnected ? 'connected' : 'disconnected',
			});
		},
	};
}

describe.each(['inMemory', 'scheduled'] as const)(
	'two triggers of a workflow, polled by the %s engine',
	(engine) => {
		test('keep their memories when one of them is published again', async () => {
			const { workspace, created, channels, toggle } = await pair(engine);
			// From here on the two work on different objects.
			await created.republish();
			const added = [];
			for (let round = 1; round <= 3; round++) {
				added.push(...(await workspace.addContacts(people(2))));
				await created.poll();
				await toggle();
				await channels.poll();
				expect(channels.items).toHaveLength(round);
			}
			for (const host of [channels, created, channels, created]) await host.restart();
			expect(idsOf(created.items)).toEqual(idsOf(added));
			expect(channels.items).toHaveLength(3);
			added.push(...(await workspace.addContacts(people(1))));
			await toggle();
			await channels.poll();
			await created.poll();
			expect(idsOf(created.items)).toEqual(idsOf(added));
			expect(channels.items).toHaveLength(4);
		});

		test('start over with other filters in spite of the copies', async () => {
			const { workspace, created, channels, toggle } = await pair(engine);
			await workspace.addContacts(people(2));
			await created.poll();
			await toggle();
			await channels.poll();
			await created.republish({ event: 'contactCreated', filters: { keyword: 'Person' } });
			await created.poll();
			await workspace.addContacts(people(2));
			await created.republish({ event: 'contactCreated' });
			await created.poll();
			expect(created.items).toHaveLength(2);
		});
	},
);

test('a single trigger in a workflow saves no copies of memories', async () => {
	const { workspace } = await testWorkspace({ contacts: 10 });
	const host = new TriggerHost(
		{ baseUrl: workspace.url, accessToken: workspace.token },
		{ event: 'contactCreated' },
	);
	await host.activate();
	await workspace.addContacts(people(2));
	await host.poll();
	expect(JSON.stringify(host.memory)).not.toContain('workspaceMessagingTrigger');
});
