import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { by, fromItem, writesOf } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import { newerWorkspace } from '../import/helpers';
import { withTemplates } from '../template/helpers';

/*
 * Numbers in JSON with more digits than JavaScript keeps. As text, they would be other numbers.
 */

/** JSON with 7615917337495251231 as a number, as n8n's nodes read it. */
const lossy = JSON.parse('{"no": 7615917337495251231}') as IDataObject;
const exact = { no: '7615917337495251231' };
const NUMBER = 'the number 7615917337495251000, whose digits are not exact; enter it as text';

async function withOrderNo(type: 'shortText' | 'number' = 'shortText') {
	const test = await testWorkspace({ contacts: 0, service: 'newer', counts: { customFields: 0 } });
	const { workspace } = test;
	const { channels } = await workspace.state();
	const inbox = channels.find(({ channel }) => channel === 'webchat')!.id;
	const { id } = await workspace.add('customFields', { name: 'No', type });
	const [ann] = await workspace.addContacts([
		{ email: 'ann@example.com', phoneNumber: '+4915100000001' },
	]);
	await workspace.clearJournal();
	return { ...test, id, ann, inbox };
}

const operations: Array<[operation: string, more: INodeParameters]> = [
	['setCustomFields', { identifier: by('email', 'ann@example.com') }],
	['update', { identifier: by('email', 'ann@example.com'), updateFields: { firstName: 'Ann' } }],
	[
		'create',
		{
			email: 'bob@example.com',
			phoneNumber: '+4915100000002',
			additionalFields: { inboxId: by('id', fromItem('inbox')) },
		},
	],
	['upsert', { email: 'ann@example.com' }],
	['upsert', { email: 'bob@example.com', phoneNumber: '+4915100000002' }],
];
const mappings: Array<[name: string, customFields: (id: string) => INodeParameters]> = [
	['by hand', (id) => ({ mappingMode: 'defineBelow', value: { [id]: fromItem('no') } })],
	['by the names of columns', () => ({ mappingMode: 'autoMapInputData', value: null })],
];

describe.each(mappings)('A custom field that is mapped %s', (_, customFields) => {
	test.each(operations)(
		'is not set by %s to a number that lost digits',
		async (operation, more) => {
			const { run, workspace, id, inbox } = await withOrderNo();
			const parameters = {
				resource: 'contact',
				operation,
				withCustomFields: true,
				...more,
				customFields: customFields(id),
			};
			const { error } = await run(parameters, [{ ...lossy, inbox }]);
			expect(error?.message).toContain(`Custom field No is ${NUMBER}.`);
			expect(error?.message).toContain('[item 0]');
			expect(await writesOf(workspace)).toEqual([]);
			const { error: none } = await run(parameters, [{ ...exact, inbox }]);
			expect(none).toBeUndefined();
			const { contacts } = await workspace.state();
			const values = contacts.flatMap((contact) => contact.contactCustomFields ?? []);
			expect(values).toMatchObject([{ value: exact.no }]);
		},
	);

	test('is left out of an import if its number lost digits', async () => {
		const { run, workspace, into } = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await workspace.add('customFields', { name: 'No', type: 'shortText' });
		const parameters = into('whatsapp', 'items', {
			phoneNumber: fromItem('phone'),
			customFields: customFields(id),
		});
		const { error } = await run(parameters, [{ phone: '+4915100000001', ...lossy }]);
		expect(error?.message).toContain(`Custom field No is ${NUMBER}.`);
		expect(await writesOf(workspace)).toEqual([]);
	});
});

test('A custom field of the type number does not take a number that lost digits either', async () => {
	const { run, id } = await withOrderNo('number');
	const customFields = { mappingMode: 'defineBelow', value: { [id]: fromItem('no') } };
	const parameters = { resource: 'contact', operation: 'setCustomFields', customFields };
	const { error } = await run({ ...parameters, identifier: by('email', 'ann@example.com') }, [
		lossy,
	]);
	expect(error?.message).toContain(`Custom field No is ${NUMBER}.`);
});

