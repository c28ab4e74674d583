import type { INodeParameters } from 'n8n-workflow';
import { by, received, resourceOf, shownOf } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import { serviceNames, type ServiceName } from '../../../sandbox/services/names';
import type { CollectionName } from '../../../sandbox/records';
import type { WorkspaceOptions } from '../../../sandbox/options';

/*
 * Errors about something that does not exist say what does: for people, and for agents, who then
 * correct themselves.
 */

const faces = serviceNames.map((service) => [service] as const);
const GONE = '99999999';

/** A workspace with one contact on a channel, and records of these names. */
async function workspaceWith(
	service: ServiceName,
	records: Partial<Record<CollectionName, string[]>>,
	options: WorkspaceOptions = {},
) {
	const counts = Object.fromEntries(Object.keys(records).map((collection) => [collection, 0]));
	const test = await testWorkspace({ service, contacts: 1, counts, ...options });
	const ids: Record<string, string> = {};
	for (const [collection, names] of Object.entries(records)) {
		for (const name of names) {
			const record = { name, ...(collection === 'customFields' && { type: 'shortText' as const }) };
			ids[name] = (await test.workspace.add(collection as CollectionName, record as object)).id;
		}
	}
	const [contact] = (await test.workspace.state()).contacts;
	await test.workspace.clearJournal();
	const onContact = (operation: string, more: INodeParameters): INodeParameters => ({
		resource: resourceOf(operation),
		operation,
		identifier: by('id', contact.id),
		...more,
	});
	return { ...test, ids, contact, onContact };
}

describe.each(faces)('An ID or name that does not exist on the %s service', (service) => {
	test('of a tag suggests the most similar tag', async () => {
		const { run, onContact } = await workspaceWith(service, { tags: ['VIP', 'Gold', 'VIP 2024'] });
		const result = await run(onContact('addTags', { tagsBy: 'names', tagNames: 'Golds' }));
		expect(shownOf(result)).toContain(
			'There is no tag named "Golds". Nothing was changed. Similar: "Gold". Create it first, or turn on Create Missing Tags.',
		);
		expect(
			shownOf(await run(onContact('setTags', { tagsBy: 'names', tagNames: 'vip 2025' }))),
		).toContain('Similar: "VIP 2024", "VIP".');
	});

	test('of a custom field suggests the most similar custom field', async () => {
		const { run, onContact } = await workspaceWith(service, { customFields: ['Plan', 'Order No'] });
		const customFields = { mappingMode: 'defineBelow', value: { 'Order Nr': '4711' } };
		expect(shownOf(await run(onContact('setCustomFields', { customFields })))).toBe(
			'The workspace has no custom field with the ID or name "Order Nr". Nothing was changed. Similar: "Order No". [item 0]',
		);
	});
});

// Older services list broadcasts for people who are logged in alone.
describe.each(faces.filter(([service]) => service !== 'older'))(
	'An ID or name that does not exist on the %s service',
	(service) => {
		test('of a broadcast suggests the most similar broadcast', async () => {
			const { run, ids } = await workspaceWith(service, {
				broadcasts: ['Summer Sale', 'Winter Sale'],
			});
			const result = await run({
				resource: 'broadcast',
				operation: 'get',
				broadcastId: by('name', 'Sumer Sale'),
			});
			expect(shownOf(result)).toContain('No broadcast has the ID or name Sumer Sale.');
			expect(shownOf(result)).toContain(`Similar: "Summer Sale" (${ids['Summer Sale']})`);
		});

		test('names five of many broadcasts if none is similar', async () => {
			const names = Array.from({ length: 30 }, (_, n) => `Promotion ${n}`);
			const { run } = await workspaceWith(service, { broadcasts: names });
			const result = await run({
				resource: 'broadcast',
				operation: 'get',
				broadcastId: by('id', GONE),
			});
			expect(shownOf(result)).toMatch(
				/The workspace has 30 broadcasts, such as ("Promotion \d+" \(\d+\), ){4}"Promotion \d+" \(\d+\)\. \[item 0\]/,
			);
		});
	},
);

/*
 * Older services start no flow that they do not know, and say nothing; their tokens cannot list
 * sequences and channels.
 */
