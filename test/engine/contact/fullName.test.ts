import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ServiceName } from '../../../sandbox/services/names';
import { by, fromItem, writesOf } from '../../support/engine/helpers';
import { TOOL } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import { newerWorkspace } from '../import/helpers';

/* One column for the whole name, as most sheets have it. */

const upsert = (options: INodeParameters = {}): INodeParameters => ({
	...{
		resource: 'contact',
		operation: 'upsert',
		email: fromItem('mail'),
		phoneNumber: fromItem('phone'),
	},
	additionalFields: { fullName: fromItem('name') },
	options,
});
const update = (updateFields: INodeParameters): INodeParameters => ({
	...{ resource: 'contact', operation: 'update', identifier: by('email', fromItem('mail')) },
	updateFields,
});
const row = (name: unknown, n = 1) =>
	({ name, mail: `p${n}@example.com`, phone: `+491510000010${n}` }) as IDataObject;

/** Full names, with the first and the last name that they are split into. */
const names: Array<[name: unknown, first: string, last: string | null]> = [
	['Nathan Reed', 'Nathan', 'Reed'],
	['Nathan', 'Nathan', null],
	['Mary Ann Lee', 'Mary Ann', 'Lee'],
	['  Nathan \u00a0 Reed\t', 'Nathan', 'Reed'],
	['山田\u3000太郎', '山田', '太郎'],
	['山田太郎', '山田太郎', null],
	[['Nathan', 'Reed'], 'Nathan,', 'Reed'],
	["Sinéad O'Neil", 'Sinéad', "O'Neil"],
	['A', 'A', null],
];

test('Full Name is split at the last blank, and one word is a first name, in all operations', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const rows = names.map(([name], n) => row(name, n));
	const parts = names.map(([, firstName, lastName]) => ({ firstName, lastName }));
	const created = await run({ ...upsert(), operation: 'create', gender: 'male' }, rows);
	expect(created.error).toBeUndefined();
	expect(created.json).toMatchObject(parts);
	expect(created.hints).toEqual([]);

	const clear = await run(update({ firstName: '', lastName: '' }), rows);
	expect(clear.error).toBeUndefined();
	const updated = await run(update({ fullName: fromItem('name') }), rows);
	expect(updated.error).toBeUndefined();
	const state = await workspace.state();
	expect(state.contacts.map(({ firstName }) => firstName)).toEqual(names.map(([, first]) => first));

	const others = rows.map((each, n) => ({
		...each,
		...row(each.name, n + 10),
		phone: `+49151000020${n}0`,
	}));
	expect((await run(upsert(), others)).json).toMatchObject(parts);
});

describe.each<ServiceName>(['older', 'reference', 'newer'])(
	'A contact whose full name is already that is left alone, on a service of the kind %s,',
	(service) => {
		const withMary = async () => {
			const test = await testWorkspace({ contacts: 0, service });
			const { mail, phone } = row('');
			const mary = { firstName: 'Mary Ann', lastName: 'van der Berg' };
			await test.workspace.addContacts([
				{ email: String(mail), phoneNumber: String(phone), ...mary },
			]);
			await test.workspace.clearJournal();
			return test;
		};

		test.each<[string, INodeParameters]>([
			['Create or Update', upsert()],
			["the service's own upsert", upsert({ serverUpsert: true })],
			['Update', update({ fullName: fromItem('name') })],
		])('in %s', async (_, parameters) => {
			const { run, workspace } = await withMary();
			const same = [row('Mary Ann van der Berg'), row(' Mary Ann  van der\u00a0Berg')];
			const { json, error } = await run(parameters, same);
			expect(error).toBeUndefined();
			expect(json.map((each) => each.updated ?? each.changedFields)).toEqual([[], []]);
			expect(json.map(({ fullName }) => fullName)).toEqual(same.map(() => 'Mary Ann van der Berg'));
			expect(await writesOf(workspace)).toEqual([]);

			const other = await run(parameters, [row('Mary Berg'), row('Mary')]);
			expect(other.json.map(({ fullName }) => fullName)).toEqual(['Mary Berg', 'Mary Berg']);
			const { firstName, lastName } = await workspace.contact('email:p1@example.com');
			expect([firstName, lastName]).toEqual(['Mary', 'Berg']);
		});
	},
);

test('A blank Full Name changes nothing, in Update either', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	await run(upsert(), [row('Nathan Reed')]);
	await workspace.clearJournal();
	const blank = ['', ' ', '\u00a0', null, []].map((name) => row(name));
	const { json } = await run(upsert(), blank);
	expect(json.map(({ outcome }) => outcome)).toEqual(blank.map(() => 'unchanged'));
	const { error } = await run(update({ fullName: fromItem('name') }), blank.slice(0, 1));
	expect(error?.message).toContain('Fill in at least one field to update');
	expect(await writesOf(workspace)).toEqual([]);
});

