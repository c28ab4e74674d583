import type { Attachment, Message } from '../../sandbox/services/newer/conversations/messageStore';
import type { Conversation } from '../../sandbox/services/newer/conversations/conversation';
import { both, inQuery, service } from './service';

type Row = Conversation & {
	messages: Message[];
	contact: { id: string };
	contactInboxes: Array<{ id: string; inbox: object }>;
};

/** A newer service with four contacts who can be written to. */
async function talks() {
	const made = await service('newer', { contacts: 0 });
	const contacts = await made.workspace.addContacts(
		['Ann', 'Bob', 'Cid', 'Dan'].map((firstName) => ({ firstName })),
	);
	const [ann, bob, cid, dan] = contacts.map(({ id }) => `id:${id}`);
	const names = new Map(contacts.map(({ id, firstName }) => [id, firstName]));
	const list = async (query = '') => {
		const { json } = await made.client.get(`conversations${query}`);
		return (json.data as Row[]).map(({ contactId }) => names.get(contactId));
	};
	return { ...made, ann, bob, cid, dan, list };
}

describe('Conversations of the newer kind', () => {
	test('come by their last activity, and those without any come last', async () => {
		const { workspace, ann, bob, cid, list } = await talks();
		await workspace.write(ann, 'Hi');
		await workspace.write(cid, 'Hi');
		await workspace.note(bob, 'Assigned to Maja');
		await workspace.write(ann, 'Again');
		expect(await list()).toEqual(['Ann', 'Bob', 'Cid', 'Dan']);
	});

	test('show the last message, the contact and the channels', async () => {
		const { client, workspace, ann } = await talks();
		await workspace.write(ann, 'Hi');
		const last = await workspace.write(ann, 'Are you there?');
		const [row] = (await client.get('conversations?perPage=1')).json.data;
		expect(row).toMatchObject({
			id: last.conversationId,
			contactId: ann.slice(3),
			botEnabled: true,
			archivedAt: null,
			followed: false,
			lastActivityAt: last.createdAt,
			contactRepliedAt: last.createdAt,
			adminRepliedAt: null,
			messages: [{ id: last.id, text: 'Are you there?' }],
			contact: { id: ann.slice(3), firstName: 'Ann' },
			contactInboxes: [
				{ id: last.contactInboxId, channel: 'webchat', inbox: { channel: 'webchat' } },
			],
			assignedUser: null,
			assignedInboxTeam: null,
		});
		expect(row.contact).not.toHaveProperty('tags');
		expect((await client.get(`conversations/${row.id}`)).json).toEqual({ data: row });
		const { status, json } = await client.get('conversations/4711');
		expect([status, json.code, json.message]).toEqual([404, 'notFound', 'Conversation not found']);
	});

	test('are hidden while they are archived or the contact is blocked, unless a tag asks for them', async () => {
		const { client, workspace, ann, bob, cid, dan, list } = await talks();
		for (const each of [dan, cid, bob, ann]) await workspace.write(each, 'Hi');
		await workspace.changeConversation(ann, { archivedAt: new Date().toISOString() });
		await client.send('POST', `contacts/${bob}/block`);
		expect(await list()).toEqual(['Cid', 'Dan']);
		expect(await list(`?tags=${inQuery(['archived'])}`)).toEqual(['Ann']);
		expect(await list(`?tags=${inQuery(['blocked'])}`)).toEqual(['Bob']);
		expect(await list(`?tags=${inQuery(['archived', 'blocked'])}`)).toEqual([]);
		await workspace.changeConversation(cid, { followed: true });
		await workspace.reply(cid, 'Hello');
		expect(await list(`?tags=${inQuery(['followUp'])}`)).toEqual(['Cid']);
		expect(await list(`?tags=${inQuery(['noAdminReply', 'unread'])}`)).toEqual(['Dan']);
		expect((await client.get('conversations?tags=archived')).status).toBe(422);
	});

	test('are filtered by who answers, to whom they are assigned, the channel, a keyword and a contact filter', async () => {
		const { client, workspace, ann, bob, cid, dan, list } = await talks();
		const { members, teams, channels } = await workspace.state();
		const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
		await workspace.write(dan, { text: 'Hi', inboxId: whatsapp.id });
		for (const each of [cid, bob, ann]) await workspace.write(each, 'Hi');
		const idOf = async (who: string) => (await workspace.contact(who)).conversation!.id as string;
		await client.send('POST', `conversations/${await idOf(ann)}/disable-bot`);
		expect(await list('?botEnabled=false')).toEqual(['Ann']);
		expect(await list('?botEnabled=false&botCategory=bot')).toEqual(['Ann']);
		expect(await list('?botCategory=bot')).toEqual(['Bob', 'Cid', 'Dan']);
		const assign = async (who: string, assignedId: string | null) =>
			(await client.send('POST', `conversations/${await idOf(who)}/assign`, { assignedId })).status;
		expect(await assign(bob, `u_${members[0].user.id}`)).toBe(200);
		expect(await assign(cid, `t_${teams[0].id}`)).toBe(200);
		expect(await list(`?assignedId=u_${members[0].user.id}`)).toEqual(['Bob']);
		expect(await list(`?assignedId=t_${teams[0].id}`)).toEqual(['Cid']);
		expect(await list('?assignedId=unassigned')).toEqual(['Ann', 'Dan']);
		expect(await list('?assignedId=Maja')).toEqual(['Ann', 'Bob', 'Cid', 'Dan']);
		expect(await list('?channel=whatsapp')).toEqual(['Dan']);
		expect(await list('?channel=omnichannel&keyword=an')).toEqual(['Ann', 'Dan']);
		await client.send('POST', `contacts/${bob}/block`);
		const conditions = [{ field: 'blocked', operator: 'eq', value: 'true' }];
		const filter = inQuery({ operator: 'and', conditions });
		expect(await list(`?contactFilter=${filter}`)).toEqual(['Bob']);
		await workspace.faults({ ignoredConversationFilters: ['channel'] });
		expect(await list('?channel=whatsapp&keyword=ann')).toEqual(['Ann']);
	});

	test('change by their actions', async () => {
		const { client, workspace, ann } = await talks();
		await workspace.write(ann, 'Hi');
		const { id } = (await workspace.contact(ann)).conversation as Conversation;
		const after = async (action: string) => {
			const { status, json } = await client.send('POST', `conversations/${id}/${action}`);
			expect([status, json]).toEqual([200, { success: true }]);
			return (await workspace.contact(ann)).conversation as Conversation;
		};
		expect(await after('archive')).toMatchObject({ archivedAt: expect.any(String) });
		expect(await after('unarchive')).toMatchObject({ archivedAt: null });
		expect(await after('read')).toMatchObject({ agentLastReadAt: expect.any(String) });
		expect(await after('unread')).toMatchObject({ agentLastReadAt: null });
		expect(await after('follow')).toMatchObject({ followed: true });
		expect(await after('unfollow')).toMatchObject({ followed: false });
		const paused = await after('disable-bot');
		expect(paused.botEnabled).toBe(false);
		expect(Date.parse(paused.botResumeAt!) - Date.now()).toBeGreaterThan(86_000_000);
		await workspace.changeConversation(ann, { botResumeAt: '2026-01-01T00:00:00.000Z' });
		expect((await client.get(`conversations/${id}`)).json.data).toMatchObject({ botEnabled: true });
		await after('disable-bot');
		expect(await after('enable-bot')).toMatchObject({ botEnabled: true, botResumeAt: null });
		const { status, json } = await client.send('POST', 'conversations/4711/archive');
		expect([status, json.message]).toEqual([404, 'Conversation not found']);
	});

	test('are assigned to users and teams that exist, or unassigned by earlier builds that check nothing', async () => {
		const { client, workspace, ann } = await talks();
		const { members } = await workspace.state();
		const { id } = (await workspace.contact(ann)).conversation as Conversation;
		const assign = async (body: object) => {
			const { status, json } = await client.send('POST', `conversations/${id}/assign`, body);
			return [status, json.code];
		};
		const user = `u_${members[0].user.id}`;
		expect(await assign({ assignedId: user })).toEqual([200, undefined]);
		expect(await assign({ assignedId: 'u_4711' })).toEqual([400, 'invalidAssignee']);
		expect(await assign({ assignedId: 't_4711' })).toEqual([404, 'notFound']);
		expect(await assign({ assignedId: members[0].user.id })).toEqual([422, 'invalidRequestData']);
		expect(await assign({})).toEqual([422, 'invalidRequestData']);
		const assigned = async () =>
			((await workspace.contact(ann)).conversation as Conversation).assignedUserId;
		expect(await assigned()).toBe(members[0].user.id);
		await workspace.faults({ checksNoAssignee: true });
		expect(await assign({ assignedId: 'Maja' })).toEqual([200, undefined]);
		expect(await assigned()).toBeNull();
	});

	test('come in pages whose cursor keeps its place while conversations move', async () => {
		const { client, workspace, ann, bob, cid, dan } = await talks();
		for (const each of [dan, cid, bob, ann]) await workspace.write(each, 'Hi');
		const first = (await client.get('conversations?perPage=2')).json;
		expect(first.data).toHaveLength(2);
		expect(first).toHaveProperty('prevCursor');
		await workspace.write(bob, 'Again');
		const second = (await client.get(`conversations?perPage=2&cursor=${first.nextCursor}`)).json;
		expect(second.data.map(({ contactId }: Row) => `id:${contactId}`)).toEqual([cid, dan]);
		expect(second.nextCursor).toBeNull();
		const unreadable = (await client.get('conversations?perPage=2&cursor=nonsense')).json;
		expect(unreadable.data[0].contactId).toBe(bob.slice(3));
		await workspace.faults({ maxPerPage: 1 });
		expect((await client.get('conversations')).json.data).toHaveLength(1);
	});

	test('fail with the faults of other operations', async () => {
		const { client, workspace } = await talks();
		await workspace.faults({ fail: [{ status: 503, match: { operation: 'listConversations' } }] });
		expect((await client.get('conversations')).status).toBe(503);
		await workspace.faults({ fail: null, missing: { listConversations: 404 } });
		expect((await client.get('conversations')).text).toBe('Not found');
	});

	test.each(['conversations', 'contacts/{contact}/messages'])(
		'require the scope of the inbox (%s)',
		async (path) => {
			const { client, contact } = await service('newer', { token: { scopes: ['contacts'] } });
			const { json } = await client.get(path.replace('{contact}', `id:${contact.id}`));
			expect(json.message).toBe("Token is not authorized for the 'inbox' scope");
		},
	);
});

