import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../../../sandbox/options';
import { pathOf, writesOf } from '../../support/engine/helpers';
import { ownServer, recordLog } from '../../support/engine/record';
import { clock, setClock } from '../../support/engine/skipPauses';
import type { Engine } from '../../support/engine/triggerHost';
import { active, identifier, people, watched } from '../../support/engine/triggerSupport';

/*
 * Message Received on a newer service: the reference has no conversations, and older services keep
 * them from tokens.
 */

const received = { event: 'messageReceived' };

/** One execution for the messages of all contacts. */
const together = { options: { executionPerContact: false } };

/** An active workflow, and some contacts who can write. */
async function chat(parameters: INodeParameters = {}, count = 2, engine?: Engine) {
	const { workspace, host, requestsOfPoll } = await active(
		{ ...received, ...parameters },
		{ contacts: 0, service: 'newer' },
		engine,
	);
	const contacts = await workspace.addContacts(people(count));
	return { workspace, host, requestsOfPoll, contacts };
}

const textsOf = (items: IDataObject[]) => items.map(({ text }) => text);

describe('Message Received', () => {
	test('starts the workflow with each message once, oldest first', async () => {
		const { workspace, host, contacts } = await chat(together);
		const [ann, bob] = contacts.map(identifier);
		await workspace.write(ann, 'One');
		await workspace.write(bob, 'Two');
		await workspace.write(ann, 'Three');

		expect(textsOf(await host.poll())).toEqual(['One', 'Two', 'Three']);
		expect(await host.poll()).toEqual([]);
		await workspace.write(ann, 'Four');
		expect(textsOf(await host.poll())).toEqual(['Four']);
	});

	test('has the message, the contact, the conversation, the channel and what an agent reads', async () => {
		const { workspace, host, contacts } = await chat({ options: { groupMessages: 0 } });
		const [ann] = contacts;
		const { tags, channels } = await workspace.state();
		await workspace.changeContacts([
			{ identifier: identifier(ann), changes: { tagIds: [tags[0].id] } },
		]);
		const message = await workspace.write(identifier(ann), 'Hello');
		const [item] = await host.poll();
		const webchat = channels.find(({ channel }) => channel === 'webchat')!;

		expect(item).toEqual({
			messageId: message.id,
			text: 'Hello',
			type: 'message',
			contentType: 'text',
			attachments: [],
			receivedAt: message.createdAt,
			chatInput: 'Hello',
			sessionId: ann.id,
			contact: expect.objectContaining({
				id: ann.id,
				firstName: 'Person 0',
				tags: [tags[0].name],
			}) as unknown,
			conversation: {
				id: message.conversationId,
				contactId: ann.id,
				answeredBy: 'bot',
				assignedTo: null,
				archived: false,
			},
			channel: { id: webchat.id, name: webchat.name, type: 'webchat' },
		});
	});

	test('does not start for answers, lines of the service, edits, and messages from before', async () => {
		const { workspace, host } = await watched(received, { contacts: 0, service: 'newer' });
		const [ann] = (await workspace.addContacts(people(1))).map(identifier);
		await workspace.write(ann, 'Before');
		await host.activate();
		const message = await workspace.write(ann, 'Now');
		await workspace.reply(ann, 'An answer');
		await workspace.note(ann, 'Assigned to Nia');
		expect(textsOf(await host.poll())).toEqual(['Now']);

		await workspace.changeMessage(message.id, { text: 'Edited' });
		await workspace.reply(ann, 'Another answer');
		expect(await host.poll()).toEqual([]);
	});

	test('finds messages in archived conversations', async () => {
		const { workspace, host, contacts } = await chat();
		const [ann] = contacts.map(identifier);
		await workspace.write(ann, 'Before');
		await host.poll();
		await workspace.changeConversation(ann, { archivedAt: new Date().toISOString() });
		await workspace.write(ann, 'In the archive');

		expect(await host.poll()).toMatchObject([
			{ text: 'In the archive', conversation: { archived: true } },
		]);
	});

	test('goes on after a failed poll, a restart and a new publication', async () => {
		const { workspace, host, contacts } = await chat();
		const [ann] = contacts.map(identifier);
		await workspace.write(ann, 'One');
		await workspace.faults({ fail: [{ match: { pathPattern: '/conversations' }, status: 403 }] });
		await expect(host.poll()).rejects.toThrow();
		host.errors.length = 0;
		await workspace.faults({ fail: null });
		await host.restart(async () => await workspace.write(ann, 'Two'));
		await host.republish({ ...received, options: { groupMessages: 0 }, simplify: false });
		await workspace.write(ann, 'Three');
		await host.poll();

		expect(textsOf(host.items)).toEqual(['One', 'Two', 'Three']);
	});

	test.each<[string, IDataObject, string, string]>([
		['without text', {}, 'photo.jpg', '[attachments: photo.jpg]'],
		['with a caption', { text: 'Broken' }, 'photo.jpg', 'Broken [attachments: photo.jpg]'],
		['with a caption', { text: 'a\nb' }, 'Foto 1.png', 'a\nb [attachments: Foto 1.png]'],
		['without a telling name', { text: 'Hi' }, 'wamid7', 'Hi [attachments: wamid7 (image/jpeg)]'],
	])('names the files of a message %s for an agent', async (_, message, name, chatInput) => {
		const { workspace, host, contacts } = await chat();
		await workspace.write(identifier(contacts[0]), {
			...message,
			attachments: [{ name, mimeType: 'image/jpeg', content: '' }],
		});
		const [item] = await host.poll();
		expect(item).toMatchObject({ text: message.text ?? '', chatInput });
	});

	test('shows a message of the newest conversation as a sample', async () => {
		const { workspace, host, contacts } = await chat();
		const [ann, bob] = contacts.map(identifier);
		expect((await host.fetchTestEvent()).error?.message).toContain(
			'nothing to show as a test event',
		);
		await workspace.write(ann, 'Old');
		await workspace.write(bob, 'New');
		await workspace.reply(bob, 'Answer');

		expect((await host.fetchTestEvent()).items).toMatchObject([{ text: 'New' }]);
	});

	test('shows a group of messages as a sample with Group Messages', async () => {
		const { workspace, host, contacts } = await chat({ options: { groupMessages: 10 } });
		const [ann] = contacts.map(identifier);
		await workspace.write(ann, { text: 'Old', at: new Date(Date.now() - 3_600_000).toISOString() });
		await workspace.write(ann, 'Hi');
		await workspace.write(ann, 'Where is my order?');

		expect((await host.fetchTestEvent()).items).toMatchObject([
			{
				text: 'Hi\nWhere is my order?',
				messages: [{ text: 'Hi' }, { text: 'Where is my order?' }],
			},
		]);
	});
});

