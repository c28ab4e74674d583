import { LoadOptionsContext } from 'n8n-core';
import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/types';
import { additionalDataOf, compiledNode, NODE_NAME, workflowOf } from '../../support/engine/engine';
import type { Credential } from '../../support/engine/engine';
import { queryOf, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const { listSearch = {}, loadOptions = {} } = compiledNode.methods ?? {};

function contextOf(credential: Credential): ILoadOptionsFunctions {
	const workflow = workflowOf({ parameters: {} });
	return new LoadOptionsContext(
		workflow,
		workflow.getNode(NODE_NAME)!,
		additionalDataOf(credential),
		'parameters.identifier',
	);
}

/** A workspace, and the pickers as n8n calls them. */
async function pickers(options: WorkspaceOptions = {}) {
	const { workspace } = await testWorkspace(options);
	const context = contextOf({ baseUrl: workspace.url, accessToken: workspace.token });
	const find = async (method: string, filter?: string, token?: string) =>
		await listSearch[method].call(context, filter, token);
	return {
		workspace,
		find,
		/** All entries that scrolling down brings. */
		async all(method: string, filter?: string) {
			const found: INodeListSearchItems[] = [];
			let token: unknown;
			for (let page = 0; page < 100 && (page === 0 || token !== undefined); page++) {
				const { results, paginationToken } = await find(method, filter, token as string | undefined);
				found.push(...results);
				token = paginationToken;
			}
			expect(token).toBeUndefined();
			return found;
		},
		options: async (method: string) => await loadOptions[method].call(context),
	};
}

const lists = [
	['searchChannels', 'channels'],
	['searchFlows', 'flows'],
	['searchTags', 'tags'],
	['searchCustomFields', 'customFields'],
	['searchSequences', 'sequences'],
	['searchBroadcasts', 'broadcasts'],
	['searchMembers', 'members'],
] as const;

describe('all entries come, page after page', () => {
	describe.each([
		['as documented', {}],
		['that gives at most 7 a page', { maxPerPage: 7 }],
		['with pageCount everywhere', { pageCount: 'everywhere' } as const],
		['that counts pages by what was asked', { pageCount: 'fromAsked', maxPerPage: 7 } as const],
		['that answers with bare lists', { bareArrays: true }],
	])('of a server %s', (_, faults) => {
		test.each(lists)('%s', async (method, collection) => {
			const { workspace, all } = await pickers({ counts: { [collection]: 60 }, faults });
			const entries = await all(method);
			expect(entries.map(({ value }) => value)).toEqual(
				(await workspace.state())[collection].map(({ id }) => id),
			);
		});
	});

	test('of contacts', async () => {
		const { workspace, all } = await pickers({ contacts: 120 });
		const { contacts } = await workspace.state();
		expect((await all('searchContacts')).map(({ value }) => value)).toEqual(
			contacts.map(({ id }) => id).reverse(),
		);
	});

	test.each(lists)('%s ends when every page is the first', async (method, collection) => {
		const { all } = await pickers({
			counts: { [collection]: 60 },
			faults: { ignorePaging: true, pageCount: 'nowhere' },
		});
		expect(await all(method)).toHaveLength(50);
	});

	test.each(lists)('%s of nothing', async (method) => {
		const { all } = await pickers({ empty: true });
		expect(await all(method)).toEqual([]);
	});
});

describe('contacts are found by first and last name together', () => {
	test.each(['reference', 'newer', 'older'] as const)('on a %s service', async (service) => {
		const { workspace, find, all } = await pickers({ service, contacts: 0 });
		await workspace.addContacts(
			Array.from({ length: 120 }, (_, index) => ({
				firstName: 'Ann',
				lastName: index % 2 ? 'Lee' : 'Kim',
				email: `${index}@example.com`,
			})),
		);
		const entries = await all('searchContacts', 'ann lee');
		expect(new Set(entries.map(({ value }) => value)).size).toBe(60);
		expect(entries.every(({ name }) => name.startsWith('Ann Lee'))).toBe(true);
		expect((await find('searchContacts', 'Ann Nobody')).results).toEqual([]);
		expect((await find('searchContacts', 'Ann')).results).toHaveLength(50);
	});
});

describe('an entry is shown with what tells it from others', () => {
	test('contacts', async () => {
		const { workspace, all } = await pickers({ contacts: 0 });
		await workspace.addContacts([
			{
				createdAt: '2020-01-05T00:00:00.000Z',
				firstName: 'Zoë',
				lastName: 'Müller',
				email: 'zoe@example.com',
			},
			{ createdAt: '2020-01-04T00:00:00.000Z', firstName: 'Ana', phoneNumber: '+4915112345678' },
			{ createdAt: '2020-01-03T00:00:00.000Z', email: 'only@example.com' },
			{ createdAt: '2020-01-02T00:00:00.000Z', phoneNumber: '+4915112345679' },
			{ createdAt: '2020-01-01T00:00:00.000Z' },
		]);
		const entries = await all('searchContacts');
		expect(entries.map(({ name }) => name)).toEqual([
			'Zoë Müller – zoe@example.com',
			'Ana – +4915112345678',
			'only@example.com',
			'+4915112345679',
			`ID ${entries[4].value}`,
		]);
	});

	test('those of the same name by their IDs', async () => {
		const { workspace, find, options } = await pickers({ counts: { flows: 0, tags: 0, members: 0 } });
		for (const active of [true, true, false]) await workspace.add('flows', { name: 'Welcome', active });
		await workspace.add('flows', { name: 'Other' });
		const flows = (await workspace.state()).flows.map(({ id }) => id);
		expect((await find('searchFlows')).results.map(({ name }) => name)).toEqual([
			`Welcome – ID ${flows[0]}`,
			`Welcome – ID ${flows[1]}`,
			'Welcome – inactive',
			'Other',
		]);

		for (const id of ['12', '11']) await workspace.add('tags', { id, name: 'VIP' });
		expect((await options('getTags')).map(({ name }) => name)).toEqual(['VIP – ID 11', 'VIP – ID 12']);

		const user = { id: '1', name: 'Ann', image: null };
		await workspace.add('members', { id: '21', user });
		await workspace.add('members', { id: '22', user });
		await workspace.add('members', { id: '23', user: { ...user, email: 'ann@example.com' } as never });
		expect((await find('searchMembers')).results.map(({ name }) => name)).toEqual([
			'Ann – ID 21',
			'Ann – ID 22',
			'Ann – ann@example.com',
		]);
	});

	test('those to whom contacts can be assigned, also where there are no teams', async () => {
		const { workspace, options } = await pickers();
		const { members, teams } = await workspace.state();
		const entries = await options('getAssignees');
		expect(entries).toHaveLength(members.length + teams.length + 1);
		expect(entries).toEqual(
			expect.arrayContaining([
				{ name: members[0].user.name, value: `u_${members[0].user.id}` },
				{ name: 'Support – team', value: `t_${teams[0].id}` },
				{ name: 'Unassigned', value: 'unassigned' },
			]),
		);
		const older = await pickers({ service: 'older' });
		expect((await older.options('getAssignees')).some(({ name }) => name.endsWith('– team'))).toBe(false);
	});

	test.each([
		['searchChannels', 'WhatsApp Süd – whatsapp'],
		['searchFlows', 'Welcome'],
		['searchTags', 'VIP'],
		['searchCustomFields', 'My shortText – shortText'],
		['searchSequences', 'Onboarding'],
		['searchBroadcasts', 'Summer sale – sent'],
		['searchMembers', 'Maja Öztürk'],
	])('%s', async (method, name) => {
		const { find } = await pickers();
		expect((await find(method)).results[0].name).toBe(name);
	});
});

describe('typing narrows the list', () => {
	test.each([
		['searchContacts', 'zoë'],
		['searchTags', 'größe'],
		['searchCustomFields', 'TEXT'],
		['searchMembers', 'renée'],
	])('%s lets the service search', async (method, filter) => {
		const { workspace, all } = await pickers({ contacts: 100 });
		const entries = await all(method, filter);
		expect(entries.length).toBeGreaterThan(0);
		for (const { name } of entries) expect(name.toLowerCase()).toContain(filter.toLowerCase());
		const [request] = await received(workspace);
		expect(queryOf(request)).toContainEqual(['keyword', filter]);
	});

	test.each([
		['searchChannels', 'channels', 'süd', 'WhatsApp Süd – whatsapp'],
		['searchFlows', 'flows', 'ÜBERSICHT', 'Onboarding – Übersicht'],
		['searchSequences', 'sequences', 'back', 'Win back'],
		['searchBroadcasts', 'broadcasts', 'größe', 'Angebote 50 % / Größe XL & más – scheduled'],
	] as const)('%s looks through the pages itself', async (method, collection, filter, name) => {
		const { workspace, all } = await pickers({ counts: { [collection]: 4 } });
		expect((await all(method, filter)).map((entry) => entry.name)).toEqual([name]);
		for (const request of await received(workspace)) {
			expect(queryOf(request).map(([key]) => key)).not.toContain('keyword');
		}
	});

	test('also when the first match is many pages away', async () => {
		const { workspace, all } = await pickers({ counts: { flows: 900 } });
		await workspace.add('flows', { name: 'The last one' });
		expect(await all('searchFlows', 'last ONE')).toMatchObject([{ name: 'The last one' }]);
	});

	test('until the matches fill the list, and no match is lost or doubled', async () => {
		const { workspace, find, all } = await pickers({ counts: { flows: 600 }, faults: { maxPerPage: 20 } });
		for (let n = 0; n < 130; n++) await workspace.add('flows', { name: `Match ${n}` });
		const first = await find('searchFlows', 'match');
		expect(first.results.length).toBeGreaterThanOrEqual(50);
		const names = (await all('searchFlows', 'match')).map(({ name }) => name);
		expect(names).toEqual(Array.from({ length: 130 }, (_, n) => `Match ${n}`));
	});

	test('also with matches on every page', async () => {
		const { find } = await pickers({ counts: { flows: 0 } });
		expect((await find('searchFlows', 'x')).results).toEqual([]);
		const { workspace, find: findIn } = await pickers({ counts: { flows: 300 } });
		for (const { id } of (await workspace.state()).flows.filter((_, n) => n % 10 === 0)) {
			await workspace.change('flows', id, { name: 'Every tenth' });
		}
		const { results, paginationToken } = await findIn('searchFlows', 'tenth');
		expect(results).toHaveLength(30);
		expect(paginationToken).toBeUndefined();
	});

	test('for some seconds at a time; the rest comes when it is asked for', async () => {
		const { workspace, find, all } = await pickers({ counts: { flows: 900 } });
		await workspace.add('flows', { name: 'The last one' });
		let now = 0;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
		const { results, paginationToken } = await find('searchFlows', 'last one');
		expect({ results, more: paginationToken !== undefined }).toEqual({ results: [], more: true });
		const found = await all('searchFlows', 'last one');
		clock.mockRestore();
		expect(found).toMatchObject([{ name: 'The last one' }]);
	});

	test('and nothing is found', async () => {
		const { all } = await pickers();
		expect(await all('searchFlows', 'nothing like this')).toEqual([]);
		expect(await all('searchTags', 'nothing like this')).toEqual([]);
	});
});

describe('a list that is not there says what to do instead', () => {
	test.each([404, 405] as const)('on a service without it (%d)', async (status) => {
		const { find } = await pickers({ faults: { missing: { listSequences: status } } });
		const error = await find('searchSequences').catch((reason: unknown) => reason);
		expect(error).toMatchObject({
			message: expect.stringContaining(
				`The list cannot be shown. This service does not offer the operation (${status})`,
			) as string,
			description: 'Switch from "From List" to "ID" to enter the ID yourself.',
		});
	});

	test.each([
		['getTags', 'listTags'],
		['getSequences', 'listSequences'],
		['getChannels', 'listChannels'],
		['getCustomFields', 'listCustomFields'],
	] as const)('where several can be chosen: %s', async (method, operation) => {
		const { workspace, options } = await pickers();
		await workspace.faults({ fail: [{ match: { operation }, status: 404 }] });
		const error = (await options(method).catch((reason: unknown) => reason)) as Error;
		expect(error.message).toMatch(/^The list cannot be shown\. .*\(404\)/);
		const instead = ' Switch the field to Expression and enter the ID, or several separated by commas.';
		expect(error.message.endsWith(instead)).toBe(true);
	});

	test.each([401, 403, 500])('when the service answers with %d', async (status) => {
		const { find, workspace } = await pickers({
			faults: { fail: [{ status, echoToken: true, body: 'text' }] },
		});
		const error = (await find('searchTags').catch((reason: unknown) => reason)) as Error;
		expect(error.message).toMatch(new RegExp(`^The list cannot be shown\\. .*\\(${status}\\)`));
		expect(JSON.stringify({ ...error, message: error.message })).not.toContain(workspace.token);
	});

	test('when the service cannot be reached', async () => {
		const context = contextOf({ baseUrl: 'http://127.0.0.1:9', accessToken: 'nobody' });
		await expect(listSearch.searchTags.call(context)).rejects.toThrow(
			'The list cannot be shown. The service at 127.0.0.1:9 cannot be reached: nothing accepts connections there.',
		);
	});

	test('when the Base URL is empty', async () => {
		const context = contextOf({ baseUrl: '', accessToken: 'nobody' });
		await expect(listSearch.searchTags.call(context)).rejects.toThrow(
			'The list cannot be shown. The Base URL in the credential is empty.',
		);
	});
});

describe('lists of which several can be chosen are whole and sorted by name', () => {
	test.each([
		['getTags', 'tags'],
		['getChannels', 'channels'],
	] as const)('%s', async (method, collection) => {
		const { workspace, options } = await pickers({
			counts: { [collection]: 130 },
			faults: { maxPerPage: 50 },
		});
		const entries = await options(method);
		const names = entries.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		expect(entries.map(({ value }) => value).sort()).toEqual(
			(await workspace.state())[collection].map(({ id }) => id).sort(),
		);
	});
});