test('The older service refuses a token for the list of conversations', async () => {
	const { client } = await service('older');
	const { status, json } = await client.get('conversations');
	expect([status, json.code, json.message]).toEqual([
		400,
		'systemError',
		'User is not associated with this workspace',
	]);
	expect((await client.get('conversations/1')).text).toBe('Not found');
});

test('The reference service has no conversations', async () => {
	const { client, contact, workspace } = await service('reference');
	expect((await client.get('conversations')).status).toBe(404);
	await expect(workspace.write(`id:${contact.id}`, 'Hi')).rejects.toThrow('no conversations');
});

describe('Messages of a conversation', () => {
	test.each(both)('of the %s kind come newest first, in pages', async (name) => {
		const { client, workspace, contact } = await service(name);
		const id = `id:${contact.id}`;
		const first = await workspace.write(id, 'One');
		await workspace.reply(id, 'Two');
		await workspace.note(id, 'Three');
		const path = `contacts/${id}/messages`;
		const { json } = await client.get(`${path}?perPage=2`);
		expect(json.prevCursor).toBeNull();
		expect(json.data).toMatchObject([
			{ text: 'Three', messageType: 'activity', senderType: 'system' },
			{ text: 'Two', messageType: 'outgoing', senderType: 'user' },
		]);
		const second = (await client.get(`${path}?perPage=2&cursor=${json.nextCursor}`)).json;
		expect(second).toEqual({ data: [first], nextCursor: null, prevCursor: null });
		expect(first).toMatchObject({
			messageType: 'incoming',
			senderType: 'contact',
			senderId: contact.id,
			contentType: 'text',
			type: 'message',
			attachments: [],
			deletedAt: null,
		});
		expect((await client.get(`${path}?perPage=51`)).status).toBe(name === 'newer' ? 422 : 400);
	});

	test('of the newer kind can be had by the conversation or one of its channels', async () => {
		const { client, workspace, inbox, contact } = await service('newer');
		const id = `id:${contact.id}`;
		const onFirst = await workspace.write(id, 'One');
		const onOther = await workspace.write(id, { text: 'Two', inboxId: inbox('telegram') });
		const all = await client.get(`conversations/${onFirst.conversationId}/messages`);
		expect(all.json.data).toEqual([onOther, onFirst]);
		const some = await client.get(
			`contacts/${id}/messages?contactInboxId=${onOther.contactInboxId}`,
		);
		expect(some.json.data).toEqual([onOther]);
	});

	test('of the newer kind are missing if the contact has no conversation', async () => {
		const { client, workspace } = await service('newer');
		const [{ id }] = await workspace.addContacts([{ inboxIds: [] }]);
		const path = `contacts/id:${id}/messages`;
		const { status, json } = await client.get(path);
		expect([status, json.message]).toEqual([404, 'Conversation not found']);
		await workspace.write(`id:${id}`, 'Hi');
		expect((await client.get(path)).json.data).toMatchObject([{ text: 'Hi' }]);
	});

	test.each(both)('of the %s kind hold what the API and flows send', async (name) => {
		const { client, workspace, contact, state } = await service(name);
		const id = `id:${contact.id}`;
		await client.send('POST', `contacts/${id}/messages`, { text: 'Hello' });
		await client.send('POST', `contacts/${id}/flows`, { flowId: state.flows[0].id });
		expect(await workspace.messages(id)).toMatchObject([
			{ text: 'Hello', messageType: 'outgoing', senderType: 'api' },
			{ text: 'Welcome', messageType: 'outgoing', senderType: 'bot' },
		]);
	});

	test('move the times of the conversation by who wrote', async () => {
		const { workspace, ann } = await talks();
		const times = async () => {
			const { lastActivityAt, contactRepliedAt, adminRepliedAt } =
				await workspace.changeConversation(ann, {});
			return [lastActivityAt, contactRepliedAt, adminRepliedAt];
		};
		const { createdAt: written } = await workspace.write(ann, 'Hi');
		const { createdAt: noted } = await workspace.note(ann, 'Maja joined');
		expect(await times()).toEqual([noted, written, null]);
		const { createdAt: replied } = await workspace.reply(ann, 'Hello');
		expect(await times()).toEqual([replied, written, replied]);
		expect(written < noted && noted < replied).toBe(true);
		const at = '2026-01-01T00:00:00.000Z';
		await workspace.write(ann, { text: 'Late', at });
		expect(await times()).toEqual([at, at, replied]);
		expect((await workspace.messages(ann))[0].text).toBe('Late');
	});

	test('unblock the contact and leave the conversation archived', async () => {
		const { client, workspace, ann } = await talks();
		await client.send('POST', `contacts/${ann}/block`);
		const archivedAt = new Date().toISOString();
		await workspace.changeConversation(ann, { archivedAt });
		await workspace.write(ann, 'Hi');
		expect((await workspace.contact(ann)).blockedAt).toBeNull();
		expect(await workspace.changeConversation(ann, {})).toMatchObject({ archivedAt });
	});

	test('can be edited and removed', async () => {
		const { workspace, ann } = await talks();
		const { id } = await workspace.write(ann, 'Hi');
		await workspace.changeMessage(id, { text: 'Hello', deletedAt: new Date().toISOString() });
		expect(await workspace.messages(ann)).toMatchObject([
			{ id, text: 'Hello', deletedAt: expect.any(String) },
		]);
		await workspace.removeMessage(id);
		expect(await workspace.messages(ann)).toEqual([]);
	});
});

