import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { by, fromItem, received } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { testWorkspace, type TestWorkspace } from '../../support/engine/workspace';
import { asContacts, newerWorkspace } from '../import/helpers';

/* One function reads the phone numbers of all fields: each field gets one number of each kind. */

type Case = [
	kind: string,
	typed: unknown,
	code: string,
	sent: string | undefined,
	refused?: string,
];

const numbers: Case[] = [
	['a trunk prefix', '8 912 345-67-89', '+7', '+79123456789'],
	['a trunk prefix after the country code', '+49 0151 555 01234', '+1', '+4915155501234'],
	['an exit code', '011 49 151 555 01234', '+1', '+4915155501234'],
	['a number that lost its 0', 612345678, '+33', '+33612345678'],
	['digits with the default code', '4915155501234', '+49', '+4915155501234'],
	['a decimal place', '+34612345678.0', '+49', '+34612345678'],
	['full-width digits', '＋４９　１５１　５５５　０１２３４', '+1', '+4915155501234'],
	['an address of WhatsApp', '5511999999999:12@s.whatsapp.net', '+49', '+5511999999999'],
	['the form of WhatsApp', '+5215512345678', '+52', '+5215512345678'],
	['two numbers', '+49 30 12345 / 12346', '+49', undefined, 'must be one phone number'],
	['+ and 00', '+0049 151 555 01234', '+49', undefined, 'must begin with + and a country code'],
	['a group of WhatsApp', '120363041234@g.us', '+49', undefined, 'a WhatsApp group'],
];

const credentialOf = ({ workspace }: Pick<TestWorkspace, 'workspace'>, code: string) => ({
	credential: { baseUrl: workspace.url, accessToken: workspace.token, defaultCountryCode: code },
});

/** The fields, each with the parameters of an operation that has it. */
const fields: Array<[name: string, parameters: INodeParameters]> = [
	[
		'Phone Number of Create',
		{ operation: 'create', phoneNumber: fromItem(), email: 'ann@example.com', gender: 'unknown' },
	],
	[
		'Phone Number of Update',
		{
			operation: 'update',
			identifier: by('email', 'p@example.com'),
			updateFields: { phoneNumber: fromItem() },
		},
	],
	[
		'Phone Number of Create or Update',
		{ operation: 'upsert', phoneNumber: fromItem(), email: 'ann@example.com' },
	],
	[
		'Contact of Create or Update',
		{
			operation: 'upsert',
			email: 'ann@example.com',
			options: { identifier: by('phone', fromItem()) },
		},
	],
	['Contact by phone', { operation: 'get', identifier: by('phone', fromItem()) }],
	['Contact with a prefix', { operation: 'get', identifier: by('id', '=phone:{{ $json.value }}') }],
];

describe.each(numbers)('%s (%p with the code %s)', (_, typed, code, sent, refused) => {
	test.each(fields)('is read by the field %s', async (__, parameters) => {
		const made = await testWorkspace({ contacts: 0 });
		await made.workspace.addContacts([{ email: 'p@example.com' }]);
		await made.workspace.clearJournal();
		const { error } = await made.run(
			{ resource: 'contact', ...parameters },
			[{ value: typed } as IDataObject],
			credentialOf(made, code),
		);
		const requests = await received(made.workspace);
		const all = decodeURIComponent(JSON.stringify([requests, error?.message]));
		if (sent === undefined) {
			expect(error?.message).toContain(refused);
			expect(requests).toEqual([]);
		} else expect(all).toContain(sent);
		// The number as it was typed is in no request.
		if (sent?.includes(String(typed)) === false) expect(all).not.toContain(String(typed));
	});

	test('is read by a custom field', async () => {
		const made = await testWorkspace({ contacts: 1 });
		const { contacts, customFields } = await made.workspace.state();
		const { id } = customFields.find(({ type }) => type === 'phoneNumber')!;
		const { error } = await made.run(
			{
				resource: 'contact',
				operation: 'setCustomFields',
				identifier: by('id', contacts[0].id),
				customFields: { mappingMode: 'defineBelow', value: { [id]: fromItem() } },
			},
			[{ value: typed } as IDataObject],
			credentialOf(made, code),
		);
		if (sent === undefined) expect(error?.message).toContain(refused);
		else expect(JSON.stringify(await received(made.workspace))).toContain(`"${sent}"`);
	});

	test('is read by Import from items', async () => {
		const made = await newerWorkspace();
		const items = [{ phone: typed, name: 'Ann', mail: '' } as IDataObject];
		const parameters = made.into('whatsapp', 'items', asContacts);
		const { error } = await made.run(parameters, items, credentialOf(made, code));
		const { contacts } = await made.workspace.state();
		if (sent === undefined) expect(error?.message).toContain(refused);
		expect(contacts.map(({ phoneNumber }) => phoneNumber)).toEqual(sent ? [sent] : []);
	});
});

test('A tool takes an address of WhatsApp as the phone number of its contact', async () => {
	const { workspace } = await testWorkspace({ contacts: 0 });
	const phoneNumber = '+5511999999999';
	const [{ id }] = await workspace.addContacts([{ email: 'ann@example.com', phoneNumber }]);
	const get = { resource: 'contact', operation: 'get', contact: '5511999999999@s.whatsapp.net' };
	expect(await toolOf(workspace, get)()).toMatchObject([{ id, phoneNumber }]);
});

