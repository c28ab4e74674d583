import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeHelpers } from 'n8n-workflow';
import type { IBinaryKeyData, IDataObject, INodeParameters } from 'n8n-workflow';
import { fileStorage } from '../../support/engine/files';
import { by, fromItem, received, shownOf } from '../../support/engine/helpers';
import { compiledNode } from '../../support/engine/engine';
import { toolNode } from '../../support/engine/tool';
import { sandbox, testWorkspace } from '../../support/engine/workspace';
import type { TestWorkspace } from '../../support/engine/workspace';
import type { Contact, WorkspaceOptions } from '../../../sandbox/types';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file of an input item, in the field "data". */
const fileOf = (
	content: string | Buffer,
	fileName = 'people.csv',
	mimeType = 'text/csv',
): IBinaryKeyData => ({
	data: { data: Buffer.from(content).toString('base64'), fileName, mimeType },
});

/** A workspace of a newer service, with the ID of each of its channels by type, and an import into one of them. */
async function newerWorkspace(options: WorkspaceOptions = {}) {
	const test = await testWorkspace({ contacts: 0, service: 'newer', importMs: 200, ...options });
	const { channels } = await test.workspace.state();
	const inbox = (type: string) => channels.find(({ channel }) => channel === type)!.id;
	const into = (type: string, source: string, more: INodeParameters = {}): INodeParameters => ({
		resource: 'contact',
		operation: 'import',
		source,
		inboxId: by('list', inbox(type)),
		...more,
	});
	return { ...test, inbox, into };
}

const importsIn = async ({ workspace }: Pick<TestWorkspace, 'workspace'>) =>
	(await workspace.journal()).requests.filter(({ operation }) => operation === 'importContacts');

const contactsIn = async ({ workspace }: Pick<TestWorkspace, 'workspace'>) =>
	(await workspace.state()).contacts;

const people = (contacts: Contact[]) =>
	contacts.map(({ firstName, lastName, email, phoneNumber }) => [firstName, lastName, email, phoneNumber]);

