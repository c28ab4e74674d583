import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { pairs } from '../../support/cases';
import { idsOf, queryOf, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace, type TestWorkspace } from '../../support/engine/workspace';
import { serviceNames } from '../../../sandbox/services/names';

/*
 * Lists of contacts on the three kinds of services: nobody comes who was not asked for, nobody is
 * missing, in the order asked for, whatever the service makes of what it is asked.
 */

const getMany = (parameters: INodeParameters = {}) => ({
	resource: 'contact',
	operation: 'getAll',
	returnAll: true,
	simplify: false,
	...parameters,
});

const faces = serviceNames.map((service) => [service] as const);
const wild = [['newer'], ['older']] as const;

/** Requests for lists of contacts, each as its query. */
const listed = async ({ workspace }: TestWorkspace) =>
	(await received(workspace))
		.filter(({ path }) => path.startsWith('/api/v1/contacts?'))
		.map((request) => Object.fromEntries(queryOf(request)));

describe('what belongs to a contact', () => {
	test.each(faces)('is shown on a %s service, whole and simplified', async (service) => {
		const { workspace, run } = await testWorkspace({ service, contacts: 0 });
		const { tags, customFields, channels } = await workspace.state();
		await workspace.addContacts([
			{ firstName: 'Ann', tagIds: [tags[0].id], inboxIds: [channels[0].id] },
		]);
		const { json } = await run(getMany());
		expect(json).toMatchObject([
			{
				tags: [{ id: tags[0].id }],
				contactCustomFields: [],
				contactInboxes: [{ inboxId: channels[0].id }],
			},
		]);
		const simple = await run(getMany({ simplify: true }));
		expect(simple.json).toMatchObject([{ fullName: 'Ann', tags: [tags[0].name] }]);
		expect(customFields.length).toBeGreaterThan(0);
	});

	test('is not asked for where it comes by itself', async () => {
		const test = await testWorkspace({ contacts: 120 });
		await test.run(getMany());
		expect((await listed(test)).map(({ page }) => page)).toEqual(['1', '2', '1']);
		expect(JSON.stringify(await listed(test))).not.toContain('include');
	});

	test.each(wild)('is found out once for a %s service (difference 7)', async (service) => {
		const test = await testWorkspace({ service, contacts: 10 });
		await test.run(getMany({ returnAll: false, limit: 5 }));
		expect((await listed(test)).map((query) => query['include[0]'])).toEqual([undefined, 'tags']);
		await test.run(getMany({ returnAll: false, limit: 5 }));
		const [, , ...queries] = await listed(test);
		expect(queries).toEqual([
			expect.objectContaining({
				'include[0]': 'tags',
				'include[1]': 'customFields',
				'include[2]': 'inboxes',
				'include[3]': 'conversation',
			}),
		]);
	});

	test('is not known from an empty list', async () => {
		const { workspace, run } = await testWorkspace({ service: 'newer', contacts: 0 });
		await run(getMany());
		const { tags } = await workspace.state();
		await workspace.addContacts([{ tagIds: [tags[0].id] }]);
		expect((await run(getMany())).json).toMatchObject([{ tags: [{ name: tags[0].name }] }]);
	});

	test('is left out where the service refuses to be asked', async () => {
		const { run } = await testWorkspace({
			service: 'newer',
			contacts: 3,
			faults: { fail: [{ match: { pathPattern: 'include' }, status: 422 }] },
		});
		expect((await run(getMany())).json).toHaveLength(3);
	});
});

