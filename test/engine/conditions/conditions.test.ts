import { setGlobalState, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { casesOf, pairs } from '../../support/cases';
import { by, fromItem, idsOf, once, pathOf, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace, type TestWorkspace } from '../../support/engine/workspace';
import { serviceNames, type ServiceName } from '../../../sandbox/services/names';

/*
 * Get Many → Conditions on the three kinds of services: the same contacts come, whether the service
 * filters or the node. What each condition means is tested with the rules; here it is how the
 * panel's values reach them.
 */

const HINT =
	"This service can't filter contacts by these conditions, so n8n read all contacts and compared their records. In a large workspace this takes longer.";

const getMany = (conditions: INodeParameters, more: INodeParameters = {}) => ({
	resource: 'contact',
	operation: 'getAll',
	returnAll: true,
	simplify: false,
	conditions,
	...more,
});

const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day).toISOString();

/** Ann and Bob are VIPs, Ann and Cid on a paid plan; Bob and Cid are old acquaintances. */
async function people(
	service: ServiceName,
	options: Partial<Parameters<typeof testWorkspace>[0]> = {},
) {
	const test = await testWorkspace({ service, contacts: 0, ...options });
	const { tags, customFields, channels } = await test.workspace.state();
	const [vip, other] = tags.map(({ id }) => id);
	const inbox = (type: string) => channels.find(({ channel }) => channel === type)!.id;
	const mail = channels.find(({ channel }) => ['email', 'smtp'].includes(channel))!.id;
	const field = (type: string) => customFields.find((each) => each.type === type)!;
	const [ann, bob, cid, dora] = await test.workspace.addContacts([
		{
			firstName: 'Ann',
			email: 'ann@example.com',
			createdAt: ago(1),
			tagIds: [vip],
			emailOptIn: true,
			inboxIds: [inbox('whatsapp')],
		},
		{ firstName: 'Bob', createdAt: ago(30), tagIds: [vip, other], inboxIds: [inbox('webchat')] },
		{ firstName: 'Cid', createdAt: ago(40), tagIds: [], blockedAt: ago(2), inboxIds: [] },
		{ firstName: 'Dora', createdAt: ago(5), tagIds: [other], inboxIds: [inbox('whatsapp'), mail] },
	]);
	const { error: notSet } = await test.run(
		{
			resource: 'contact',
			operation: 'setCustomFields',
			identifier: by('id', fromItem('contact')),
			customFields: { mappingMode: 'autoMapInputData', value: null },
		},
		[
			{ contact: ann.id, [field('shortText').name]: 'Pro' },
			{ contact: cid.id, [field('shortText').name]: 'pro' },
			{ contact: bob.id, [field('number').name]: '3' },
			{ contact: dora.id, [field('date').name]: '2026-01-31' },
		],
	);
	expect(notSet).toBeUndefined();
	const names = async (conditions: INodeParameters, more?: INodeParameters) => {
		const { json, error } = await test.run(getMany(conditions, more));
		expect(error).toBeUndefined();
		return json.map(({ firstName }) => firstName).sort();
	};
	const subject = (type: string, kind: string) => `${field(type).id}:${kind}`;
	return { ...test, vip, other, inbox, subject, names, ann, bob, cid, dora };
}

