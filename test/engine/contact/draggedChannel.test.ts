import type { IDataObject } from 'n8n-workflow';
import { by, received } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { testWorkspace, workspaceWithAnn } from '../../support/engine/workspace';

const send = (mode = 'id') => ({
	resource: 'message',
	operation: 'send',
	identifier: by('id', '4711'),
	text: 'Hello',
	inboxId: by(mode, '={{ $json.channel }}'),
});

/** The channel of the one message that the service received. */
const channelOf = async (workspace: Parameters<typeof received>[0]) =>
	((await received(workspace)).at(-1)?.body as IDataObject | undefined)?.inboxId;

describe.each(['list', 'id'])('In mode %s, Channel', (mode) => {
	test.each<[string, object]>([
		['the channel of Message Received', { id: '742', name: 'WhatsApp', type: 'whatsapp' }],
		['the same without a name', { id: '742', name: null, type: 'whatsapp' }],
		[
			'a channel of the list',
			{ id: '742', name: 'WhatsApp', channel: 'whatsapp', status: 'connected' },
		],
		[
			"a contact's account on a channel",
			{ id: '9', contactId: '4711', inboxId: '742', channel: 'whatsapp' },
		],
		['the same as other services show it', { id: '9', inbox: { id: '742', name: 'WhatsApp' } }],
		['a channel whose ID is a number', { id: 742, name: 'WhatsApp', type: 'whatsapp' }],
	])('takes the record of %s', async (_, channel) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(send(mode), [{ channel } as IDataObject]);
		expect(await channelOf(workspace)).toBe('742');
	});

	test.each<[string, unknown]>([
		['no channel', null],
		['an empty text', ''],
	])('takes %s, and leaves the choice to the service', async (_, channel) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(send(mode), [{ channel } as IDataObject]);
		expect(await received(workspace)).toHaveLength(1);
		expect(await channelOf(workspace)).toBeUndefined();
	});

	test.each<[string, object]>([
		['a message', { id: '742', text: 'Hello', type: 'message' }],
		['a tag', { id: '742', name: 'VIP' }],
		[
			'a custom field',
			{ id: '742', name: 'Size', type: 'number', createdAt: '2026-01-01T00:00:00.000Z' },
		],
		['a contact', { id: '742', fullName: 'Ann', email: null, phoneNumber: null }],
		['a channel without an ID', { name: 'WhatsApp', type: 'whatsapp' }],
		[
			'a channel whose ID has lost its last digits',
			{ id: 2 ** 60, name: 'WhatsApp', type: 'whatsapp' },
		],
		['nothing', {}],
	])('refuses the record of %s, and nothing is sent', async (_, channel) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { error } = await run(send(mode), [{ channel } as IDataObject]);
		expect(error?.message).toBe(
			'Channel is a record, but not of a channel. Drag "channel" [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
	});
});

test('An answer goes out on the channel on which the contact wrote', async () => {
	const { workspace, run, ann } = await workspaceWithAnn({ service: 'newer' });
	const { channels } = await workspace.state();
	const [first, second] = channels;
	await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: first.id });
	await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: second.id });
	const channel = { id: second.id, name: second.name, type: second.channel };
	await run({ ...send(), identifier: by('id', ann.id) }, [{ channel }]);
	expect((await workspace.journal()).messages).toMatchObject([
		{ text: 'Hello', inboxId: second.id },
	]);
});

test('A tool and Trigger Flow take the record of a channel, too', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0 });
	const channel = { id: '742', name: 'WhatsApp', type: 'whatsapp' };
	const tool = { ...send(), contact: 'id:4711' };
	await toolOf(workspace, tool)({ channel: channel as unknown as string }).catch(() => undefined);
	expect(await channelOf(workspace)).toBe('742');
	await workspace.clearJournal();
	const flow = { resource: 'contact', operation: 'triggerFlow', flowId: by('id', '1') };
	await run({ ...flow, identifier: by('id', '4711'), options: { inboxId: send().inboxId } }, [
		{ channel },
	]);
	expect(await channelOf(workspace)).toBe('742');
});