describe('Contact Filter', () => {
	const ofTag = (id: string) => ({
		operator: 'and',
		conditions: [{ field: 'tags', operator: 'in', value: [id] }],
	});
	const filtered = (contactFilter: IDataObject, more: INodeParameters = {}) =>
		getMany({ filters: { contactFilter: JSON.stringify(contactFilter) }, ...more });

	/** Five contacts, of which two have the first tag. */
	async function fiveContacts(options: Parameters<typeof testWorkspace>[0]) {
		const test = await testWorkspace({ contacts: 0, ...options });
		const { tags } = await test.workspace.state();
		const contacts = await test.workspace.addContacts(
			[0, 1, 0, 1, 1].map((tag, index) => ({ firstName: `C${index}`, tagIds: [tags[tag].id] })),
		);
		const [vip, other] = tags.map(({ id }) => id);
		return { ...test, vip, other, vips: new Set([contacts[0].id, contacts[2].id]) };
	}

	test.each([
		['reference', 'in brackets', 'contactFilter[operator]'],
		['newer', 'as JSON text', 'contactFilter'],
	] as const)('is applied by a %s service, %s', async (service, _, key) => {
		const test = await fiveContacts({ service });
		const { json, error } = await test.run(filtered(ofTag(test.vip)));
		expect(error).toBeUndefined();
		expect(new Set(idsOf(json))).toEqual(test.vips);
		const queries = await listed(test);
		expect(Object.keys(queries[queries.length - 1])).toContain(key);
	});

	test.each(['reference', 'newer'] as const)(
		'of a run with several items costs a %s service one more request, once its form is known',
		async (service) => {
			const test = await fiveContacts({ service });
			await test.run(filtered(ofTag(test.vip)));
			const checks = async () =>
				(await listed(test)).filter(({ perPage }) => perPage === '1').length;
			const before = await checks();
			await test.run(filtered(ofTag(test.vip)), [{}, {}, {}]);
			expect((await checks()) - before).toBe(1);
		},
	);

	test.each([
		['older', {}],
		['newer', { contactFilter: 'ignored' }],
		['newer', { contactFilter: 'ignored', maxPerPage: 1 }],
	] as const)('is refused where a %s service ignores it (%p)', async (service, faults) => {
		const test = await fiveContacts({ service, faults });
		const result = await test.run(filtered(ofTag(test.vip)));
		expect(shownOf(result)).toContain(
			'This service ignores Contact Filter and would return all contacts. Remove the filter',
		);
		expect(result.json).toEqual([]);
	});

	test('is refused for good where contacts came later than the first look', async () => {
		const { workspace, run } = await testWorkspace({ service: 'older', contacts: 0 });
		expect((await run(filtered(ofTag('1')))).json).toEqual([]);
		await workspace.addContacts([{ firstName: 'Ann' }]);
		expect(shownOf(await run(filtered(ofTag('1'))))).toContain('ignores Contact Filter');
	});

	test('is asked for without the keyword, which could make an ignored filter look applied', async () => {
		const { run } = await fiveContacts({ service: 'older' });
		const result = await run(
			getMany({ filters: { keyword: 'nobody', contactFilter: JSON.stringify(ofTag('1')) } }),
		);
		expect(shownOf(result)).toContain('ignores Contact Filter');
	});

	const invalid: Array<[string, IDataObject]> = [
		[
			'of an unknown field',
			{ operator: 'and', conditions: [{ field: 'nope', operator: 'eq', value: '1' }] },
		],
		[
			'of an unknown operator',
			{ operator: 'or', conditions: [{ field: 'email', operator: 'like', value: '1' }] },
		],
		['of another structure', { tags: ['VIP'] }],
	];

	test.each(invalid)('%s never lists everyone on a service that ignores it', async (_, filter) => {
		const { run } = await fiveContacts({ service: 'newer', faults: { contactFilter: 'lenient' } });
		const result = await run(filtered(filter));
		expect(result.json).toEqual([]);
		expect(shownOf(result)).toContain("This service can't read this Contact Filter");
	});

	test.each(invalid.slice(0, 2))('%s is refused in the words of the service', async (_, filter) => {
		const { run } = await fiveContacts({ service: 'newer' });
		const result = await run(filtered(filter));
		expect(result.json).toEqual([]);
		expect(shownOf(result)).toContain('rejected the request (422)');
		expect(shownOf(result)).not.toContain('expected string');
	});

	test('that is valid is applied by a service that ignores others', async () => {
		const test = await fiveContacts({ service: 'newer', faults: { contactFilter: 'lenient' } });
		expect(new Set(idsOf((await test.run(filtered(ofTag(test.vip)))).json))).toEqual(test.vips);
	});

	test('with any of several conditions and groups', async () => {
		const test = await fiveContacts({ service: 'newer', faults: { contactFilter: 'lenient' } });
		const named = (value: string) => ({ field: 'fullName', operator: 'eq', value });
		const filter = {
			operator: 'or',
			conditions: [
				named('C0'),
				{
					type: 'group',
					operator: 'and',
					conditions: [named('C1'), ...ofTag(test.other).conditions],
				},
				{ type: 'group', operator: 'or', conditions: [named('C2'), named('C3')] },
			],
		};
		const { json } = await test.run(filtered(filter));
		expect(json.map(({ firstName }) => firstName).sort()).toEqual(['C0', 'C1', 'C2', 'C3']);
	});

	test.each([
		['contactCreatedAt', 'gt', 'last week', false],
		['contactCreatedAt', 'gt', '2026-13-01', false],
		['contactCreatedAt', 'gt', '2026-12-01', true],
		['contactCreatedAt', 'gt', '2026-12-01 10:30', true],
		['contactCreatedDateMinutesAgo', 'lt', 'ten', false],
		['contactCreatedDateMinutesAgo', 'lt', '', false],
		['contactCreatedDateMinutesAgo', 'lt', '10', true],
		['contactCreatedDateMinutesAgo', 'isBetween', ['1', 'x'], false],
		['contactCreatedAt', 'isEmpty', undefined, true],
	])('%s %s %p is sent: %p', async (field, operator, value, isSent) => {
		const test = await fiveContacts({ service: 'newer' });
		const condition = { field, operator, ...(value !== undefined && { value }) };
		const result = await test.run(filtered({ operator: 'and', conditions: [condition] }));
		if (isSent) {
			expect(result.error).toBeUndefined();
		} else {
			expect(shownOf(result)).toContain(`Contact Filter compares "${field}" with`);
			expect(await received(test.workspace)).toEqual([]);
		}
	});
});