describe.each([['reference'], ['newer']] as const)(
	'A reference that does not exist on the %s service',
	(service) => {
		test.each(['triggerFlow', 'send'])('to a flow in %s suggests the flows', async (operation) => {
			const { run, onContact, ids } = await workspaceWith(service, { flows: ['Welcome'] });
			const flowId = by('id', GONE);
			const result = await run(
				onContact(operation, operation === 'triggerFlow' ? { flowId } : { options: { flowId } }),
			);
			expect(shownOf(result)).toContain(
				`The workspace lists no flow with the ID "${GONE}". The workspace has: "Welcome" (${ids.Welcome}).`,
			);
		});

		test('to a channel suggests the channels', async () => {
			const { run, onContact, workspace } = await workspaceWith(service, {});
			const [{ id, name }] = (await workspace.state()).channels;
			const inboxId = by('id', GONE);
			const result = await run(onContact('send', { text: 'Hello', inboxId }));
			expect(shownOf(result)).toContain(`The workspace lists no channel with the ID "${GONE}". `);
			expect(shownOf(result)).toContain(`"${name}" (${id})`);
		});

		test('to a sequence suggests the ID for a name that an agent entered', async () => {
			const { workspace, ids } = await workspaceWith(service, {
				sequences: ['Onboarding', 'Reminder'],
			});
			const tool = toolOf(workspace, {
				resource: 'sequence',
				operation: 'get',
				sequenceId: by('id', '={{ $json.which }}'),
			});
			await expect(tool({ which: 'onboarding' })).rejects.toThrow(
				`Similar: "Onboarding" (${ids.Onboarding}).`,
			);
			expect(await tool({ which: ids.Onboarding })).toMatchObject([{ name: 'Onboarding' }]);
		});
	},
);

describe('An agent that enters a name in place of an ID', () => {
	test.each(['reference', 'newer'] as const)(
		'learns the ID of a flow on the %s service',
		async (service) => {
			const { workspace, ids, contact } = await workspaceWith(service, {
				flows: ['Welcome', 'Farewell'],
			});
			const tool = toolOf(workspace, {
				...{ resource: 'contact', operation: 'triggerFlow', contact: contact.id },
				flowId: by('id', '={{ $json.which }}'),
			});
			await expect(tool({ which: 'Welcom' })).rejects.toThrow(
				`Flow must be an ID made of digits only, but is "Welcom". Similar: "Welcome" (${ids.Welcome}).`,
			);
			expect((await received(workspace)).every(({ method }) => method === 'GET')).toBe(true);
		},
	);

	test('learns the IDs of channels', async () => {
		const { workspace, contact } = await workspaceWith('newer', {});
		const [channel] = (await workspace.state()).channels;
		const tool = toolOf(workspace, {
			...{ resource: 'message', operation: 'send', contact: contact.id, text: 'Hello' },
			inboxId: by('id', '={{ $json.which }}'),
		});
		await expect(tool({ which: channel.name })).rejects.toThrow(`Similar: "${channel.name}"`);
	});
});

test('Tag IDs that do not exist are reported with similar tags', async () => {
	const { run, ids, onContact } = await workspaceWith('reference', { tags: ['VIP', 'Gold'] });
	expect(shownOf(await run(onContact('addTags', { tagIds: [ids.VIP, GONE] })))).toContain(
		`The tag ${GONE} no longer exists. Nothing was changed. Pick it again. The workspace has: "VIP" (${ids.VIP}), "Gold" (${ids.Gold}).`,
	);
});

describe('A list that an older service cuts', () => {
	const names = Array.from({ length: 60 }, (_, n) => `Label ${n}`);

	test('of tags is reported as incomplete', async () => {
		const { run, onContact } = await workspaceWith('older', { tags: names });
		const shown = shownOf(await run(onContact('addTags', { tagsBy: 'names', tagNames: 'Gone' })));
		expect(shown).toMatch(
			/There is no tag named "Gone"\. Nothing was changed\. The service only lists its first 50 tags\. Among them: ("Label \d+", ){4}"Label \d+"\. Others can be added and removed by their IDs\./,
		);
	});

	test('of custom fields is reported as incomplete', async () => {
		const { run, onContact } = await workspaceWith('older', { customFields: names });
		const customFields = { mappingMode: 'defineBelow', value: { Gone: '1' } };
		expect(shownOf(await run(onContact('setCustomFields', { customFields })))).toContain(
			'The service only lists its first 50 custom fields. Among them: ',
		);
	});

	test('is not reported as incomplete if it holds all 50 records', async () => {
		const { run, onContact } = await workspaceWith('newer', { tags: names.slice(0, 50) });
		expect(
			shownOf(await run(onContact('addTags', { tagsBy: 'names', tagNames: 'Gone' }))),
		).toContain('The workspace has 50 tags, such as');
	});
});