describe('a file from the input', () => {
	test('is uploaded, mapped and imported, and its end is waited for', async () => {
		const test = await newerWorkspace();
		const { workspace, run, into } = test;
		const plan = await workspace.add('customFields', { name: 'Plan', type: 'shortText' });
		const csv =
			'Mobile,First name,Surname,plan,Notes\r\n+4915112345678,"Ann, ""A""",Müller,pro,x\r\nnonsense,Cem,,free,y\r\n';
		const { json, error } = await run(into('whatsapp', 'input'), [{ row: 1 }], { files: [fileOf(csv)] });
		expect(error?.message).toBeUndefined();
		expect(json).toEqual([
			{
				success: true,
				started: true,
				fileId: expect.stringMatching(/^\d+$/) as string,
				importId: expect.stringMatching(/^\d+$/) as string,
				status: 'completed',
				totalCount: 2,
				successCount: 1,
				failedCount: 1,
				errorSample: [{ row: 3, reason: 'Invalid phone' }],
				mappedColumns: [
					{ column: 'Mobile', field: 'phoneNumber' },
					{ column: 'First name', field: 'firstName' },
					{ column: 'Surname', field: 'lastName' },
					{ column: 'plan', field: 'Plan' },
				],
				unusedColumns: ['Notes'],
			},
		]);
		const [contact, ...others] = await contactsIn(test);
		expect(others).toEqual([]);
		expect(people([contact])).toEqual([['Ann, "A"', 'Müller', null, '+4915112345678']]);
		expect(contact.contactCustomFields).toMatchObject([{ customFieldId: plan.id, value: 'pro' }]);
	});

	test('is put to its address as it is, without the token', async () => {
		await sandbox.clearUnknownRequests();
		const { workspace, run, into } = await newerWorkspace();
		const csv = '\uFEFFMobile\n+4915112345678\n';
		await run(into('whatsapp', 'input'), [{}], {
			files: [fileOf(csv, 'Liste März.CSV', 'application/vnd.ms-excel')],
		});
		const { uploads } = await workspace.journal();
		expect(uploads).toMatchObject([
			{ fileName: 'Liste März.CSV', contentType: 'text/csv', size: Buffer.byteLength(csv) },
		]);
		const unknownRequests = (await sandbox.unknownRequests('/storage/')).filter(({ listener }) => listener === 'other');
		expect(unknownRequests.length).toBeGreaterThan(0);
		for (const { authorization, carriesKnownToken, headers, method } of unknownRequests) {
			expect([method, authorization, carriesKnownToken]).toEqual(['PUT', 'none', false]);
			expect(headers).not.toContain('idempotency-key');
		}
	});

	test('of Excel is imported, whatever its name', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		await test.workspace.add('customFields', { name: 'Plan & Price', type: 'shortText' });
		const content = readFileSync(join(__dirname, 'people.xlsx'));
		const options = { countryCode: '+49' };
		const { json } = await test.run(test.into('whatsapp', 'input', { options }), [{}], {
			files: [fileOf(content, 'people', XLSX)],
		});
		expect(json).toMatchObject([
			{ totalCount: 3, successCount: 2, errorSample: [{ row: 4 }], unusedColumns: [] },
		]);
		const { uploads } = await test.workspace.journal();
		expect(uploads).toMatchObject([{ fileName: 'people.xlsx', contentType: XLSX, size: content.length }]);
		const contacts = await contactsIn(test);
		expect(contacts.map(({ firstName }) => firstName)).toEqual(['Zoë <Z>', 'Groß, "Jr."']);
		expect(contacts[0]).toMatchObject({
			phoneNumber: '+4915112345678',
			contactCustomFields: [{ value: 'pro' }],
		});
	});

	test('has its national numbers completed by the credential, where no option says how', async () => {
		const test = await newerWorkspace();
		const { url: baseUrl, token: accessToken } = test.workspace;
		const credential = { baseUrl, accessToken, defaultCountryCode: '+49' };
		const files = [fileOf('tel\n015112345678\n')];
		await test.run(test.into('whatsapp', 'input'), [{}], { files, credential });
		expect(people(await contactsIn(test))).toEqual([[null, null, null, '+4915112345678']]);
	});

	test('that nobody can read is not imported', async () => {
		const { workspace, run, into } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'input'), [{}], {
			files: [fileOf('PK', 'people.xlsx', XLSX)],
		});
		expect(error?.message).toMatch(/Unable to read headers.*\[item 0\]$/);
		expect((await workspace.journal()).imports).toEqual([]);
	});

	test('brings its umlauts, leading zeros and numbers with + as they are', async () => {
		const test = await newerWorkspace();
		const csv = 'id,Vorname,Nachname,email,tel\r\n007,Zoë,"Groß, Jr.",zoe@example.com,+4915112345678\r\n';
		const { error } = await test.run(test.into('webchat', 'input'), [{}], { files: [fileOf(csv)] });
		expect(error?.message).toBeUndefined();
		expect(people(await contactsIn(test))).toEqual([
			['Zoë', 'Groß, Jr.', 'zoe@example.com', '+4915112345678'],
		]);
		const [{ body }] = await importsIn(test);
		expect(body).toMatchObject({
			channel: 'webchat',
			contactId: 'id',
			firstName: 'Vorname',
			lastName: 'Nachname',
		});
	});

	test.each([10, 11])('with columns for %d custom fields', async (count) => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const names = Array.from({ length: count }, (_, index) => `Field ${index}`);
		for (const name of names) await test.workspace.add('customFields', { name, type: 'shortText' });
		const csv = `phone,${names.join(',')}\n+4915112345678,${names.map((name) => `value of ${name}`).join(',')}\n`;
		const { json, error } = await test.run(test.into('whatsapp', 'input'), [{}], { files: [fileOf(csv)] });
		if (count === 11) {
			expect(error?.message).toContain('An import takes at most 10 custom fields, but these are 11.');
			expect(await importsIn(test)).toEqual([]);
			return;
		}
		expect(json[0].unusedColumns).toEqual([]);
		const [{ contactCustomFields }] = await contactsIn(test);
		expect(contactCustomFields.map(({ value }) => value)).toEqual(names.map((name) => `value of ${name}`));
	});

	test('is imported although nobody can tell the names of its custom fields', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'Plan', type: 'shortText' });
		await test.workspace.faults({ fail: [{ status: 403, match: { pathPattern: 'custom-fields' } }] });
		const options = {
			phoneNumber: 'phone',
			fieldMapping: { columns: [{ column: 'Abo', customFieldId: id }] },
		};
		const { json, error } = await test.run(
			test.into('whatsapp', 'input', { mapping: 'manual', options }),
			[{}],
			{ files: [fileOf('phone,Abo\n+4915112345678,pro\n')] },
		);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([
			{
				successCount: 1,
				mappedColumns: [
					{ column: 'phone', field: 'phoneNumber' },
					{ column: 'Abo', field: id },
				],
			},
		]);
	});

	test('that n8n has put into the JSON (Binary Mode combined) is found by its path, which the error tells', async () => {
		const test = await newerWorkspace();
		const _files = { list: fileOf('phone\n+4915112345678\n').data } as unknown as IDataObject;
		const parameters = test.into('whatsapp', 'input');
		const { error } = await test.run(parameters, [{ _files }], { binaryMode: 'combined' });
		expect(error?.message).toBe(
			'Input Binary Field "data" does not exist: the input has only _files.list [item 0]',
		);
		const byPath = await test.run({ ...parameters, binaryPropertyName: '_files.list' }, [{ _files }], {
			binaryMode: 'combined',
		});
		expect(byPath.json).toMatchObject([{ successCount: 1 }]);
	});

	test.each([
		'{{ $binary.data }}',
		'{{ $binary.data.id }}',
		"{{ $('Feed').item.binary.data }}",
		"{{ $('Feed').item.binary.data.id }}",
	])('is also found by an expression that leads to it (%s)', async (expression) => {
		const storage = await fileStorage();
		const { run, into } = await newerWorkspace();
		const data = await storage.store('phone\n+4915112345678\n', {
			fileName: 'people.csv',
			mimeType: 'text/csv',
		});
		const parameters = into('whatsapp', 'input', { binaryPropertyName: `=${expression}` });
		const { json, error } = await run(parameters, [{}], { files: [{ data }] });
		storage.close();
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ successCount: 1 }]);
	});

	test.each([
		['{{ $binary }}', 'a value that is no file of the item'],
		['{{ "filesystem-v2:workflows/1/executions/2/binary_data/3" }}', 'a value that is no file of the item'],
		['file {{ $binary.data }}', 'a value that is no file of the item'],
		['{{ null }}', 'empty'],
	])('is not found by an expression that leads elsewhere (%s)', async (expression, shown) => {
		const { run, into } = await newerWorkspace();
		const parameters = into('whatsapp', 'input', { binaryPropertyName: `=${expression}` });
		const { error } = await run(parameters, [{}], { files: [fileOf('phone\n')] });
		expect(error?.message).toBe(
			`Input Binary Field must name a field of the input that holds a file, but is ${shown}: the input has only data [item 0]`,
		);
	});

	test.each(['text/csv; charset=utf-8', 'TEXT/CSV'])('is one by its type %s alone', async (type) => {
		const { run, into, workspace } = await newerWorkspace();
		const files = [fileOf('phone\n+4915112345678\n', 'export', type)];
		const { error } = await run(into('whatsapp', 'input'), [{}], { files });
		expect(error?.message).toBeUndefined();
		expect((await workspace.journal()).uploads).toMatchObject([
			{ fileName: 'export.csv', contentType: 'text/csv' },
		]);
	});

	test('that n8n has deleted is said to be lost', async () => {
		const storage = await fileStorage();
		const { workspace, run, into } = await newerWorkspace();
		const data = await storage.store('phone\n', { fileName: 'people.csv', mimeType: 'text/csv' });
		data.id = data.id?.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
		const { error } = await run(into('whatsapp', 'input'), [{}], { files: [{ data }] });
		storage.close();
		expect(error?.message).toBe(
			'Input Binary Field: n8n no longer has the file "people.csv"; run the node that it comes from again [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
	});

	test('has no column mapped whose name is longer than 255 characters', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		for (const length of [255, 256])
			await test.workspace.add('customFields', { name: 'x'.repeat(length), type: 'shortText' });
		const csv = `phone,${'x'.repeat(255)},${'x'.repeat(256)}\n+4915112345678,a,b\n`;
		const { json } = await test.run(test.into('whatsapp', 'input'), [{}], { files: [fileOf(csv)] });
		expect(json[0].unusedColumns).toEqual(['x'.repeat(256)]);
	});

	test('has the columns that are named in the options, and automatic ones beside them', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'Plan', type: 'shortText' });
		const csv = 'phone,Festnetz,Name,Abo,mail\n+4915100000000,+4915112345678,Ann,pro,ann@example.com\n';
		const options = {
			phoneNumber: 'Festnetz',
			firstName: 'Name',
			fieldMapping: { columns: [{ column: 'Abo', customFieldId: id }] },
		};
		const automatic = await test.run(test.into('whatsapp', 'input', { options }), [{}], {
			files: [fileOf(csv)],
		});
		expect(automatic.json).toMatchObject([{ successCount: 1, unusedColumns: ['phone'] }]);
		expect(people(await contactsIn(test))).toEqual([['Ann', null, 'ann@example.com', '+4915112345678']]);

		const manual = await test.run(test.into('whatsapp', 'input', { mapping: 'manual', options }), [{}], {
			files: [fileOf(csv)],
		});
		expect(manual.json).toMatchObject([{ unusedColumns: ['phone', 'mail'] }]);
	});

	test.each([
		[
			'whatsapp',
			'Vorname,id',
			/needs a column with phone numbers\. The columns of the file are: Vorname, id\./,
		],
		['webchat', 'Vorname,tel', /needs a column with IDs of the contacts\. .*: Vorname, tel\./],
		['telegram', 'Vorname,email', /needs a column with IDs of the contacts\. /],
	])('that lacks what a %s channel needs is not imported', async (type, header, message) => {
		const test = await newerWorkspace();
		const { error } = await test.run(test.into(type, 'input'), [{}], { files: [fileOf(`${header}\na,b\n`)] });
		expect(error?.message).toMatch(message);
		expect(error?.message).toContain('Nothing was changed.');
		expect(await importsIn(test)).toEqual([]);
	});

	test('that lacks a column that was named is not imported', async () => {
		const test = await newerWorkspace();
		const parameters = test.into('whatsapp', 'input', {
			mapping: 'manual',
			options: { phoneNumber: 'Handy' },
		});
		const { error } = await test.run(parameters, [{}], { files: [fileOf('Mobile\n1\n')] });
		expect(error?.message).toContain('The file has no column "Handy". The columns of the file are: Mobile.');
		expect(await importsIn(test)).toEqual([]);
	});

	test.each<[string, IBinaryKeyData | undefined, RegExp]>([
		['is missing', undefined, /^Input Binary Field "data" does not exist: the input has no file \[item 0\]$/],
		[
			'has another name',
			{ list: fileOf('a').data, photo: fileOf('b').data },
			/does not exist: the input has only list, photo/,
		],
		[
			'is a PDF',
			fileOf('%PDF', 'list.pdf', 'application/pdf'),
			/must hold a CSV or XLSX file, but holds list\.pdf/,
		],
		[
			'is of a kind that every object has',
			fileOf('x', 'list.constructor', 'x/y'),
			/but holds list\.constructor/,
		],
		['is an old spreadsheet', fileOf('x', 'list.xls', 'application/vnd.ms-excel'), /but holds list\.xls/],
	])('that %s is refused before anything is sent', async (_, file, message) => {
		const { workspace, run, into } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'input'), [{}], { files: file && [file] });
		expect(error?.message).toMatch(message);
		expect(await received(workspace)).toEqual([]);
	});

	test.each([
		[20_000_000, undefined],
		[20_000_001, 'The file must have at most 20,000,000 bytes, but has 20,000,001 [item 0]'],
		[0, 'The file is empty [item 0]'],
	])('of %d bytes', async (size, message) => {
		const { workspace, run, into } = await newerWorkspace();
		const content = Buffer.alloc(size, 'x');
		content.write('phone,note\n+4915112345678,');
		const { error } = await run(into('whatsapp', 'input'), [{}], { files: [fileOf(content)] });
		expect(error?.message).toBe(message);
		const { uploads, requests } = await workspace.journal();
		expect(uploads.map((upload) => upload.size)).toEqual(message ? [] : [size]);
		if (message) expect(requests).toEqual([]);
	});

	test('does not wait for an import of somebody else where that is not wanted, nor does another of the run', async () => {
		const test = await newerWorkspace({ importMs: 3000 });
		const quick = { waitForCompletion: false };
		const files = ['1', '2', '3'].map((digit) => fileOf(`phone\n+491511234567${digit}\n`));
		await test.run(test.into('whatsapp', 'input', quick), [{}], { files: files.slice(0, 1) });
		const startedAt = Date.now();
		const { error } = await test.run(test.into('whatsapp', 'input'), [{}, {}], { files: files.slice(1) });
		expect(error?.message).toMatch(/^Another import is running in the workspace \(409\)\. /);
		expect(Date.now() - startedAt).toBeLessThan(2000);
		expect((await test.workspace.journal()).imports).toHaveLength(1);
	});

	test('waits for the one before it, of which there can be several in a run', async () => {
		const test = await newerWorkspace();
		const files = ['1', '2', '3'].map((digit) => fileOf(`phone\n+491511234567${digit}\n`));
		for (const waitForCompletion of [true, false]) {
			const { json, error, outputs } = await test.run(
				test.into('whatsapp', 'input', { waitForCompletion }),
				files.map(() => ({})),
				{ files },
			);
			expect(error?.message).toBeUndefined();
			expect(json).toHaveLength(3);
			expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		}
		await sleep(400);
		expect((await test.workspace.journal()).imports.map(({ created }) => created)).toEqual([
			1, 1, 1, 0, 0, 0,
		]);
	});
});

