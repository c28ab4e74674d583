import { caseCount, pairs } from '../../support/cases';
import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, pathOf, received, shownOf } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import { serviceNames, type ServiceName } from '../../../sandbox/services/names';
import type { WorkspaceOptions } from '../../../sandbox/options';

/* Choosing a contact by the value of a custom field, on the three kinds of services. */

const faces = serviceNames.map((service) => [service] as const);

const HINT =
	"This service can't find contacts by a custom field, so n8n read all contacts once. In a large workspace this takes longer.";

/** A workspace with custom fields of these names, and contacts who hold values of them. */
async function people(
	service: ServiceName,
	rows: Array<Record<string, string>>,
	types: Record<string, string> = { 'Order No': 'shortText' },
	options: WorkspaceOptions = {},
) {
	const { run, workspace } = await testWorkspace({
		service,
		contacts: 0,
		counts: { customFields: 0 },
		...options,
	});
	const fields: Record<string, string> = {};
	for (const [name, type] of Object.entries(types))
		fields[name] = (await workspace.add('customFields', { name, type: type as 'number' })).id;
	const contacts = await workspace.addContacts(rows.map((_, n) => ({ firstName: `P${n}` })));
	for (const [n, row] of rows.entries()) {
		const entries = Object.entries(row).map(([name, value]) => ({
			customFieldId: fields[name],
			value,
		}));
		const response = await fetch(
			`${workspace.url}/api/v1/contacts/id:${contacts[n].id}/custom-fields`,
			{
				method: service === 'older' ? 'PUT' : 'PATCH',
				headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
				body: JSON.stringify(
					service === 'older'
						? { fields: entries }
						: { operations: entries.map((entry) => ({ ...entry, operation: 'set' })) },
				),
			},
		);
		expect(response.ok).toBe(true);
	}
	await workspace.clearJournal();
	const get = async (
		choice: string,
		items?: Array<Record<string, string>>,
		more: INodeParameters = {},
	) =>
		await run(
			{ resource: 'contact', operation: 'get', identifier: by('customField', choice), ...more },
			items,
		);
	/** Returns whom each choice finds. */
	const findEach = async (choices: string[]) => {
		const items = choices.map((choice) => ({ choice }));
		const { json, error } = await run(
			{
				resource: 'contact',
				operation: 'get',
				identifier: by('customField', fromItem('choice')),
			},
			items,
			{ onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		return Object.fromEntries(
			json.map((row, index) => [choices[index], row.firstName ?? row.error]),
		);
	};
	return { run, workspace, fields, contacts, get, findEach };
}

const names = ({ json }: { json: Array<Record<string, unknown>> }) =>
	json.map(({ firstName }) => firstName);

describe.each(faces)('A contact chosen by a custom field on the %s service', (service) => {
	test('is found however the choice names the field and the value', async () => {
		const { fields, findEach } = await people(service, [
			{ 'Order No': '47110' },
			{ 'Order No': '4711' },
			{ 'Order No': 'a = b' },
			{ 'Order No': 'Größe & 10%' },
		]);
		const expected = {
			'Order No = 4711': 'P1',
			'Order No=4711': 'P1',
			'order no = 4711': 'P1',
			'Order No = a = b': 'P2',
			'Order No =  Größe & 10%  ': 'P3',
			[`${fields['Order No']} = 4711`]: 'P1',
			[`customField:${fields['Order No']}=4711`]: 'P1',
		};
		expect(await findEach(Object.keys(expected))).toEqual(expected);
	});

	const types = { Member: 'number', Paid: 'boolean', Born: 'date', Visit: 'datetime' };
	test('is found by every form of a value', async () => {
		const { findEach } = await people(
			service,
			[
				{ Member: '12', Paid: 'true', Born: '2026-01-31', Visit: '2026-01-30T09:30:00.000Z' },
				{ Member: '7.50', Paid: 'false', Born: '2026-02-01', Visit: '2026-01-31T09:30:00.000Z' },
			],
			types,
		);
		const expected = {
			'Member = 12': 'P0',
			'Member = 12.0': 'P0',
			'Member = 7.5': 'P1',
			'Member = +7.50': 'P1',
			'Paid = true': 'P0',
			'Paid = Yes': 'P0',
			'Paid = no': 'P1',
			'Born = 2026-01-31': 'P0',
			'Visit = 2026-01-31T09:30:00Z': 'P1',
			'Visit = 2026-01-31 10:30 +01:00': 'P1',
		};
		expect(await findEach(Object.keys(expected))).toEqual(expected);
	});

	test('is an error if one contact has a time without an offset as entered, and another one its moment', async () => {
		const rows = [{ Visit: '2026-01-31T14:30:00.000Z' }, { Visit: '2026-01-31T09:30:00' }];
		const { workspace, fields, get } = await people(service, rows, { Visit: 'shortText' });
		await workspace.change('customFields', fields.Visit, { type: 'datetime' });
		expect(shownOf(await get('Visit = 2026-01-31T09:30:00'))).toContain('2 contacts have Visit = ');
	});

	test('is an error if no contact has the value', async () => {
		const { get } = await people(service, [{ 'Order No': 'A-1' }]);
		expect(shownOf(await get('Order No = a-1'))).toBe(
			'No contact has Order No = a-1. Upper and lower case count. [item 0]',
		);
	});

	test('is an error if several contacts have the value', async () => {
		const { get, contacts, workspace, run } = await people(
			service,
			Array.from({ length: 3 }, () => ({ 'Order No': '4711' })),
		);
		const ids = contacts.map(({ id }) => id);
		const shown = shownOf(await get('Order No = 4711'));
		expect(shown).toContain(
			"3 contacts have Order No = 4711, so n8n can't tell which one to use. Select it by ID, email or phone (IDs: ",
		);
		for (const id of ids) expect(shown).toContain(id);
		const send = await run({
			resource: 'message',
			operation: 'send',
			identifier: by('customField', 'Order No = 4711'),
			text: 'Hello',
		});
		expect(shownOf(send)).toContain('which one to use. Nothing was sent. Select it');
		expect((await workspace.journal()).messages).toEqual([]);
	});

	test('does not fail the other items if two match no contact and several contacts', async () => {
		const count = caseCount({ few: 15, many: 50 });
		const rows = Array.from({ length: count + 2 }, (_, n) => ({
			'Order No': n < count ? `N${n}` : 'same',
		}));
		const { run, workspace, contacts } = await people(service, rows);
		const items = Array.from({ length: count }, (_, n) => ({
			order: n === 7 ? 'nobody' : n === 8 ? 'same' : `N${n}`,
		}));
		const { json, error, hints } = await run(
			{
				resource: 'message',
				operation: 'send',
				identifier: by('customField', '=Order No = {{ $json.order }}'),
				text: 'Hello',
			},
			items,
			{ onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(count);
		expect(json[7].error).toBe(
			'No contact has Order No = nobody. Nothing was sent for this item. Upper and lower case count. [item 7]',
		);
		expect(json[8].error).toContain('2 contacts have Order No = same');
		expect(json[8].error).toContain('[item 8]');
		expect(json[9]).toMatchObject({ contact: `id:${contacts[9].id}`, contactId: contacts[9].id });
		const { messages } = await workspace.journal();
		expect(messages).toHaveLength(count - 2);
		expect(messages.map(({ contactId }) => contactId).sort()).toEqual(
			contacts
				.slice(0, count)
				.map(({ id }) => id)
				.filter((id) => id !== contacts[7].id && id !== contacts[8].id)
				.sort(),
		);
		const paths = (await received(workspace)).map(pathOf);
		const lists = paths.filter((path) => path === '/api/v1/contacts').length;
		// Two pages side by side, and once more where the first size is refused.
		expect(paths.filter((path) => path === '/api/v1/custom-fields').length).toBeLessThanOrEqual(4);
		if (service === 'reference') {
			expect(lists).toBeLessThanOrEqual(3);
			expect(hints).toEqual([HINT]);
		} else {
			expect(lists).toBe(0);
			expect(hints).toEqual([]);
		}
	});
});

const times = [
	{ name: 'Visit', text: '2026-01-31T09:30:00' },
	{ name: 'Visit', text: '2026-01-31 09:30' },
	{ name: 'Visit', text: '2026-01-31' },
	{ name: 'Born', text: '2026-01-31T09:30:00' },
] as const;

test.each(pairs([...serviceNames], [...times]))(
	'A contact on the %s service is found by a time without an offset that is stored as entered: %j',
	async (service, { name, text }) => {
		const rows = [{ [name]: '2026-02-01T09:30:00' }, { [name]: text }];
		const { workspace, fields, get } = await people(service, rows, {
			Born: 'date',
			Visit: 'datetime',
			[name]: 'shortText',
		});
		const type = name === 'Born' ? 'date' : 'datetime';
		await workspace.change('customFields', fields[name], { type });
		const result = await get(`${name} = ${text}`);
		expect(result.error?.message).toBeUndefined();
		expect(names(result)).toEqual(['P1']);
	},
);

test('A contact by a custom field is an error if no custom field has the name', async () => {
	const { get } = await people('newer', [{ 'Order No': '4711' }], {
		'Order No': 'shortText',
		Plan: 'shortText',
	});
	expect(shownOf(await get('Order Nr = 4711'))).toBe(
		'The workspace has no custom field with the ID or name "Order Nr". Nothing was changed. Similar: "Order No". [item 0]',
	);
});

test('A contact by a custom field is an error if the field cannot hold the value', async () => {
	const { get } = await people('newer', [{ Member: '12' }], { Member: 'number' });
	expect(shownOf(await get('Member = twelve'))).toBe(
		'Custom field Member must be a number, such as 1234.5, but is "twelve". Nothing was changed. [item 0]',
	);
});

test.each(['Order No', 'Order No =', '= 4711', '=', ''])(
	'The choice %j of a contact by a custom field is refused before n8n sends anything',
	async (choice) => {
		const { run, workspace } = await testWorkspace();
		const { error } = await run(
			{ resource: 'contact', operation: 'get', identifier: by('customField', fromItem()) },
			[{ value: choice }],
		);
		expect(error?.message).toBe(
			choice === ''
				? 'Contact must name a contact by ID, email or phone, but its expression returns nothing for this item [item 0]'
				: `Contact must be the name of a custom field, = and its value, such as Order No = 4711, but is "${choice}" [item 0]`,
		);
		expect(await received(workspace)).toEqual([]);
	},
);

test('Every mode of Contact keeps a prefix, and a value without a prefix keeps its mode', async () => {
	const { get, contacts } = await people('reference', [{ 'Order No': '1' }, { 'Order No': '2' }]);
	expect(names(await get(`id:${contacts[1].id}`))).toEqual(['P1']);
});

test.each([
	['update', { updateFields: { lastName: 'Lee' } }],
	['delete', {}],
	['addTags', { tagsBy: 'names', tagNames: 'VIP', createMissing: true }],
	['setTags', { tagsBy: 'names', tagNames: 'VIP', createMissing: true }],
	['getCustomFields', {}],
	['upsert', { options: { identifier: by('customField', 'Order No = 2') } }],
])('%s accepts a contact chosen by a custom field', async (operation, more) => {
	const { run, workspace, contacts } = await people('newer', [
		{ 'Order No': '1' },
		{ 'Order No': '2' },
	]);
	const { error } = await run({
		resource: 'contact',
		operation,
		identifier: by('customField', 'Order No = 2'),
		...(operation === 'upsert' && { additionalFields: { lastName: 'Lee' } }),
		...more,
	} as INodeParameters);
	expect(error).toBeUndefined();
	const paths = (await received(workspace)).map(pathOf);
	expect(paths.at(-1)).toContain(`id%3A${contacts[1].id}`);
	expect(paths.join()).not.toContain('customField%3A');
});

test.each([
	['delete', {}, { deleted: false }],
	[
		'clearCustomField',
		{ customFieldId: by('id', '12') },
		{ cleared: false, clearedCustomField: '12' },
	],
])(
	'%s reports a missing contact as an error, or succeeds if Ignore Not Found is on',
	async (operation, more, done) => {
		const { run, workspace } = await people('newer', [{ 'Order No': '1' }]);
		const remove = async (options: INodeParameters) =>
			await run({
				resource: 'contact',
				operation,
				identifier: by('customField', 'Order No = 2'),
				options,
				...more,
			} as INodeParameters);
		expect(shownOf(await remove({}))).toContain(
			'No contact has Order No = 2. Nothing was changed.',
		);
		expect((await remove({ ignoreMissing: true })).json).toEqual([
			{ success: true, contact: 'customField:Order No=2', ...done },
		]);
		expect((await received(workspace)).every(({ method }) => method === 'GET')).toBe(true);
		// What is left of it in another operation means nothing there.
		const left = await run({
			resource: 'contact',
			operation: 'get',
			identifier: by('customField', 'Order No = 2'),
			options: { ignoreMissing: true },
		});
		expect(shownOf(left)).toContain('No contact has Order No = 2.');
	},
);

test('Items that spell one custom field value differently share the look-up and keep their order', async () => {
	const { run, workspace, fields } = await people('newer', [{ 'Order No': '1' }]);
	await workspace.faults({ latencyMs: [0, 20] });
	const spellings = ['Order No = 1', `${fields['Order No']}=1`, 'order no =1'];
	const items = Array.from({ length: 12 }, (_, n) => ({
		who: spellings[n % 3],
		text: `Message ${n}`,
	}));
	const { error } = await run(
		{
			resource: 'message',
			operation: 'send',
			identifier: by('customField', fromItem('who')),
			text: fromItem('text'),
		},
		items,
	);
	expect(error).toBeUndefined();
	const { messages } = await workspace.journal();
	expect(messages.map(({ text }) => text)).toEqual(items.map(({ text }) => text));
	expect((await workspace.summary()).byOperation).toMatchObject({
		findContactsByCustomField: 2,
		getContact: 1,
	});
});

test('Create or Update creates no contact for a custom field value that no contact has', async () => {
	const { run, workspace } = await people('newer', [{ 'Order No': '1' }]);
	const result = await run({
		resource: 'contact',
		operation: 'upsert',
		email: 'ann@example.com',
		options: { identifier: by('customField', 'Order No = 2') },
	});
	expect(shownOf(result)).toContain('No contact has Order No = 2. Nothing was changed.');
	expect((await workspace.state()).contacts).toHaveLength(1);
});

test('The node checks the contact that the service finds by a custom field', async () => {
	const { get, workspace } = await people('newer', [{ 'Order No': '1' }]);
	expect(names(await get('Order No = 1'))).toEqual(['P0']);
	expect((await workspace.summary()).byOperation).toMatchObject({
		findContactsByCustomField: 2,
		getContact: 2,
	});
});

test('The node reads the whole list, and shows a hint, if the service cannot search by a custom field (difference 18)', async () => {
	const { get, workspace } = await people(
		'newer',
		[{ 'Order No': '1' }, { 'Order No': '11' }],
		undefined,
		{
			faults: { missing: { findContactsByCustomField: 404, listFilterFields: 404 } },
		},
	);
	const result = await get('Order No = 1');
	expect(names(result)).toEqual(['P0']);
	expect(result.hints).toEqual([HINT]);
	expect((await workspace.summary()).byOperation.listContacts).toBe(3);
});

test('The node filters the list of a newer service that cannot search by a custom field', async () => {
	const rows = Array.from({ length: 120 }, (_, n) => ({ 'Order No': `N${n}` }));
	const { get, workspace } = await people('newer', rows, undefined, {
		faults: { missing: { findContactsByCustomField: 404 } },
	});
	const result = await get('Order No = N7');
	expect(names(result)).toEqual(['P7']);
	expect(result.hints).toEqual([]);
	expect((await workspace.summary()).byOperation.listContacts).toBeLessThanOrEqual(4);
});

test('A service that does not show custom field values finds no contact by them', async () => {
	const { get, workspace } = await people('newer', [{ 'Order No': '1' }], undefined, {
		faults: { missing: { findContactsByCustomField: 404, listFilterFields: 404 } },
	});
	await workspace.faults({ fail: [{ status: 422, match: { pathPattern: 'include' } }] });
	expect(shownOf(await get('Order No = 1'))).toContain(
		"This service lists contacts without their custom fields, so n8n can't find a contact by one.",
	);
});

test('The ID selects a custom field that an older service does not list', async () => {
	const more = Array.from({ length: 50 }, (_, n) => [`Field ${n}`, 'shortText']);
	const { get, fields } = await people('older', [{ 'Order No': '1' }, { 'Order No': '2' }], {
		'Order No': 'shortText',
		...Object.fromEntries(more),
	});
	expect(names(await get(`${fields['Order No']} = 2`))).toEqual(['P1']);
	expect(shownOf(await get('Order No = 2'))).toContain(
		'The service only lists its first 50 custom fields. ',
	);
});

test('A look-up by a custom field that fails does not count as "no such contact"', async () => {
	const { get, workspace } = await people('newer', [{ 'Order No': '1' }]);
	await workspace.faults({
		fail: [{ status: 503, match: { pathPattern: 'find-by-custom-field' } }],
	});
	const once = { requestOptions: { maxRetries: 0, giveUpAfter: 0 } };
	expect(shownOf(await get('Order No = 1', undefined, once))).toContain('The service failed (503)');
});

test('The contact of a tool can be a custom field with its prefix, and cannot be one without', async () => {
	const { workspace } = await people('reference', [{ 'Order No': '1' }, { 'Order No': '2' }]);
	const tool = toolOf(workspace, {
		resource: 'contact',
		operation: 'get',
		contact: '={{ $json.who }}',
	});
	expect(await tool({ who: 'customField:Order No = 2' })).toMatchObject([{ firstName: 'P1' }]);
	await expect(tool({ who: 'Order No = 2' })).rejects.toThrow(
		'Contact must be an ID made of digits',
	);
});