describe('Before anything is sent, Full Name is refused', () => {
	const long = 'x'.repeat(101);
	test.each<[string, unknown, INodeParameters, string]>([
		[
			'beside a First Name',
			'Nathan Reed',
			{ firstName: 'Nathan' },
			'Remove Full Name, or First Name and Last Name: only one of these can have a value [item 0]',
		],
		[
			'beside a Last Name',
			'Nathan',
			{ lastName: 'Reed' },
			'Remove Full Name, or First Name and Last Name: only one of these can have a value [item 0]',
		],
		[
			'with a long first name',
			`${long} Reed`,
			{},
			'Full Name must be a first and a last name of at most 100 characters each, but the first name has 101 [item 0]',
		],
		[
			'with a long last name',
			`Nathan ${long}`,
			{},
			'Full Name must be a first and a last name of at most 100 characters each, but the last name has 101 [item 0]',
		],
		[
			'if it is an object',
			{ first: 'Nathan' },
			{},
			'Full Name must be text, but is an object. Drag one of its fields, such as first. [item 0]',
		],
		[
			'if it is no text',
			true,
			{},
			'Full Name must be text, but is true. To choose a text by a condition, use {{ condition ? "one" : "other" }}. [item 0]',
		],
	])('%s', async (_, name, more, message) => {
		const { run, workspace } = await testWorkspace({ contacts: 0 });
		const fields = { ...more, fullName: fromItem('name') };
		const all = [
			{ ...upsert(), additionalFields: fields },
			{ ...upsert(), operation: 'create', gender: 'male', additionalFields: fields },
			update(fields),
		];
		for (const parameters of all) {
			const { error } = await run(parameters, [row(name)]);
			expect(error?.message).toBe(message);
		}
		expect((await workspace.summary()).requests).toBe(0);
	});
});

test('Empty cells for First Name and Last Name may stand beside Full Name, and a tool has it, too', async () => {
	const { run } = await testWorkspace({ contacts: 0 });
	const additionalFields = { fullName: fromItem('name'), firstName: '', lastName: ' ' };
	const parameters = { ...upsert(), additionalFields };
	for (const node of [undefined, TOOL]) {
		const { json } = await run(parameters, [row('Nathan Reed')], { node });
		expect(json).toMatchObject([{ firstName: 'Nathan', lastName: 'Reed' }]);
	}
});

test('Import from items splits Full Name, too', async () => {
	const test = await newerWorkspace();
	const fields = { contactId: fromItem('mail'), fullName: fromItem('name') };
	const { error } = await test.run(test.into('webchat', 'items', fields), [
		row('Mary Ann Lee', 1),
		row('Nathan', 2),
		row('', 3),
	]);
	expect(error).toBeUndefined();
	const [file] = (await test.workspace.state()).files.slice(-1);
	expect(file.rows).toEqual([
		{ contactId: 'p1@example.com', firstName: 'Mary Ann', lastName: 'Lee' },
		{ contactId: 'p2@example.com', firstName: 'Nathan', lastName: '' },
		{ contactId: 'p3@example.com', firstName: '', lastName: '' },
	]);
});

describe('A first name that already contains the last name gets a hint', () => {
	const hint = (items: string, name: string) =>
		`First Name contains the last name already, for ${items}: "${name}". For a whole name, use Full Name.`;
	const both = { firstName: fromItem('first'), lastName: fromItem('last') };
	const people = [
		{ ...row('', 1), first: 'Nathan Reed', last: 'Reed' },
		{ ...row('', 2), first: 'Mary Ann van der Berg', last: 'van der Berg' },
		{ ...row('', 3), first: 'Ali', last: 'Ali' },
		{ ...row('', 4), first: 'Reedley', last: 'Reed' },
		{ ...row('', 5), first: 'Ann', last: '' },
	];

	test.each<[string, INodeParameters]>([
		['Create', { ...upsert(), operation: 'create', gender: 'male', additionalFields: both }],
		['Create or Update', { ...upsert(), additionalFields: both }],
		['Preview', { ...upsert({ preview: true }), additionalFields: both }],
	])('in %s', async (_, parameters) => {
		const { run } = await testWorkspace({ contacts: 0 });
		const { hints } = await run(parameters, people);
		expect(hints).toContain(hint('2 items', 'Nathan Reed Reed'));
	});

	test('in Update and Import from items', async () => {
		const test = await newerWorkspace();
		await test.workspace.addContacts(
			people.map((each: IDataObject) => ({ email: String(each.mail) })),
		);
		const updated = await test.run(update(both), people);
		expect(updated.hints).toEqual([hint('2 items', 'Nathan Reed Reed')]);
		const fields = { contactId: fromItem('mail'), ...both };
		const imported = await test.run(test.into('webchat', 'items', fields), people.slice(1, 3));
		expect(imported.hints).toContain(hint('1 item', 'Mary Ann van der Berg van der Berg'));
	});

	test('also if the contact has the last name already', async () => {
		const { run } = await testWorkspace({ contacts: 0 });
		await run(upsert(), [row('Nathan Reed')]);
		const parameters = { ...upsert(), additionalFields: { firstName: fromItem('name') } };
		const { hints } = await run(parameters, [row('Nathan Reed')]);
		expect(hints).toEqual([hint('1 item', 'Nathan Reed Reed')]);
	});

	test('but not if Full Name has the same surname twice', async () => {
		const { run } = await testWorkspace({ contacts: 0 });
		const { json, hints } = await run(upsert(), [row('María García García')]);
		expect(json).toMatchObject([{ firstName: 'María García', lastName: 'García' }]);
		expect(hints).toEqual([]);
	});
});