describe.each(serviceNames.map((service) => [service]))('on a %s service', (service) => {
	let set: Awaited<ReturnType<typeof people>>;
	beforeAll(async () => {
		set = await people(service);
	});

	const cases: Array<[string, () => INodeParameters, string[]]> = [
		['a tag', () => ({ tags: [{ listOperator: 'in', tagIds: [set.vip] }] }), ['Ann', 'Bob']],
		[
			'all of several tags',
			() => ({ tags: [{ listOperator: 'inAll', tagIds: [set.vip, set.other] }] }),
			['Bob'],
		],
		[
			'none of several tags',
			() => ({ tags: [{ listOperator: 'notIn', tagIds: [set.vip] }] }),
			['Cid', 'Dora'],
		],
		[
			'tags as text with a semicolon',
			() => ({ tags: [{ listOperator: 'in', tagIds: `${set.vip}; 1\n2` }] }),
			['Ann', 'Bob'],
		],
		[
			'tags as JSON',
			() => ({ tags: [{ listOperator: 'in', tagIds: `["${set.vip}", 1]` }] }),
			['Ann', 'Bob'],
		],
		[
			'tags as text',
			() => ({ tags: [{ listOperator: 'in', tagIds: `${set.vip}, 1` }] }),
			['Ann', 'Bob'],
		],
		['no tag', () => ({ tags: [{ listOperator: 'isEmpty' }] }), ['Cid']],
		[
			'a text',
			() => ({ texts: [{ field: 'firstName', textOperator: 'contains', text: 'O' }] }),
			['Bob', 'Dora'],
		],
		[
			'an email',
			() => ({ texts: [{ field: 'email', textOperator: 'eq', text: 'ANN@example.com' }] }),
			['Ann'],
		],
		[
			'no email',
			() => ({ texts: [{ field: 'email', textOperator: 'isEmpty' }] }),
			['Bob', 'Cid', 'Dora'],
		],
		[
			'created in the last 7 days',
			() => ({ dates: [{ field: 'createdAt', dateOperator: 'inLast', amount: 7, unit: 'days' }] }),
			['Ann', 'Dora'],
		],
		[
			'created between two days',
			() => ({
				dates: [{ field: 'createdAt', dateOperator: 'isBetween', date: ago(35), dateTo: ago(3) }],
			}),
			['Bob', 'Dora'],
		],
		['blocked', () => ({ booleans: [{ field: 'blocked', isTrue: 'true' }] }), ['Cid']],
		['opted in', () => ({ booleans: [{ field: 'emailOptIn', isTrue: 'true' }] }), ['Ann']],
		[
			'a type of channel',
			() => ({
				channels: [{ listOperator: 'in', channelsBy: 'channels', channelTypes: ['whatsapp'] }],
			}),
			['Ann', 'Dora'],
		],
		[
			'a type of channel by its other name',
			() => ({
				channels: [{ listOperator: 'in', channelsBy: 'channels', channelTypes: ['Email'] }],
			}),
			['Dora'],
		],
		[
			'not on a channel',
			() => ({
				channels: [
					{ listOperator: 'notIn', channelsBy: 'inboxes', inboxIds: [set.inbox('whatsapp')] },
				],
			}),
			['Bob', 'Cid'],
		],
		[
			'a custom field of text',
			() => ({
				customFields: [
					{ customField: set.subject('shortText', 'text'), textOperator: 'eq', text: 'pro' },
				],
			}),
			['Ann', 'Cid'],
		],
		[
			'a custom field by its ID alone',
			() => ({
				customFields: [
					{
						customField: `={{ "${set.subject('shortText', '').slice(0, -1)}" }}`,
						textOperator: 'eq',
						text: 'pro',
					},
				],
			}),
			['Ann', 'Cid'],
		],
		[
			'a custom field of a number',
			() => ({
				customFields: [
					{ customField: set.subject('number', 'number'), numberOperator: 'gte', number: 3 },
				],
			}),
			['Bob'],
		],
		[
			'a custom field of a date',
			() => ({
				customFields: [
					{
						customField: set.subject('date', 'date'),
						dateOperator: 'eq',
						date: '2026-01-31T00:00:00',
					},
				],
			}),
			['Dora'],
		],
	];

	test.each(cases)('%s', async (_, conditions, expected) => {
		expect(await set.names(conditions())).toEqual(expected);
	});

	test('all of several conditions, or any', async () => {
		const conditions = {
			tags: [{ listOperator: 'in', tagIds: [set.vip] }],
			dates: [{ field: 'createdAt', dateOperator: 'inLast', amount: 7, unit: 'days' }],
			customFields: [
				{ customField: set.subject('shortText', 'text'), textOperator: 'eq', text: 'pro' },
			],
		} as INodeParameters;
		expect(await set.names(conditions)).toEqual(['Ann']);
		expect(await set.names(conditions, { match: 'any' })).toEqual(['Ann', 'Bob', 'Cid', 'Dora']);
	});

	test('with a limit, sorted, and simplified', async () => {
		const conditions = { tags: [{ listOperator: 'in', tagIds: [set.vip] }] } as INodeParameters;
		const sort = { fields: [{ field: 'createdAt', order: 'asc' }] };
		const more = { returnAll: false, limit: 1, options: { sort } };
		expect(await set.names(conditions, more)).toEqual(['Bob']);
		const { json } = await set.run(getMany(conditions, { simplify: true }));
		expect(json.every((record) => !('contactInboxes' in record))).toBe(true);
		expect(json).toHaveLength(2);
	});

	test('says so where all contacts are read', async () => {
		const byTag = await set.run(getMany({ tags: [{ listOperator: 'in', tagIds: [set.vip] }] }));
		expect(byTag.hints).toEqual(service === 'newer' ? [] : [HINT]);
		const byCity = await set.run(
			getMany({ texts: [{ field: 'city', textOperator: 'eq', text: 'Rom' }] }),
		);
		expect(byCity.hints).toEqual([HINT]);
		expect(byCity.json).toEqual([]);
	});
});