describe('Message Received with filters', () => {
	test('Channel Names or IDs leaves out messages on other channels', async () => {
		const { workspace, host } = await watched(received, { contacts: 0, service: 'newer' });
		const { channels } = await workspace.state();
		const [one, other] = channels;
		await host.republish({ ...received, inboxIds: [one.id] });
		const [ann] = (await workspace.addContacts([{ inboxIds: [one.id, other.id] }])).map(identifier);
		await workspace.write(ann, { text: 'Here', inboxId: one.id });
		await workspace.write(ann, { text: 'There', inboxId: other.id });

		expect(await host.poll()).toMatchObject([{ text: 'Here', channel: { id: one.id } }]);
	});

	test('Answered By leaves out conversations of the bot, or of people', async () => {
		const { workspace, host, contacts } = await chat({ inCharge: 'person' });
		const [ann, bob] = contacts.map(identifier);
		await workspace.write(ann, 'To the bot');
		await workspace.write(bob, 'To a person');
		await workspace.changeConversation(bob, { botEnabled: false });

		expect(textsOf(await host.poll())).toEqual(['To a person']);
		await workspace.changeConversation(ann, { botEnabled: false });
		// What was skipped stays skipped, also after a restart.
		await host.restart();
		await host.poll();
		expect(textsOf(host.items)).toEqual(['To a person']);
	});

	test('Conditions are about the contact', async () => {
		const { workspace, host, contacts } = await chat({
			conditions: { texts: [{ field: 'firstName', textOperator: 'eq', text: 'Person 1' }] },
		});
		const [ann, bob] = contacts.map(identifier);
		await workspace.write(ann, 'No');
		await workspace.write(bob, 'Yes');

		expect(textsOf(await host.poll())).toEqual(['Yes']);
	});

	test('a wrong value is an error in the words of the panel', async () => {
		const { host } = await watched(
			{ ...received, options: { groupMessages: -1 } },
			{ contacts: 0, service: 'newer' },
		);
		await host.activate().catch(() => undefined);

		await expect(host.poll()).rejects.toThrow(
			'Group Messages (Seconds) of Options must be a whole number from 0 to 3600',
		);
	});
});