const leads = [
	{ phone: '0151 12345678', name: 'Zoë "Z"', mail: 'zoe@example.com', city: 'Köln' },
	{ phone: 'nonsense', name: 'Cem', mail: '', city: 'Bonn, Süd' },
	{ phone: '+49 151 12345679', name: 'Ann', mail: 'ann@example.com', city: '' },
];
const asContacts: INodeParameters = {
	phoneNumber: fromItem('phone'),
	firstName: fromItem('name'),
	email: fromItem('mail'),
};

describe('the items themselves', () => {
	test('become one import, with a row for each', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'City', type: 'shortText' });
		const customFields = { mappingMode: 'defineBelow', value: { [id]: fromItem('city') } };
		const parameters = test.into('whatsapp', 'items', {
			...asContacts,
			customFields,
			options: { countryCode: '+49' },
		});
		const { json, outputs, error } = await test.run(parameters, [leads[0], leads[2], leads[1]]);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([
			{
				status: 'completed',
				totalCount: 3,
				successCount: 2,
				failedCount: 1,
				errorSample: [
					{
						row: 4,
						reason: 'Invalid phone',
						item: 2,
						values: { phoneNumber: 'nonsense', firstName: 'Cem', City: 'Bonn, Süd' },
					},
				],
			},
		]);
		expect(outputs[0][0].pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		const contacts = await contactsIn(test);
		expect(people(contacts)).toEqual([
			['Zoë "Z"', null, 'zoe@example.com', '+4915112345678'],
			['Ann', null, 'ann@example.com', '+4915112345679'],
		]);
		expect(contacts[0].contactCustomFields).toMatchObject([{ customFieldId: id, value: 'Köln' }]);
		expect(await importsIn(test)).toHaveLength(1);
	});

	test.each<[string, IDataObject[], number]>([
		['could be those of other items', leads, 3],
		['have cells of several lines', [leads[0], { ...leads[1], name: 'Cem\nB.' }], 3],
	])('are not told of with rows that %s', async (_, items, row) => {
		const test = await newerWorkspace();
		const parameters = test.into('whatsapp', 'items', { ...asContacts, options: { countryCode: '+49' } });
		const { json } = await test.run(parameters, items);
		expect(json[0].errorSample).toEqual([{ row, reason: 'Invalid phone' }]);
	});

	test('are told of with their own number, whatever a custom field is called', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'phoneNumber', type: 'shortText' });
		const customFields = { mappingMode: 'defineBelow', value: { [id]: fromItem('second') } };
		const items = [leads[2], leads[1]].map((lead, n) => ({ ...lead, second: `+491519999999${n}` }));
		const { json } = await test.run(test.into('whatsapp', 'items', { ...asContacts, customFields }), items);
		expect(json).toMatchObject([{ errorSample: [{ values: { phoneNumber: 'nonsense' } }] }]);
	});

	test('have cells in which nothing is lost', async () => {
		const test = await newerWorkspace();
		const items = [
			{ id: '007', name: ' "quoted", and\nbroken ', number: '+49 (0)151-123 456 78' },
			{ id: 42, name: '=1+1', number: '' },
		];
		await test.run(
			test.into('webchat', 'items', {
				contactId: fromItem('id'),
				firstName: fromItem('name'),
				phoneNumber: fromItem('number'),
			}),
			items,
		);
		const [file] = (await test.workspace.state()).files.slice(-1);
		expect(file.rows).toEqual([
			{ contactId: '007', phoneNumber: '+4915112345678', firstName: '"quoted", and\nbroken' },
			{ contactId: '42', phoneNumber: '', firstName: '=1+1' },
		]);
	});

	test('that are empty are left out, and the rows of the others stay theirs', async () => {
		const test = await newerWorkspace();
		const empty = { phone: '', name: ' ', mail: null };
		const items = [empty, leads[0], empty, { phone: 'x' }, empty] as IDataObject[];
		const parameters = test.into('whatsapp', 'items', { ...asContacts, options: { countryCode: '+49' } });
		const { json, outputs } = await test.run(parameters, items);
		expect(json).toMatchObject([{ totalCount: 2, errorSample: [{ row: 3, item: 3 }] }]);
		expect(outputs[0][0].pairedItem).toEqual([{ item: 1 }, { item: 3 }]);

		const nothing = await test.run(parameters, [empty, empty]);
		expect(nothing.error?.message).toContain('There is nothing to import');
		expect(await importsIn(test)).toHaveLength(1);
	});

	test('are not imported with a custom field that cannot be written, and the error is that of its item', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'Age', type: 'number' });
		const customFields = { mappingMode: 'defineBelow', value: { [id]: fromItem('age') } };
		const parameters = test.into('whatsapp', 'items', { ...asContacts, customFields });
		const items = [30, 'old', 31].map((age, index) => ({ phone: `+491511234567${index}`, age }));
		const { error } = await test.run(parameters, items);
		expect(error?.message).toMatch(/^Custom field Age must be a number.* is "old"\. .*\[item 1\]$/);
		expect(error?.description).toContain('1 was refused (1)');
		expect(await importsIn(test)).toEqual([]);

		const { outputs } = await test.run(parameters, items, { onError: 'continueErrorOutput' });
		expect(outputs[0]).toMatchObject([{ json: { successCount: 2 }, pairedItem: [{ item: 0 }, { item: 2 }] }]);
		expect(outputs[1]).toMatchObject([{ json: { age: 'old' } }]);
	});

	test.each([10, 11])('with %d custom fields', async (count) => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const item: IDataObject = { phone: '+4915112345678' };
		for (let index = 0; index < count; index++) {
			await test.workspace.add('customFields', { name: `Field ${index}`, type: 'shortText' });
			item[`field${index}`] = `value ${index}`;
		}
		const customFields = { mappingMode: 'autoMapInputData', value: null };
		const { error } = await test.run(test.into('whatsapp', 'items', { ...asContacts, customFields }), [item]);
		if (count === 10) {
			expect(error?.message).toBeUndefined();
			expect((await contactsIn(test))[0].contactCustomFields).toHaveLength(10);
		} else {
			expect(error?.message).toContain('An import takes at most 10 custom fields, but these are 11.');
			expect(await importsIn(test)).toEqual([]);
		}
	});

	test.each([
		['whatsapp', { email: fromItem('mail') }, 'needs Phone Number, which is empty in all items'],
		['telegram', { phoneNumber: fromItem('phone') }, 'needs Contact ID, which is empty in all items'],
	])('without what a %s channel needs are not imported', async (type, fields, message) => {
		const test = await newerWorkspace();
		const { error } = await test.run(test.into(type, 'items', fields), leads);
		expect(error?.message).toContain(message);
		expect((await test.workspace.journal()).uploads).toEqual([]);
	});

	test.each([
		[1000, undefined],
		[1001, 'Note must have at most 1000 characters to be imported, but has 1001.'],
	])('with %d characters in a cell', async (length, message) => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'Note', type: 'longText' });
		const customFields = { mappingMode: 'defineBelow', value: { [id]: fromItem('note') } };
		const { error } = await test.run(test.into('whatsapp', 'items', { ...asContacts, customFields }), [
			{ phone: '+4915112345678', note: 'x'.repeat(length) },
		]);
		if (message) expect(error?.message).toContain(message);
		else expect((await contactsIn(test))[0].contactCustomFields).toMatchObject([{ value: 'x'.repeat(1000) }]);
		expect(await importsIn(test)).toHaveLength(message ? 0 : 1);
	});

	test('go to one channel, not to several', async () => {
		const test = await newerWorkspace();
		const parameters = test.into('whatsapp', 'items', {
			...asContacts,
			inboxId: by('id', fromItem('inbox')),
		});
		const inboxes = [test.inbox('whatsapp'), test.inbox('webchat')];
		const items = inboxes.map((inbox, index) => ({ inbox, phone: `+491511234567${index}` }));
		const { error } = await test.run(parameters, items);
		expect(error?.message).toContain('All items become one import, so Channel');
		expect(await importsIn(test)).toEqual([]);
	});

	test('have numbers that a spreadsheet has rounded refused before anything is sent', async () => {
		const { run, workspace, into } = await newerWorkspace();
		const items = [leads[2], { phone: '4.91512E+11' }];
		const { error } = await run(into('whatsapp', 'items', asContacts), items);
		expect(error?.message).toMatch(/^Phone Number must have all of its digits.*\[item 1\]$/);
		expect(await received(workspace)).toEqual([]);
	});

	test.each([
		{ mimeType: 'text/csv', data: 'filesystem-v2', fileName: 'a.csv' },
		'filesystem-v2:workflows/1/executions/2/binary_data/00000000-0000-4000-8000-000000000000',
	])('do not take files of n8n along (%p)', async (name) => {
		const { run, workspace, into } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'items', asContacts), [
			{ ...leads[2], name },
		] as IDataObject[]);
		expect(error?.message).toBe('First Name must not hold a file of n8n (binary data) [item 0]');
		expect(await received(workspace)).toEqual([]);
	});

	test('a thousand of them take a handful of requests', async () => {
		const test = await newerWorkspace();
		const items = Array.from({ length: 1000 }, (_, n) => ({
			phone: `+49151${10_000_000 + n}`,
			name: `N${n}`,
		}));
		const { json } = await test.run(test.into('whatsapp', 'items', asContacts), items);
		expect(json).toMatchObject([{ successCount: 1000, failedCount: 0, errorSample: [] }]);
		expect((await received(test.workspace)).length).toBeLessThan(10);
	});
});