test.each(['ignored', 'lenient', 'strict'] as const)(
	'a service that treats filters as %s never widens what comes (difference 14)',
	async (contactFilter) => {
		const { names, vip } = await people('newer', { faults: { contactFilter } });
		expect(await names({ tags: [{ listOperator: 'in', tagIds: [vip] }] })).toEqual(['Ann', 'Bob']);
	},
);

test.each(
	casesOf<[status: number, isRead: boolean]>(
		[
			[401, false],
			[404, true],
			[422, true],
			[429, false],
		],
		[
			[400, true],
			[403, false],
			[405, true],
		],
	),
)(
	'where the fields to filter by are answered with %i, all contacts are read: %p',
	async (status, isRead) => {
		const fail = [{ match: { pathPattern: 'filter-fields' }, status, times: 1 }];
		const { run, vip } = await people('newer', { faults: { fail } });
		const parameters = { ...getMany({ tags: [{ listOperator: 'in', tagIds: [vip] }] }), ...once };
		const first = await run(parameters);
		expect([first.error === undefined, first.hints.includes(HINT)]).toEqual([isRead, isRead]);
		// What was no answer is not remembered.
		expect((await run(parameters)).hints.includes(HINT)).toBe(isRead);
	},
);

test('A newer service that lists its custom fields without the kind of their values filters by one (difference 32)', async () => {
	const untyped = await people('newer', { faults: { untypedFilterFields: true } });
	const text = untyped.subject('shortText', 'text');
	const conditions = { customFields: [{ customField: text, textOperator: 'eq', text: 'pro' }] };
	const { json, hints } = await untyped.run(getMany(conditions));
	expect(json.map(({ firstName }) => firstName).sort()).toEqual(['Ann', 'Cid']);
	expect(hints).not.toContain(HINT);
	const { requests } = await untyped.workspace.journal();
	const filtered = requests.filter(({ path }) => /[?&]contactFilter=.*valueType/.test(path));
	expect(filtered.length).toBeGreaterThan(0);
});

