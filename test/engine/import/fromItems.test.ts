import type { IDataObject } from 'n8n-workflow';
import { by, fromItem, received, shownOf } from '../../support/engine/helpers';
import {
	asContacts,
	contactsIn,
	germanCredential,
	importsIn,
	leads,
	newerWorkspace,
	people,
} from './helpers';

/** The values of custom fields as the panel maps them one by one. */
const mapped = (value: Record<string, string>) => ({ mappingMode: 'defineBelow', value });

describe('Import from items', () => {
	test('makes one import of all items, with a row for each', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'City', type: 'shortText' });
		const parameters = test.into('whatsapp', 'items', {
			...asContacts,
			customFields: mapped({ [id]: fromItem('city') }),
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

	test('takes no true, false or invalid date for a name', async () => {
		const test = await newerWorkspace();
		const values = { phoneNumber: '+4915112345678' };
		for (const first of [
			'={{ true }}',
			'={{ new Date("31.01.2026") }}',
			'={{ String(new Date("x")) }}',
		]) {
			const parameters = test.into('whatsapp', 'items', { ...values, firstName: first });
			const { error } = await test.run(parameters, [{}]);
			expect(error?.message).toMatch(/^First Name must be text, but is (true|an invalid date)\. /);
		}
		expect(await importsIn(test)).toEqual([]);
	});

	test.each<[string, IDataObject[], number]>([
		['could be those of other items', leads, 3],
		['have cells of several lines', [leads[0], { ...leads[1], name: 'Cem\nB.' }], 3],
	])(
		'hints at the row numbers of the service, and links no rows that %s',
		async (_, items, row) => {
			const test = await newerWorkspace();
			const parameters = test.into('whatsapp', 'items', {
				...asContacts,
				options: { countryCode: '+49' },
			});
			const { json, hints } = await test.run(parameters, items);
			expect(json[0].errorSample).toEqual([{ row, reason: 'Invalid phone' }]);
			expect(hints).toContain("Row numbers in errorSample are the service's own.");
		},
	);

	test('shows the phone number of a failed row, not the custom field with the name phoneNumber', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', {
			name: 'phoneNumber',
			type: 'shortText',
		});
		const customFields = mapped({ [id]: fromItem('second') });
		const items = [leads[2], leads[1]].map((lead, n) => ({ ...lead, second: `+491519999999${n}` }));
		const { json } = await test.run(
			test.into('whatsapp', 'items', { ...asContacts, customFields }),
			items,
		);
		expect(json).toMatchObject([{ errorSample: [{ values: { phoneNumber: 'nonsense' } }] }]);
	});

	test('writes quotes, commas, line breaks, zeros and formulas into cells without loss', async () => {
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

	test('leaves out empty items, and the rows of the others stay theirs', async () => {
		const test = await newerWorkspace();
		const empty = { phone: '', name: ' ', mail: null };
		const items = [empty, leads[0], empty, { phone: 'x' }, empty] as IDataObject[];
		const parameters = test.into('whatsapp', 'items', {
			...asContacts,
			options: { countryCode: '+49' },
		});
		const { json, outputs } = await test.run(parameters, items);
		expect(json).toMatchObject([{ totalCount: 2, errorSample: [{ row: 3, item: 3 }] }]);
		expect(outputs[0][0].pairedItem).toEqual([{ item: 1 }, { item: 3 }]);

		const nothing = await test.run(parameters, [empty, empty]);
		expect(nothing.error?.message).toContain(
			'There is nothing to import: all fields of the mapping are empty.',
		);
		expect(await importsIn(test)).toHaveLength(1);
	});

	test('stops for an item whose custom field cannot be written, and names that item', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'Age', type: 'number' });
		const customFields = mapped({ [id]: fromItem('age') });
		const parameters = test.into('whatsapp', 'items', { ...asContacts, customFields });
		const items = [30, 'old', 31].map((age, index) => ({ phone: `+491511234567${index}`, age }));
		const { error } = await test.run(parameters, items);
		expect(error?.message).toMatch(/^Custom field Age must be a number.* is "old"\. .*\[item 1\]$/);
		expect(error?.description).toContain('1 failed (item 1)');
		expect(await importsIn(test)).toEqual([]);

		const { outputs } = await test.run(parameters, items, { onError: 'continueErrorOutput' });
		expect(outputs[0]).toMatchObject([
			{ json: { successCount: 2 }, pairedItem: [{ item: 0 }, { item: 2 }] },
		]);
		expect(outputs[1]).toMatchObject([{ json: { age: 'old' } }]);
	});

	test('names the columns that an automatic mapping leaves out', async () => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		await test.workspace.add('customFields', { name: 'City', type: 'shortText' });
		const customFields = { mappingMode: 'autoMapInputData', value: null };
		const { hints, error } = await test.run(
			test.into('whatsapp', 'items', { phoneNumber: fromItem('phone'), customFields }),
			[leads[2], { ...leads[2], phone: '+4915112345670', city: 'Bonn' }],
		);
		expect(error).toBeUndefined();
		expect(hints).toEqual(['Not imported: columns name, mail.']);
	});

	test.each([
		[10, undefined],
		[11, 'An import accepts up to 10 custom fields, but there are 11.'],
	])('takes 10 custom fields at most: %d', async (count, message) => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const item: IDataObject = { phone: '+4915112345678' };
		for (let index = 0; index < count; index++) {
			await test.workspace.add('customFields', { name: `Field ${index}`, type: 'shortText' });
			item[`field${index}`] = `value ${index}`;
		}
		const customFields = { mappingMode: 'autoMapInputData', value: null };
		const { error } = await test.run(
			test.into('whatsapp', 'items', { ...asContacts, customFields }),
			[item],
		);
		if (message) expect(error?.message).toContain(message);
		else expect((await contactsIn(test))[0].contactCustomFields).toHaveLength(10);
		expect(await importsIn(test)).toHaveLength(message ? 0 : 1);
		// What is refused is not uploaded either.
		const { byOperation } = await test.workspace.summary();
		expect(byOperation.createImportUpload).toBe(message ? undefined : 1);
	});

	test.each([
		[1000, undefined],
		[1001, 'Note has 1001 characters; an import reads at most 1000.'],
	])('takes 1000 characters in a cell at most: %d', async (length, message) => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'Note', type: 'longText' });
		const customFields = mapped({ [id]: fromItem('note') });
		const { error } = await test.run(
			test.into('whatsapp', 'items', { ...asContacts, customFields }),
			[{ phone: '+4915112345678', note: 'x'.repeat(length) }],
		);
		if (message) expect(error?.message).toContain(message);
		else
			expect((await contactsIn(test))[0].contactCustomFields).toMatchObject([
				{ value: 'x'.repeat(1000) },
			]);
		expect(await importsIn(test)).toHaveLength(message ? 0 : 1);
	});

	test.each([
		['whatsapp', { email: fromItem('mail') }, 'WhatsApp needs phone numbers', 'Phone Number'],
		[
			'telegram',
			{ phoneNumber: fromItem('phone') },
			'Telegram needs IDs on the channel',
			'ID on the Channel',
		],
	])('needs what tells contacts apart on %s', async (type, fields, problem, label) => {
		const test = await newerWorkspace();
		const shown = shownOf(await test.run(test.into(type, 'items', fields), leads));
		expect(shown).toMatch(new RegExp(`^Importing to ${problem}\\.`));
		expect(shown).toContain(`${label} is empty in all items.`);
		expect((await test.workspace.journal()).uploads).toEqual([]);
	});

	test('refuses items that go to different channels', async () => {
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

	test.each([
		['4915222333444', '+49', '+4915222333444'],
		['49 1522 2333444', '+49', '+4915222333444'],
		['4930123456', '+49', '+4930123456'],
		['015222333444', '+49', '+4915222333444'],
		['15222333444', '+49', '+4915222333444'],
		['14155552671', '+1', '+14155552671'],
		['4155552671', '+1', '+14155552671'],
		['393912345678', '+39', '+393912345678'],
		['3912345678', '+39', '+393912345678'],
		['919112345678', '+91', '+919112345678'],
		['9112345678', '+91', '+919112345678'],
		['5555991234567', '+55', '+5555991234567'],
		['55991234567', '+55', '+5555991234567'],
	])(
		'imports the phone number %s with the country code %s as %s',
		async (phone, code, expected) => {
			const test = await newerWorkspace();
			const options = { countryCode: code };
			const parameters = test.into('whatsapp', 'items', { ...asContacts, options });
			const { error } = await test.run(parameters, [{ phone }]);
			expect(error?.message).toBeUndefined();
			expect((await contactsIn(test)).map(({ phoneNumber }) => phoneNumber)).toEqual([expected]);
		},
	);

	test('does the same with the country code of the credential', async () => {
		const test = await newerWorkspace();
		const credential = germanCredential(test);
		await test.run(test.into('whatsapp', 'items', asContacts), [{ phone: '4915222333444' }], {
			credential,
		});
		expect((await contactsIn(test)).map(({ phoneNumber }) => phoneNumber)).toEqual([
			'+4915222333444',
		]);
	});

	test.each([
		['a field', { firstName: fromItem('text') }, 'First Name'],
		['a custom field', {}, 'Custom field Note'],
	])('refuses half an emoji in %s before anything is imported', async (_, fields, label) => {
		const test = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await test.workspace.add('customFields', { name: 'Note', type: 'longText' });
		const customFields = label === 'First Name' ? {} : mapped({ [id]: fromItem('text') });
		const parameters = test.into('whatsapp', 'items', { ...asContacts, customFields, ...fields });
		const items = [
			{ phone: '+4915112345678', text: 'whole \u{1F600}' },
			{ phone: '+4915112345679', text: 'half \uD83D' },
		];
		const { error } = await test.run(parameters, items);
		expect(error?.message).toMatch(
			new RegExp(
				`^${label} must not contain half a character \\(a lone surrogate\\)\\.? .*\\[item 1\\]$`,
			),
		);
		expect((await test.workspace.journal()).uploads).toEqual([]);
		expect(await importsIn(test)).toEqual([]);
	});

	test('refuses a phone number that a spreadsheet rounded before anything is sent', async () => {
		const { run, workspace, into } = await newerWorkspace();
		const items = [leads[2], { phone: '4.91512E+11' }];
		const { error } = await run(into('whatsapp', 'items', asContacts), items);
		expect(error?.message).toMatch(/^Phone Number .*4\.91512E\+11.*\[item 1\]$/);
		expect(await received(workspace)).toEqual([]);
	});

	test.each([
		{ mimeType: 'text/csv', data: 'filesystem-v2', fileName: 'a.csv' },
		'filesystem-v2:workflows/1/executions/2/binary_data/00000000-0000-4000-8000-000000000000',
	])('refuses the binary data %p in a field before anything is sent', async (name) => {
		const { run, workspace, into } = await newerWorkspace();
		const { error } = await run(into('whatsapp', 'items', asContacts), [
			{ ...leads[2], name },
		] as IDataObject[]);
		expect(error?.message).toBe("First Name can't hold binary data [item 0]");
		expect(await received(workspace)).toEqual([]);
	});

	test('takes fewer than ten requests for 200 items', async () => {
		const test = await newerWorkspace();
		const items = Array.from({ length: 200 }, (_, n) => ({
			phone: `+49151${10_000_000 + n}`,
			name: `N${n}`,
		}));
		const { json } = await test.run(test.into('whatsapp', 'items', asContacts), items);
		expect(json).toMatchObject([{ successCount: 200, failedCount: 0, errorSample: [] }]);
		expect((await received(test.workspace)).length).toBeLessThan(10);
	});
});
