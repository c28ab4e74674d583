import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/options';
import { by, received, writesOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/*
 * What becomes of a message on a channel that the contact is not on (services in the wild, part
 * 3.3).
 */

/** Jonas, who is on web chat only, and messages to him on WhatsApp. */
async function jonasOnWebchat(options: WorkspaceOptions = {}) {
	const made = await testWorkspace({ contacts: 0, service: 'newer', newest: true, ...options });
	const { workspace, run } = made;
	const { channels, templates } = await workspace.state();
	const channelOf = (type: string) => channels.find(({ channel }) => channel === type)!;
	const [webchat, whatsapp] = [channelOf('webchat'), channelOf('whatsapp')];
	const [jonas, ann] = await workspace.addContacts([
		{ firstName: 'Jonas', lastName: 'Weber', email: 'jonas@example.com', inboxIds: [webchat.id] },
		{ firstName: 'Ann', inboxIds: [whatsapp.id] },
	]);
	const read = await run({
		resource: 'contact',
		operation: 'get',
		identifier: by('id', jonas.id),
		simplify: false,
	});
	await workspace.clearJournal();
	const onWhatsApp = { resource: 'message', inboxId: by('id', whatsapp.id) };
	const identifier = by('email', 'jonas@example.com');
	const send = (more: INodeParameters = {}) => ({
		...onWhatsApp,
		operation: 'send',
		identifier,
		text: 'Hi',
		...more,
	});
	const ask = (more: INodeParameters = {}) => ({
		...onWhatsApp,
		operation: 'sendAndWait',
		identifier,
		message: 'OK?',
		...more,
	});
	const template = (more: INodeParameters = {}) => ({
		...onWhatsApp,
		operation: 'sendTemplate',
		identifier,
		templateId: by('id', templates.find(({ name }) => name === 'order_shipped')!.id),
		templateParams: { mappingMode: 'defineBelow', value: { body_1: 'Jonas', body_2: 'A-100' } },
		...more,
	});
	const [record] = read.json;
	return { ...made, jonas, ann, webchat, whatsapp, record, send, ask, template };
}

const notThere = 'Jonas Weber is not on the channel WhatsApp Süd.';
const ofTemplate = 'Choose a WhatsApp channel of this contact, or leave Channel empty.';
const ofMessage = 'Choose a channel of this contact, or leave Channel empty.';

describe('Send Template on a channel that the contact is not on', () => {
	test('is refused before anything is sent', async () => {
		const { run, workspace, template } = await jonasOnWebchat();
		const { error } = await run(template());
		expect(error?.message).toBe(`${notThere} Nothing was sent. ${ofTemplate} [item 0]`);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('is shown by the preview', async () => {
		const { run, workspace, ann, jonas, template } = await jonasOnWebchat();
		const more = { identifier: by('id', '={{ $json.id }}'), options: { preview: true } };
		const { json, error } = await run(template(more), [{ id: ann.id }, { id: jonas.id }]);
		expect(error).toBeUndefined();
		expect(json.map(({ sent, reason }) => [sent, reason])).toEqual([
			['preview', undefined],
			['nothing', `${notThere} ${ofTemplate}`],
		]);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('is refused before anything is sent to the others if the input shows the channels', async () => {
		const { run, workspace, ann, jonas, record, template } = await jonasOnWebchat();
		const more = { identifier: by('id', '={{ $json.id }}') };
		const items = [{ id: ann.id }, { ...record, id: jonas.id }];
		const { error } = await run(template(more), items);
		expect(error?.message).toContain(notThere);
		expect(error?.message).toContain('[item 1]');
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('sends if the input does not show the new channel yet', async () => {
		const { run, workspace, jonas, whatsapp, webchat, record, template } = await jonasOnWebchat();
		const inboxIds = [webchat.id, whatsapp.id];
		await workspace.changeContacts([{ identifier: `id:${jonas.id}`, changes: { inboxIds } }]);
		const { error } = await run(template(), [{ ...record, contactInboxes: [] }]);
		expect(error).toBeUndefined();
		expect((await workspace.journal()).templates).toMatchObject([
			{ inboxId: whatsapp.id, delivered: true },
		]);
	});

	test('names contact and channel if only the service knows it', async () => {
		const { run, workspace, jonas, whatsapp, record, template } = await jonasOnWebchat();
		const [inbox] = record.contactInboxes as IDataObject[];
		const left = { ...record, contactInboxes: [inbox, { ...inbox, inboxId: whatsapp.id }] };
		const { error } = await run(template({ identifier: by('id', jonas.id) }), [left]);
		expect(error?.message).toBe(
			`Jonas Weber is not on the channel WhatsApp Süd, or has no conversation there (404). Nothing was sent. ${ofTemplate} [item 0]`,
		);
		expect((await workspace.journal()).templates).toEqual([]);
	});
});

describe.each(['send', 'ask'] as const)(
	'A message (%s) on a channel that the contact is not on',
	(operation) => {
		test.each<[string, (record: IDataObject) => IDataObject]>([
			['as the contact itself', (record) => record],
			['with its contact', (contact) => ({ contact })],
		])(
			'is refused without a request for it if the input shows the channels %s',
			async (_, inputOf) => {
				const made = await jonasOnWebchat();
				const { run, workspace, record } = made;
				const { error } = await run(made[operation](), [inputOf(record)]);
				expect(error?.message).toBe(`${notThere} Nothing was sent. ${ofMessage} [item 0]`);
				expect(await writesOf(workspace)).toEqual([]);
				expect((await workspace.summary()).byOperation.getContact ?? 0).toBe(0);
			},
		);

		test('is refused if an option has read the contact', async () => {
			const made = await jonasOnWebchat();
			const { error } = await made.run(made[operation]({ options: { ifSilent: 'send' } }));
			expect(error?.message).toContain(notThere);
			expect(await writesOf(made.workspace)).toEqual([]);
		});

		test('is named in the words of the user if only the service knows it', async () => {
			const made = await jonasOnWebchat();
			const { error } = await made.run(made[operation]());
			expect(error?.message).toBe(
				`Jonas Weber is not on the channel WhatsApp Süd, or has no conversation there (404). Nothing was sent. ${ofMessage} [item 0]`,
			);
			expect((await made.workspace.journal()).messages).toEqual([]);
		});

		test('is not refused for a contact of the input that is another one, or whose channels are unknown', async () => {
			const made = await jonasOnWebchat();
			const { run, workspace, ann, whatsapp, record } = made;
			const toAnn = made[operation]({ identifier: by('id', ann.id) });
			const unknown = [{ channel: 'whatsapp' }];
			const inputs = [
				record,
				{ ...record, id: ann.id, contactInboxes: [] },
				{ ...record, id: ann.id, contactInboxes: unknown },
				{ ...record, id: ann.id, contactInboxes: null },
			];
			for (const input of inputs) expect((await run(toAnn, [input])).error).toBeUndefined();
			const { messages } = await workspace.journal();
			expect(messages.map(({ inboxId }) => inboxId)).toEqual(inputs.map(() => whatsapp.id));
		});
	},
);

describe('The sentence about the channel', () => {
	test('says that the list does not have the channel, and suggests others', async () => {
		const { run, workspace, record, send } = await jonasOnWebchat();
		const { error } = await run(send({ inboxId: by('id', '4711') }), [record]);
		expect(error?.message).toContain('Jonas Weber is not on the chosen channel. Nothing was sent.');
		expect(error?.message).toContain(
			'The workspace lists no channel with the ID "4711". The workspace has: ',
		);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('names the channel by its ID if the list cannot be read', async () => {
		const { run, workspace, whatsapp, record, send } = await jonasOnWebchat();
		await workspace.faults({ fail: [{ match: { operation: 'listInboxes' }, status: 403 }] });
		const { error } = await run(send(), [record]);
		expect(error?.message).toContain(
			`Jonas Weber is not on the channel with the ID ${whatsapp.id}.`,
		);
	});

	test('names the contact as the user chose it if the service does not show it', async () => {
		const { run, workspace, send } = await jonasOnWebchat();
		await workspace.faults({ fail: [{ match: { operation: 'getContact' }, status: 403 }] });
		const { error } = await run(send());
		expect(error?.message).toContain(
			'The contact with the email jonas@example.com is not on the channel WhatsApp Süd, or has no conversation there (404).',
		);
	});

	test('costs a message that arrives no request', async () => {
		const { run, workspace, ann, send } = await jonasOnWebchat();
		expect((await run(send({ identifier: by('id', ann.id) }))).error).toBeUndefined();
		expect(await received(workspace)).toHaveLength(1);
	});
});