describe('what no record shows', () => {
	const lastInteraction = (dateOperator: string) => ({
		dates: [{ field: 'lastInteraction', dateOperator, amount: 30, unit: 'days' }],
	});
	const sequences = (listOperator: string, sequenceIds: string[]) => ({
		sequences: [{ listOperator, sequenceIds }],
	});
	const assigned = (listOperator: string, assigneeIds: string[]) => ({
		assigned: [{ listOperator, assigneeIds }],
	});

	/**
	 * Ann wrote yesterday, Bob long ago; Ann and Cid are in a sequence, Bob is assigned to a user and
	 * Cid to a team.
	 */
	async function talkers(options: Parameters<typeof people>[1] = {}) {
		const set = await people('newer', options);
		const { ann, bob, cid } = set;
		const change = (contact: { id: string; conversation?: unknown }, changes: IDataObject) => ({
			identifier: `id:${contact.id}`,
			changes: { ...changes, conversation: { id: '1', ...(changes.conversation as IDataObject) } },
		});
		await set.workspace.changeContacts([
			change(ann, { sequenceIds: ['71'], conversation: { contactRepliedAt: ago(1) } }),
			change(bob, { conversation: { contactRepliedAt: ago(90), assignedUserId: '51' } }),
			change(cid, { sequenceIds: ['71', '72'], conversation: { assignedInboxTeamId: '9' } }),
		]);
		return set;
	}

	let set: Awaited<ReturnType<typeof talkers>>;
	beforeAll(async () => {
		set = await talkers();
	});

	test.each<[string, INodeParameters, string[]]>([
		['an interaction in the last 30 days', lastInteraction('inLast'), ['Ann']],
		['none in the last 30 days', lastInteraction('notInLast'), ['Bob', 'Cid', 'Dora']],
		['no interaction', lastInteraction('isEmpty'), ['Cid', 'Dora']],
		['any interaction', lastInteraction('isNotEmpty'), ['Ann', 'Bob']],
		['a sequence', sequences('in', ['71']), ['Ann', 'Cid']],
		['not in a sequence', sequences('notIn', ['72']), ['Ann', 'Bob', 'Dora']],
		['assigned to a user or a team', assigned('in', ['u_51', 't_9']), ['Bob', 'Cid']],
		['assigned to somebody', assigned('notIn', ['unassigned']), ['Bob', 'Cid']],
	])('%s', async (_, conditions, expected) => {
		expect(await set.names(conditions)).toEqual(expected);
	});

	test('together with what records show: all, or any', async () => {
		const conditions = {
			...sequences('in', ['71']),
			tags: [{ listOperator: 'in', tagIds: [set.vip] }],
		};
		expect(await set.names(conditions)).toEqual(['Ann']);
		expect(await set.names(conditions, { match: 'any' })).toEqual(['Ann', 'Bob', 'Cid']);
	});

	test.each(['reference', 'older'] as const)('is refused on a %s service', async (service) => {
		const { run } = await testWorkspace({ service, contacts: 3 });
		const result = await run(getMany(sequences('notIn', ['71'])));
		expect(shownOf(result)).toContain(
			"This service can't filter contacts by Sequence and doesn't show it in lists.",
		);
		expect(result.json).toEqual([]);
	});

	test.each(['in', 'notIn'])(
		'a service that applies no filter never widens what comes (%s)',
		async (operator) => {
			const { run } = await talkers({ faults: { contactFilter: 'ignored' } });
			const result = await run(getMany(sequences(operator, ['71'])));
			expect(shownOf(result)).toBe(
				"This service can't filter contacts by Sequence and doesn't show it in lists. Remove the condition on it. [item 0]",
			);
			expect(result.json).toEqual([]);
		},
	);

	test('somebody to whom nothing can be assigned is refused', async () => {
		const result = await set.run(getMany(assigned('notIn', ['51'])));
		expect(shownOf(result)).toContain('"51". Enter a member as u_ and the user ID');
	});
});

test.each(serviceNames)(
	'a limit with conditions reads no pages after those that have enough contacts (%s)',
	async (service) => {
		const { workspace, run } = await testWorkspace({ service, contacts: 0 });
		await workspace.addContacts(
			Array.from({ length: 600 }, (_, n) => ({ city: n % 2 ? 'Oslo' : 'Rome' })),
		);
		const inOslo = {
			texts: [{ field: 'city', textOperator: 'eq', text: 'Oslo' }],
		} as INodeParameters;
		// The second run knows how large the service's pages are.
		await run(getMany(inOslo, { returnAll: false, limit: 1 }));
		await workspace.clearJournal();
		const { json } = await run(getMany(inOslo, { returnAll: false, limit: 60 }));
		expect(json).toHaveLength(60);
		const { byOperation } = await workspace.summary();
		// Half of 100 contacts of a page are in Oslo, or of 50. Four more requests, two for
		// the last page of the list and two for the first, show whether contacts moved meanwhile.
		expect(byOperation.listContacts).toBe(4 + (service === 'reference' ? 2 : 3));
	},
);

