import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { fileStorage } from '../../support/engine/files';
import { received, shownOf } from '../../support/engine/helpers';
import { contactsIn, fileOf, germanCredential, importsIn, newerWorkspace, people } from './helpers';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A CSV file that nodes such as Code have made, with just these properties. */
const fileAbout = (about: object) =>
	({
		data: { data: Buffer.from('phone\n+4915112345678\n').toString('base64'), ...about },
	}) as unknown as IBinaryKeyData;

describe('Import from the input', () => {
	test('uploads and maps a file, imports it and returns the totals', async () => {
		const test = await newerWorkspace({ importMs: 200 });
		const { workspace, run, into } = test;
		const plan = await workspace.add('customFields', { name: 'Plan', type: 'shortText' });
		const csv =
			'Mobile,First name,Surname,plan,Notes\r\n+4915112345678,"Ann, ""A""",Müller,pro,x\r\nnonsense,Cem,,free,y\r\n';
		const { json, error } = await run(into('whatsapp', 'input'), [{ row: 1 }], {
			files: [fileOf(csv)],
		});
		expect(error?.message).toBeUndefined();
		expect(json).toEqual([
			{
				success: false,
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

	test.each(['automatic', 'manual'])(
		'hints at columns that the file has twice (mapping: %s)',
		async (mapping) => {
			const { run, into } = await newerWorkspace();
			const options = mapping === 'manual' ? { phoneNumber: 'Phone' } : {};
			const csv = 'Phone,Email,Note,Email,Note,\r\n+4915112345678,a@x.io,1,b@x.io,2,\r\n';
			const { error, hints } = await run(into('whatsapp', 'input', { mapping, options }), [{}], {
				files: [fileOf(csv)],
			});
			expect(error).toBeUndefined();
			expect(hints).toEqual([
				'The file has several columns with the same name: "Email", "Note". The service reads only one of each. Rename the others.',
				...(mapping === 'automatic' ? ['Not imported: column Note.'] : []),
			]);
		},
	);

	test('uploads a CSV file without its byte order mark, otherwise unchanged, and without the access token', async () => {
		const { workspace, run, into } = await newerWorkspace();
		const csv = 'Mobile\n"+4915112345678" \n\n';
		await run(into('whatsapp', 'input'), [{}], {
			files: [fileOf(`\uFEFF${csv}`, 'Liste März.CSV', 'application/vnd.ms-excel')],
		});
		const { uploads } = await workspace.journal();
		expect(uploads).toMatchObject([
			{
				fileName: 'Liste März.CSV',
				contentType: 'text/csv',
				size: Buffer.byteLength(csv),
				sha256: createHash('sha256').update(csv).digest('hex'),
			},
		]);
		expect(uploads[0].headers).not.toContain('authorization');
		expect(uploads[0].headers).not.toContain('idempotency-key');
	});

	test('imports an Excel file whose name has no extension', async () => {
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
		expect(uploads).toMatchObject([
			{ fileName: 'people.xlsx', contentType: XLSX, size: content.length },
		]);
		const contacts = await contactsIn(test);
		expect(contacts.map(({ firstName }) => firstName)).toEqual(['Zoë <Z>', 'Groß, "Jr."']);
		expect(contacts[0]).toMatchObject({
			phoneNumber: '+4915112345678',
			contactCustomFields: [{ value: 'pro' }],
		});
	});

	test.each(['text/csv; charset=utf-8', 'TEXT/CSV'])(
		'recognizes a CSV file without an extension by the type %s',
		async (type) => {
			const { run, into, workspace } = await newerWorkspace();
			const files = [fileOf('phone\n+4915112345678\n', 'export', type)];
			const { error } = await run(into('whatsapp', 'input'), [{}], { files });
			expect(error?.message).toBeUndefined();
			expect((await workspace.journal()).uploads).toMatchObject([
				{ fileName: 'export.csv', contentType: 'text/csv' },
			]);
		},
	);

	test('completes national phone numbers with the country code of the credential', async () => {
		const test = await newerWorkspace();
		const files = [fileOf('tel\n015112345678\n')];
		await test.run(test.into('whatsapp', 'input'), [{}], {
			files,
			credential: germanCredential(test),
		});
		expect(people(await contactsIn(test))).toEqual([[null, null, null, '+4915112345678']]);
	});

	test.each<[string, IDataObject, IBinaryKeyData | undefined]>([
		['in a field', {}, { photo_of_list: fileOf('phone\n+4915112345678\n').data }],
		[
			'in the JSON',
			{ _files: { list: fileOf('phone\n+4915112345678\n').data } as never },
			undefined,
		],
	])(
		"imports an item's only file, whatever its name, if the user left the default (%s)",
		async (_, json, file) => {
			const { run, into } = await newerWorkspace();
			const more = { files: file && [file], binaryMode: file ? undefined : ('combined' as const) };
			const result = await run(into('whatsapp', 'input'), [json], more);
			expect(result.error?.message).toBeUndefined();
			expect(result.json).toMatchObject([{ successCount: 1 }]);
			// Who enters a name means that file.
			const named = await run(
				{ ...into('whatsapp', 'input'), binaryPropertyName: 'people' },
				[json],
				more,
			);
			expect(named.error?.message).toMatch(/^This item has no file called "people"\./);
		},
	);

	test('reports a file that the service cannot read', async () => {
		const { workspace, run, into } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'input'), [{}], {
			files: [fileOf('PK', 'people.xlsx', XLSX)],
		});
		expect(error?.message).toMatch(/Unable to read headers.*\[item 0\]$/);
		expect((await workspace.journal()).imports).toEqual([]);
	});

	test('finds a file in the JSON (Binary Mode combined) by its path, which the error for another name shows', async () => {
		const test = await newerWorkspace();
		const _files = { list: fileOf('phone\n+4915112345678\n').data } as unknown as IDataObject;
		const parameters = test.into('whatsapp', 'input');
		const named = { ...parameters, binaryPropertyName: 'people' };
		const { error } = await test.run(named, [{ _files }], { binaryMode: 'combined' });
		expect(error?.message).toBe(
			'This item has no file called "people". The item has these files: _files.list. [item 0]',
		);
		const byPath = await test.run(
			{ ...parameters, binaryPropertyName: '_files.list' },
			[{ _files }],
			{
				binaryMode: 'combined',
			},
		);
		expect(byPath.json).toMatchObject([{ successCount: 1 }]);
	});

	test.each([
		'{{ $binary.data }}',
		'{{ $binary.data.id }}',
		"{{ $('Feed').item.binary.data }}",
		"{{ $('Feed').item.binary.data.id }}",
	])('finds the file by the expression %s', async (expression) => {
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
		['{{ $binary }}', 'must be a file of this item'],
		['{{ "filesystem-v2:workflows/1/executions/2/binary_data/3" }}', 'must be a file of this item'],
		['file {{ $binary.data }}', 'must be a file of this item'],
		['{{ null }}', 'is empty'],
	])(
		'refuses the expression %s, which leads to no file of the item',
		async (expression, problem) => {
			const { run, into } = await newerWorkspace();
			const parameters = into('whatsapp', 'input', { binaryPropertyName: `=${expression}` });
			const { error } = await run(parameters, [{}], { files: [fileOf('phone\n')] });
			expect(error?.message).toBe(
				`Input Binary Field ${problem}. The item has these files: data. [item 0]`,
			);
		},
	);

	test('reports a file that n8n has deleted', async () => {
		const storage = await fileStorage();
		const { workspace, run, into } = await newerWorkspace();
		const data = await storage.store('phone\n', { fileName: 'people.csv', mimeType: 'text/csv' });
		data.id = data.id?.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
		const { error } = await run(into('whatsapp', 'input'), [{}], { files: [{ data }] });
		storage.close();
		expect(error?.message).toBe(
			'Input Binary Field: n8n no longer has the file "people.csv". Run the node that returned it again. [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
	});

	test('cuts a name that is too long between two characters, not inside an emoji', async () => {
		const { run, into, workspace } = await newerWorkspace();
		// The limit of 255 falls into the second emoji.
		const files = [fileOf('phone\n+4915112345678\n', `😀😀${'x'.repeat(250)}.csv`)];
		const { error } = await run(into('whatsapp', 'input'), [{}], { files });
		expect(error?.message).toBeUndefined();
		const [{ fileName = '' }] = (await workspace.journal()).uploads;
		expect(fileName).toBe(`${'x'.repeat(250)}.csv`);
	});

	test('refuses a file whose name has half an emoji, before it sends anything', async () => {
		const { run, into, workspace } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'input'), [{}], {
			files: [fileOf('phone\n', 'a\ud83d.csv')],
		});
		expect(error?.message).toContain('must not contain half a character (a lone surrogate)');
		expect((await workspace.journal()).uploads).toEqual([]);
	});

	test('recognizes a CSV file that has an extension, but neither a name nor a MIME type', async () => {
		const { run, into, workspace } = await newerWorkspace();
		const files = [fileAbout({ fileName: null, fileExtension: 'csv' })];
		const { error } = await run(into('whatsapp', 'input'), [{}], { files });
		expect(error?.message).toBeUndefined();
		expect((await workspace.journal()).uploads).toMatchObject([
			{ fileName: 'contacts.csv', contentType: 'text/csv' },
		]);
	});

	test.each<[string, IBinaryKeyData | undefined, RegExp]>([
		[
			'an item without files',
			undefined,
			/^This item has no file called "data"\. The item has no files\. \[item 0\]$/,
		],
		[
			'an item whose files have other names',
			{ list: fileOf('a').data, photo: fileOf('b').data },
			/no file called "data"\. The item has these files: list, photo\./,
		],
		[
			'a PDF',
			fileOf('%PDF', 'list.pdf', 'application/pdf'),
			/must hold a CSV or XLSX file, but holds list\.pdf/,
		],
		[
			'an extension that is the name of a property of every object',
			fileOf('x', 'list.constructor', 'x/y'),
			/but holds list\.constructor/,
		],
		[
			'a file without a name and a MIME type',
			fileAbout({}),
			/^Input Binary Field must hold a CSV or XLSX file, but holds a file without a name \(without a MIME type\)/,
		],
		[
			'a file whose name and MIME type are null',
			fileAbout({ fileName: null, mimeType: null }),
			/but holds a file without a name \(without a MIME type\)/,
		],
		[
			'an old Excel file',
			fileOf('x', 'list.xls', 'application/vnd.ms-excel'),
			/but holds list\.xls/,
		],
	])('refuses %s before anything is sent', async (_, file, message) => {
		const { workspace, run, into } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'input'), [{}], { files: file && [file] });
		expect(error?.message).toMatch(message);
		expect(await received(workspace)).toEqual([]);
	});

	test('imports a file of 20,000,000 bytes', async () => {
		const { workspace, run, into } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'input'), [{}], {
			files: [fileOf(bytes(20_000_000))],
		});
		expect(error?.message).toBeUndefined();
		expect((await workspace.journal()).uploads).toMatchObject([{ size: 20_000_000 }]);
	});

	test.each([
		[20_000_001, 'The file "people.csv" has 20,000,001 bytes; the limit is 20,000,000 [item 0]'],
		[0, 'The file "people.csv" is empty [item 0]'],
	])('refuses a file of %d bytes before anything is sent', async (size, message) => {
		const { workspace, run, into } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'input'), [{}], { files: [fileOf(bytes(size))] });
		expect(error?.message).toBe(message);
		expect(await received(workspace)).toEqual([]);
	});
});