describe('filters by channel', () => {
	async function onChannels(service: 'reference' | 'newer' | 'older') {
		const test = await testWorkspace({ service, contacts: 0, counts: { channels: 4 } });
		const { channels } = await test.workspace.state();
		const contacts = await test.workspace.addContacts(
			[...channels, ...channels].map(({ id }) => ({ inboxIds: [id] })),
		);
		await test.workspace.addContacts([{ firstName: 'On no channel', inboxIds: [] }]);
		return {
			...test,
			channels,
			contactsOn: (index: number) => [contacts[index].id, contacts[index + 4].id],
		};
	}

	test.each(faces)('Channel Names or IDs on a %s service', async (service) => {
		const { run, channels, contactsOn } = await onChannels(service);
		const { json, error } = await run(getMany({ filters: { inboxIds: [channels[1].id] } }));
		expect(error).toBeUndefined();
		expect(new Set(idsOf(json))).toEqual(new Set(contactsOn(1)));
	});

	test.each(faces)('Channel Types on a %s service (difference 17)', async (service) => {
		const { run, channels, contactsOn } = await onChannels(service);
		for (const [index, { channel }] of channels.entries()) {
			const { json, error } = await run(
				getMany({ filters: { channels: [channel === 'email' ? 'smtp' : channel] } }),
			);
			expect(error).toBeUndefined();
			expect(new Set(idsOf(json))).toEqual(new Set(contactsOn(index)));
		}
	});

	test.each(faces)('every type of channel is no limit on a %s service', async (service) => {
		const { run } = await onChannels(service);
		expect((await run(getMany({ filters: { channels: ['omnichannel'] } }))).json).toHaveLength(9);
	});

	test.each(wild)('a limit is reached on a %s service', async (service) => {
		const { run, channels, contactsOn } = await onChannels(service);
		const filters = { inboxIds: [channels[0].id] };
		const one = await run(getMany({ returnAll: false, limit: 1, filters }));
		expect(contactsOn(0)).toContain(one.json[0].id);
		const two = await run(getMany({ returnAll: false, limit: 2, filters }));
		expect(new Set(idsOf(two.json))).toEqual(new Set(contactsOn(0)));
	});

	test.each(wild)(
		'are refused where records of a %s service do not show channels',
		async (service) => {
			const { run } = await testWorkspace({
				service,
				contacts: 3,
				faults: { fail: [{ match: { pathPattern: 'include' }, status: 422 }] },
			});
			const result = await run(getMany({ filters: { channels: ['whatsapp'] } }));
			expect(shownOf(result)).toContain("This service doesn't show which channels a contact is on");
			expect(result.json).toEqual([]);
		},
	);
});