describe('where clocks leave out a midnight', () => {
	beforeAll(() => setGlobalState({ defaultTimezone: 'America/Santiago' }));
	afterAll(() => setGlobalState({ defaultTimezone: 'America/New_York' }));

	test.each(pairs([...serviceNames], ['eq', 'isBetween']))(
		'a day is that day (%s, %s)',
		async (service, dateOperator) => {
			const { workspace, run } = await testWorkspace({ service, contacts: 0 });
			const { customFields } = await workspace.state();
			const { id } = customFields.find(({ type }) => type === 'date')!;
			for (const day of ['2026-09-05', '2026-09-06', '2026-09-07']) {
				const [contact] = await workspace.addContacts([
					{ firstName: day, createdAt: `${day}T12:00:00.000Z` },
				]);
				const { error } = await run({
					resource: 'contact',
					operation: 'setCustomFields',
					identifier: { __rl: true, mode: 'id', value: contact.id },
					customFields: { mappingMode: 'defineBelow', value: { [id]: day } },
				} as INodeParameters);
				expect(error).toBeUndefined();
			}
			const day = { date: '2026-09-06', dateTo: '2026-09-06' };
			const namesWith = async (conditions: INodeParameters) =>
				(await run(getMany(conditions))).json.map(({ firstName }) => firstName);
			const ofCustomField = { customField: `${id}:date`, ...day, dateOperator };
			expect(await namesWith({ customFields: [ofCustomField] })).toEqual(['2026-09-06']);
			const ofCreation = { field: 'createdAt', ...day, dateOperator };
			expect(await namesWith({ dates: [ofCreation] })).toEqual(['2026-09-06']);
		},
	);
});

describe('parts of a segment', () => {
	const inOslo = {
		texts: [{ field: 'city', textOperator: 'eq', text: 'Oslo' }],
	} as INodeParameters;

	test.each(serviceNames)('come page after page, each contact once (%s)', async (service) => {
		const { workspace, run } = await testWorkspace({ service, contacts: 0 });
		const added = await workspace.addContacts(
			Array.from({ length: 30 }, (_, index) => ({ city: index % 3 === 0 ? 'Oslo' : 'Rome' })),
		);
		const found: unknown[] = [];
		for (const page of [1, 2, 3]) {
			const more = { returnAll: false, limit: 4, options: { page } };
			found.push(...idsOf((await run(getMany(inOslo, more))).json));
		}
		const expected = idsOf(added.filter((_, index) => index % 3 === 0));
		expect(found).toHaveLength(expected.length);
		expect([...found].sort()).toEqual([...expected].sort());
	});

	test('a small limit does not make small pages', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 300 });
		const conditions = {
			texts: [{ field: 'city', textOperator: 'eq', text: 'Nowhere' }],
		} as INodeParameters;
		const { json } = await run(getMany(conditions, { returnAll: false, limit: 1 }));
		expect(json).toEqual([]);
		expect((await received(workspace)).length).toBeLessThanOrEqual(10);
	});
});

describe('custom fields', () => {
	const numberOf = async ({ workspace }: Awaited<ReturnType<typeof testWorkspace>>) =>
		(await workspace.state()).customFields.find(({ type }) => type === 'number')!.id;

	test('a value that is no number is refused', async () => {
		const set = await testWorkspace({ contacts: 2 });
		const customField = `${await numberOf(set)}:number`;
		const result = await set.run(getMany({ customFields: [{ customField, number: 'x' }] }));
		expect(shownOf(result)).toContain('"x". Enter a number');
	});

	test('a range of numbers that ends before it starts is refused', async () => {
		const set = await testWorkspace({ contacts: 2 });
		const range = {
			customField: `${await numberOf(set)}:number`,
			numberOperator: 'isBetween',
			number: 5,
		};
		const result = await set.run(getMany({ customFields: [{ ...range, numberTo: 4 }] }));
		expect(shownOf(result)).toContain('ends (4) before it starts (5)');
		expect(
			(await set.run(getMany({ customFields: [{ ...range, numberTo: 5 }] }))).error,
		).toBeUndefined();
	});

	test('an ID alone is refused where n8n does not keep the comparison', async () => {
		const set = await testWorkspace({ contacts: 2 });
		const id = await numberOf(set);
		const row = { customField: id, numberOperator: 'isEmpty' };
		expect(shownOf(await set.run(getMany({ customFields: [row] })))).toContain(
			`Select the custom field "${id}" from the list, or enter its ID and kind, such as ${id}:number`,
		);
		const expression = { ...row, customField: `={{ "${id}" }}` };
		expect((await set.run(getMany({ customFields: [expression] }))).error).toBeUndefined();
	});

	test('one that the service does not show is taken by its ID where it does not show all', async () => {
		const { workspace, run } = await testWorkspace({
			service: 'older',
			contacts: 2,
			counts: { customFields: 60 },
		});
		const { customFields } = await workspace.state();
		const row = (id: string) => ({ customField: `${id}:text`, textOperator: 'isEmpty' });
		const results = await Promise.all(
			customFields
				.filter((_, index) => index % 6 === 0)
				.map(async ({ id }) => await run(getMany({ customFields: [row(id)] }))),
		);
		expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
		const [{ id }] = customFields;
		const alone = { ...row(id), customField: `={{ "${id}" }}` };
		expect(shownOf(await run(getMany({ customFields: [alone] })))).toContain(
			`A condition uses the custom field "${id}", but the service doesn't list it. The service only lists its first 50 custom fields.`,
		);
	});
});