describe('Message Received with Group Messages', () => {
	test('makes one item of messages that come close together', async () => {
		const { workspace, host, contacts } = await chat({ options: { groupMessages: 5 } });
		const [ann, bob] = contacts.map(identifier);
		await workspace.write(ann, 'Hi');
		await workspace.write(ann, 'I have a question');
		await workspace.write(ann, 'about my order');
		await workspace.write(bob, 'Me too');
		expect(await host.poll()).toEqual([]);
		while (host.items.length < 2) {
			await sleep(500);
			await host.poll();
		}

		const items = host.items as Array<IDataObject & { messages: IDataObject[] }>;
		expect(textsOf(items)).toEqual(['Hi\nI have a question\nabout my order', 'Me too']);
		expect(items[0].chatInput).toBe('Hi\nI have a question\nabout my order');
		expect(textsOf(items[0].messages)).toEqual(['Hi', 'I have a question', 'about my order']);
		expect(await host.poll()).toEqual([]);
	});

	test('a contact who keeps writing makes nobody else wait', async () => {
		const { workspace, host, contacts } = await chat({ options: { groupMessages: 60 } });
		const [ann, bob] = contacts.map(identifier);
		const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
		await workspace.write(ann, { text: 'Done', at: minutesAgo(2) });
		await workspace.write(bob, 'Still writing');

		expect(textsOf(await host.poll())).toEqual(['Done']);
		await workspace.write(ann, { text: 'Again', at: new Date(Date.now() + 1000).toISOString() });
		expect(await host.poll()).toEqual([]);
	});

	test('a group closes at 20 messages', async () => {
		const { workspace, host, contacts } = await chat({ options: { groupMessages: 600 } });
		const [ann] = contacts.map(identifier);
		for (let count = 1; count <= 21; count++) await workspace.write(ann, `${count}`);
		const items = (await host.poll()) as Array<IDataObject & { messages: IDataObject[] }>;

		expect(items.map(({ messages }) => messages.length)).toEqual([20]);
	});
});

