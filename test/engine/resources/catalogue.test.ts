import { by, idsOf, pathOf, queryOf, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const all = (resource: string, parameters = {}) => ({
	resource,
	operation: 'getAll',
	returnAll: true,
	...parameters,
});

describe('Member', () => {
	test('Get returns the member with its role', async () => {
		const { workspace, run } = await testWorkspace();
		const [owner] = (await workspace.state()).members;
		const parameters = { resource: 'member', operation: 'get', memberId: by('list', owner.id) };
		const { email, ...whole } = owner;
		expect(email).toBeDefined();
		expect((await run({ ...parameters, simplify: false })).json).toEqual([whole]);
		expect((await run(parameters)).json).toEqual([
			{
				id: owner.id,
				userId: owner.userId,
				name: 'Maja Öztürk',
				role: 'owner',
				createdAt: owner.createdAt,
			},
		]);
		expect(await received(workspace)).toEqual([
			{ method: 'GET', path: `/api/v1/members/${owner.id}` },
			{ method: 'GET', path: `/api/v1/members/${owner.id}` },
		]);
	});

	test('Get Many searches by name', async () => {
		const { workspace, run } = await testWorkspace();
		const { members } = await workspace.state();
		const everybody = await run(all('member', { simplify: false }));
		expect(idsOf(everybody.json)).toEqual(idsOf(members));
		expect(everybody.json[0]).toHaveProperty('permissions.superAdmin', true);
		expect(queryOf((await received(workspace))[0])).toEqual([
			['page', '1'],
			['perPage', '100'],
		]);

		await workspace.clearJournal();
		const found = await run(all('member', { filters: { keyword: 'renée' } }));
		expect(found.json).toEqual([
			{
				id: members[2].id,
				userId: members[2].userId,
				name: 'Renée Dubois',
				createdAt: members[2].createdAt,
			},
		]);
		expect(queryOf((await received(workspace))[0])).toContainEqual(['keyword', 'renée']);
	});
});

test('Team: Get Many returns every team', async () => {
	const { workspace, run } = await testWorkspace();
	const { teams } = await workspace.state();
	expect((await run(all('team', { simplify: false }))).json).toEqual(teams);
	expect(await received(workspace)).toEqual([{ method: 'GET', path: '/api/v1/teams' }]);

	const { json } = await run(all('team'));
	const [{ userId, user }] = teams[0].inboxTeamMembers;
	expect(json[0]).toEqual({
		id: teams[0].id,
		name: 'Support',
		members: [{ userId, name: user.name, email: user.email }],
	});
	expect((await run({ ...all('team'), returnAll: false, limit: 1 })).json).toHaveLength(1);
});

describe('Channel', () => {
	test('Get Many returns every channel', async () => {
		const { workspace, run } = await testWorkspace();
		const { json } = await run(all('channel'));
		expect(json).toEqual((await workspace.state()).channels);
		// A service that lists inboxes has other IDs in its list of channels, so it is asked for them
		// first.
		const [question, request] = await received(workspace);
		expect(pathOf(question)).toBe('/api/v1/inboxes');
		expect(pathOf(request)).toBe('/api/v1/channels');
		expect(queryOf(request)).toEqual([
			['page', '1'],
			['perPage', '100'],
		]);
	});
});

test('Sequence: Get returns the sequence', async () => {
	const { workspace, run } = await testWorkspace();
	const [, second] = (await workspace.state()).sequences;
	const parameters = { resource: 'sequence', operation: 'get', sequenceId: by('list', second.id) };
	expect((await run({ ...parameters, simplify: false })).json).toEqual([second]);
	const { id, name, active, subscribers, messages, openRate, ctr } = second;
	expect((await run(parameters)).json).toEqual([
		{ id, name, active, subscribers, messages, openRate, ctr },
	]);
	expect((await received(workspace))[0]).toEqual({
		method: 'GET',
		path: `/api/v1/sequences/${second.id}`,
	});
});

test('Sequence: Get refuses an ID that is not a number', async () => {
	const { workspace, run } = await testWorkspace();
	await workspace.add('sequences', { id: 'seq/Größe 1', name: 'Special', active: true });
	const { json } = await run({
		resource: 'sequence',
		operation: 'get',
		sequenceId: by('id', 'seq/Größe 1'),
		simplify: false,
	});
	expect(json).toMatchObject([{ id: 'seq/Größe 1', name: 'Special' }]);
	expect((await received(workspace))[0].path).toBe('/api/v1/sequences/seq%2FGr%C3%B6%C3%9Fe%201');
});

describe('Broadcast', () => {
	test('Get finds the broadcast by its ID', async () => {
		const { workspace, run } = await testWorkspace();
		const [first] = (await workspace.state()).broadcasts;
		const { json } = await run({
			resource: 'broadcast',
			operation: 'get',
			broadcastId: by('id', first.id),
		});
		expect(json).toEqual([first]);
		expect(await received(workspace)).toEqual([
			{ method: 'GET', path: `/api/v1/broadcasts/${first.id}` },
		]);
	});

	test.each([
		['Summer sale', 'Summer%20sale'],
		[
			'Angebote 50 % / Größe XL & más',
			'Angebote%2050%20%25%20%2F%20Gr%C3%B6%C3%9Fe%20XL%20%26%20m%C3%A1s',
		],
		['春节', '%E6%98%A5%E8%8A%82'],
		['a/../b?c=d#e\\f', 'a%2F..%2Fb%3Fc%3Dd%23e%5Cf'],
		['100%25 +1', '100%2525%20%2B1'],
	])('Get finds the broadcast by the exact name %s', async (name, segment) => {
		const { workspace, run } = await testWorkspace();
		await workspace.add('broadcasts', { name, status: 'sent' });
		const { json, error } = await run({
			resource: 'broadcast',
			operation: 'get',
			broadcastId: by('name', name),
		});
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ name }]);
		expect((await received(workspace))[0].path).toBe(`/api/v1/broadcasts/${segment}`);
	});

	test('Get Many returns every broadcast', async () => {
		const { workspace, run } = await testWorkspace();
		const { json } = await run(all('broadcast'));
		const { broadcasts } = await workspace.state();
		expect(json).toEqual(broadcasts.map(({ schedulesType, ...shown }) => schedulesType && shown));
		const [first] = await received(workspace);
		expect(pathOf(first)).toBe('/api/v1/broadcasts');
		expect(queryOf(first)).toEqual([
			['page', '1'],
			['perPage', '100'],
		]);
	});
});

