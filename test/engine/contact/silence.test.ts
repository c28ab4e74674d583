import type { INodeParameters } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../sandbox/client';
import type { Faults } from '../../../sandbox/options';
import type { RunResult } from '../../support/engine/engine';
import { by, received, writesOf } from '../../support/engine/helpers';
import { workspaceWithAnn } from '../../support/engine/workspace';

/*
 * What Send does if a contact has not written for longer than a channel delivers (services in the
 * wild, part 13.4).
 */

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
/** A minute: tests run for less. */
const MINUTE = 1 / 60;

/** A contact who last wrote on a channel so many hours ago. */
async function annOn(type: string, hours: number | undefined, showsChannelTimes = true) {
	const made = await workspaceWithAnn({ service: 'newer', faults: { showsChannelTimes } });
	const { workspace, ann } = made;
	const { channels } = await workspace.state();
	const channel = channels.find((each) => each.channel === type)!;
	const [contact] = await workspace.addContacts([
		{ firstName: 'Bo', email: 'bo@example.com', inboxIds: [channel.id] },
	]);
	if (hours !== undefined)
		await workspace.write(`id:${contact.id}`, { text: 'Hi', inboxId: channel.id, at: ago(hours) });
	await workspace.clearJournal();
	const send = (options: INodeParameters = {}, more: INodeParameters = {}) => ({
		resource: 'message',
		operation: 'send',
		identifier: by('id', contact.id),
		text: 'Hello',
		options,
		...more,
	});
	return { ...made, ann, contact, channel, channels, send };
}

const fail = { ifSilent: 'fail' };
const anyway = { ifSilent: 'send' };