describe('Message Received with Mark as Read', () => {
	const settings = { options: { markAsRead: true } };
	const isRead = async (
		workspace: Awaited<ReturnType<typeof chat>>['workspace'],
		contact: string,
	) => (await workspace.contact(contact)).conversation?.agentLastReadAt !== null;

	test('marks the conversations that start the workflow, each once, and no others', async () => {
		const { workspace, host, contacts } = await chat({ inCharge: 'bot', ...settings }, 3);
		const [ann, bob, cid] = contacts.map(identifier);
		for (const text of ['One', 'Two']) await workspace.write(ann, text);
		for (const other of [bob, cid]) await workspace.write(other, 'Hello');
		await workspace.changeConversation(bob, { botEnabled: false });
		await workspace.clearJournal();
		expect(textsOf(await host.poll()).sort()).toEqual(['Hello', 'One', 'Two']);
		expect(
			await Promise.all([ann, bob, cid].map(async (each) => await isRead(workspace, each))),
		).toEqual([true, false, true]);
		expect((await workspace.summary()).byOperation).toMatchObject({ readConversation: 2 });
		await workspace.clearJournal();
		expect(await host.poll()).toEqual([]);
		expect((await workspace.summary()).byOperation).not.toHaveProperty('readConversation');
	});

	test('marks none without the option, and none for a test event', async () => {
		const { workspace, host, contacts } = await chat();
		const [ann] = contacts.map(identifier);
		await workspace.write(ann, 'One');
		await host.poll();
		expect(await isRead(workspace, ann)).toBe(false);
		const test = await watched({ ...received, ...settings }, { contacts: 0, service: 'newer' });
		const [bob] = (await test.workspace.addContacts(people(1))).map(identifier);
		await test.workspace.write(bob, 'Two');
		expect((await test.host.fetchTestEvent()).items).toHaveLength(1);
		expect(await isRead(test.workspace, bob)).toBe(false);
	});

	test('starts the workflow although a conversation cannot be marked', async () => {
		const { workspace, host, contacts } = await chat(settings);
		const [ann, bob] = contacts.map(identifier);
		for (const each of [ann, bob]) await workspace.write(each, 'Hello');
		await workspace.faults({ fail: [{ match: { operation: 'readConversation' }, status: 403 }] });
		expect(await host.poll()).toHaveLength(2);
		expect(await host.poll()).toEqual([]);
		expect(await isRead(workspace, ann)).toBe(false);
	});

	/** Six contacts who have written, and a fault of marking the conversations of some of them. */
	async function written(faultOf: (pathPattern: string) => Faults, failing: number[]) {
		const log = recordLog();
		const { workspace, host, contacts } = await chat(settings, 6, 'scheduled');
		host.budgetMs = 8000;
		await host.poll();
		const messages: Array<{ conversationId: string }> = [];
		for (const contact of contacts)
			messages.push(await workspace.write(identifier(contact), 'Hello'));
		const ids = failing.map((index) => messages[index].conversationId).join('|');
		await workspace.faults(faultOf(`/conversations/(${ids})/read`));
		return {
			workspace,
			host,
			/** Which contacts' conversations are marked. */
			async marked() {
				const states = await Promise.all(
					contacts.map(async (each) => await isRead(workspace, identifier(each))),
				);
				return states.flatMap((isMarked, index) => (isMarked ? [index] : []));
			},
			warnings: () => log.filter((line) => line.includes('conversations as read')),
		};
	}

	test.each<[string, (pathPattern: string) => Faults, string]>([
		['403', (pathPattern) => ({ fail: [{ match: { pathPattern }, status: 403 }] }), '(403)'],
		['404', (pathPattern) => ({ fail: [{ match: { pathPattern }, status: 404 }] }), '(404)'],
		['500', (pathPattern) => ({ fail: [{ match: { pathPattern }, status: 500 }] }), '(500)'],
		[
			'a web page',
			(pathPattern) => ({ fail: [{ match: { pathPattern }, status: 502, body: 'html' }] }),
			'(502)',
		],
		[
			'a connection that breaks',
			(pathPattern) => ({ dropBefore: { match: { pathPattern } } }),
			'broke before the answer arrived',
		],
	])(
		'marks all others if the service answers for two conversations with %s, and warns once',
		async (_, faultOf, reason) => {
			const { host, marked, warnings } = await written(faultOf, [0, 3]);
			expect(await host.poll()).toHaveLength(6);
			expect(await marked()).toEqual([1, 2, 4, 5]);
			expect(warnings()).toEqual([
				expect.stringContaining('could not mark 2 of 6 conversations as read'),
			]);
			expect(warnings()[0]).toContain(reason);
			expect(await host.poll()).toEqual([]);
		},
	);

	test.each([
		['rejects the token', 401, undefined, 'The service rejected the access token'],
		[
			'names the scope that the token lacks',
			403,
			"Token is not authorized for the 'inbox' scope",
			'"inbox"',
		],
		['has its rate limit', 429, undefined, 'Rate limit reached'],
	])('stops marking if the service %s, and warns once', async (_, status, message, reason) => {
		const { workspace, host, marked, warnings } = await written(
			(pathPattern) => ({ fail: [{ match: { pathPattern }, status, message }] }),
			[0, 1, 2, 3, 4, 5],
		);
		await workspace.clearJournal();
		expect(await host.poll()).toHaveLength(6);
		expect(await marked()).toEqual([]);
		expect(new Set((await writesOf(workspace)).map(pathOf)).size).toBe(4);
		expect(warnings()).toEqual([
			expect.stringContaining('could not mark 6 of 6 conversations as read'),
		]);
		expect(warnings()[0]).toContain(reason);
	});

	test('names three reasons at most why conversations cannot be marked', async () => {
		const { host, warnings } = await written(
			(pathPattern) => ({ fail: [{ match: { pathPattern }, status: 404 }] }),
			[0, 1, 2, 3, 5],
		);
		await host.poll();
		expect(warnings()).toEqual([
			expect.stringContaining('could not mark 5 of 6 conversations as read'),
		]);
		expect(warnings()[0].match(/No conversation has the ID/g)).toHaveLength(3);
		expect(warnings()[0]).toContain('Other reasons: 2.');
	});

	test('gives the time of one conversation that hangs to no other', async () => {
		const { host, marked, warnings } = await written(
			(pathPattern) => ({ hostile: [{ match: { pathPattern }, mode: 'slow' }] }),
			[0],
		);
		expect(await host.poll()).toHaveLength(6);
		expect(await marked()).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]));
		expect(warnings()).toEqual([
			expect.stringContaining('could not mark 1 of 6 conversations as read'),
		]);
	});
});