test.each([
	['a text around it', 'No. {{ $json.no }}', lossy],
	['the number as text, which comes too late', '{{ $json.no.toString() }}', lossy],
	['a list', '{{ [$json.no] }}', lossy],
	['a field inside the item', '{{ "No. " + $json.order.no }}', { order: lossy }],
])('A custom field does not take %s', async (_, expression, item) => {
	const { run, workspace, id } = await withOrderNo();
	const customFields = { mappingMode: 'defineBelow', value: { [id]: `=${expression}` } };
	const parameters = { resource: 'contact', operation: 'setCustomFields', customFields };
	const { error } = await run({ ...parameters, identifier: by('email', 'ann@example.com') }, [
		item,
	]);
	expect(error?.message).toContain(`Custom field No contains ${NUMBER}.`);
	expect(await writesOf(workspace)).toEqual([]);
});

test('A preview of Create or Update says which row has a number that lost digits', async () => {
	const { run, workspace, id } = await withOrderNo();
	const { json, error } = await run(
		{
			resource: 'contact',
			operation: 'upsert',
			email: 'ann@example.com',
			withCustomFields: true,
			customFields: { mappingMode: 'defineBelow', value: { [id]: fromItem('no') } },
			options: { preview: true },
		},
		[lossy],
	);
	expect(error).toBeUndefined();
	expect(JSON.stringify(json)).toContain(`Custom field No is ${NUMBER}`);
	expect(await writesOf(workspace)).toEqual([]);
});

test('A column that is not mapped does no harm, nor does a number that JavaScript keeps', async () => {
	const { run, workspace, id, ann } = await withOrderNo();
	const value = { [id]: fromItem('exact') };
	const parameters = {
		resource: 'contact',
		operation: 'setCustomFields',
		identifier: by('id', ann.id),
	};
	for (const exactNumber of [Number.MAX_SAFE_INTEGER, '1234567890123456789']) {
		const customFields = { mappingMode: 'defineBelow', value };
		const items = [{ ...lossy, exact: exactNumber }];
		expect((await run({ ...parameters, customFields }, items)).error).toBeUndefined();
	}
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	const items = [{ no: 'A-1', other: lossy.no }];
	expect((await run({ ...parameters, customFields: automatic }, items)).error).toBeUndefined();
	const writes = await writesOf(workspace);
	const values = writes.map(({ body }) => (body as { operations: unknown[] }).operations[0]);
	expect(values).toMatchObject(
		['9007199254740991', '1234567890123456789', 'A-1'].map((each) => ({ value: each })),
	);
});

test.each([
	['contactId', 'ID on the Channel'],
	['phoneNumber', 'Phone Number'],
	['email', 'Email'],
	['firstName', 'First Name'],
	['lastName', 'Last Name'],
])('The column %s of an import does not take a number that lost digits', async (column, label) => {
	const { run, workspace, into } = await newerWorkspace();
	const make = (expression: string) => into('webchat', 'items', { [column]: expression });
	const { error } = await run(make(fromItem('no')), [lossy]);
	expect(error?.message).toContain(`${label} is ${NUMBER}`);
	const { error: inText } = await run(make('=x{{ $json.no }}'), [lossy]);
	expect(inText?.message).toContain(`${label} contains ${NUMBER}`);
	expect(await writesOf(workspace)).toEqual([]);
});