describe('Attachments of a message', () => {
	const content = Buffer.from('Grüße').toString('base64');
	const file = { name: 'ü.txt', mimeType: 'text/plain', content };

	test('are downloaded from another origin, without a token', async () => {
		const { client, workspace, ann } = await talks();
		await workspace.write(ann, { attachments: [file] });
		const { data } = (await client.get(`contacts/${ann}/messages`)).json;
		const [attachment] = data[0].attachments as Attachment[];
		expect(data[0].text).toBeNull();
		expect(attachment).toMatchObject({ name: 'ü.txt', mimeType: 'text/plain', size: 7 });
		const url = attachment.url ?? '';
		expect(url.startsWith(workspace.url)).toBe(false);
		const response = await fetch(url);
		expect(response.headers.get('content-type')).toBe('text/plain');
		expect(await response.text()).toBe('Grüße');
		expect((await fetch(url, { headers: { authorization: 'Bearer x' } })).status).toBe(400);
		await workspace.faults({ failDownloads: 403 });
		expect((await fetch(url)).status).toBe(403);
	});

	test('that the API sends can be downloaded', async () => {
		const { client, workspace, ann } = await talks();
		const form = new FormData();
		form.append('files[0]', new File(['abc'], 'a.pdf', { type: 'application/pdf' }));
		await client.send('POST', `contacts/${ann}/messages`, form);
		const [{ attachments }] = await workspace.messages(ann);
		expect(attachments).toMatchObject([{ name: 'a.pdf', mimeType: 'application/pdf', size: 3 }]);
		expect(await (await fetch(attachments[0].url ?? '')).text()).toBe('abc');
	});

	test('keep an address that a test sets', async () => {
		const { workspace, ann } = await talks();
		const url = 'http://169.254.169.254/latest';
		const { attachments } = await workspace.write(ann, {
			text: 'Hi',
			attachments: [{ url, name: 'x' }],
		});
		expect(attachments).toMatchObject([{ url, name: 'x', originPath: null }]);
	});
});