test('what the service leaves out is not read', async () => {
	const { workspace, run } = await testWorkspace({ service: 'newer', contacts: 0 });
	const { tags } = await workspace.state();
	const [one] = await workspace.addContacts(
		Array.from({ length: 200 }, (_, index) => ({ tagIds: index === 0 ? [tags[0].id] : [] })),
	);
	const conditions = { tags: [{ listOperator: 'in', tagIds: [tags[0].id] }] };
	const { json } = await run(getMany(conditions));
	expect(idsOf(json)).toEqual([one.id]);
	const lists = (await received(workspace)).filter(
		(request) => pathOf(request) === '/api/v1/contacts',
	);
	expect(lists.every(({ path }) => path.includes('contactFilter='))).toBe(true);
	expect(lists.length).toBeLessThanOrEqual(4);
});

test('an empty Contact Filter does not keep the service from narrowing', async () => {
	const { workspace, run } = await testWorkspace({ service: 'newer', contacts: 2 });
	const filters = { filters: { contactFilter: '{}' } };
	await run(getMany({ tags: [{ listOperator: 'in', tagIds: ['1'] }] }, filters));
	const lists = (await received(workspace)).filter(
		(request) => pathOf(request) === '/api/v1/contacts',
	);
	expect(lists.every(({ path }) => path.includes('contactFilter='))).toBe(true);
	const { hints } = await run(getMany({ texts: [{ field: 'city', text: 'Rom' }] }, filters));
	expect(hints).toEqual([HINT]);
});

test.each(['2026-02-31', '2026-02-30T10:00:00', '2026-02-30 10:00:00Z'])(
	'a Contact Filter with the day %s, which does not exist, is refused',
	async (value) => {
		const { run } = await testWorkspace({ service: 'newer', contacts: 2 });
		const contactFilter = JSON.stringify({
			operator: 'and',
			conditions: [{ field: 'contactCreatedAt', operator: 'gt', value }],
		});
		expect(shownOf(await run(getMany({}, { filters: { contactFilter } })))).toContain(
			`compares "contactCreatedAt" with "${value}", which is not a date such as 2026-12-31`,
		);
	},
);

test('a thousand tags are compared here', async () => {
	const { names, vip } = await people('newer');
	const tagIds = [...Array.from({ length: 1000 }, (_, index) => String(7_000_000 + index)), vip];
	expect(await names({ tags: [{ listOperator: 'in', tagIds }] })).toEqual(['Ann', 'Bob']);
});

test.each([['Any'], ['={{ $json.nothing }}']])(
	'Contacts Must Meet as %j is refused',
	async (match) => {
		const { run } = await testWorkspace({ contacts: 2 });
		const result = await run(
			getMany({ texts: [{ field: 'email', textOperator: 'isEmpty' }] }, { match }),
		);
		expect(shownOf(result)).toContain('Contacts Must Meet must be one of all, any, but is');
		expect(result.json).toEqual([]);
	},
);

test('what a workflow leaves out is what the panel shows', async () => {
	const { names, vip } = await people('reference');
	expect(await names({ dates: [{}] })).toEqual(['Ann', 'Dora']);
	expect(await names({ tags: [{ tagIds: [vip] }], booleans: [{}] })).toEqual([]);
	expect(await names({ channels: [{ channelTypes: ['whatsapp'] }] })).toEqual(['Ann', 'Dora']);
	expect(await names({ texts: [{ text: 'ann@example.com' }] })).toEqual(['Ann']);
});