describe('An address of WhatsApp', () => {
	const address = '5511999999999@s.whatsapp.net';
	const refused = `must be an email address, but is "${address}", a WhatsApp number; enter it as the phone number`;

	test.each(['id', 'list', 'email', 'phone'])(
		'is a phone number in the mode %s of Contact',
		async (mode) => {
			const { run, workspace } = await testWorkspace({ contacts: 0 });
			const phoneNumber = '+5511999999999';
			const [{ id }] = await workspace.addContacts([{ email: 'ann@example.com', phoneNumber }]);
			const { json, error } = await run({
				resource: 'contact',
				operation: 'get',
				identifier: by(mode, address),
			});
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ id }]);
		},
	);

	test.each(['＋５５（１１）９９９９９－９９９９', '+٥٥١١٩٩٩٩٩٩٩٩٩', '5511999999999:12@c.us'])(
		'or a number in other digits can be entered in the panel: %s',
		async (text) => {
			const { run, workspace } = await testWorkspace({ contacts: 0 });
			const [{ id }] = await workspace.addContacts([{ phoneNumber: '+5511999999999' }]);
			for (const identifier of [by('phone', text), by('id', `phone:${text}`)]) {
				const { json, error } = await run({ resource: 'contact', operation: 'get', identifier });
				expect(error).toBeUndefined();
				expect(json).toMatchObject([{ id }]);
			}
		},
	);

	test('does not replace an email', async () => {
		const { run, workspace } = await testWorkspace({ contacts: 0 });
		const phoneNumber = '+5511999999999';
		await workspace.addContacts([{ email: 'ann@example.com', phoneNumber }]);
		await workspace.clearJournal();
		const item = { address, phoneNumber };
		for (const parameters of [
			{ operation: 'upsert', email: fromItem('address'), phoneNumber: fromItem('phoneNumber') },
			{
				operation: 'update',
				identifier: by('phone', phoneNumber),
				updateFields: { email: fromItem('address') },
			},
			{
				operation: 'create',
				email: fromItem('address'),
				phoneNumber: '+4915155501234',
				gender: 'unknown',
			},
			{ operation: 'get', identifier: by('id', `email:${address}`) },
		]) {
			const { error } = await run({ resource: 'contact', ...parameters }, [item]);
			expect(error?.message).toContain(refused);
		}
		expect(await received(workspace)).toEqual([]);
	});

	test('is no email of a custom field', async () => {
		const { run, workspace } = await testWorkspace({ contacts: 1 });
		const { contacts, customFields } = await workspace.state();
		const { id } = customFields.find(({ type }) => type === 'email')!;
		const { error } = await run({
			resource: 'contact',
			operation: 'setCustomFields',
			identifier: by('id', contacts[0].id),
			customFields: { mappingMode: 'defineBelow', value: { [id]: address } },
		});
		expect(error?.message).toContain(refused);
	});

	test('is no email of an imported item', async () => {
		const made = await newerWorkspace();
		const items = [{ phone: '+5511999999999', name: 'Ann', mail: address }];
		const { error } = await made.run(made.into('whatsapp', 'items', asContacts), items);
		expect(error?.message).toContain(refused);
	});
});

test('A contact without phone number and email is listed, messaged and updated by its ID', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, service: 'newer' });
	const [{ id }] = await workspace.addContacts([{ email: null, phoneNumber: null }]);
	const resource = 'contact';
	const listed = await run({ resource, operation: 'getAll', returnAll: true });
	expect(listed.json).toMatchObject([{ id, email: null, phoneNumber: null }]);
	const identifier = by('id', id);
	const updateFields = { firstName: 'Ann' };
	const updated = await run({ resource, operation: 'update', identifier, updateFields });
	expect(updated.error).toBeUndefined();
	const sent = await run({ resource: 'message', operation: 'send', identifier, text: 'Hi' });
	expect(sent.error).toBeUndefined();
	expect((await workspace.journal()).messages.map(({ contactId }) => contactId)).toEqual([id]);
});

test('Numbers that the default code cannot complete are sent as they are, and a hint names their items', async () => {
	const made = await testWorkspace({ contacts: 0 });
	const phones = [
		'33612345678',
		'0151 555 01235',
		'15155501234',
		'+4915155501234',
		'+336123456789',
	];
	const { hints, error } = await made.run(
		{
			resource: 'contact',
			operation: 'create',
			phoneNumber: fromItem('phone'),
			email: fromItem('email'),
			gender: 'unknown',
		},
		phones.map((phone, n) => ({ phone, email: `p${n}@example.com` })),
		credentialOf(made, '+49'),
	);
	expect(error).toBeUndefined();
	expect(hints).toEqual([
		'2 phone numbers have no country code and may not be of Default Country Code (items 0, 2), and were saved as typed. Enter them with + and the country code. n8n counts from 0: item 0 is the 1st.',
		'1 phone number has too many, too few or unusual digits for its country (item 4). Check it. n8n counts from 0: item 4 is the 5th.',
	]);
	const { contacts } = await made.workspace.state();
	expect(contacts.map(({ phoneNumber }) => phoneNumber).sort()).toEqual([
		'+336123456789',
		'+4915155501234',
		'+4915155501235',
		'15155501234',
		'33612345678',
	]);
});