describe('WhatsApp refuses, after the send was accepted,', () => {
	const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

	/** Who wrote so many hours ago on a channel gets a message there; returns the error log. */
	async function sendAfter(hours: number | undefined, channel: string, path = 'contact') {
		const { workspace, client, ann } = await talks();
		const { channels, contacts } = await workspace.state();
		const inboxId = channels.find((each) => each.channel === channel)!.id;
		await workspace.write(ann, { text: 'Hi', inboxId, at: hoursAgo(hours ?? 1) });
		if (hours === undefined) await workspace.removeMessage((await workspace.messages(ann))[0].id);
		const { conversation } = contacts.find(({ id }) => ann === `id:${id}`)!;
		const to = path === 'contact' ? `contacts/${ann}` : `conversations/${String(conversation!.id)}`;
		const { status } = await client.send('POST', `${to}/messages`, { text: 'Hello', inboxId });
		expect(status).toBe(path === 'contact' ? 204 : 201);
		return { ann, log: (await client.get('error-logs')).json.data };
	}

	test.each(['contact', 'conversation'])(
		'what a contact of 25 silent hours is sent by the path of the %s',
		async (path) => {
			const { ann, log } = await sendAfter(25, 'whatsapp', path);
			expect(log).toEqual([
				expect.objectContaining({
					contactId: ann.slice(3),
					action: 'whatsapp',
					detail: '(#131047) Re-engagement message',
					httpCode: null,
				}),
			]);
		},
	);

	test.each([
		['within 24 hours', 23, 'whatsapp'],
		['on another channel', 25, 'webchat'],
		['to who never wrote, as nobody knows', undefined, 'whatsapp'],
	] as const)('nothing %s', async (_, hours, channel) => {
		expect((await sendAfter(hours, channel)).log).toEqual([]);
	});
});
