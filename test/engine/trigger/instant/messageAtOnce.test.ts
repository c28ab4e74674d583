import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	commonOutput,
	instantEvents,
} from '../../../../nodes/WorkspaceMessaging/trigger/instant/events';
import { formatQuestionNote } from '../../../../nodes/WorkspaceMessaging/contacts/customFields/questionNote';
import { QUESTION_FIELD } from '../../../../nodes/WorkspaceMessaging/contract/customField';
import { by } from '../../../support/engine/helpers';
import { InstantHost } from '../../../support/engine/instantHost';
import { called } from '../../../support/engine/instantSupport';
import { testWorkspace } from '../../../support/engine/workspace';

/* Message Received at once: a flow calls n8n, and the trigger reads what the contact wrote. */

const event: INodeParameters = {
	event: 'messageReceivedAtOnce',
	eventName: 'contact_wrote',
	inboxIds: [],
	conditions: {},
	options: {},
};

const hosts: InstantHost[] = [];
afterEach(async () => {
	for (const host of hosts.splice(0)) await host.close();
});

/** A published workflow, and a default reply that calls it; `ann` and `ben` are two contacts. */
async function published(parameters: INodeParameters = {}) {
	const options = { service: 'newer', contacts: 3, allowPrivateUrls: true } as const;
	const { workspace, run } = await testWorkspace(options);
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	const host = new InstantHost(credential, { ...event, ...parameters });
	hosts.push(await host.listen());
	const { contacts, flows, channels } = await workspace.state();
	await workspace.flowCalls(flows[0].id, ['contact_wrote']);
	await workspace.setDefaultReply(flows[0].id);
	const [ann, ben] = contacts.map(({ id }) => `id:${id}`);
	/** Waits until the service has its answers to so many calls. */
	const calls = async (count: number) => {
		for (;;) {
			const runs = (await workspace.journal()).flowRuns.filter(({ branch }) => branch);
			if (runs.length >= count) return runs;
			await sleep(10);
		}
	};
	return { workspace, run, host, ann, ben, calls, channels };
}

const textsOf = (items: IDataObject[]) => items.map(({ text }) => text);

test('what a contact writes starts the workflow with the fields of the schema, and the flow goes on', async () => {
	const { workspace, host, ann, calls } = await published();
	await host.publish();
	const { id } = await workspace.write(ann, 'Hello');
	expect(await calls(1)).toMatchObject([{ branch: 'success' }]);
	expect(host.items).toMatchObject([
		{
			event: 'messageReceivedAtOnce',
			text: 'Hello',
			chatInput: 'Hello',
			messageId: id,
			contact: { id: ann.slice(3) },
			sessionId: ann.slice(3),
			messageRead: true,
			contactRead: true,
		},
	]);
	const { output } = instantEvents.find(({ value }) => value === event.event)!;
	const contact = commonOutput.contact.strict();
	const schema = z.strictObject({ ...commonOutput, ...output, contact });
	expect(schema.safeParse(host.items[0]).error).toBeUndefined();
	expect(Object.keys(host.items[0]).slice(0, 3)).toEqual(['contact', 'text', 'channel']);
});

test('two contacts at once, and messages one after the other, each come once and in their order', async () => {
	const { workspace, host, ann, ben, calls } = await published();
	await host.publish();
	await Promise.all([workspace.write(ann, 'A1'), workspace.write(ben, 'B1')]);
	await calls(2);
	await workspace.write(ann, 'A2');
	await workspace.write(ann, 'A3');
	await calls(4);
	const of = (contact: string) =>
		textsOf(host.items.filter(({ sessionId }) => `id:${String(sessionId)}` === contact));
	expect(of(ann)).toEqual(['A1', 'A2', 'A3']);
	expect(of(ben)).toEqual(['B1']);
	expect(host.executions.every((items) => items.length > 0)).toBe(true);
}, 20_000);

test('the first call brings the newest message and those of the five minutes before it, nothing older than an hour', async () => {
	const { workspace, host, ann, ben, calls } = await published();
	const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
	for (const minutes of [70, 40, 6, 4])
		await workspace.write(ann, { text: `${minutes} minutes ago`, at: ago(minutes) });
	await calls(4);
	await host.publish();
	await workspace.write(ann, 'Now');
	await calls(5);
	expect(textsOf(host.items)).toEqual(['4 minutes ago', 'Now']);
	await workspace.write(ben, { text: 'Late', at: ago(61) });
	await calls(6);
	expect(textsOf(host.items)).toEqual(['4 minutes ago', 'Now']);
}, 20_000);

test('a message that the service stores after its call is found, and another call brings nothing twice', async () => {
	const { workspace, host, id, query } = await called({ ...event });
	const call = { event: 'contact_wrote', contact: { id }, custom_fields: [], tags: [] };
	const first = host.call(query, call);
	const second = host.call(query, call);
	await sleep(700);
	await workspace.write(`id:${id}`, 'Stored late');
	expect(await first).toEqual({ status: 200, body: '' });
	expect(await second).toEqual({ status: 200, body: '' });
	expect(textsOf(host.items)).toEqual(['Stored late']);
}, 20_000);