test('values of expressions: a number for an ID, and a date object', async () => {
	const { names, ann } = await people('reference');
	const { run } = await testWorkspace({ contacts: 0 });
	expect((await run(getMany({ tags: [{ tagIds: '={{ 5 }}' }] }))).error).toBeUndefined();
	const since = `={{ new Date("${ann.createdAt}") }}`;
	const dates = [{ field: 'createdAt', dateOperator: 'isBetween', date: since, dateTo: since }];
	expect(await names({ dates })).toEqual(['Ann']);
});

test('yes and no can have any form', async () => {
	const { names } = await people('reference');
	for (const isTrue of ['={{ true }}', '={{ "True" }}', 'true'])
		expect(await names({ booleans: [{ field: 'blocked', isTrue }] })).toEqual(['Cid']);
	const isTrue = '={{ false }}';
	expect(await names({ booleans: [{ field: 'blocked', isTrue }] })).toEqual(['Ann', 'Bob', 'Dora']);
});

test('records that do not show what is compared are an error', async () => {
	const { run } = await testWorkspace({
		service: 'newer',
		contacts: 3,
		faults: { fail: [{ match: { pathPattern: 'include' }, status: 422 }] },
	});
	const result = await run(getMany({ tags: [{ listOperator: 'notIn', tagIds: ['1'] }] }));
	expect(shownOf(result)).toContain('This service lists contacts without "tags"');
	expect(result.json).toEqual([]);
});

let twoContacts: TestWorkspace;
beforeAll(async () => {
	twoContacts = await testWorkspace({ contacts: 2 });
});