test('An agent corrects its call after an error of the tool', async () => {
	const { workspace, contact } = await workspaceWith('newer', { tags: ['VIP', 'Gold'] });
	const tool = toolOf(
		workspace,
		{
			resource: 'contact',
			operation: 'addTags',
			contact: '={{ $json.who }}',
			tagsBy: 'names',
			tagNames: '={{ $json.tags }}',
		},
		'continueRegularOutput',
	);
	const [{ error }] = await tool({ who: contact.id, tags: 'VIPs' });
	expect(error).toContain('There is no tag named "VIPs". Nothing was changed. Similar: "VIP".');
	expect(await tool({ who: contact.id, tags: 'VIP' })).toMatchObject([{ success: true }]);
});

test('The node looks up suggestions once a run, and only after a failure', async () => {
	const { run, workspace, ids } = await workspaceWith('newer', { sequences: ['Onboarding'] });
	const get = (sequenceId: string) => ({ resource: 'sequence', operation: 'get', sequenceId });
	await run(get(ids.Onboarding));
	expect((await workspace.summary()).byOperation.listSequences).toBeUndefined();
	const { json } = await run(
		get('={{ $json.id }}'),
		Array.from({ length: 20 }, (_, n) => ({ id: `${GONE}${n}` })),
		{ onError: 'continueRegularOutput' },
	);
	expect(json[19].error).toContain(
		`The workspace has: "Onboarding" (${ids.Onboarding}). [item 19]`,
	);
	expect((await workspace.summary()).byOperation.listSequences).toBeLessThanOrEqual(3);
});

test('An error stays unchanged if the node cannot list suggestions', async () => {
	const { run, workspace } = await workspaceWith('newer', { sequences: ['Onboarding'] });
	await workspace.faults({ fail: [{ status: 403, match: { operation: 'listSequences' } }] });
	const result = await run({ resource: 'sequence', operation: 'get', sequenceId: by('id', GONE) });
	expect(shownOf(result)).toBe(`No sequence has the ID ${GONE}. [item 0]`);
});

test('An error about the channel of a new contact suggests the channels', async () => {
	const { run, ids } = await workspaceWith('newer', { channels: [] });
	const create = {
		resource: 'contact',
		operation: 'create',
		phoneNumber: '+4915112345678',
		email: 'ann@example.com',
		gender: 'unknown',
		additionalFields: { inboxId: by('id', GONE) },
	};
	expect(ids).toEqual({});
	expect(shownOf(await run(create))).toContain('The workspace has no channels yet.');
});

test('Suggestions contain shortened names and no HTML', async () => {
	const { run, onContact } = await workspaceWith('reference', {
		tags: ['<img src=x onerror=alert(1)>', 'y'.repeat(255)],
	});
	const shown = shownOf(await run(onContact('addTags', { tagsBy: 'names', tagNames: 'Gone' })));
	expect(shown).toContain(`The workspace has: "${'y'.repeat(60)}…".`);
});

test.each(faces)(
	'The node looks up no suggestion if the contact is missing, on the %s service',
	async (service) => {
		const { run, workspace, ids } = await workspaceWith(service, { flows: ['Welcome'] });
		const result = await run({
			resource: 'contact',
			operation: 'triggerFlow',
			identifier: by('id', GONE),
			flowId: by('id', service === 'older' ? ids.Welcome : GONE),
		});
		expect(shownOf(result)).toContain(`No contact has the ID ${GONE}.`);
		expect((await workspace.summary()).byOperation).toMatchObject({ triggerFlow: 1 });
		// Older services do not refuse an unknown flow, so the node looks for it before.
		const lists = service === 'older' ? 2 : undefined;
		expect((await workspace.summary()).byOperation.listFlows).toBe(lists);
	},
);

test('The node looks up no suggestion after an unrelated error', async () => {
	const { run, workspace } = await workspaceWith('newer', { sequences: ['Onboarding'] });
	await workspace.faults({ fail: [{ status: 403, match: { operation: 'getSequence' } }] });
	await run({ resource: 'sequence', operation: 'get', sequenceId: by('id', GONE) });
	expect(
		(await received(workspace)).some(({ path }) => path.startsWith('/api/v1/sequences?')),
	).toBe(false);
});
