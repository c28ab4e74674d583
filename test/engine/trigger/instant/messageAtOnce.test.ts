import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	commonOutput,
	instantEvents,
} from '../../../../nodes/WorkspaceMessaging/trigger/instant/events';
import { InstantHost, loadInstantTrigger } from '../../../support/engine/instantHost';
import { called, writeNote } from '../../../support/engine/instantSupport';
import { clock, passTime, setClock, skipPauses } from '../../../support/engine/skipPauses';
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
	const options = { service: 'newer', contacts: 10, allowPrivateUrls: true } as const;
	const { workspace } = await testWorkspace(options);
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
	return { workspace, host, contacts, ann, ben, calls, channels };
}

const callAbout = (id: string) => ({
	event: 'contact_wrote',
	contact: { id },
	custom_fields: [],
	tags: [],
});

/** A message that the contact writes now, by n8n's clock. */
const now = (text: string) => ({ text, at: new Date(clock()).toISOString() });

/**
 * Lets no time pass for calls that wait until `letPass` is called, and then the whole time at once.
 */
function holdTime() {
	let letPass = () => {};
	const held = new Promise<void>((resolve) => (letPass = resolve));
	const stop = skipPauses(500, async () => await held);
	return { letPass, stop };
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

test('while a question is open, nothing starts; what is no answer comes with the first message after it', async () => {
	const { workspace, host, id, query } = await called({ ...event });
	const open = { until: clock() + 600_000, others: [], answers: {} };
	await writeNote(workspace, id, open);
	await workspace.write(`id:${id}`, now('Please call me, it is urgent'));
	await host.call(query, callAbout(id));
	const { id: answer } = await workspace.write(`id:${id}`, now('yes'));
	await host.call(query, callAbout(id));
	expect(host.items).toEqual([]);

	await writeNote(workspace, id, { others: [], answers: { q: [answer] } });
	setClock(clock() + 80 * 60_000);
	await workspace.write(`id:${id}`, now('Are you there?'));
	await host.call(query, callAbout(id));
	expect(textsOf(host.items)).toEqual(['Please call me, it is urgent', 'Are you there?']);
});

test('if n8n restarts while a question is open, what the contact has written since the question still comes', async () => {
	const { workspace, host, id, query } = await called({ ...event });
	const askedAfter = clock();
	setClock(askedAfter + 1000);
	await writeNote(workspace, id, { until: clock() + 9e6, askedAfter, others: [], answers: {} });
	await workspace.write(`id:${id}`, now('Please call me'));
	await host.call(query, callAbout(id));
	host.trigger = loadInstantTrigger();
	setClock(clock() + 80 * 60_000);
	await workspace.write(`id:${id}`, now('Hello?'));
	await host.call(query, callAbout(id));
	await writeNote(workspace, id, { others: [], answers: {} });
	await workspace.write(`id:${id}`, now('Anybody?'));
	await host.call(query, callAbout(id));
	expect(textsOf(host.items)).toEqual(['Please call me', 'Hello?', 'Anybody?']);
});

test('a message that could not be read comes with the next one, however late that is', async () => {
	const { workspace, host, id, query } = await called({ ...event });
	await workspace.write(`id:${id}`, now('First'));
	await workspace.faults({ fail: [{ status: 403, match: { pathPattern: '/messages' } }] });
	await host.call(query, callAbout(id));
	expect(host.items).toMatchObject([{ messageRead: false }]);
	await workspace.faults({ fail: null });
	setClock(clock() + 80 * 60_000);
	await workspace.write(`id:${id}`, now('Second'));
	await host.call(query, callAbout(id));
	expect(textsOf(host.items.slice(1))).toEqual(['First', 'Second']);
});

test('a message that the service stores after its call is also found if earlier ones wait', async () => {
	const { workspace, host, id, query } = await called({ ...event });
	await writeNote(workspace, id, { until: clock() + 600_000, others: [], answers: {} });
	await workspace.write(`id:${id}`, now('First'));
	await host.call(query, callAbout(id));
	await writeNote(workspace, id, { others: [], answers: {} });
	const message = now('Stored late');
	const stop = skipPauses(500, async () => await workspace.write(`id:${id}`, message));
	await host.call(query, callAbout(id));
	stop();
	expect(textsOf(host.items)).toEqual(['First', 'Stored late']);
});

test('a message whose file n8n could not store comes with the next one', async () => {
	const options = { downloadAttachments: true };
	const { workspace, host, id, query } = await called({ ...event, options });
	const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', content: 'aGk=' };
	await workspace.write(`id:${id}`, { ...now('See'), attachments: [photo] });
	host.isDiskFull = true;
	await host.call(query, callAbout(id));
	host.isDiskFull = false;
	await workspace.write(`id:${id}`, now('Well?'));
	await host.call(query, callAbout(id));
	expect(host.items).toMatchObject([
		{ messageRead: false },
		{ text: 'See', attachments: [{ binary: 'attachment_0' }] },
		{ text: 'Well?' },
	]);
});

describe('With Group Messages', () => {
	const options = { groupMessages: 30 };

	test('ten contacts who write three messages each start one execution each, and flows go on at once', async () => {
		const { workspace, host, contacts, calls } = await published({ options });
		await host.publish();
		const { letPass, stop } = holdTime();
		await Promise.all(
			contacts.map(async ({ id }) => {
				for (const text of ['Hi', 'I have a question', 'about my order'])
					await workspace.write(`id:${id}`, now(text));
			}),
		);
		const runs = await calls(30);
		expect(new Set(runs.map(({ branch }) => branch))).toEqual(new Set(['success']));
		expect(host.executions).toEqual([]);
		letPass();
		while (host.executions.length < contacts.length) await sleep(10);
		stop();
		await sleep(500);
		const text = 'Hi\nI have a question\nabout my order';
		const messages = text.split('\n').map((each) => ({ text: each }));
		const started = new Map(host.executions.map((items) => [items[0].sessionId, items]));
		for (const { id } of contacts)
			expect(started.get(id)).toMatchObject([{ text, chatInput: text, messages }]);
		expect(host.executions).toHaveLength(contacts.length);
	}, 60_000);

	test('two processes that get calls in turn start one execution each, with all messages in order', async () => {
		const { workspace, host, id, query } = await called({ ...event, options });
		const other = host.sibling();
		other.trigger = loadInstantTrigger();
		const { letPass, stop } = holdTime();
		const answers = [];
		for (const [index, process] of [host, other, host, other].entries()) {
			await workspace.write(`id:${id}`, now(String(index)));
			answers.push(process.call(query, callAbout(id)));
			await sleep(20);
		}
		letPass();
		await Promise.all(answers);
		stop();
		const all = [[{ text: '0\n1\n2\n3' }]];
		expect([host.executions, other.executions]).toMatchObject([all, all]);
	});

	test('a call about nobody is refused, and a burst of somebody who is known costs two requests', async () => {
		const { workspace, host, id, query } = await called({ ...event, options });
		const nobody = await host.call(query, callAbout('99999999999999999999'));
		expect(nobody.status).toBe(404);
		for (const texts of [['1'], ['2', '3', '4']]) {
			await workspace.clearJournal();
			const { letPass, stop } = holdTime();
			const answers = [];
			for (const text of texts) {
				await workspace.write(`id:${id}`, now(text));
				answers.push(host.call(query, callAbout(id)));
				await sleep(20);
			}
			letPass();
			await Promise.all(answers);
			stop();
		}
		expect(host.executions).toMatchObject([[{ text: '1' }], [{ text: '2\n3\n4' }]]);
		expect((await workspace.summary()).requests).toBe(2);
	});

	test('a question that somebody asks while n8n waits for more messages does not lose those from before it', async () => {
		const { workspace, host, id, query } = await called({ ...event, options });
		await workspace.write(`id:${id}`, now('Hi'));
		const { letPass, stop } = holdTime();
		const first = host.call(query, callAbout(id));
		setClock(clock() + 5000);
		const asked = { until: clock() + 600_000, askedAfter: clock(), others: [], answers: {} };
		await writeNote(workspace, id, asked);
		letPass();
		await first;
		stop();
		expect(host.executions).toEqual([]);
		setClock(clock() + 80 * 60_000);
		await workspace.write(`id:${id}`, now('Hello?'));
		const { letPass: letPassAgain, stop: stopAgain } = holdTime();
		const second = host.call(query, callAbout(id));
		letPassAgain();
		await second;
		stopAgain();
		expect(host.executions).toMatchObject([[{ text: 'Hi\nHello?' }]]);
	});

	test('a contact who goes on writing, on a service that stores messages late, keeps nothing from starting', async () => {
		const { workspace, host, id, query } = await called({ ...event, options });
		const written: Array<ReturnType<typeof now>> = [];
		let isOver = false;
		const stop = skipPauses(500, async () => {
			passTime(500);
			written.push(now(String(written.length)));
			void host.call(query, callAbout(id));
			const late = written[written.length - 5];
			if (late) await workspace.write(`id:${id}`, late);
			if (written.length > 60) isOver = true;
		});
		void host.call(query, callAbout(id));
		while (host.executions.length === 0 && !isOver) await sleep(10);
		stop();
		expect(isOver).toBe(false);
	});

	test('if the service cannot be read when the contact is quiet, one execution starts without the text', async () => {
		const { workspace, host, id, query } = await called({ ...event, options });
		await workspace.write(`id:${id}`, now('Hi'));
		const { letPass, stop } = holdTime();
		const isAnswered = new Promise((resolve) => {
			void host.call(query, callAbout(id), resolve);
		});
		await isAnswered;
		await host.call(query, callAbout(id));
		await workspace.faults({ fail: [{ status: 403 }] });
		letPass();
		while (host.executions.length === 0) await sleep(10);
		stop();
		expect(host.executions).toMatchObject([[{ messageRead: false, sessionId: id }]]);
	});
});

test('while the bot is off, no flow runs, and nothing starts', async () => {
	const { workspace, host, ann } = await published();
	await host.publish();
	await workspace.write(ann, 'First');
	await workspace.changeConversation(ann, { botEnabled: false });
	await workspace.write(ann, 'Second');
	expect((await workspace.journal()).flowRuns).toHaveLength(1);
});