describe('Message Received with Download Attachments', () => {
	const downloading = { options: { downloadAttachments: true } };
	const photo = {
		name: 'photo.jpg',
		mimeType: 'image/jpeg',
		content: Buffer.from('A photo').toString('base64'),
	};

	test('adds the files to the item, with their names and types', async () => {
		const { workspace, host, contacts } = await chat(downloading);
		await workspace.write(identifier(contacts[0]), { text: 'Look', attachments: [photo] });

		expect(await host.poll()).toMatchObject([
			{
				text: 'Look',
				attachments: [{ name: 'photo.jpg', mimeType: 'image/jpeg', binary: 'attachment_0' }],
			},
		]);
		const [{ attachment_0: file }] = host.files;
		expect(file).toMatchObject({ fileName: 'photo.jpg', mimeType: 'image/jpeg' });
		expect(Buffer.from(file.data, 'base64').toString()).toBe('A photo');
	});

	test.each([
		[
			"its address is of a cloud's metadata service",
			'http://169.254.169.254/latest',
			'unsafe address',
		],
		['its address is no web address', 'file:///etc/passwd', 'unsafe address'],
		[
			'nothing is at its address',
			'http://127.0.0.1:9/photo.jpg',
			"couldn't be downloaded from 127.0.0.1:9",
		],
	])('keeps the message and says why a file is missing if %s', async (_, url, reason) => {
		const { workspace, host, contacts } = await chat(downloading);
		await workspace.write(identifier(contacts[0]), { text: 'Look', attachments: [{ url }, photo] });
		const [item] = (await host.poll()) as Array<IDataObject & { attachments: IDataObject[] }>;

		expect(item.text).toBe('Look');
		expect(item.attachments).toMatchObject([
			{ error: expect.stringContaining(reason) as unknown },
			{ binary: 'attachment_1' },
		]);
	});
});