test.each<[string, IDataObject, string]>([
	[
		'no tag',
		{ tags: [{ listOperator: 'in', tagIds: [] }] },
		'The condition on Tag has no value. Select at least one',
	],
	[
		'the name of a tag',
		{ tags: [{ listOperator: 'notIn', tagIds: ['VIP'] }] },
		'"VIP". Enter the IDs of tags, made of digits only',
	],
	[
		'the name of a channel',
		{ channels: [{ listOperator: 'notIn', channelsBy: 'inboxes', inboxIds: ['Shop'] }] },
		'"Shop". Enter the IDs of channels, made of digits only',
	],
	[
		'an unknown type of channel',
		{ channels: [{ listOperator: 'notIn', channelsBy: 'channels', channelTypes: ['whats'] }] },
		'"whats". Enter types of channels: webchat, messenger, whatsapp,',
	],
	[
		'the name of a sequence',
		{ sequences: [{ listOperator: 'notIn', sequenceIds: ['Welcome'] }] },
		'"Welcome". Enter the IDs of sequences, made of digits only',
	],
	[
		'no text',
		{ texts: [{ field: 'email', textOperator: 'eq', text: ' ' }] },
		'The condition on Email has no value. To find contacts without one, select Is Empty',
	],
	['no custom field', { customFields: [{ customField: '' }] }, 'Select a custom field'],
	[
		'an unknown custom field',
		{ customFields: [{ customField: '999' }] },
		`custom field "999", but the service doesn't list it`,
	],
	[
		'an unknown custom field with a kind',
		{ customFields: [{ customField: '999:text', textOperator: 'ne', text: 'pro' }] },
		`custom field "999:text", but the service doesn't list it`,
	],
	[
		'a span of no number',
		{ dates: [{ field: 'createdAt', dateOperator: 'inLast', amount: -1, unit: 'days' }] },
		'The condition on Created has the value "-1". Enter a whole number of minutes, hours, days or weeks',
	],
	[
		'no date',
		{ dates: [{ field: 'createdAt', dateOperator: 'gt', date: 'soon' }] },
		'"soon". Enter a date',
	],
	[
		'a range of dates that ends before it starts',
		{
			dates: [
				{
					field: 'createdAt',
					dateOperator: 'isBetween',
					date: '2026-02-01',
					dateTo: '2026-01-31T23:59:59',
				},
			],
		},
		'ends (2026-01-31T23:59:59) before it starts (2026-02-01)',
	],
	[
		'an empty date',
		{ dates: [{ field: 'createdAt', dateOperator: 'gt', date: '' }] },
		'The condition on Created has no value. To find contacts without one',
	],
	[
		'a text that an expression does not give',
		{ texts: [{ field: 'country', textOperator: 'ne', text: '={{ $json.nothing }}' }] },
		'The condition on Country has no value. To find contacts without one',
	],
	[
		'an object',
		{ texts: [{ field: 'country', textOperator: 'notContains', text: '={{ ({ a: 1 }) }}' }] },
		'The condition on Country has the value "{"a":1}". Enter a single value, not an object or a list',
	],
	[
		'a list',
		{ texts: [{ field: 'firstName', textOperator: 'ne', text: '={{ ["Ann", "Bob"] }}' }] },
		'The condition on First Name has the value "["Ann","Bob"]". Enter a single value, not an object or a list',
	],
	[
		'a comparison that an expression does not give',
		{ texts: [{ field: 'country', textOperator: '={{ $json.nothing }}', text: 'Peru' }] },
		'The comparison in the condition on Country must be one of eq, ne, contains, notContains, startsWith, endsWith, isEmpty, isNotEmpty, but is empty',
	],
	[
		'a comparison of lists that an expression does not give',
		{ tags: [{ listOperator: '={{ null }}', tagIds: ['1'] }] },
		'The comparison in the condition on Tag must be one of in, inAll, notIn, isEmpty, isNotEmpty, but is empty',
	],
	[
		'a comparison of dates that there is not',
		{ dates: [{ field: 'createdAt', dateOperator: '={{ "ago" }}' }] },
		'The comparison in the condition on Created must be one of eq, lt, gt, isBetween, inLast, notInLast, inNext, isEmpty, isNotEmpty, but is "ago"',
	],
	[
		'a field that there is not',
		{ texts: [{ field: '={{ "zip" }}', text: '1' }] },
		'The field in the condition on Text must be one of email, phoneNumber,',
	],
	[
		'what channels are chosen by, where there is no such thing',
		{ channels: [{ channelsBy: '={{ "id" }}', inboxIds: ['1'] }] },
		'Select Channels By in the condition on Channel must be one of channels, inboxes, but is "id"',
	],
	[
		'an amount that an expression does not give',
		{ dates: [{ field: 'createdAt', dateOperator: 'inLast', amount: '={{ $json.nothing }}' }] },
		'The condition on Created has no value. Enter a whole number of minutes',
	],
	[
		'an unknown unit',
		{ dates: [{ field: 'createdAt', dateOperator: 'inLast', amount: 3, unit: '={{ "months" }}' }] },
		'The condition on Created has the value "months". Select a unit: minutes, hours, days, weeks',
	],
	[
		'an object for a date',
		{ dates: [{ field: 'createdAt', dateOperator: 'gt', date: '={{ ({ day: 1 }) }}' }] },
		'has the value "{"day":1}". Enter a single value',
	],
	[
		'a date object that is no date',
		{ dates: [{ field: 'createdAt', dateOperator: 'gt', date: '={{ new Date("soon") }}' }] },
		'The condition on Created has',
	],
	[
		'no answer',
		{ booleans: [{ field: 'blocked', isTrue: '={{ $json.nothing }}' }] },
		'The condition on Blocked has no value. Select true or false',
	],
	[
		'another word for yes',
		{ booleans: [{ field: 'blocked', isTrue: '={{ "Yes" }}' }] },
		'The condition on Blocked has the value "Yes". Select true or false',
	],
	[
		'another word for no',
		{ booleans: [{ field: 'blocked', isTrue: '={{ 0 }}' }] },
		'The condition on Blocked has the value "0". Select true or false',
	],
	[
		'a list with nothing in it',
		{ tags: [{ listOperator: 'notIn', tagIds: '={{ ["1", null] }}' }] },
		'The condition on Tag has the value "null". Enter the IDs of tags',
	],
	[
		'a list of objects',
		{ tags: [{ listOperator: 'notIn', tagIds: '={{ [{ id: 1 }] }}' }] },
		'The condition on Tag has the value "{"id":1}". Enter a single value',
	],
])('%s is refused', async (_, conditions, message) => {
	const { workspace, run } = twoContacts;
	const result = await run(getMany(conditions as INodeParameters));
	expect(shownOf(result)).toContain(message);
	expect(
		(await received(workspace)).filter((request) => pathOf(request) === '/api/v1/contacts'),
	).toEqual([]);
});
