import type { INodeParameters, INodeProperties } from 'n8n-workflow';
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
			contact: { id: ann, fullName: 'Ann Lind', email: 'ann@example.com', phoneNumber: null },
			lastMessage: 'Are you there?',
			contactName: 'Ann Lind',
			unread: true,
			answeredBy: 'bot',
			assignedTo: state.members[0].user.name,
			followed: false,
			archived: false,
			contactRepliedAt: written.createdAt,
			lastActivityAt: written.createdAt,
			id: written.conversationId,
			contactId: ann,
		});
		// What people drag or read first comes first.
		expect(Object.keys(json[0]).slice(0, 3)).toEqual(['contact', 'lastMessage', 'contactName']);
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

	const HOUR_MS = 3_600_000;
	const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

	/** Ann wrote an hour ago, Bob 30 hours ago, Cid 50 hours ago, and Dan never. */
	async function talksOfDays() {
		const made = await talks();
		const { workspace, ann, bob, cid } = made;
		for (const [id, hours] of [
			[ann, 1],
			[bob, 30],
			[cid, 50],
		] as const)
			await workspace.changeConversation(`id:${id}`, {
				contactRepliedAt: hoursAgo(hours),
				lastActivityAt: hoursAgo(hours),
			});
		return made;
	}

	test.each([
		[{ contactWroteBefore: '24' }, ['Bob', 'Cid']],
		[{ contactWroteBefore: '24 hours' }, ['Bob', 'Cid']],
		[{ contactWroteBefore: ' 1 Day ' }, ['Bob', 'Cid']],
		[{ contactWroteAfter: '2d', contactWroteBefore: '24h' }, ['Bob']],
		[{ contactWroteBefore: 30.5 }, ['Cid']],
		[{ contactWroteBefore: hoursAgo(40) }, ['Cid']],
		[{ contactWroteBefore: '8760' }, []],
		[{ contactWroteAfter: '24' }, ['Ann']],
		[{ contactWroteAfter: hoursAgo(40) }, ['Ann', 'Bob']],
		[{ contactWroteAfter: '40', contactWroteBefore: '24' }, ['Bob']],
		[{ contactWroteAfter: '', contactWroteBefore: '' }, ['Ann', 'Bob', 'Cid', 'Dan']],
		[{ contactWroteBefore: '24', states: ['unread'] }, ['Bob', 'Cid']],
	])('filters by when the contact wrote last: %j', async (filters, names) => {
		const { list } = await talksOfDays();
		expect(await list(filters as INodeParameters)).toEqual(names);
	});

	test('a conversation that was answered since does not count as written later', async () => {
		const { workspace, list, cid } = await talksOfDays();
		await workspace.reply(`id:${cid}`, 'Hi Cid');
		expect(await list({ contactWroteBefore: '24' })).toEqual(['Cid', 'Bob']);
		expect(await list({ contactWroteAfter: '24' })).toEqual(['Ann']);
	});

	test('reads only the conversations that are active since the time of Contact Wrote After', async () => {
		const { workspace, list } = await talksOfDays();
		await workspace.faults({ maxPerPage: 1 });
		await workspace.clearJournal();
		expect(await list({ contactWroteAfter: '24' })).toEqual(['Ann']);
		// Two of four pages, and the first one again, as the list moves.
		expect(await received(workspace)).toHaveLength(3);
	});

	test('a tool that leaves the times empty gets all', async () => {
		const { workspace } = await talksOfDays();
		const times = { contactWroteBefore: "={{ $fromAI('before', '', 'string') }}" };
		const answer = await toolOf(
			workspace,
			conversation('getAll', { filters: times }),
		)({
			before: '',
		});
		expect(answer).toHaveLength(4);
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
		[
			{ contactWroteBefore: 'yesterday' },
			'Contact Wrote Before must be hours or days ago, such as 24 hours or 2 days, up to 8,760 hours, or a date, such as 2026-01-31T09:30:00Z, but is "yesterday"',
		],
		[{ contactWroteBefore: '8761' }, 'Contact Wrote Before must be hours or days ago'],
		[{ contactWroteBefore: '366 days' }, 'Contact Wrote Before must be hours or days ago'],
		[{ contactWroteBefore: '2 weeks' }, 'but is "2 weeks"'],
		[{ contactWroteAfter: '-1' }, 'but is "-1"'],
		[
			{ contactWroteAfter: '={{ undefined }}' },
			'Contact Wrote After is empty. Remove it to list all.',
		],
		[{ contactWroteAfter: '={{ ({ hours: 1 }) }}' }, 'Contact Wrote After'],
		[
			{ contactWroteAfter: '24', contactWroteBefore: '24' },
			'Contact Wrote After must be earlier than Contact Wrote Before.',
		],
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
