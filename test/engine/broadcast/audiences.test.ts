import fc from 'fast-check';
import { samples } from '../../support/engine/arbitrary';
import { by } from '../../support/engine/helpers';
import { withBroadcasts } from './helpers';

const types = ['whatsapp', 'telegram', 'instagram', 'webchat'] as const;
const contact = fc.record({
	on: fc.subarray([...types]),
	isTagged: fc.boolean(),
	hoursSince: fc.constantFrom(undefined, 1, 23, 25, 400),
});
const audience = fc.record({
	contacts: fc.array(contact, { maxLength: 6 }),
	kind: fc.constantFrom(
		'whatsapp template',
		'whatsapp flow',
		'telegram',
		'instagram',
		'omnichannel',
	),
	isTagged: fc.boolean(),
});

test('The number of Create is that of a plain model, for 50 random audiences', async () => {
	const { run, workspace, create, state, inboxOf, vip } = await withBroadcasts({
		faults: { latencyMs: 0 },
	});
	const flowId = by('list', state.flows[0].id);
	for (const { contacts, kind, isTagged } of samples(audience, 50)) {
		const before = (await workspace.state()).contacts;
		await workspace.removeContacts(before.map(({ id }) => `id:${id}`));
		const made = await workspace.addContacts(
			contacts.map(({ on, isTagged: has }) => ({
				inboxIds: on.map(inboxOf),
				tagIds: has ? [vip.id] : [],
			})),
		);
		for (const [index, { on, hoursSince }] of contacts.entries()) {
			if (hoursSince === undefined) continue;
			const at = new Date(Date.now() - hoursSince * 3_600_000).toISOString();
			for (const type of on)
				await workspace.write(`id:${made[index].id}`, { text: 'Hi', inboxId: inboxOf(type), at });
		}
		const [channel, content = 'flow'] = kind.split(' ');
		const isForActive = channel === 'instagram' || kind === 'whatsapp flow';
		const counts = contacts
			.filter((each) => !isTagged || each.isTagged)
			.filter(({ hoursSince = 999 }) => !isForActive || hoursSince < 24)
			.map(({ on }) =>
				channel === 'omnichannel' ? on.length : Number(on.includes(channel as 'whatsapp')),
			);
		const whom = isTagged ? { audience: 'tag', tagId: by('list', vip.id) } : { audience: 'all' };
		const template = content === 'template' ? {} : { flowId };
		const { json, error } = await run(create({ channel, content, ...template, ...whom }));
		expect(error).toBeUndefined();
		expect([kind, json[0].recipientsAtMost]).toEqual([
			kind,
			counts.reduce((sum, count) => sum + count, 0),
		]);
	}
}, 120_000);