describe('A contact', () => {
	const choices: Array<[name: string, mode: string, expression: string]> = [
		['by custom field', 'customField', '=No={{ $json.no }}'],
		['by custom field, as one expression', 'customField', '={{ "No=" + $json.no }}'],
		[
			'by custom field, of an earlier node',
			'customField',
			`=No={{ (${JSON.stringify(lossy)}).no }}`,
		],
		['by ID', 'id', '=id:{{ $json.no }}'],
	];

	test.each(choices)(
		'%s is not looked for if its number lost digits',
		async (name, mode, chosen) => {
			const { run, workspace } = await withOrderNo();
			const [other] = await workspace.addContacts([{ firstName: 'Other' }]);
			const customFields = { mappingMode: 'defineBelow', value: { No: '7615917337495251000' } };
			const shared = { resource: 'contact', operation: 'setCustomFields' };
			await run({ ...shared, identifier: by('id', other.id), customFields });
			await workspace.clearJournal();
			const identifier = by(mode, chosen);
			const get = { resource: 'contact', operation: 'get', identifier };
			const { error } = await run(get, [name.endsWith('earlier node') ? {} : lossy]);
			expect(error?.message).toBe(`Contact contains ${NUMBER} [item 0]`);
			expect((await workspace.journal()).requests).toEqual([]);
		},
	);

	test('of Create or Update is not looked for if its number lost digits', async () => {
		const { run, workspace } = await withOrderNo();
		const options = { identifier: by('customField', '=No={{ $json.no }}') };
		const parameters = {
			resource: 'contact',
			operation: 'upsert',
			email: 'x@example.com',
			options,
		};
		const { error } = await run(parameters, [lossy]);
		expect(error?.message).toContain(`Contact contains ${NUMBER}`);
		expect((await workspace.journal()).requests).toEqual([]);
	});

	test('by custom field is found by digits that arrive as text', async () => {
		const { run, id, ann } = await withOrderNo();
		const customFields = { mappingMode: 'defineBelow', value: { [id]: exact.no } };
		const shared = { resource: 'contact', operation: 'setCustomFields' };
		await run({ ...shared, identifier: by('id', ann.id), customFields });
		const identifier = by('customField', '=No={{ $json.no }}');
		const { json } = await run({ resource: 'contact', operation: 'get', identifier }, [exact]);
		expect(json).toMatchObject([{ id: ann.id }]);
	});
});

describe('A value of a template', () => {
	const label = '"Text 2 of 2: your order ▢ is on its way."';
	const automatic = { mappingMode: 'autoMapInputData', value: null };

	test.each([
		['entered by hand', { value: { body_1: 'Ann', body_2: fromItem('no') } }, lossy, 'is'],
		['inside a text', { value: { body_1: 'Ann', body_2: '=A-{{ $json.no }}' } }, lossy, 'contains'],
		['mapped by name', automatic, { body_1: 'Ann', body_2: lossy.no }, 'is'],
	])('is no number that lost digits, %s', async (_, templateParams, item, verb) => {
		const { run, workspace, send } = await withTemplates();
		const { error } = await run(send('order_shipped', {}, { templateParams }), [item]);
		expect(error?.message).toContain(label);
		expect(error?.message).toContain(`of the template ${verb} ${NUMBER} [item 0]`);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test.each([
		'{"body.1": "Ann", "body.2": 7615917337495251231}',
		{ 'body.1': 'Ann', 'body.2': lossy.no },
	])('is no number that lost digits in %j of an agent', async (values) => {
		const { workspace, ann } = await withTemplates();
		const call = toolOf(workspace, {
			resource: 'message',
			operation: 'sendTemplate',
			contact: `id:${ann.id}`,
			templateName: 'order_shipped',
			language: 'en_US',
			templateValues: '={{ $json.values }}',
		});
		await expect(call({ values })).rejects.toThrow(`(body.2) of the template is ${NUMBER}`);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test.each([
		[fromItem('no'), 'must be 1 to 1,000 characters long, but is'],
		['=Number {{ $json.no }}', 'contains'],
	])(
		'is no number that lost digits in the text that goes out instead: %s',
		async (text, problem) => {
			const { run, workspace, send } = await withTemplates();
			const options = { textIfRecent: text };
			const values = { body_1: 'Ann', body_2: 'A-100' };
			const { error } = await run(send('order_shipped', values, { options }), [lossy]);
			expect(error?.message).toBe(`Text Within 24 Hours ${problem} ${NUMBER} [item 0]`);
			expect(await writesOf(workspace)).toEqual([]);
		},
	);
});

test('A condition does not compare with a number that lost digits', async () => {
	const { run, workspace, id } = await withOrderNo();
	const condition = { customField: `${id}:text`, textOperator: 'eq', text: fromItem('no') };
	const conditions = { customFields: [condition] };
	const { error } = await run({ resource: 'contact', operation: 'count', conditions }, [lossy]);
	expect(error?.message).toContain(`The condition on Custom Field "No" contains ${NUMBER}`);
	const { requests } = await workspace.journal();
	expect(requests.filter(({ operation }) => operation === 'listContacts')).toEqual([]);
});
