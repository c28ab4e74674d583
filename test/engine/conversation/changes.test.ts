import type { INodeParameters } from 'n8n-workflow';
import { by, pathOf, received, writesOf } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { conversation, talks, withContact } from './helpers';

const member = (value: string, mode = 'list') => ({
	assignTo: 'member',
	memberId: by(mode, value),
});
const team = (value: string, mode = 'list') => ({ assignTo: 'team', teamId: by(mode, value) });

describe('Assign', () => {
	test('assigns to a member by its own ID, the ID of its user, or its name', async () => {
		const { run, ann, bob, state, conversationOf } = await talks();
		const [first, second, third] = state.members;
		const { json, error } = await run(withContact('assign', ann, member(first.id)));
		expect(error).toBeUndefined();
		const { id } = await conversationOf(ann);
		expect(json).toEqual([
			{
				success: true,
				contact: `id:${ann}`,
				contactName: 'Ann Lind',
				contactId: ann,
				email: 'ann@example.com',
				fullName: 'Ann Lind',
				conversationId: id,
				assignedId: `u_${first.user.id}`,
				assignedTo: first.user.name,
			},
		]);
		expect(await conversationOf(ann)).toMatchObject({ assignedUserId: first.user.id });
		await run(withContact('assign', ann, member(second.userId, 'id')));
		expect(await conversationOf(ann)).toMatchObject({ assignedUserId: second.user.id });
		await run(withContact('assign', bob, member(third.user.name!.toUpperCase(), 'name')));
		expect(await conversationOf(bob)).toMatchObject({ assignedUserId: third.user.id });
	});

	test('assigns to a team, and to nobody', async () => {
		const { run, ann, state, conversationOf } = await talks();
		const [, billing] = state.teams;
		const { json } = await run(withContact('assign', ann, team(billing.id)));
		expect(json).toMatchObject([{ assignedId: `t_${billing.id}`, assignedTo: billing.name }]);
		expect(await conversationOf(ann)).toMatchObject({ assignedInboxTeamId: billing.id });
		await run(withContact('assign', ann, team(billing.name, 'name')));
		const { json: none } = await run(withContact('assign', ann, { assignTo: 'nobody' }));
		expect(none).toMatchObject([{ assignedId: null, assignedTo: null }]);
		expect(await conversationOf(ann)).toMatchObject({
			assignedUserId: null,
			assignedInboxTeamId: null,
		});
	});

	test.each([
		['member', '4711', 'id'],
		['member', 'Nobody Inparticular', 'name'],
		['team', '4711', 'list'],
		['team', 'Biling', 'name'],
	])(
		'refuses a %s that does not exist (%s), on a service that would unassign (difference 28)',
		async (noun, value, mode) => {
			const { run, workspace, ann, state, conversationOf } = await talks({
				faults: { checksNoAssignee: true },
			});
			await workspace.changeConversation(`id:${ann}`, { assignedUserId: state.members[0].user.id });
			const parameters = noun === 'member' ? member(value, mode) : team(value, mode);
			const { error } = await run(withContact('assign', ann, parameters));
			expect(error?.message).toContain(
				`The workspace has no ${noun} "${value}". Nothing was changed.`,
			);
			expect(await conversationOf(ann)).toMatchObject({ assignedUserId: state.members[0].user.id });
			expect(await writesOf(workspace)).toEqual([]);
		},
	);

	test('refuses an ID that belongs to a member and to the user of another, unless it was picked', async () => {
		const { run, workspace, ann, state, conversationOf } = await talks();
		const [first, second] = state.members;
		await workspace.change('members', first.id, { user: { ...first.user, id: second.id } });
		const { error } = await run(withContact('assign', ann, member(second.id, 'id')));
		expect(error?.message).toContain(
			`2 members fit the name or ID "${second.id}": "${first.user.name}" (${first.id}), "${second.user.name}" (${second.id}). Nothing was changed.`,
		);
		await run(withContact('assign', ann, member(second.id)));
		expect(await conversationOf(ann)).toMatchObject({ assignedUserId: second.user.id });
	});

	describe('finds a name exactly first, then in any case if one fits', () => {
		const names = ['Bob', 'bob', 'Carla'];

		/**
		 * A workspace with members or teams of these names, which returns whom a name was assigned to,
		 * or the error.
		 */
		async function withNames(noun: 'member' | 'team') {
			const { run, workspace, ann, state } = await talks({ counts: { members: 3, teams: 3 } });
			for (const [index, name] of names.entries()) {
				const { id, user } = state.members[index];
				if (noun === 'member') await workspace.change('members', id, { user: { ...user, name } });
				else await workspace.change('teams', state.teams[index].id, { name });
			}
			return async (name: string) => {
				const choice = noun === 'member' ? member(name, 'name') : team(name, 'name');
				const { json, error } = await run(withContact('assign', ann, choice));
				return error ? error.message : json[0].assignedTo;
			};
		}

		test.each(['member', 'team'] as const)('of a %s', async (noun) => {
			const assign = await withNames(noun);
			expect(await assign('Bob')).toBe('Bob');
			expect(await assign(' bob ')).toBe('bob');
			expect(await assign('CARLA')).toBe('Carla');
			expect(await assign('BOB')).toMatch(
				new RegExp(
					`^2 ${noun}s fit the name or ID "BOB": "Bob" \\(\\d+\\), "bob" \\(\\d+\\)\\. Nothing was changed\\. Choose one of them from the list\\.`,
				),
			);
		});
	});

	test.each<[INodeParameters, string]>([
		[member(' '), 'Member must not be empty [item 0]'],
		[team(' ', 'id'), 'Team must not be empty [item 0]'],
		[
			team('={{ $json }}', 'name'),
			'Team must be the name or ID of a team, but is an object [item 0]',
		],
		[
			{ assignTo: 'everybody' },
			'Assign To must be one of member, nobody, team, but is "everybody" [item 0]',
		],
	])('refuses %j before it sends anything', async (parameters, message) => {
		const { run, workspace, ann } = await talks();
		const { error } = await run(withContact('assign', ann, parameters));
		expect(error?.message).toBe(message);
		expect(await received(workspace)).toEqual([]);
	});

	test('reads the list of members once for all items', async () => {
		const { run, workspace, ann, bob, cid, state } = await talks();
		const items = [ann, bob, cid].map((contactId) => ({ contactId }));
		const { json } = await run(
			withContact('assign', '={{ $json.contactId }}', member(state.members[0].id)),
			items,
		);
		expect(json).toHaveLength(3);
		const { byOperation } = await workspace.summary();
		expect(byOperation).toMatchObject({ listMembers: 2, getContact: 3, assignConversation: 3 });
	});

	test('says that a service lists no teams', async () => {
		const { run, workspace, ann } = await talks();
		await workspace.faults({ missing: { listTeams: 404 } });
		const { error } = await run(withContact('assign', ann, team('4711', 'id')));
		expect(error?.message).toMatch(/^This service doesn't list teams\. Nothing was changed\. /);
	});
});

describe('Hand Over', () => {
	test('hands over to a person and back to the bot', async () => {
		const { run, ann, conversationOf } = await talks();
		const { json } = await run(withContact('handOver', ann));
		expect(json).toMatchObject([{ success: true, contactId: ann, answeredBy: 'person' }]);
		expect(await conversationOf(ann)).toMatchObject({ botEnabled: false });
		const back = await run(withContact('handOver', ann, { inCharge: 'bot' }));
		expect(back.json).toMatchObject([{ answeredBy: 'bot' }]);
		expect(await conversationOf(ann)).toMatchObject({ botEnabled: true });
	});

	test('is sent again after a lost answer', async () => {
		const { run, workspace, ann, conversationOf } = await talks();
		await workspace.faults({ dropAfter: { match: { operation: 'disableBot' }, times: 1 } });
		const { error } = await run(withContact('handOver', ann));
		expect(error).toBeUndefined();
		expect(await conversationOf(ann)).toMatchObject({ botEnabled: false });
	});

	test('works for an agent', async () => {
		const { workspace, ann, conversationOf } = await talks();
		const call = toolOf(workspace, conversation('handOver', { contact: '={{ $json.who }}' }));
		expect(await call({ who: 'ann@example.com' })).toMatchObject([
			{ success: true, answeredBy: 'person' },
		]);
		expect(await conversationOf(ann)).toMatchObject({ botEnabled: false });
	});
});

describe('Change State', () => {
	test.each([
		['archive', { archivedAt: expect.any(String) }],
		['unarchive', { archivedAt: null }],
		['read', { agentLastReadAt: expect.any(String) }],
		['unread', { agentLastReadAt: null }],
		['follow', { followed: true }],
		['unfollow', { followed: false }],
	])('does %s', async (change, expected) => {
		const { run, ann, conversationOf } = await talks();
		const { json, error } = await run(withContact('changeState', ann, { change }));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ success: true, contactId: ann, change }]);
		expect(await conversationOf(ann)).toMatchObject(expected);
	});

	test('keeps the order of the items about a contact, whichever way they name it', async () => {
		const { run, workspace, ann, conversationOf } = await talks();
		const items = Array.from({ length: 20 }, (_, index) => ({
			who: index < 10 ? `id:${ann}` : 'email:ann@example.com',
			change: index % 2 === 0 ? 'archive' : 'unarchive',
		}));
		await workspace.faults({ latencyMs: [0, 20], seed: 5 });
		const change = conversation('changeState', {
			identifier: by('id', '={{ $json.who }}'),
			change: '={{ $json.change }}',
		});
		const { json } = await run(change, items);
		expect(json.map((row) => row.change)).toEqual(items.map((row) => row.change));
		const { requests } = await workspace.journal();
		const sent = requests
			.filter(({ method }) => method === 'POST')
			.map(({ path }) => path.split('/').at(-1));
		expect(sent).toEqual(items.map((row) => row.change));
		expect(await conversationOf(ann)).toMatchObject({ archivedAt: null });
	});
});