describe('If the Contact Has Been Silent', () => {
	test.each([
		[
			'whatsapp',
			24,
			'WhatsApp',
			'24 hours',
			'use Send Template, or Trigger Flow with a flow that sends one',
		],
		['messenger', 168, 'Messenger', '7 days', 'The contact must write first.'],
		['instagram', 168, 'Instagram', '7 days', 'The contact must write first.'],
	])('on %s, fails after %d hours and not before', async (type, hours, name, time, advice) => {
		const late = await annOn(type, hours + MINUTE);
		const { error } = await late.run(late.send(fail));
		expect(error?.message).toBe(
			`The contact has not written on ${name} for ${time}, so ${name} would not deliver this message. Nothing was sent. ${
				type === 'whatsapp' ? 'It still delivers templates: ' : ''
			}${advice}${type === 'whatsapp' ? '.' : ''} [item 0]`,
		);
		expect(await writesOf(late.workspace)).toEqual([]);
		const inTime = await annOn(type, hours - MINUTE);
		const sent = await inTime.run(inTime.send(fail));
		expect(sent.error).toBeUndefined();
		expect(sent.hints).toEqual([]);
		expect((await inTime.workspace.journal()).messages).toHaveLength(1);
	});

	test('sends anyway with a hint that counts the contacts, after one request for each', async () => {
		const { run, workspace, send } = await annOn('whatsapp', 25);
		const { error, hints } = await run(send(anyway), [{}, {}]);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			'2 contacts have not written on WhatsApp for 24 hours, so WhatsApp may not deliver these messages. To stop before sending, set If the Contact Has Been Silent under Options. Send Template reaches them.',
		]);
		const { byOperation } = await workspace.summary();
		expect(byOperation).toMatchObject({ getContact: 1, sendMessage: 2 });
	});

	test('reads nothing unless it is added', async () => {
		const { run, workspace, send } = await annOn('whatsapp', 25);
		const { hints } = await run(send());
		expect(hints).toEqual([]);
		expect(await received(workspace)).toHaveLength(1);
	});

	test('shows the hint without a request if the input shows the time', async () => {
		const { run, workspace, contact, send } = await annOn('whatsapp', 25);
		const record = await run({
			resource: 'contact',
			operation: 'get',
			identifier: by('id', contact.id),
			simplify: false,
		});
		await workspace.clearJournal();
		const inputs = [record.json[0], { contact: record.json[0] }];
		for (const input of inputs) expect((await run(send(), [input])).hints).toHaveLength(1);
		expect((await run(send(), [{ ...record.json[0], id: '4711' }])).hints).toEqual([]);
		expect((await received(workspace)).map(({ method }) => method)).toEqual([
			'POST',
			'POST',
			'POST',
		]);
	});

	test('asks nothing if the message that started the workflow has just come in on this channel', async () => {
		const { run, workspace, contact, channel, channels, send } = await annOn('whatsapp', 25);
		const input = (hours: number) => ({
			contact: { id: contact.id, fullName: 'Bo', email: null, phoneNumber: null },
			channel: { id: channel.id, name: '', type: 'whatsapp' },
			receivedAt: ago(hours),
		});
		const onChannel = send(fail, { inboxId: by('id', channel.id) });
		expect((await run(onChannel, [input(24 - MINUTE)])).error).toBeUndefined();
		expect(await received(workspace)).toHaveLength(1);
		expect((await run(onChannel, [input(24 + MINUTE)])).error?.message).toContain(
			'has not written',
		);
		const ofOther = { ...input(1), contact: { ...input(1).contact, id: '4711' } };
		expect((await run(onChannel, [ofOther])).error?.message).toContain('has not written');
		const other = channels.find(({ id }) => id !== channel.id)!;
		const elsewhere = { channel: { id: other.id, name: '', type: 'whatsapp' }, receivedAt: ago(1) };
		expect((await run(onChannel, [elsewhere])).error?.message).toContain('has not written');
	});

	test.each([
		['a channel that always delivers', fail, 'telegram', true],
		['a channel that always delivers', anyway, 'telegram', true],
		['a service that does not show the time of each channel', fail, 'whatsapp', false],
		['a service that does not show the time of each channel', anyway, 'whatsapp', false],
	])('sends without a hint on %s with %j', async (_, options, type, shows) => {
		const { run, send } = await annOn(type, 2000, shows);
		const { error, hints } = await run(send(options));
		expect([error, hints]).toEqual([undefined, []]);
	});

	test('sends if nobody knows when a contact who has written did so on this channel', async () => {
		const { run, workspace, contact, send } = await annOn('whatsapp', undefined);
		// A conversation of before the service kept the times of channels.
		await workspace.changeConversation(`id:${contact.id}`, { contactRepliedAt: ago(2000) });
		const { error, hints } = await run(send(fail));
		expect([error, hints]).toEqual([undefined, []]);
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test.each(['2 hours ago', 'soon', '', 1_790_000_000_000, {}])(
		'takes the time %j, which n8n cannot read, as unknown',
		async (lastIncomingMessageAt) => {
			const { run, contact, channel, send } = await annOn('whatsapp', 25);
			const contactInboxes = [{ inboxId: channel.id, channel: 'whatsapp', lastIncomingMessageAt }];
			const { error, hints } = await run(send(), [{ id: contact.id, contactInboxes }]);
			expect([error, hints]).toEqual([undefined, []]);
		},
	);

	test('sends if the service shows a time that n8n cannot read', async () => {
		const { run, workspace, contact, send } = await annOn('whatsapp', 25);
		const [{ id }] = await workspace.messages(`id:${contact.id}`);
		await workspace.changeMessage(id, { createdAt: '2 hours ago' });
		const { error, hints } = await run(send(fail));
		expect([error, hints]).toEqual([undefined, []]);
	});

	test('fails for a contact who has never written', async () => {
		const { run, send } = await annOn('whatsapp', undefined);
		expect((await run(send(fail))).error?.message).toContain(
			'has not written on WhatsApp for 24 hours',
		);
	});

	test('sends if the contact has written on another channel, and the message can go out on that one', async () => {
		const { run, workspace, contact, channel, channels, send } = await annOn('whatsapp', 25);
		const telegram = channels.find((each) => each.channel === 'telegram')!;
		await workspace.write(`id:${contact.id}`, { text: 'Hi', inboxId: telegram.id });
		expect((await run(send(fail))).error).toBeUndefined();
		const onWhatsApp = send(fail, { inboxId: by('id', channel.id) });
		expect((await run(onWhatsApp)).error?.message).toContain('has not written on WhatsApp');
	});

	test('reads the pages of contacts if there are many items', async () => {
		const { run, workspace, send } = await annOn('whatsapp', 25);
		const inboxId = (await workspace.state()).channels.find(
			({ channel }) => channel === 'whatsapp',
		)!.id;
		const contacts = await workspace.addContacts(
			Array.from({ length: 60 }, (_, index) => ({ firstName: `N${index}`, inboxIds: [inboxId] })),
		);
		await workspace.clearJournal();
		const { error, hints } = await run(
			send(anyway, { identifier: by('id', '={{ $json.who }}') }),
			contacts.map(({ id }) => ({ who: id })),
		);
		expect(error).toBeUndefined();
		expect(hints[0]).toMatch(/^60 contacts have not written/);
		const { byOperation } = await workspace.summary();
		expect(byOperation.getContact ?? 0).toBe(0);
		expect(byOperation.listContacts).toBeLessThan(8);
		expect(byOperation.sendMessage).toBe(60);
	});

	test('is part of Send and Wait for Response', async () => {
		const { run, workspace, contact } = await annOn('whatsapp', 25);
		const ask = {
			resource: 'message',
			operation: 'sendAndWait',
			identifier: by('id', contact.id),
			message: 'OK?',
			options: fail,
		};
		expect((await run(ask)).error?.message).toContain('has not written on WhatsApp');
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('refuses another choice before it sends anything', async () => {
		const { run, workspace, send } = await annOn('whatsapp', 25);
		const { error } = await run(send({ ifSilent: '={{ "never" }}' }));
		expect(error?.message).toBe(
			'If the Contact Has Been Silent must be one of send, fail, but is "never" [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
	});
});

describe('A manual run of Send', () => {
	const manual = { mode: 'manual' } as const;
	const looks = async (workspace: SandboxWorkspace) =>
		(await workspace.summary()).byOperation.getContact ?? 0;

	test('shows the hint without the option, and has the output of a run in production', async () => {
		const { run, workspace, send } = await annOn('whatsapp', 25);
		const parameters = send({ clientId: '4711' });
		const inEditor = await run(parameters, [{}], manual);
		expect(inEditor.hints).toEqual([
			expect.stringMatching(/^1 contact has not written on WhatsApp for 24 hours/),
		]);
		expect(await looks(workspace)).toBe(1);
		const inProduction = await run(parameters, [{}]);
		expect(inProduction.hints).toEqual([]);
		expect(await looks(workspace)).toBe(1);
		const withoutId = ({ json: [message] }: RunResult) => ({ ...message, messageId: undefined });
		expect(withoutId(inEditor)).toEqual(withoutId(inProduction));
	});

	test.each([
		[20, 20],
		[21, 0],
	])('of %d items looks %d times', async (items, expected) => {
		const { run, workspace, send } = await annOn('whatsapp', 25);
		const result = await run(send(), Array(items).fill({}), manual);
		expect(result.error).toBeUndefined();
		expect(await looks(workspace)).toBe(expected);
	});

	test.each<[string, Faults]>([
		['is refused', { fail: [{ match: { operation: 'getContact' }, status: 403 }] }],
		['fails', { fail: [{ match: { operation: 'getContact' }, status: 500 }] }],
		['gets no answer', { dropBefore: { match: { operation: 'getContact' } } }],
	])('sends the message if the look %s, and looks no second time', async (_, faults) => {
		const { run, workspace, send } = await annOn('whatsapp', 25);
		await workspace.faults(faults);
		const { error, hints, json } = await run(send(), [{}], manual);
		expect([error, hints]).toEqual([undefined, []]);
		expect(json).toMatchObject([{ success: true }]);
		expect(await looks(workspace)).toBe(1);
	});

	test('does not look if the message that started the workflow has just come in', async () => {
		const { run, workspace, contact, channel, send } = await annOn('whatsapp', 1);
		const input = {
			contact: { id: contact.id, fullName: 'Bo', email: null, phoneNumber: null },
			channel: { id: channel.id, name: '', type: 'whatsapp' },
			receivedAt: ago(1),
		};
		await run(send({}, { inboxId: by('id', channel.id) }), [input], manual);
		expect(await looks(workspace)).toBe(0);
	});
});