test('The first poll checks conditions without downloading files', async () => {
	const { workspace, host } = await watched(
		{
			event: 'messageReceived',
			options: { downloadAttachments: true },
			conditions: { texts: [{ field: 'email', textOperator: 'isNotEmpty' }] },
		},
		{ contacts: 1, service: 'newer' },
	);
	const [contact] = (await workspace.state()).contacts;
	let downloads = 0;
	const storage = createServer((_, response) => {
		downloads++;
		response.end('A photo');
	});
	await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
	const { port } = storage.address() as AddressInfo;
	const file = { url: `http://127.0.0.1:${port}/photo.jpg` };
	const write = async () =>
		await workspace.write(identifier(contact), { text: 'Look', attachments: [file] });
	await write();
	await host.activate();
	expect(downloads).toBe(0);
	await write();
	expect(await host.poll()).toMatchObject([{ attachments: [{ binary: 'attachment_0' }] }]);
	expect(downloads).toBe(1);
	storage.close();
});

describe('Message Received when the time of a poll is short', () => {
	test('returns what it has read, and the next poll goes on', async () => {
		const { workspace, host } = await watched(
			{ ...received, ...together },
			{ contacts: 0, service: 'newer' },
			'durable',
		);
		await host.activate();
		await host.poll();
		for (const contact of await workspace.addContacts(people(40)))
			await workspace.write(identifier(contact), contact.id);
		host.budgetMs = 8000;
		await workspace.faults({ latencyMs: 500 });
		const first = await host.poll();
		expect(first.length).toBeGreaterThanOrEqual(4);
		expect(first.length).toBeLessThan(40);
		await workspace.faults({ latencyMs: null });
		host.budgetMs = 60_000;
		await host.poll();

		expect(new Set(textsOf(host.items)).size).toBe(40);
		expect(host.items).toHaveLength(40);
	});

	test('keeps a message whose file never comes', async () => {
		const { port } = await ownServer((response) => {
			response.writeHead(200, { 'content-type': 'image/jpeg' }).write('The beginning');
		});
		const url = `http://127.0.0.1:${port}/photo.jpg`;
		const { workspace, host } = await watched(
			{ ...received, options: { downloadAttachments: true } },
			{ contacts: 1, service: 'newer' },
			'scheduled',
		);
		await host.activate();
		const [contact] = (await workspace.state()).contacts;
		await workspace.write(identifier(contact), { text: 'Look', attachments: [{ url }] });
		host.budgetMs = 6000;
		const items = await host.poll();

		expect(items).toMatchObject([
			{
				text: 'Look',
				attachments: [{ error: expect.stringContaining('it took too long') as unknown }],
			},
		]);
	});
});

describe('Message Received on a service without conversations', () => {
	test.each([
		[
			'reference',
			"This service doesn't have conversations, or the Base URL in the credential is wrong (404).",
		],
		['older', "This service doesn't let access tokens read conversations."],
	] as const)('says so on a service of the kind "%s"', async (service, sentence) => {
		const { host } = await watched(received, { contacts: 3, service });
		const { error } = await host.fetchTestEvent();

		expect(error?.message).toBe(sentence);
	});
});

test('the memory of a workspace with many conversations stays small', async () => {
	const { workspace, host, contacts } = await chat(together, 300);
	const at = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
	for (const [index, contact] of contacts.entries())
		await workspace.write(identifier(contact), { text: 'Hello', at: at(400 - index) });
	expect(await host.poll()).toHaveLength(300);
	await host.poll();
	await workspace.write(identifier(contacts[7]), 'Once more');

	expect(textsOf(await host.poll())).toEqual(['Once more']);
	expect(host.size).toBeLessThan(15_000);
}, 400_000);

// The last test: it sets the clock ahead.
test('a poll without news reads only the newest conversations', async () => {
	const { workspace, contacts, host, requestsOfPoll } = await chat(together, 120);
	for (const contact of contacts) await workspace.write(identifier(contact), 'Hello');
	expect(await host.poll()).toHaveLength(120);
	// Two minutes later, no message can show up late any more.
	setClock(clock() + 120_000);
	await host.poll();

	// Each list is read again if it had more than one page.
	expect(await requestsOfPoll()).toBeLessThanOrEqual(5);
	expect(host.items).toHaveLength(120);
});