describe('waiting', () => {
	const one = [{ phone: '+4915112345678' }];

	test('is left out where it is not wanted', async () => {
		const test = await newerWorkspace({ importMs: 5000 });
		const { json } = await test.run(
			test.into('whatsapp', 'items', { ...asContacts, waitForCompletion: false }),
			one,
		);
		expect(Object.keys(json[0])).toEqual(['success', 'started', 'fileId', 'importId']);
	});

	test('ends after Max Wait with the state of the import, which can be asked for later', async () => {
		const test = await newerWorkspace({ importMs: 2500 });
		const started = Date.now();
		const { json, error, hints } = await test.run(
			test.into('whatsapp', 'items', { ...asContacts, options: { maxWait: 0.01 } }),
			one,
		);
		expect(Date.now() - started).toBeLessThan(2200);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([
			{ status: expect.stringMatching(/^(pending|processing)$/) as string, successCount: 0 },
		]);
		expect(hints.join()).toMatch(/is still running after 0\.01 min \(\d of 1 rows\)\. Use Get Import Status/);
		await sleep(2500);
		const importId = json[0].importId as string;
		const status = await test.run({ resource: 'contact', operation: 'getImportStatus', importId });
		expect(status.json).toMatchObject([
			{ id: importId, status: 'completed', successCount: 1, fileName: 'contacts.csv' },
		]);
	});

	test.each(['0.01', ' 1 ', 0])('for %p minutes, in whole ones or parts, is done', async (maxWait) => {
		const { run, into } = await newerWorkspace({ importMs: 10 });
		const { error } = await run(
			into('whatsapp', 'items', { ...asContacts, options: { maxWait: '={{ $json.maxWait }}' } }),
			[{ ...one[0], maxWait }],
		);
		expect(error?.message).toBeUndefined();
	});

	test('is also done where an expression gives its switch as text', async () => {
		const { run, into } = await newerWorkspace();
		const waitForCompletion = '={{ "true" }}';
		const { json } = await run(into('whatsapp', 'items', { ...asContacts, waitForCompletion }), one);
		expect(json).toMatchObject([{ status: 'completed' }]);
	});

	test.each([-1, 'soon', '', null])('for %p minutes is refused', async (maxWait) => {
		const { run, into, workspace } = await newerWorkspace();
		const { error } = await run(
			into('whatsapp', 'items', { ...asContacts, options: { maxWait: '={{ $json.maxWait }}' } }),
			[{ ...one[0], maxWait }],
		);
		expect(error?.message).toBe(`Max Wait must be a number of minutes, but is "${String(maxWait)}" [item 0]`);
		expect(await received(workspace)).toEqual([]);
	});

	test('ends at once when the execution is cancelled, and starts nothing more', async () => {
		const test = await newerWorkspace({ importMs: 8000 });
		let cancelledAt = 0;
		await test.run(test.into('whatsapp', 'items', asContacts), one, {
			onStarted: (cancel) =>
				setTimeout(() => {
					cancelledAt = Date.now();
					cancel();
				}, 1500),
		});
		expect(Date.now() - cancelledAt).toBeLessThan(1000);
		const before = (await received(test.workspace)).length;
		await sleep(1200);
		expect(await received(test.workspace)).toHaveLength(before);
	});

	test('for another import is done only if the user wants it', async () => {
		const test = await newerWorkspace({ importMs: 1500 });
		const quick = { ...asContacts, waitForCompletion: false };
		await test.run(test.into('whatsapp', 'items', quick), one);
		const refused = await test.run(test.into('whatsapp', 'items', quick), [{ phone: '+4915112345679' }]);
		expect(refused.error?.message).toMatch(
			/^Another import is running in the workspace \(409\)\. Nothing was changed\./,
		);

		const impatient = { ...quick, options: { ifAnotherRuns: 'wait', maxWait: 0.001 } };
		const late = await test.run(test.into('whatsapp', 'items', impatient), [{ phone: '+4915112345679' }]);
		expect(late.error?.message).toMatch(
			/^Another import was still running in the workspace after 0\.001 min\. /,
		);

		const patient = { ...asContacts, options: { ifAnotherRuns: 'wait' } };
		const { json } = await test.run(test.into('whatsapp', 'items', patient), [{ phone: '+4915112345679' }]);
		expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
		expect((await test.workspace.journal()).imports).toHaveLength(2);
	});
});

