import type { INodeProperties } from 'n8n-workflow';
import { compiledNode } from '../../support/engine/engine';
import { queryOf, received } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { conversation, talks, withContact } from './helpers';

describe('Get Many of conversations', () => {
	test('says in the panel that its keyword finds an email only with an @, as services do', () => {
		const filters = compiledNode.description.properties.filter(({ name }) => name === 'filters');
		const keywords = filters.flatMap(({ options = [] }) => options as INodeProperties[]);
		const ofConversations = keywords.filter(
			({ name, description }) => name === 'keyword' && description?.includes('conversations'),
		);
		expect(ofConversations).toMatchObject([
			{ description: expect.stringContaining('if the text has an @') },
		]);
	});

	test('returns the fields that people use most, the last active conversation first', async () => {
		const { run, workspace, ann, dan, state } = await talks();
		const written = await workspace.write(`id:${ann}`, 'Are you there?');
		await workspace.changeConversation(`id:${ann}`, { assignedUserId: state.members[0].user.id });
		const { json } = await run(conversation('getAll', { returnAll: true }));
		expect(json).toHaveLength(4);
		expect(json[0]).toEqual({
			id: written.conversationId,
			contactId: ann,
			contactName: 'Ann Lind',
			inCharge: 'bot',
			assignedTo: state.members[0].user.name,
			archived: false,
			unread: true,
			lastMessage: 'Are you there?',
			contactRepliedAt: written.createdAt,
			lastActivityAt: written.createdAt,
		});
		expect(json[3]).toMatchObject({
			contactId: dan,
			unread: false,
			lastMessage: null,
			lastActivityAt: null,
		});
	});

	test('returns all fields if Simplify is off, and so does Get', async () => {
		const { run, ann } = await talks();
		const { json } = await run(conversation('getAll', { limit: 1, simplify: false }));
		expect(json[0]).toMatchObject({
			contactId: ann,
			botEnabled: true,
			messages: [{ text: 'Hello from Ann' }],
		});
		const one = await run(withContact('get', ann, { simplify: false }));
		expect(one.json).toEqual(json);
		const simple = await run(withContact('get', ann));
		expect(simple.json).toEqual((await run(conversation('getAll', { limit: 1 }))).json);
	});

	test('filters by who is in charge, the assignee, the channel, the contact and the state', async () => {
		const { workspace, list, ann, bob, cid, dan, state } = await talks();
		const { members, teams, channels } = state;
		await workspace.changeConversation(`id:${ann}`, {
			botEnabled: false,
			assignedUserId: members[1].user.id,
			agentLastReadAt: new Date().toISOString(),
		});
		await workspace.changeConversation(`id:${bob}`, {
			assignedInboxTeamId: teams[0].id,
			followed: true,
		});
		await workspace.changeConversation(`id:${cid}`, { archivedAt: new Date().toISOString() });
		const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
		await workspace.write(`id:${dan}`, { text: 'Hi', inboxId: whatsapp.id });
		expect(await list()).toEqual(['Dan', 'Ann', 'Bob']);
		expect(await list({ inCharge: 'person' })).toEqual(['Ann']);
		expect(await list({ inCharge: 'bot' })).toEqual(['Dan', 'Bob']);
		expect(await list({ inCharge: 'anyone' })).toEqual(['Dan', 'Ann', 'Bob']);
		expect(await list({ assignedId: `u_${members[1].user.id}` })).toEqual(['Ann']);
		expect(await list({ assignedId: `t_${teams[0].id}` })).toEqual(['Bob']);
		expect(await list({ assignedId: 'unassigned' })).toEqual(['Dan']);
		expect(await list({ channel: 'whatsapp' })).toEqual(['Dan']);
		expect(await list({ channel: 'omnichannel' })).toEqual(['Dan', 'Ann', 'Bob']);
		expect(await list({ keyword: 'Ann Lind' })).toEqual(['Ann']);
		expect(await list({ keyword: 'bob@' })).toEqual(['Bob']);
		expect(await list({ keyword: 'example.com' })).toEqual([]);
		expect(await list({ states: ['archived'] })).toEqual(['Cid']);
		expect(await list({ states: ['unread'] })).toEqual(['Dan', 'Bob']);
		expect(await list({ states: ['followUp', 'unread'] })).toEqual(['Bob']);
		await workspace.changeContacts([
			{ identifier: `id:${bob}`, changes: { blockedAt: new Date().toISOString() } },
		]);
		expect(await list()).toEqual(['Dan', 'Ann']);
		expect(await list({ states: ['blocked'] })).toEqual(['Bob']);
	});

	test('compares each conversation again if the service ignores filters (difference 27)', async () => {
		const { workspace, list, ann, bob, state } = await talks();
		await workspace.changeConversation(`id:${ann}`, {
			botEnabled: false,
			assignedUserId: state.members[0].user.id,
			archivedAt: new Date().toISOString(),
		});
		await workspace.reply(`id:${bob}`, 'Hi Bob');
		await workspace.changeConversation(`id:${bob}`, { agentLastReadAt: new Date().toISOString() });
		await workspace.faults({
			ignoredConversationFilters: ['tags', 'botEnabled', 'assignedId', 'channel', 'keyword'],
		});
		expect(await list({ inCharge: 'bot' })).toEqual(['Bob', 'Cid', 'Dan']);
		expect(await list({ inCharge: 'person' })).toEqual([]);
		expect(await list({ assignedId: 'unassigned' })).toEqual(['Bob', 'Cid', 'Dan']);
		expect(await list({ assignedId: `u_${state.members[1].user.id}` })).toEqual([]);
		expect(await list({ channel: 'whatsapp' })).toEqual([]);
		expect(await list({ keyword: 'Cid' })).toEqual(['Cid']);
		expect(await list({ states: ['unread'] })).toEqual(['Cid']);
		expect(await list({ states: ['noAdminReply'] })).toEqual(['Cid']);
		expect(await list({ states: ['archived'] })).toEqual([]);
		expect(await list({ states: ['blocked'] })).toEqual([]);
	});

	test('reads by cursor, and applies the limit to what matches', async () => {
		const { workspace, list, bob } = await talks();
		await workspace.faults({ maxPerPage: 1, ignoredConversationFilters: ['keyword'] });
		expect(await list()).toEqual(['Ann', 'Bob', 'Cid', 'Dan']);
		await workspace.clearJournal();
		expect(await list({}, { returnAll: false, limit: 1 })).toEqual(['Ann']);
		expect(await received(workspace)).toHaveLength(1);
		expect(await list({ keyword: 'bob' }, { returnAll: false, limit: 1 })).toEqual(['Bob']);
		expect(await list({ keyword: 'lind' }, { returnAll: false, limit: 4 })).toHaveLength(4);
		expect(await list({ keyword: 'lind' }, { returnAll: false, limit: 3 })).toEqual([
			'Ann',
			'Bob',
			'Cid',
		]);
		await workspace.write(`id:${bob}`, 'Again');
		expect(await list({}, { returnAll: false, limit: 2 })).toEqual(['Bob', 'Ann']);
	});

	test('sends filters as the service reads them', async () => {
		const { workspace, list } = await talks();
		await list({ inCharge: 'person', states: ['unread', 'archived'], keyword: 'Nathan Lee' });
		expect((await received(workspace)).map(queryOf)).toEqual([
			[
				['botEnabled', 'false'],
				['keyword', 'Nathan'],
				['perPage', '50'],
				['tags', '["unread","archived"]'],
			],
		]);
	});

	test.each([
		[
			{ assignedId: 'Maja' },
			'must be u_ and the ID of a user, t_ and the ID of a team, or unassigned, but is "Maja"',
		],
		[
			{ states: ['snoozed'] },
			'States 1 must be one of archived, blocked, followUp, noAdminReply, unread',
		],
		[{ inCharge: 'me' }, 'Answered By must be one of anyone, bot, person, but is "me"'],
		[{ channel: 'pigeon' }, 'Channel Type must be one of'],
	])('refuses the filter %j before it sends anything', async (filters, message) => {
		const { workspace, list } = await talks();
		await expect(list(filters)).rejects.toThrow(message);
		expect(await received(workspace)).toEqual([]);
	});

	test('gives an agent as many conversations as it may have, and says how many are missing', async () => {
		const { workspace } = await talks();
		const answer = await toolOf(workspace, conversation('getAll', { limit: 2 }))();
		expect(answer).toMatchObject([
			{ contactName: 'Ann Lind' },
			{ contactName: 'Bob Lind' },
			{ moreRecords: 2 },
		]);
	});

	test('says which scope the token lacks', async () => {
		const { list } = await talks({ token: { scopes: ['contacts'] } });
		await expect(list()).rejects.toThrow('The access token is missing the scope "inbox" (403).');
	});
});