describe('the order asked for', () => {
	const byField = (field: string, order = 'asc'): INodeParameters => ({
		options: { sort: { fields: [{ field, order }] } },
	});
	const names = (json: IDataObject[]) => json.map(({ firstName }) => firstName);
	const shuffled = Array.from(
		{ length: 130 },
		(_, index) => `N${String((index * 37) % 130).padStart(3, '0')}`,
	);
	const sorted = [...shuffled].sort();

	const services = [
		['reference', {}],
		['reference', { ignoreSort: true }],
		['newer', {}],
		['newer', { ignoreSort: true }],
		['older', {}],
	] as const;

	async function named(
		service: (typeof services)[number][0],
		faults: (typeof services)[number][1],
	) {
		const test = await testWorkspace({ service, contacts: 0, faults });
		await test.workspace.addContacts(shuffled.map((firstName) => ({ firstName })));
		return test;
	}

	describe.each(services)('of a %s service (%p; difference 15)', (service, faults) => {
		test('is kept by Return All', async () => {
			const { run } = await named(service, faults);
			expect(names((await run(getMany(byField('firstName')))).json)).toEqual(sorted);
			expect(names((await run(getMany(byField('firstName', 'desc')))).json)).toEqual(
				[...sorted].reverse(),
			);
		});

		test('is kept from a later page on', async () => {
			const { run } = await named(service, faults);
			const parameters = byField('firstName');
			Object.assign(parameters.options as object, { page: 2, perPage: 20 });
			expect(names((await run(getMany(parameters))).json)).toEqual(sorted.slice(20));
			const { json } = await run(getMany({ returnAll: false, limit: 5, ...parameters }));
			expect(names(json)).toEqual(sorted.slice(20, 25));
		});
	});

	test.each(pairs([...services], [1, 50, 60, 129, 130, 500]))(
		'of a service %j is kept by a limit of %d',
		async ([service, faults], limit) => {
			const { run } = await named(service, faults);
			const { json } = await run(getMany({ returnAll: false, limit, ...byField('firstName') }));
			expect(names(json)).toEqual(sorted.slice(0, limit));
		},
	);

	test.each([
		['reference', 3, 1],
		['newer', 6, 2],
		['older', 6, 2],
	] as const)(
		'is asked of a %s service: %d requests at first, then %d',
		async (service, first, then) => {
			const test = await named(service, {});
			await test.run(getMany({ returnAll: false, limit: 50, ...byField('firstName') }));
			const before = (await listed(test)).filter(
				(query) => 'sort[0][field]' in query || 'sort' in query,
			);
			// The first reading of newer and older services is repeated with what they leave out.
			const extra = service === 'reference' ? 0 : 1;
			expect(before.length).toBeLessThanOrEqual(first + extra);
			const count = (await listed(test)).length;
			await test.run(getMany({ returnAll: false, limit: 50, ...byField('firstName') }));
			expect((await listed(test)).length - count).toBeLessThanOrEqual(then);
		},
	);

	test.each([
		['reference', { ignoreSort: true }],
		['newer', { ignoreSort: true }],
	] as const)(
		'is not taken for kept where all look the same, on a %s service (%p)',
		async (service, faults) => {
			const { workspace, run } = await testWorkspace({ service, contacts: 0, faults });
			// Newest first, the first pages hold nobody else.
			await workspace.addContacts([{ firstName: 'Ann' }]);
			await workspace.addContacts(Array.from({ length: 60 }, () => ({ firstName: 'Ben' })));
			const { json } = await run(getMany({ returnAll: false, limit: 50, ...byField('firstName') }));
			expect(names(json).slice(0, 2)).toEqual(['Ann', 'Ben']);
		},
	);

	test.each(faces)(
		'by two fields, those without a value last, on a %s service',
		async (service) => {
			const { workspace, run } = await testWorkspace({ service, contacts: 0 });
			await workspace.addContacts([
				{ firstName: 'Ben', lastName: 'B' },
				{ lastName: 'C' },
				{ firstName: 'Ann', lastName: 'A' },
				{ firstName: 'Ben', lastName: 'D' },
			]);
			const fields = [
				{ field: 'firstName', order: 'asc' },
				{ field: 'lastName', order: 'desc' },
			];
			const { json } = await run(getMany({ options: { sort: { fields } } }));
			expect(json.map(({ lastName }) => lastName)).toEqual(['A', 'D', 'B', 'C']);
		},
	);

	describe.each([
		['reference', {}],
		['reference', { ignoreSort: true }],
		['reference', { emptyFirst: true }],
		['newer', {}],
		['newer', { ignoreSort: true }],
		['newer', { emptyFirst: true }],
		['older', {}],
	] as const)(
		'by a field that two of 60 contacts have begins with these two, on a %s service (%p)',
		(service, faults) => {
			const [january, february] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];

			test.each([
				['asc', january, february],
				['asc', february, january],
				['desc', january, february],
				['desc', february, january],
			])('%s: %s before %s in the list', async (order, first, second) => {
				const { workspace, run } = await testWorkspace({ service, contacts: 0, faults });
				const lastReadAt = new Map([
					[20, first],
					[40, second],
				]);
				await workspace.addContacts(
					Array.from({ length: 60 }, (_, n) => ({
						firstName: `N${n}`,
						lastReadAt: lastReadAt.get(n) ?? null,
					})),
				);
				const { json } = await run(
					getMany({ simplify: false, returnAll: false, limit: 5, ...byField('lastReadAt', order) }),
				);
				const times = order === 'asc' ? [january, february] : [february, january];
				expect(json.map((contact) => contact.lastReadAt)).toEqual([...times, null, null, null]);
			});
		},
	);

	test.each([
		['reference', {}],
		['reference', { sortByFirstField: true }],
		['newer', {}],
		['newer', { sortByFirstField: true }],
	] as const)(
		'by two fields with a limit of 1 is right on a %s service (%p)',
		async (service, faults) => {
			const { workspace, run } = await testWorkspace({ service, contacts: 0, faults });
			await workspace.addContacts([
				{ firstName: 'Ann', lastName: 'A' },
				...Array.from({ length: 20 }, (_, n) => ({ firstName: 'Ann', lastName: `M${n}` })),
				{ firstName: 'Ben', lastName: 'Z' },
			]);
			const fields = [
				{ field: 'firstName', order: 'asc' },
				{ field: 'lastName', order: 'asc' },
			];
			const { json } = await run(
				getMany({ returnAll: false, limit: 1, options: { sort: { fields } } }),
			);
			expect(json.map(({ lastName }) => lastName)).toEqual(['A']);
		},
	);

	test.each(faces)(
		'by a field that the service does not sort by, on a %s service',
		async (service) => {
			const { workspace, run } = await testWorkspace({ service, contacts: 0 });
			await workspace.addContacts(['Peru', 'Chad', 'Oman'].map((country) => ({ country })));
			const { json, error } = await run(getMany(byField('country')));
			expect(error).toBeUndefined();
			expect(json.map(({ country }) => country)).toEqual(['Chad', 'Oman', 'Peru']);
		},
	);

	test.each(faces)(
		'by a field that contacts do not have is an error on a %s service',
		async (service) => {
			const { run } = await testWorkspace({ service, contacts: 3 });
			const result = await run(getMany(byField('nope')));
			expect(shownOf(result)).toMatch(
				/Sort.*is no field to sort by|Contacts of this service have no field "nope"/,
			);
		},
	);
});

