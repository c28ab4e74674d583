import { caseCount } from '../../support/cases';
import { active, watched } from '../../support/engine/triggerSupport';
import { engines } from '../../support/engine/triggerHost';

describe.each(engines)('polled by the %s engine', (engine) => {
	test('Broadcast Status Changed finds each new status once, over restarts', async () => {
		const { workspace, host } = await active({ event: 'broadcastStatusChanged' }, {}, engine);
		const { broadcasts } = await workspace.state();
		const scheduled = broadcasts.find(({ status }) => status === 'scheduled')!;
		await workspace.change('broadcasts', scheduled.id, { status: 'sending' });
		expect(await host.poll()).toEqual([
			expect.objectContaining({
				id: scheduled.id,
				status: 'sending',
				previousStatus: 'scheduled',
				name: scheduled.name,
			}),
		]);
		expect(await host.poll()).toEqual([]);
		await host.restart(
			async () => await workspace.change('broadcasts', scheduled.id, { status: 'sent' }),
		);
		await host.poll();
		const { id } = await workspace.add('broadcasts', {
			name: 'New',
			status: 'sent',
			contactCount: null,
		});
		await host.poll();
		await host.poll();
		expect(host.items.slice(1)).toMatchObject([
			{ id: scheduled.id, status: 'sent', previousStatus: 'sending' },
			{ id, status: 'sent', previousStatus: null },
		]);
	});

	test('Channel Status Changed finds a channel each time that it goes down while n8n is down', async () => {
		const { workspace, host } = await active(
			{ event: 'channelStatusChanged', statuses: ['disconnected'] },
			{},
			engine,
		);
		const [{ id }] = (await workspace.state()).channels;
		for (let round = 1; round <= 2; round++) {
			await workspace.change('channels', id, { status: 'connected' });
			await host.poll();
			await host.poll();
			await host.restart(
				async () => await workspace.change('channels', id, { status: 'disconnected' }),
			);
			await host.poll();
			expect(host.items).toHaveLength(round);
		}
		expect(host.items[0]).toMatchObject({
			id,
			status: 'disconnected',
			previousStatus: 'connected',
		});
	});

	test('Sequence Activated or Deactivated finds changes of chosen sequences', async () => {
		const { workspace, host } = await watched(
			{},
			{ faults: { missing: { listSequences: 404 } } },
			engine,
		);
		const [one, two, three] = (await workspace.state()).sequences;
		await host.republish({ event: 'sequenceActiveChanged', sequenceIds: [one.id, two.id] });
		await workspace.change('sequences', one.id, { active: false });
		await workspace.change('sequences', three.id, { active: false });
		expect(await host.poll()).toEqual([
			{
				id: one.id,
				name: one.name,
				active: false,
				subscribers: one.subscribers,
				messages: one.messages,
				openRate: one.openRate,
				ctr: one.ctr,
				previousActive: true,
			},
		]);
		await host.restart(async () => await workspace.change('sequences', two.id, { active: true }));
		await host.poll();
		await workspace.removeRecord('sequences', one.id);
		await host.poll();
		expect(host.items.slice(1)).toMatchObject([
			{ id: two.id, active: true, previousActive: false },
		]);
	});
});

test('Sequence Activated or Deactivated finds changes of all sequences', async () => {
	const { workspace, host } = await active({ event: 'sequenceActiveChanged' });
	const [one] = (await workspace.state()).sequences;
	await workspace.change('sequences', one.id, { active: false });
	await workspace.add('sequences', { name: 'Idle', active: false });
	const { id } = await workspace.add('sequences', { name: 'Busy', active: true });
	expect(await host.poll()).toMatchObject([
		{ id: one.id, active: false, previousActive: true },
		{ id, active: true, previousActive: null },
	]);
	expect(await host.poll()).toEqual([]);
});

test('Channel Status Changed finds only chosen channels and statuses', async () => {
	const { workspace, host } = await watched({});
	const [one, two] = (await workspace.state()).channels;
	await host.republish({
		event: 'channelStatusChanged',
		inboxIds: [one.id],
		statuses: ['disconnected', 'expired'],
	});
	await workspace.change('channels', two.id, { status: 'disconnected' });
	expect(await host.poll()).toEqual([]);
	await workspace.change('channels', one.id, { status: 'expired' });
	expect(await host.poll()).toMatchObject([{ id: one.id, status: 'expired' }]);
});

test('Sequence Activated or Deactivated says what to do on a service without a list of sequences', async () => {
	const { host } = await watched(
		{ event: 'sequenceActiveChanged' },
		{ faults: { missing: { listSequences: 404 } } },
	);
	await expect(host.activate()).rejects.toMatchObject({
		message: expect.stringContaining("This service doesn't offer") as string,
		description: expect.stringContaining('Instead, enter the IDs of sequences.') as string,
	});
});

test('Sequence Activated or Deactivated reports a missing sequence when watching begins', async () => {
	const { host } = await watched({ event: 'sequenceActiveChanged', sequenceIds: ['4711'] });
	await expect(host.activate()).rejects.toThrow('No sequence has the ID 4711');
});

test('Broadcast Status Changed finds 60 changes among hundreds of broadcasts after a failure, on capped pages', async () => {
	const count = caseCount({ few: 300, many: 1250 });
	const { workspace, host } = await active(
		{ event: 'broadcastStatusChanged', statuses: ['sent'] },
		{ counts: { broadcasts: count }, faults: { maxPerPage: count / 25 } },
	);
	const { broadcasts } = await workspace.state();
	const unsent = broadcasts.filter(({ status }) => status !== 'sent');
	for (const { id } of unsent.slice(-60))
		await workspace.change('broadcasts', id, { status: 'sent' });
	await workspace.faults({ fail: [{ match: { pathPattern: 'page=9&' }, status: 403 }] });
	await expect(host.poll()).rejects.toThrow('403');
	await workspace.faults({ fail: null });
	expect(await host.poll()).toHaveLength(60);
	expect(await host.poll()).toEqual([]);
	expect(host.size).toBeLessThan(count * 11);
});

test('Channel Status Changed finds nothing new in a list that was empty for a while', async () => {
	const { workspace, host } = await active({ event: 'channelStatusChanged' });
	const { channels } = await workspace.state();
	for (const { id } of channels) await workspace.removeRecord('channels', id);
	await host.poll();
	await host.poll();
	for (const channel of channels) await workspace.add('channels', channel);
	await host.poll();
	expect(host.items).toEqual([]);
});

test.each(['broadcastStatusChanged', 'channelStatusChanged', 'sequenceActiveChanged'])(
	'Fetch Test Event shows a real record of %s',
	async (event) => {
		const { host } = await watched({ event });
		const { items } = await host.fetchTestEvent();
		expect(items).toEqual([
			expect.objectContaining({
				id: expect.any(String) as string,
				[event === 'sequenceActiveChanged' ? 'previousActive' : 'previousStatus']: null,
			}),
		]);
	},
);

test('Fetch Test Event reads a list no further than to the first record that fits', async () => {
	const { workspace, host } = await watched(
		{ event: 'broadcastStatusChanged' },
		{ faults: { maxPerPage: 1 } },
	);
	expect(await host.fetchTestEvent()).toMatchObject({ items: [{ previousStatus: null }] });
	expect((await workspace.summary()).byOperation.listBroadcasts).toBe(1);
});
