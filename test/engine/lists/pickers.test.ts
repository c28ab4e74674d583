import { LoadOptionsContext } from 'n8n-core';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ILoadOptionsFunctions, INode, INodeListSearchItems } from 'n8n-workflow';
import type { Faults, WorkspaceOptions } from '../../../sandbox/options';
import { casesOf, pairs } from '../../support/cases';
import {
	additionalDataOf,
	compiledNode,
	NODE_NAME,
	workflowOf,
	type Credential,
} from '../../support/engine/engine';
import { queryOf, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const { listSearch = {}, loadOptions = {}, resourceMapping = {} } = compiledNode.methods ?? {};

function contextOf(credential: Credential, node: Partial<INode> = {}): ILoadOptionsFunctions {
	const workflow = workflowOf({ parameters: {} });
	return new LoadOptionsContext(
		workflow,
		{ ...workflow.getNode(NODE_NAME)!, ...node },
		additionalDataOf(credential),
		'parameters.identifier',
	);
}

/** A workspace, and its pickers and dropdowns as n8n calls them. */
async function pickers(options: WorkspaceOptions = {}) {
	const { workspace } = await testWorkspace(options);
	const context = contextOf({ baseUrl: workspace.url, accessToken: workspace.token });
	const find = async (method: string, filter?: string, token?: string) =>
		await listSearch[method].call(context, filter, token);
	return {
		workspace,
		find,
		/** Returns all entries that scrolling down brings. */
		async all(method: string, filter?: string) {
			const found: INodeListSearchItems[] = [];
			let token: unknown;
			for (let page = 0; page < 100 && (page === 0 || token !== undefined); page++) {
				const { results, paginationToken } = await find(
					method,
					filter,
					token as string | undefined,
				);
				found.push(...results);
				token = paginationToken;
			}
			expect(token).toBeUndefined();
			return found;
		},
		options: async (method: string) => await loadOptions[method].call(context),
		columns: async (method: string) => await resourceMapping[method].call(context),
	};
}

const failure = async (promise: Promise<unknown>) =>
	(await promise.catch((error: unknown) => error)) as Error & { description?: string };

const namesOf = (entries: Array<{ name: string }>) => entries.map(({ name }) => name);
const { compare } = new Intl.Collator(undefined, { numeric: true });
const sorted = (names: string[]) => [...names].sort(compare);

const lists = [
	['searchChannels', 'channels'],
	['searchFlows', 'flows'],
	['searchTags', 'tags'],
	['searchCustomFields', 'customFields'],
	['searchSequences', 'sequences'],
	['searchBroadcasts', 'broadcasts'],
	['searchMembers', 'members'],
] as const;

const servers: Array<[server: string, faults: Faults]> = [
	['a service as documented', {}],
	['a service that returns at most 7 records per page', { maxPerPage: 7 }],
	['a service that counts the pages of every list', { pageCount: 'everywhere' }],
	['a service that counts pages by the requested size', { pageCount: 'fromAsked', maxPerPage: 7 }],
	['a service that answers with bare lists', { bareArrays: true }],
];

test.each(
	pairs([...lists], servers).map(
		([[method, collection], [server, faults]]) => [method, server, collection, faults] as const,
	),
)('%s shows all entries of %s', async (method, _, collection, faults) => {
	const { workspace, all } = await pickers({ counts: { [collection]: 60 }, faults });
	const entries = await all(method);
	expect(entries.map(({ value }) => value).sort()).toEqual(
		(await workspace.state())[collection].map(({ id }) => id).sort(),
	);
});

test.each(lists)('%s sorts what it shows at a time by name', async (method, collection) => {
	const { find } = await pickers({ counts: { [collection]: 20 } });
	const names = namesOf((await find(method)).results);
	expect(names.length).toBeGreaterThan(1);
	expect(names).toEqual(sorted(names));
});

// One function reads all of them.
const [firstList, ...otherLists] = lists;

describe.each(casesOf<(typeof lists)[number]>([firstList], otherLists))(
	'%s',
	(method, collection) => {
		test('ends after one page if the service returns its first page again and again', async () => {
			const { all } = await pickers({
				counts: { [collection]: 60 },
				faults: { ignorePaging: true, pageCount: 'nowhere' },
			});
			expect(await all(method)).toHaveLength(50);
		});

		test('is empty in an empty workspace', async () => {
			const { all } = await pickers({ empty: true });
			expect(await all(method)).toEqual([]);
		});
	},
);

describe('searchContacts', () => {
	test('shows all contacts, the newest first', async () => {
		const { workspace, all } = await pickers({ contacts: 120 });
		const { contacts } = await workspace.state();
		expect((await all('searchContacts')).map(({ value }) => value)).toEqual(
			contacts.map(({ id }) => id).reverse(),
		);
	});

	test.each(['reference', 'newer', 'older'] as const)(
		'finds contacts by first and last name together on a %s service',
		async (service) => {
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
		},
	);

	test('shows name and email or phone number, or else the ID', async () => {
		const { workspace, all } = await pickers({ contacts: 0 });
		await workspace.addContacts(
			[
				{ firstName: 'Zoë', lastName: 'Müller', email: 'zoe@example.com' },
				{ firstName: 'Ana', phoneNumber: '+4915112345678' },
				{ email: 'only@example.com' },
				{ phoneNumber: '+4915112345679' },
				{},
			].map((contact, index) => ({ ...contact, createdAt: `2020-01-0${5 - index}T00:00:00.000Z` })),
		);
		const entries = await all('searchContacts');
		expect(namesOf(entries)).toEqual([
			'Zoë Müller – zoe@example.com',
			'Ana – +4915112345678',
			'only@example.com',
			'+4915112345679',
			`ID ${entries[4].value}`,
		]);
	});
});

describe('the label of an entry', () => {
	test.each([
		['searchChannels', 'WhatsApp Süd – WhatsApp'],
		['searchFlows', 'Welcome'],
		['searchTags', 'VIP'],
		['searchCustomFields', 'My shortText – Short text'],
		['searchSequences', 'Onboarding'],
		['searchBroadcasts', 'Summer sale – Sent'],
		['searchMembers', 'Maja Öztürk'],
	])('of %s is "%s"', async (method, name) => {
		const { find } = await pickers();
		expect(namesOf((await find(method)).results)).toContain(name);
	});

	test('has the ID or the email if several entries have the same name', async () => {
		const { workspace, find, options } = await pickers({
			counts: { flows: 0, tags: 0, members: 0 },
		});
		for (const active of [true, true, false])
			await workspace.add('flows', { name: 'Welcome', active });
		await workspace.add('flows', { name: 'Other' });
		const flows = (await workspace.state()).flows.map(({ id }) => id);
		expect(namesOf((await find('searchFlows')).results)).toEqual([
			'Other',
			`Welcome – ID ${flows[0]}`,
			`Welcome – ID ${flows[1]}`,
			'Welcome – Inactive',
		]);

		for (const id of ['12', '11']) await workspace.add('tags', { id, name: 'VIP' });
		expect(namesOf(await options('getTags'))).toEqual(['VIP – ID 11', 'VIP – ID 12']);

		const user = { id: '1', name: 'Ann', image: null };
		await workspace.add('members', { id: '21', user });
		await workspace.add('members', { id: '22', user });
		await workspace.add('members', {
			id: '23',
			user: { ...user, email: 'ann@example.com' } as never,
		});
		expect(namesOf((await find('searchMembers')).results)).toEqual([
			'Ann – ann@example.com',
			'Ann – ID 21',
			'Ann – ID 22',
		]);
	});
});

describe('typing in a picker', () => {
	test.each([
		['searchContacts', 'zoë'],
		['searchTags', 'größe'],
		['searchCustomFields', 'TEXT'],
		['searchMembers', 'renée'],
	])('lets the service search: %s for "%s"', async (method, filter) => {
		const { workspace, all } = await pickers({ contacts: 100 });
		const entries = await all(method, filter);
		expect(entries.length).toBeGreaterThan(0);
		for (const { name } of entries) expect(name.toLowerCase()).toContain(filter.toLowerCase());
		const [request] = await received(workspace);
		expect(queryOf(request)).toContainEqual(['keyword', filter]);
	});

	test.each([
		['searchChannels', 'channels', 'süd', 'WhatsApp Süd – WhatsApp'],
		['searchFlows', 'flows', 'ÜBERSICHT', 'Onboarding – Übersicht'],
		['searchSequences', 'sequences', 'back', 'Win back'],
		['searchBroadcasts', 'broadcasts', 'größe', 'Angebote 50 % / Größe XL & más – Scheduled'],
	] as const)(
		'searches the pages if the service cannot: %s of %s for "%s"',
		async (method, collection, filter, name) => {
			const { workspace, all } = await pickers({ counts: { [collection]: 4 } });
			expect(namesOf(await all(method, filter))).toEqual([name]);
			for (const request of await received(workspace)) {
				expect(queryOf(request).map(([key]) => key)).not.toContain('keyword');
			}
		},
	);

	test('finds a match that is many pages away', async () => {
		const { workspace, all } = await pickers({ counts: { flows: 900 } });
		await workspace.add('flows', { name: 'The last one' });
		expect(await all('searchFlows', 'last ONE')).toMatchObject([{ name: 'The last one' }]);
	});

	test('reads on until the matches fill the list, and shows each match once', async () => {
		const { workspace, find, all } = await pickers({
			counts: { flows: 600 },
			faults: { maxPerPage: 20 },
		});
		for (let n = 0; n < 130; n++) await workspace.add('flows', { name: `Match ${n}` });
		const first = await find('searchFlows', 'match');
		expect(first.results.length).toBeGreaterThanOrEqual(50);
		expect(namesOf(await all('searchFlows', 'match'))).toEqual(
			Array.from({ length: 130 }, (_, n) => `Match ${n}`),
		);
	});

	test('finds contacts by two words on every page of those with one of the words', async () => {
		const { workspace, find } = await pickers({ contacts: 0 });
		await workspace.addContacts(
			Array.from({ length: 130 }, (_, n) => ({
				firstName: n % 10 === 0 ? 'Ann' : 'Bob',
				lastName: 'Zimmermann',
				email: `${n}@example.com`,
			})),
		);
		const { results, paginationToken } = await find('searchContacts', 'ann zimmermann');
		expect(results).toHaveLength(13);
		expect(paginationToken).toBeUndefined();
	});

	test('finds matches on every page', async () => {
		const { workspace, find } = await pickers({ counts: { flows: 300 } });
		for (const { id } of (await workspace.state()).flows.filter((_, n) => n % 10 === 0)) {
			await workspace.change('flows', id, { name: 'Every tenth' });
		}
		const { results, paginationToken } = await find('searchFlows', 'tenth');
		expect(results).toHaveLength(30);
		expect(paginationToken).toBeUndefined();
	});

	test('stops after some seconds and continues when the editor asks for more', async () => {
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

	test.each([
		['searchFlows', {}],
		['searchTags', {}],
		['searchFlows', { counts: { flows: 0 } }],
	])('shows nothing if nothing matches: %s in %j', async (method, options) => {
		const { all } = await pickers(options);
		expect(await all(method, 'nothing like this')).toEqual([]);
	});
});

describe('a list that cannot be read', () => {
	test.each([404, 405] as const)(
		'refers to the mode ID if the service lacks it (%d)',
		async (status) => {
			const { find } = await pickers({ faults: { missing: { listSequences: status } } });
			const error = await failure(find('searchSequences'));
			const { message, description } = error;
			// Of other errors, the editor shows no description beside a picker.
			expect(error).toBeInstanceOf(NodeApiError);
			expect(message).toContain(
				`n8n can't load the list. This service doesn't offer this operation (${status})`,
			);
			expect(description).toBe('Switch from "From List" to "ID" to enter the ID yourself.');
		},
	);

	test.each([
		['getTags', 'listTags'],
		['getSequences', 'listSequences'],
		['getChannels', 'listChannels'],
		['getCustomFields', 'listCustomFields'],
	] as const)('refers to an expression if it is the dropdown %s', async (method, operation) => {
		const { workspace, options } = await pickers();
		await workspace.faults({ fail: [{ match: { operation }, status: 404 }] });
		const error = await failure(options(method));
		expect(error.message).toMatch(
			/^n8n can't load the list\. .*\(404\).* Switch the field to Expression and enter the ID, or several separated by commas\.$/,
		);
		// Of a NodeApiError, the editor shows "[object Object]" beside a dropdown.
		expect(error).toBeInstanceOf(NodeOperationError);
	});

	test('fails at once while the service asks everybody to wait for a minute', async () => {
		const { workspace, find } = await pickers();
		await workspace.faults({ fail: [{ status: 429, headers: { 'retry-after': '60' } }] });
		const startedAt = Date.now();
		for (let list = 0; list < 2; list++) {
			const { message } = await failure(find('searchTags'));
			expect(message).toContain('Rate limit reached (429)');
		}
		expect(Date.now() - startedAt).toBeLessThan(30_000);
	});

	test.each([401, 403, 500])('names the status %d and never the access token', async (status) => {
		const { find, workspace } = await pickers({
			faults: { fail: [{ status, echoToken: true, body: 'text' }] },
		});
		const error = await failure(find('searchTags'));
		expect(error.message).toMatch(new RegExp(`^n8n can't load the list\\. .*\\(${status}\\)`));
		expect(JSON.stringify({ ...error, message: error.message })).not.toContain(workspace.token);
	});

	test.each([
		['http://127.0.0.1:9', "The service at 127.0.0.1:9 can't be reached: it refuses connections."],
		['', 'The Base URL in the credential is empty'],
	])('names the problem with the Base URL "%s"', async (baseUrl, problem) => {
		const context = contextOf({ baseUrl, accessToken: 'nobody' });
		const error = await failure(listSearch.searchTags.call(context));
		expect(error.message).toContain(`n8n can't load the list. ${problem}`);
	});
});

test.each<[string, (context: ILoadOptionsFunctions) => Promise<unknown>]>([
	['a picker', async (context) => await listSearch.searchTags.call(context)],
	[
		'the mapper of custom fields',
		async (context) => await resourceMapping.getCustomFieldColumns.call(context),
	],
])('%s asks for the credential if the node has none yet', async (_, list) => {
	const context = contextOf({ baseUrl: '', accessToken: '' }, { credentials: undefined });
	expect((await failure(list(context))).message).toBe('Choose the credential, then Refresh List.');
});

describe('a dropdown', () => {
	test.each([
		['getTags', 'tags'],
		['getChannels', 'channels'],
	] as const)('%s shows the whole list, sorted by name', async (method, collection) => {
		const { workspace, options } = await pickers({
			counts: { [collection]: 130 },
			faults: { maxPerPage: 50 },
		});
		const entries = await options(method);
		expect(namesOf(entries)).toEqual(sorted(namesOf(entries)));
		expect(entries.map(({ value }) => value).sort()).toEqual(
			(await workspace.state())[collection].map(({ id }) => id).sort(),
		);
	});

	test('getAssignees shows members, teams if the service has them, and Unassigned', async () => {
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
		expect((await older.options('getAssignees')).some(({ name }) => name.endsWith('– team'))).toBe(
			false,
		);
	});
});

test('the mapper of custom fields shows all of them as columns, sorted by name', async () => {
	const { workspace, columns } = await pickers();
	const { fields } = await columns('getCustomFieldColumns');
	const names = fields.map(({ displayName }) => displayName);
	expect(names).toEqual(sorted((await workspace.state()).customFields.map(({ name }) => name)));
});

test("pickers, dropdowns, conditions and mappers leave out the field for n8n's own notes", async () => {
	const { workspace, all, options, columns } = await pickers();
	await workspace.add('customFields', { name: 'n8n question', type: 'longText' });
	const shown = [
		namesOf(await all('searchCustomFields')),
		namesOf(await options('getCustomFields')),
		namesOf(await options('getConditionFields')),
		(await columns('getCustomFieldColumns')).fields.map(({ displayName }) => displayName),
	];
	for (const names of shown) {
		expect(names).toHaveLength((await workspace.state()).customFields.length - 1);
		expect(names.join()).not.toContain('n8n question');
	}
});

describe('the list of templates', () => {
	const newest = { service: 'newer', newest: true } as const;

	test('shows the language and the beginning of the text, with a mark for each place', async () => {
		const { all } = await pickers(newest);
		const [shown] = await all('searchTemplates', 'order_shipped – en_US');
		expect(shown.name).toContain('Hi ▢, your order ▢ is on its way.');
	});

	test('finds a template by its text', async () => {
		const { all } = await pickers(newest);
		expect(namesOf(await all('searchTemplates', 'deine Bestellung'))).toEqual([
			expect.stringMatching(/^order_shipped – de/),
		]);
	});

	test('names the channel of each if there are several, so that one of another number is seen', async () => {
		const { all } = await pickers(newest);
		const names = namesOf(await all('searchTemplates'));
		expect(names.filter((name) => name.includes('WhatsApp Nord'))).toEqual([
			'order_received – en_US, WhatsApp Nord: Hi ▢, we have your order.',
		]);
		expect(names.filter((name) => !name.includes('WhatsApp'))).toEqual([]);
	});
});

test.each([
	['searchFlows', 'flows', { active: true }],
	['searchChannels', 'channels', { channel: 'whatsapp' }],
	['searchTags', 'tags', {}],
	['searchCustomFields', 'customFields', { type: 'shortText' }],
	['searchTeams', 'teams', {}],
	['searchSequences', 'sequences', { active: true }],
] as const)('%s finds a name that looks like what the user typed', async (method, table, more) => {
	for (const service of ['reference', 'newer'] as const) {
		// The other one has no such list, or one that the sandbox fills by itself.
		if (
			service === (table === 'teams' ? 'reference' : 'newer') &&
			['teams', 'channels'].includes(table)
		)
			continue;
		const { workspace, all } = await pickers({ service });
		const { id } = await workspace.add(table as 'tags', { name: 'B\u00fcro K\u00f6ln', ...more });
		const found = await all(method, 'u\u0308ro\u200b ko\u0308');
		expect(found.map(({ value }) => value)).toEqual([id]);
	}
});