describe('a keyword', () => {
	async function people(service: 'reference' | 'newer' | 'older') {
		const test = await testWorkspace({ service, contacts: 0 });
		await test.workspace.addContacts([
			{ firstName: 'Ann', lastName: 'Lee' },
			{ firstName: 'Ann', lastName: 'Miller' },
			{ firstName: 'Mary Ann', lastName: 'Lee' },
			{ firstName: 'Bo', lastName: 'Lee' },
			{ firstName: 'Lee', lastName: 'Ann' },
		]);
		return test;
	}

	describe.each<[string, string[]]>([
		['Ann Lee', ['Ann Lee', 'Mary Ann Lee']],
		['ann lee', ['Ann Lee', 'Mary Ann Lee']],
		['  Ann   Lee ', ['Ann Lee', 'Mary Ann Lee']],
		['Mary Ann', ['Mary Ann Lee']],
		['o Le', ['Bo Lee']],
		['Ann Nobody', []],
		['Bo', ['Bo Lee']],
	])('such as %j', (keyword, expected) => {
		// The reference does not say what white space in a keyword means.
		const services = serviceNames.filter(
			(service) => service !== 'reference' || !keyword.startsWith(' '),
		);

		test.each(services)('finds the words in full names on a %s service', async (service) => {
			const { run } = await people(service);
			const { json, error } = await run(getMany({ filters: { keyword } }));
			expect(error).toBeUndefined();
			expect(json.map(({ fullName }) => fullName).sort()).toEqual(expected);
		});
	});

	test.each(wild)('of two words is complete and limited on a %s service', async (service) => {
		const { workspace, run } = await testWorkspace({ service, contacts: 0 });
		await workspace.addContacts(
			Array.from({ length: 240 }, (_, index) => ({
				firstName: index < 120 ? 'Ann' : 'Anna',
				lastName: index < 120 ? 'Lee' : 'Kim',
			})),
		);
		const filters = { keyword: 'Ann Lee' };
		expect((await run(getMany({ filters }))).json).toHaveLength(120);
		const { json } = await run(getMany({ returnAll: false, limit: 110, filters }));
		expect(json).toHaveLength(110);
		expect(json.every(({ lastName }) => lastName === 'Lee')).toBe(true);
	});
});