test('Flow: Get Many returns every flow', async () => {
	const { workspace, run } = await testWorkspace();
	const { json } = await run(all('flow'));
	expect(json).toEqual((await workspace.state()).flows);
	const [first] = await received(workspace);
	expect(pathOf(first)).toBe('/api/v1/flows');
	expect(queryOf(first)).toEqual([
		['page', '1'],
		['perPage', '100'],
	]);
});

test.each([
	['a list', {}],
	['a bare list', { bareArrays: true }],
	['one object', { workspaceObject: true }],
])('Workspace: Get reads an answer that is %s', async (_, faults) => {
	const { workspace, run } = await testWorkspace({ faults });
	const { json } = await run({ resource: 'workspace', operation: 'get' });
	expect(json).toEqual([(await workspace.state()).workspace]);
	expect(await received(workspace)).toEqual([{ method: 'GET', path: '/api/v1/workspaces' }]);
});

test.each([
	['a service that can search', {}],
	['a service that ignores the keyword', { ignoreKeyword: true }],
])('Tag: Get Many finds tags by a part of their name on %s', async (_, faults) => {
	const { workspace, run } = await testWorkspace({ counts: { tags: 0 }, faults });
	for (const name of ['Newsletter', 'VIP', 'Very VIP', 'vip 2025'])
		await workspace.add('tags', { name });
	const names = async (parameters: object) =>
		(await run({ ...all('tag', { filters: { keyword: 'vip' } }), ...parameters })).json.map(
			({ name }) => name,
		);
	expect(await names({})).toEqual(['VIP', 'Very VIP', 'vip 2025']);
	expect(await names({ returnAll: false, limit: 2 })).toEqual(['VIP', 'Very VIP']);
});