function bytes(size: number): Buffer {
	const content = Buffer.alloc(size, 'x');
	content.write('phone,note\n+4915112345678,');
	return content;
}

/** A workspace with these custom fields of text, and no others. */
async function withFields(...names: string[]) {
	const test = await newerWorkspace({ counts: { customFields: 0 } });
	const ids: string[] = [];
	for (const name of names)
		ids.push((await test.workspace.add('customFields', { name, type: 'shortText' })).id);
	return { ...test, ids };
}

describe('Import: the columns of a file', () => {
	test('are mapped by their usual names, and their cells arrive unchanged', async () => {
		const test = await newerWorkspace();
		const csv =
			'id,Vorname,Nachname,email,tel\r\n007,Zoë,"Groß, Jr.",zoe@example.com,+4915112345678\r\n';
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

	test.each([
		['German', 'Telefon,Nachname,Vorname,Mobil,E-Mail', 'Mobil', 'Vorname', 'Nachname', 'E-Mail'],
		[
			'German',
			'Familienname;Handy;Vorname;E-Mail-Adresse',
			'Handy',
			'Vorname',
			'Familienname',
			'E-Mail-Adresse',
		],
		[
			'Spanish',
			'Nombre,Apellidos,Teléfono,Correo electrónico',
			'Teléfono',
			'Nombre',
			'Apellidos',
			'Correo electrónico',
		],
		['Spanish', 'apellido,nombre,movil,correo', 'movil', 'nombre', 'apellido', 'correo'],
		['French', 'Nom,Nombre,Prénom,Téléphone,Courriel', 'Téléphone', 'Prénom', 'Nom', 'Courriel'],
		['French', 'prenom,nom,portable,adresse e-mail', 'portable', 'prenom', 'nom', 'adresse e-mail'],
	])(
		'are found under their %s names: %s',
		async (_, header, phoneNumber, firstName, lastName, email) => {
			const test = await newerWorkspace();
			const cells = header
				.split(/[,;]/)
				.map((name) => (name === phoneNumber ? '+4915112345678' : `"${name}"`));
			const csv = `${header.replaceAll(';', ',')}\n${cells.join(',')}\n`;
			const { error } = await test.run(test.into('whatsapp', 'input'), [{}], {
				files: [fileOf(csv)],
			});
			expect(error?.message).toBeUndefined();
			const [{ body }] = await importsIn(test);
			expect(body).toMatchObject({ phoneNumber, firstName, lastName, email });
		},
	);

	test('with accents in another form of Unicode are found as well', async () => {
		const test = await newerWorkspace();
		const csv = `${'Teléfono'.normalize('NFD')},Nombre\n+4915112345678,Ana\n`;
		await test.run(test.into('whatsapp', 'input'), [{}], { files: [fileOf(csv)] });
		expect(people(await contactsIn(test))).toMatchObject([['Ana', null, null, '+4915112345678']]);
	});

	test('are used as the options name them, with automatic ones beside them unless Mapping is Manual', async () => {
		const test = await withFields('Plan');
		const files = [
			fileOf(
				'phone,Festnetz,Name,Abo,mail\n+4915100000000,+4915112345678,Ann,pro,ann@example.com\n',
			),
		];
		const options = {
			phoneNumber: 'Festnetz',
			firstName: 'Name',
			fieldMapping: { columns: [{ column: 'Abo', customFieldId: test.ids[0] }] },
		};
		const automatic = await test.run(test.into('whatsapp', 'input', { options }), [{}], { files });
		expect(automatic.json).toMatchObject([{ successCount: 1, unusedColumns: ['phone'] }]);
		expect(people(await contactsIn(test))).toEqual([
			['Ann', null, 'ann@example.com', '+4915112345678'],
		]);

		const manual = await test.run(
			test.into('whatsapp', 'input', { mapping: 'manual', options }),
			[{}],
			{
				files,
			},
		);
		expect(manual.json).toMatchObject([{ unusedColumns: ['phone', 'mail'] }]);
	});

	test('are reported by the IDs of their custom fields if the token cannot read the names', async () => {
		const test = await withFields('Plan');
		const [id] = test.ids;
		await test.workspace.faults({
			fail: [{ status: 403, match: { pathPattern: 'custom-fields' } }],
		});
		const options = {
			phoneNumber: 'phone',
			fieldMapping: { columns: [{ column: 'Abo', customFieldId: id }] },
		};
		const parameters = test.into('whatsapp', 'input', { mapping: 'manual', options });
		const files = [fileOf('phone,Abo\n+4915112345678,pro\n')];
		const { json, error } = await test.run(parameters, [{}], { files });
		expect(error?.message).toBeUndefined();
		const mappedColumns = [
			{ column: 'phone', field: 'phoneNumber' },
			{ column: 'Abo', field: id },
		];
		expect(json).toMatchObject([{ successCount: 1, mappedColumns }]);
	});

	test('fill 10 custom fields', async () => {
		const names = Array.from({ length: 10 }, (_, index) => `Field ${index}`);
		const test = await withFields(...names);
		const csv = `phone,${names.join(',')}\n+4915112345678,${names.map((name) => `value of ${name}`).join(',')}\n`;
		const { json } = await test.run(test.into('whatsapp', 'input'), [{}], { files: [fileOf(csv)] });
		expect(json[0].unusedColumns).toEqual([]);
		const [{ contactCustomFields }] = await contactsIn(test);
		expect(contactCustomFields.map(({ value }) => value)).toEqual(
			names.map((name) => `value of ${name}`),
		);
	});

	test('of 11 custom fields are refused', async () => {
		const names = Array.from({ length: 11 }, (_, index) => `Field ${index}`);
		const test = await withFields(...names);
		const files = [fileOf(`phone,${names.join(',')}\n+4915112345678\n`)];
		const { error } = await test.run(test.into('whatsapp', 'input'), [{}], { files });
		expect(error?.message).toContain('An import accepts up to 10 custom fields, but there are 11.');
		expect(await importsIn(test)).toEqual([]);
	});

	test('stay unused if their name is longer than 255 characters', async () => {
		const test = await withFields('x'.repeat(255), 'x'.repeat(256));
		const csv = `phone,${'x'.repeat(255)},${'x'.repeat(256)}\n+4915112345678,a,b\n`;
		const { json } = await test.run(test.into('whatsapp', 'input'), [{}], { files: [fileOf(csv)] });
		expect(json[0].unusedColumns).toEqual(['x'.repeat(256)]);
	});

	test.each([
		['whatsapp', 'Vorname,id', 'WhatsApp needs a column with phone numbers', 'Phone Number Column'],
		[
			'webchat',
			'Vorname,tel',
			'Webchat needs a column with IDs on the channel',
			'ID on the Channel Column',
		],
		[
			'telegram',
			'Vorname,email',
			'Telegram needs a column with IDs on the channel',
			'ID on the Channel Column',
		],
	])(
		'of an import into %s must tell contacts apart (%s do not)',
		async (type, header, problem, option) => {
			const test = await newerWorkspace();
			const files = [fileOf(`${header}\na,b\n`)];
			const shown = shownOf(await test.run(test.into(type, 'input'), [{}], { files }));
			expect(shown).toMatch(new RegExp(`^Importing to ${problem}\\.`));
			expect(shown).toContain('Nothing was changed.');
			expect(shown).toContain(`Set ${option} under Options, or rename the column in the file.`);
			expect(shown).toContain(`The columns of the file are: ${header.replace(',', ', ')}.`);
			expect(await importsIn(test)).toEqual([]);
		},
	);

	test('must include those that the options name', async () => {
		const test = await newerWorkspace();
		const parameters = test.into('whatsapp', 'input', {
			mapping: 'manual',
			options: { phoneNumber: 'Handy' },
		});
		const shown = shownOf(await test.run(parameters, [{}], { files: [fileOf('Mobile\n1\n')] }));
		expect(shown).toMatch(/^The file has no column "Handy"\./);
		expect(shown).toContain('The columns of the file are: Mobile.');
		expect(await importsIn(test)).toEqual([]);
	});
});