describe('The conversation of a contact', () => {
	test('comes from the input if that shows it, and from no other', async () => {
		const { run, workspace, ann, bob, conversationOf } = await talks();
		const { id } = await conversationOf(ann);
		const other = (await conversationOf(bob)).id;
		const trigger = { contact: { id: ann }, conversation: { id, answeredBy: 'bot' } };
		const ofAnn = [
			trigger,
			{ id, contactId: ann, answeredBy: 'bot' },
			{ id, contactId: ann, botEnabled: true },
			{ id: ann, conversation: { id, contactId: ann } },
			{ contactId: ann, conversationId: id, success: true },
		];
		const change = withContact('changeState', ann, { change: 'follow' });
		await run(change, ofAnn);
		expect((await received(workspace)).map(pathOf)).toEqual(
			ofAnn.map(() => `/api/v1/conversations/${id}/follow`),
		);
		await workspace.clearJournal();
		const ofOthers = [
			{ contact: { id: bob }, conversation: { id: other } },
			{ id: other, contactId: bob, answeredBy: 'bot' },
			{ id: other, contactId: ann },
			{ contact: { id: ann }, conversation: { id: 'x' } },
			{ email: 'ann@example.com', conversation: { id: other } },
		];
		await run(change, ofOthers);
		const writes = (await writesOf(workspace)).map(pathOf);
		expect(writes).toEqual(ofOthers.map(() => `/api/v1/conversations/${id}/follow`));
	});

	test.each(['get', 'getMessages', 'assign', 'handOver', 'changeState'])(
		'is missing: the error of %s says so',
		async (operation) => {
			const { run, workspace } = await talks();
			const [eve] = await workspace.addContacts([{ firstName: 'Eve', inboxIds: [] }]);
			const { error } = await run(withContact(operation, eve.id, { assignTo: 'nobody' }));
			const changed = operation.startsWith('get') ? '' : ' Nothing was changed.';
			expect(error?.message).toBe(
				`This contact has no conversation.${changed} A conversation begins when the contact writes on a channel. [item 0]`,
			);
		},
	);

	test('is gone: the error names it', async () => {
		const { run, ann } = await talks();
		const item = { contactId: ann, conversationId: '4711' };
		const { error } = await run(withContact('handOver', ann), [item]);
		expect(error?.message).toBe('No conversation has the ID 4711. Nothing was changed. [item 0]');
	});

	test('of a contact that does not exist is an error that names the contact', async () => {
		const { run } = await talks();
		const { error } = await run(withContact('handOver', '4711'));
		expect(error?.message).toBe('No contact has the ID 4711. Nothing was changed. [item 0]');
	});
});