describe('when something fails', () => {
	const one = [{ phone: '+4915112345678' }];

	test('an import whose answer was lost is found by its file, not started again', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({ dropAfter: { times: 1, match: { operation: 'importContacts' } } });
		const { json, error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
		expect(await importsIn(test)).toHaveLength(1);
	});

	test('so is one that the service is still busy with', async () => {
		const test = await newerWorkspace();
		const match = { operation: 'importContacts' as const };
		await test.workspace.faults({ dropDuring: { times: 1, match }, workMs: 800 });
		const { json, error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
		expect((await test.workspace.journal()).imports).toHaveLength(1);
	});

	test('whatever breaks on the way, there is one import at most, and it is told of', async () => {
		const outcomes = await Promise.all(
			[1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => {
				const test = await newerWorkspace();
				await test.workspace.faults({ seed, dropAfter: { rate: 0.4 } });
				const { json, error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
				const { imports } = await test.workspace.journal();
				expect(imports.length).toBeLessThanOrEqual(1);
				if (error) expect(error.message).toMatch(/not known whether|was started, but/);
				else expect([json[0].status, imports.length]).toEqual(['completed', 1]);
				return error === undefined;
			}),
		);
		expect(outcomes).toContain(true);
	});

	test('one that never arrived is said to be unknown', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({ dropBefore: { times: 1, match: { operation: 'importContacts' } } });
		const { error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(error?.message).toContain('It is not known whether this was carried out');
		expect(error?.context?.outcome).toBe('unknown');
		expect(await importsIn(test)).toHaveLength(1);
		expect((await test.workspace.journal()).imports).toEqual([]);
	});

	test('repeated after a lost answer, it is still started once', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({ dropAfter: { times: 1, match: { operation: 'importContacts' } } });
		const parameters = test.into('whatsapp', 'items', asContacts);
		const requestOptions = { repeatWhenUnsure: 'always' };
		const { json } = await test.run({ ...parameters, requestOptions }, one);
		expect(json).toMatchObject([{ successCount: 1 }]);
		expect((await test.workspace.journal()).imports).toHaveLength(1);
	});

	test('an import that has been started is told of when nobody can say how it goes', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({
			fail: [{ status: 500, match: { pathPattern: 'contacts/imports/\\d+$' } }],
		});
		const parameters = test.into('whatsapp', 'items', { ...asContacts, requestOptions: { maxRetries: 0 } });
		const result = await test.run(parameters, one);
		expect(shownOf(result)).toMatch(
			/^The import \d+ was started, but how it goes cannot be read; .* tells later\. The service failed to answer/,
		);
		expect(result.error?.context?.outcome).toBe('unknown');
	});

	test.each(['input', 'items'])(
		'one that waited for another is not started again by "Retry On Fail" (from %s)',
		async (source) => {
			const test = await newerWorkspace({ importMs: 1200 });
			const files = [fileOf('phone\n+4915112345679\n')];
			const quick = { ...asContacts, waitForCompletion: false };
			await test.run(test.into('whatsapp', 'items', quick), one);
			await test.workspace.faults({
				fail: [{ status: 403, times: 1, match: { pathPattern: 'contacts/imports/\\d+$' } }],
			});
			const options = { ifAnotherRuns: 'wait' };
			const parameters = test.into('whatsapp', source, { phoneNumber: '+4915112345679', options });
			const { json, error } = await test.run(parameters, [{}], {
				files,
				retryOnFail: { maxTries: 2, waitBetweenTries: 10 },
				executionId: '78',
			});
			expect(error?.message).toBeUndefined();
			const { imports, requests } = await test.workspace.journal();
			expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
			expect(imports.map(({ created }) => created)).toEqual([1, 1]);
			const starts = requests.filter(({ operation }) => operation === 'importContacts').slice(1);
			expect(starts.map(({ status }) => status)).toEqual(expect.arrayContaining([409, 201]));
			expect(new Set(starts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
			expect(starts.at(-1)).toMatchObject({ replayed: true });
		},
	);

	test('an import that fails is an error with what the service says', async () => {
		const test = await newerWorkspace({ importFailure: 'The file is broken' });
		const { error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(error?.message).toMatch(
			/^The import \d+ has failed: The file is broken\. Before that, 0 contacts were imported\./,
		);
	});

	test('every item of an import that fails comes out with its row', async () => {
		const test = await newerWorkspace({ importFailure: 'The file is broken' });
		const { outputs } = await test.run(test.into('whatsapp', 'items', asContacts), leads, {
			onError: 'continueErrorOutput',
		});
		expect(outputs[0]).toEqual([]);
		expect(outputs[1].map(({ json }) => json.name)).toEqual(leads.map(({ name }) => name));
	});

	test('a service that does not tell the columns of a file needs them named', async () => {
		const test = await newerWorkspace({ faults: { missing: { getImportHeaders: 404 } } });
		const files = [fileOf('Handy\n+4915112345678\n')];
		const { error } = await test.run(test.into('whatsapp', 'input'), [{}], { files });
		expect(error?.message).toContain('Set Mapping to Manual, and name the columns under Options.');
		const named = { mapping: 'manual', options: { phoneNumber: 'Handy' } };
		const { json } = await test.run(test.into('whatsapp', 'input', named), [{}], { files });
		expect(json).toMatchObject([{ successCount: 1 }]);
		const none = await test.run(test.into('whatsapp', 'input', { mapping: 'manual' }), [{}], { files });
		expect(none.error?.message).toMatch(/needs a column with phone numbers\. Nothing was changed\. Name it/);
	});

	test('the type of a channel that cannot be looked up is to be chosen', async () => {
		const test = await newerWorkspace({ token: { scopes: ['contacts'] } });
		const { error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(error?.message).toMatch(/cannot be looked up.*Choose Channel Type yourself\./);
		const chosen = await test.run(
			test.into('whatsapp', 'items', { ...asContacts, channel: 'whatsapp' }),
			one,
		);
		expect(chosen.json).toMatchObject([{ successCount: 1 }]);
	});
});

describe('a service that takes no files', () => {
	test.each(['reference', 'older'] as const)(
		'says so in one sentence, with the way round (%s)',
		async (service) => {
			const { workspace, run } = await testWorkspace({ contacts: 0, service });
			const [{ id }] = (await workspace.state()).channels;
			const parameters = {
				resource: 'contact',
				operation: 'import',
				inboxId: by('id', id),
			};
			const input = await run({ ...parameters, source: 'input' }, [{}], { files: [fileOf('phone\n1\n')] });
			const items = await run({ ...parameters, source: 'items', ...asContacts }, [leads[2]]);
			for (const { error } of [input, items]) {
				expect(error?.message).toBe(
					'This service takes no files from other programs (404), so use Create or Update, which takes one row at a time, or set File to By ID for a file that is in the workspace. Nothing was changed. [item 0]',
				);
			}
			expect((await workspace.journal()).imports).toEqual([]);
		},
	);
});

describe('a file by its ID', () => {
	test('is all that an agent can import, which has neither files nor items', () => {
		const parameters = { resource: 'contact', operation: 'import' };
		const shownAs = (description: typeof toolNode.description) =>
			description.properties
				.filter((field) => NodeHelpers.displayParameter(parameters, field, { typeVersion: 1 }, description))
				.map(({ name }) => name);
		const names = shownAs(toolNode.description);
		expect(names).toEqual(expect.arrayContaining(['fileId', 'waitForCompletion']));
		expect(names).not.toContain('source');
		expect(shownAs(compiledNode.description)).toContain('source');
	});

	test('is imported as before, and waited for where that is wanted', async () => {
		const test = await newerWorkspace();
		const { files } = await test.workspace.state();
		const parameters: INodeParameters = {
			resource: 'contact',
			operation: 'import',
			fileId: files[0].id,
			channel: 'whatsapp',
			inboxId: by('id', test.inbox('whatsapp')),
			options: { phoneNumber: 'Phone', countryCode: '+49' },
		};
		const saved = await test.run(parameters);
		expect(Object.keys(saved.json[0])).toEqual(['success', 'started', 'fileId', 'importId']);
		await sleep(300);
		const waiting = await test.run({ ...parameters, source: 'id', waitForCompletion: true });
		expect(waiting.json).toMatchObject([{ status: 'completed', totalCount: 100, failedCount: 100 }]);
		expect(waiting.json[0].errorSample).toHaveLength(10);
	});

	test('goes to the channel as the service has it, with the country code of the credential', async () => {
		const test = await newerWorkspace();
		const { url: baseUrl, token: accessToken } = test.workspace;
		const credential = { baseUrl, accessToken, defaultCountryCode: '+49' };
		const { files } = await test.workspace.state();
		const parameters = test.into('whatsapp', 'id', {
			fileId: files[0].id,
			options: { phoneNumber: 'Phone' },
		});
		const { error } = await test.run(parameters, [{}], { credential });
		expect(error?.message).toBeUndefined();
		const [{ body }] = await importsIn(test);
		expect(body).toEqual({
			fileId: files[0].id,
			channel: 'whatsapp',
			inboxId: test.inbox('whatsapp'),
			countryCode: '+49',
			phoneNumber: 'Phone',
		});
	});

	test.each([
		[{ token: { scopes: ['contacts'] } }],
		[{ faults: { fail: [{ status: 500, match: { pathPattern: 'inboxes' } }] } }],
	])(
		'has the country code of the credential also where the channels cannot be read (%j)',
		async (options) => {
			const test = await newerWorkspace(options as WorkspaceOptions);
			const { url: baseUrl, token: accessToken } = test.workspace;
			const credential = { baseUrl, accessToken, defaultCountryCode: '+49' };
			const { files } = await test.workspace.state();
			const parameters = test.into('whatsapp', 'id', {
				channel: 'whatsapp',
				fileId: files[0].id,
				options: { phoneNumber: 'Phone' },
				requestOptions: { maxRetries: 0 },
			});
			const { error } = await test.run(parameters, [{}], { credential });
			expect(error?.message).toBeUndefined();
			expect(await importsIn(test)).toMatchObject([{ body: { channel: 'whatsapp', countryCode: '+49' } }]);

			const unknown = await test.run({ ...parameters, channel: 'omnichannel' }, [{}], { credential });
			expect(unknown.error?.message).toMatch(/cannot be looked up.*Choose Channel Type yourself\./);
			expect(await importsIn(test)).toHaveLength(1);
		},
	);

	test('waits for the one before it, of which there can be several in a run', async () => {
		const test = await newerWorkspace({ importMs: 600 });
		const { files } = await test.workspace.state();
		const parameters = test.into('whatsapp', 'id', {
			channel: 'whatsapp',
			fileId: files[0].id,
			options: { phoneNumber: 'Phone' },
		});
		const { json, error } = await test.run(parameters, [{}, {}]);
		expect(error?.message).toBeUndefined();
		expect(json).toHaveLength(2);
		expect((await test.workspace.journal()).imports).toHaveLength(2);
	});

	test.each([
		[
			'an unknown file',
			{ fileId: '999' },
			/^Something that is named here does not exist \(404\)\. The service said: Import file not found\./,
		],
		[
			'an unknown channel',
			{ inboxId: by('id', '999999') },
			/^Something that is named here does not exist \(404\)\. .* The workspace lists no channel with the ID "999999"\. /,
		],
		[
			'a channel of another type',
			{ channel: 'telegram', options: { contactId: 'Phone' } },
			/^Something that is named here does not exist \(404\)\. The service said: Inbox not found\./,
		],
	])('that names %s is not told to have another address', async (_, wrong, message) => {
		const test = await newerWorkspace();
		const { files } = await test.workspace.state();
		const { error } = await test.run(
			test.into('whatsapp', 'id', {
				channel: 'whatsapp',
				fileId: files[0].id,
				options: { phoneNumber: 'Phone' },
				...wrong,
			}),
		);
		expect(error?.message).toMatch(message);
		expect(error?.message).not.toContain('Base URL');
	});

	test('needs what the channel needs, where its type is looked up', async () => {
		const test = await newerWorkspace();
		const { files } = await test.workspace.state();
		const parameters = test.into('telegram', 'id', { fileId: files[0].id });
		const { error } = await test.run({ ...parameters, options: { phoneNumber: 'Phone' } });
		expect(error?.message).toMatch(/^An import into a channel of the type telegram needs a column with IDs/);
		expect(await importsIn(test)).toEqual([]);
	});

	test('is asked for as it always was where the service is that of the reference', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { url: baseUrl, token: accessToken } = workspace;
		const credential = { baseUrl, accessToken, defaultCountryCode: '+49' };
		const { files, channels } = await workspace.state();
		const { error } = await run(
			{
				resource: 'contact',
				operation: 'import',
				fileId: files[0].id,
				inboxId: by('id', channels[0].id),
				options: { email: 'Email' },
			},
			[{}],
			{ credential },
		);
		expect(error?.message).toBeUndefined();
		const [{ body }] = await importsIn({ workspace });
		expect(body).toEqual({
			fileId: files[0].id,
			channel: 'omnichannel',
			inboxId: channels[0].id,
			email: 'Email',
		});
	});

	test('is not waited for where the service does not tell how an import goes', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { files, channels } = await workspace.state();
		const { json, hints } = await run({
			resource: 'contact',
			operation: 'import',
			fileId: files[0].id,
			channel: 'whatsapp',
			inboxId: by('id', channels[0].id),
			waitForCompletion: true,
		});
		expect(json).toEqual([{ success: true, started: true, fileId: files[0].id }]);
		expect(hints).toContain('This service does not tell how an import goes, so its end was not waited for.');
	});
});

describe('Get Import Status', () => {
	test.each(['reference', 'older'] as const)('is not offered by %s services', async (service) => {
		const { run } = await testWorkspace({ contacts: 0, service });
		const { error } = await run({ resource: 'contact', operation: 'getImportStatus', importId: '4711' });
		expect(error?.message).toMatch(/does not offer the operation.*\(404\)/);
	});

	test('says that there is no such import', async () => {
		const { run } = await newerWorkspace();
		const { error } = await run({ resource: 'contact', operation: 'getImportStatus', importId: '4711' });
		expect(error?.message).toContain('There is no import with the ID 4711 (404).');
	});
});