test('a call without a new message starts nothing and is answered with 200', async () => {
	const { host, id, query } = await called({ ...event });
	const call = { event: 'contact_wrote', contact: { id }, custom_fields: [], tags: [] };
	expect(await host.call(query, call)).toEqual({ status: 200, body: '' });
	expect(host.executions).toEqual([]);
}, 20_000);

test('if the service cannot be read, the workflow starts with what the call says', async () => {
	const { workspace, host, id, query } = await called({ ...event });
	await workspace.faults({ fail: [{ status: 500 }] });
	const contact = { id, fullName: 'Ann Lee', phoneNumber: '+4915100000001' };
	const call = { event: 'contact_wrote', contact, custom_fields: [], tags: ['VIP'] };
	expect(await host.call(query, call)).toEqual({ status: 200, body: '' });
	expect(host.items).toMatchObject([
		{
			contact: { id, fullName: 'Ann Lee' },
			contactRead: false,
			messageRead: false,
			text: '',
			sessionId: id,
		},
	]);
}, 20_000);

test('if channels are chosen and the service cannot be read, nothing starts', async () => {
	const { workspace, host, id, query } = await called({ ...event, inboxIds: ['1'] });
	await workspace.faults({ fail: [{ status: 500 }] });
	const call = { event: 'contact_wrote', contact: { id }, custom_fields: [], tags: [] };
	expect(await host.call(query, call)).toEqual({ status: 200, body: '' });
	expect(host.items).toEqual([]);
}, 20_000);

test('if it cannot be read whether the contact is wanted, nothing starts, and the message comes with the next call', async () => {
	const conditions = { texts: [{ field: 'email', textOperator: 'isNotEmpty' }] };
	const { workspace, host, id, query } = await called({ ...event, conditions });
	await workspace.write(`id:${id}`, 'First');
	await workspace.faults({ fail: [{ status: 500 }] });
	const call = { event: 'contact_wrote', contact: { id }, custom_fields: [], tags: [] };
	expect(await host.call(query, call)).toEqual({ status: 200, body: '' });
	expect(host.items).toEqual([]);
	await workspace.faults({ fail: null });
	await workspace.write(`id:${id}`, 'Second');
	await host.call(query, call);
	expect(textsOf(host.items)).toEqual(['First', 'Second']);
}, 20_000);

test.each<[string, (channels: Array<{ id: string }>) => INodeParameters]>([
	[
		'conditions',
		() => ({ conditions: { texts: [{ field: 'firstName', textOperator: 'eq', text: 'Nobody' }] } }),
	],
	['channels', (channels) => ({ inboxIds: [channels.at(-1)!.id] })],
])(
	'a contact who is left out by %s starts nothing',
	async (_, parametersOf) => {
		const { workspace, host, ann, calls, channels } = await published();
		host.parameters = { ...host.parameters, ...parametersOf(channels) };
		await host.publish();
		await workspace.write(ann, { text: 'Hello', inboxId: channels[0].id });
		expect(await calls(1)).toMatchObject([{ branch: 'success' }]);
		expect(host.executions).toEqual([]);
	},
	20_000,
);

test('a condition that the workspace does not know is refused when the workflow is published', async () => {
	const { host } = await published({
		conditions: { customFields: [{ customFieldId: '99999', operator: 'eq', value: 'x' }] },
	});
	await expect(host.publish()).rejects.toThrow(/custom field/i);
});

test('files are added if the option says so', async () => {
	const { workspace, host, ann, calls } = await published({
		options: { downloadAttachments: true },
	});
	await host.publish();
	const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', content: 'aGk=' };
	await workspace.write(ann, { text: 'See', attachments: [photo] });
	await calls(1);
	expect(host.items).toMatchObject([{ attachments: [{ binary: 'attachment_0' }] }]);
});

test('while a question to the contact is open, nothing starts', async () => {
	const { workspace, run, host, ann, calls } = await published();
	await host.publish();
	const { id } = await workspace.add('customFields', { name: QUESTION_FIELD, type: 'longText' });
	const note = formatQuestionNote({ until: Date.now() + 600_000, others: [], answers: [] });
	const { error } = await run({
		...{ resource: 'contact', operation: 'setCustomFields', identifier: by('id', ann.slice(3)) },
		customFields: { mappingMode: 'defineBelow', value: { [id]: note } },
	});
	expect(error).toBeUndefined();
	await workspace.write(ann, 'yes');
	await calls(1);
	expect(host.items).toEqual([]);
});

test('while the bot is off, no flow runs, and nothing starts', async () => {
	const { workspace, host, ann } = await published();
	await host.publish();
	await workspace.write(ann, 'First');
	await workspace.changeConversation(ann, { botEnabled: false });
	await workspace.write(ann, 'Second');
	expect((await workspace.journal()).flowRuns).toHaveLength(1);
});
