import { by, fromItem, received } from '../../support/engine/helpers';
import { casesOf } from '../../support/cases';
import { testWorkspace } from '../../support/engine/workspace';
import type { TestWorkspace } from '../../support/engine/workspace';

/*
 * What stands in people's spreadsheets and forms, cell by cell, with what the service has to
 * receive for it, or the words with which the row is refused before anything is sent.
 */

type Field =
	| 'phoneNumber'
	| 'email'
	| 'firstName'
	| 'gender'
	| 'date'
	| 'datetime'
	| 'number'
	| 'boolean';

interface Row {
	from: string;
	field: Field;
	cell: unknown;
	/** The Default Country Code. */
	code?: string;
	/** What the service receives. */
	sent?: string;
	/** What the error says. */
	refused?: string;
}

const noPhone = 'must be 10 to 20 digits, with an optional leading +, but is';
const noEmail = 'must be a valid email address, but is';
const rounded = 'was rounded by a spreadsheet';
const twoNumbers = 'must be one phone number, but is';
const extension = 'must be a phone number without an extension, but is';
const notADate = (cell: string, format: string) =>
	`must be a date, such as 2026-01-31, but is "${cell}". Nothing was changed. Convert it with {{ DateTime.fromFormat($json.value, '${format}').toISODate() }}`;

const rows: Row[] = [
	{ from: 'Germany', field: 'phoneNumber', cell: '+49 151 555 01234', sent: '+4915155501234' },
	{ from: 'Germany', field: 'phoneNumber', cell: '+49 151 555-01235', sent: '+4915155501235' },
	{ from: 'Germany', field: 'phoneNumber', cell: '0049 151 555 01236', sent: '+4915155501236' },
	{
		from: 'Germany',
		field: 'phoneNumber',
		cell: '0151/555 01237',
		code: '+49',
		sent: '+4915155501237',
	},
	{
		from: 'Germany',
		field: 'phoneNumber',
		cell: '(0151) 555 01238',
		code: '49',
		sent: '+4915155501238',
	},
	{ from: 'Germany', field: 'phoneNumber', cell: '0151 555 01239', sent: '015155501239' },
	{ from: 'Germany', field: 'phoneNumber', cell: '+49 (0) 711 / 123 45-0', sent: '+49711123450' },
	{ from: 'Germany', field: 'phoneNumber', cell: '0711 12345', code: '0049', sent: '+4971112345' },
	{ from: 'Germany', field: 'phoneNumber', cell: '0711 123450 App. 12', refused: extension },
	{ from: 'Germany', field: 'phoneNumber', cell: 4915155501240, sent: '4915155501240' },
	{ from: 'Germany', field: 'phoneNumber', cell: '4.91512E+11', refused: rounded },
	{ from: 'Germany', field: 'phoneNumber', cell: '4,91512E+11', refused: rounded },
	{
		from: 'a phone',
		field: 'phoneNumber',
		cell: '\u202a+49\u00a0151\u00a0555\u00a001241\u202c',
		sent: '+4915155501241',
	},
	{ from: 'a PDF', field: 'phoneNumber', cell: '+49 151–555‑01\u00ad242', sent: '+4915155501242' },
	{ from: 'a data frame', field: 'phoneNumber', cell: '4915155501243.0', sent: '4915155501243' },
	{ from: 'Austria', field: 'phoneNumber', cell: '+43 (0)664 / 123 45 67', sent: '+436641234567' },
	{
		from: 'Switzerland',
		field: 'phoneNumber',
		cell: '079 123 45 67',
		code: '+41',
		sent: '+41791234567',
	},
	{
		from: 'France',
		field: 'phoneNumber',
		cell: '06.12.34.56.78',
		code: '+33',
		sent: '+33612345678',
	},
	{ from: 'France', field: 'phoneNumber', cell: '+33 (0)6 12 34 56 79', sent: '+33612345679' },
	{
		from: 'Great Britain',
		field: 'phoneNumber',
		cell: '(020) 7946 0958',
		code: '+44',
		sent: '+442079460958',
	},
	{
		from: 'Great Britain',
		field: 'phoneNumber',
		cell: '+44 (0)20-7946-0959',
		sent: '+442079460959',
	},
	{ from: 'Italy', field: 'phoneNumber', cell: '06 1234 5678', code: '+39', sent: '+390612345678' },
	{ from: 'Italy', field: 'phoneNumber', cell: '333 123 4567', code: '+39', sent: '+393331234567' },
	{
		from: 'the United States',
		field: 'phoneNumber',
		cell: '(415) 555-0132',
		code: '+1',
		sent: '+14155550132',
	},
	{
		from: 'the United States',
		field: 'phoneNumber',
		cell: '415.555.0133',
		code: '+1',
		sent: '+14155550133',
	},
	{
		from: 'the United States',
		field: 'phoneNumber',
		cell: '1-415-555-0134',
		code: '+1',
		sent: '+14155550134',
	},
	{
		from: 'the United States',
		field: 'phoneNumber',
		cell: '+1 415 555 0135 ext. 5',
		refused: extension,
	},
	{
		from: 'the United States',
		field: 'phoneNumber',
		cell: '415-555-0136 x5',
		code: '+1',
		refused: extension,
	},
	{ from: 'the United States', field: 'phoneNumber', cell: '1-800-FLOWERS', refused: noPhone },
	{ from: 'Brazil', field: 'phoneNumber', cell: '+55 (11) 91234-5678', sent: '+5511912345678' },
	{ from: 'India', field: 'phoneNumber', cell: '+91-98765 43210', sent: '+919876543210' },
	{
		from: 'Vietnam',
		field: 'phoneNumber',
		cell: '090 123 45 67',
		code: '+84',
		sent: '+84901234567',
	},
	{
		from: 'Japan',
		field: 'phoneNumber',
		cell: '090-1234-5678',
		code: '+81',
		sent: '+819012345678',
	},
	{ from: 'a form', field: 'phoneNumber', cell: 'n/a', refused: noPhone },
	{ from: 'a form', field: 'phoneNumber', cell: '+49 151', refused: noPhone },
	{
		from: 'a form',
		field: 'phoneNumber',
		cell: '+49 151 55501244 oder 0711 12345',
		refused: 'must be',
	},

	{ from: 'a data frame', field: 'phoneNumber', cell: '+34612345678.0', sent: '+34612345678' },
	{
		from: 'a data frame',
		field: 'phoneNumber',
		cell: '612345678.0',
		code: '+34',
		sent: '+34612345678',
	},
	{
		from: 'Germany',
		field: 'phoneNumber',
		cell: '030 1234567 / 030 765432',
		code: '+49',
		refused: twoNumbers,
	},
	{ from: 'Germany', field: 'phoneNumber', cell: '030 1234567 / 030 765432', refused: twoNumbers },
	{ from: 'Germany', field: 'phoneNumber', cell: '+49 30 12345 / 12346', refused: twoNumbers },
	{
		from: 'Germany',
		field: 'phoneNumber',
		cell: '030 1234567\n030 765432',
		code: '+49',
		refused: twoNumbers,
	},
	{
		from: 'the United States',
		field: 'phoneNumber',
		cell: '415-555-0132 415-555-0133',
		code: '+1',
		refused: twoNumbers,
	},
	{
		from: 'the United States',
		field: 'phoneNumber',
		cell: '011 49 151 555 01234',
		code: '+1',
		sent: '+4915155501234',
	},
	{
		from: 'Russia',
		field: 'phoneNumber',
		cell: '8 10 49 151 555 01234',
		code: '+7',
		sent: '+4915155501234',
	},
	{
		from: 'Brazil',
		field: 'phoneNumber',
		cell: '00 15 49 151 555 01234',
		code: '+55',
		sent: '+4915155501234',
	},
	{ from: 'Germany', field: 'phoneNumber', cell: '+49 0151 55501234', sent: '+4915155501234' },
	{ from: 'Germany', field: 'phoneNumber', cell: '0049 0151 55501234', sent: '+4915155501234' },
	{
		from: 'Great Britain',
		field: 'phoneNumber',
		cell: '+44 (0131) 496 0123',
		sent: '+441314960123',
	},
	{ from: 'Hungary', field: 'phoneNumber', cell: '+36 06 20 123 4567', sent: '+36201234567' },
	{ from: 'Italy', field: 'phoneNumber', cell: '+39 06 1234 5678', sent: '+390612345678' },
	{ from: 'San Marino', field: 'phoneNumber', cell: '+378 0549 886377', sent: '+3780549886377' },
	{
		from: 'Ivory Coast',
		field: 'phoneNumber',
		cell: '+225 07 12 34 56 78',
		sent: '+2250712345678',
	},
	{
		from: 'Ivory Coast',
		field: 'phoneNumber',
		cell: '+225 (0)7 12 34 56 78',
		sent: '+2250712345678',
	},
	{ from: 'Benin', field: 'phoneNumber', cell: '+229 01 95 12 34 56', sent: '+2290195123456' },
	{ from: 'the Congo', field: 'phoneNumber', cell: '+242 06 612 3456', sent: '+242066123456' },
	{
		from: 'Ivory Coast',
		field: 'phoneNumber',
		cell: '07 12 34 56 78',
		code: '+225',
		sent: '+2250712345678',
	},
	{
		from: 'Russia',
		field: 'phoneNumber',
		cell: '8 912 345-67-89',
		code: '+7',
		sent: '+79123456789',
	},
	{
		from: 'Hungary',
		field: 'phoneNumber',
		cell: '06 20 123 4567',
		code: '+36',
		sent: '+36201234567',
	},
	{ from: 'Italy', field: 'phoneNumber', cell: '312 345 6789', code: '+39', sent: '+393123456789' },
	{ from: 'Spain', field: 'phoneNumber', cell: '612 34 56 78', code: '+34', sent: '+34612345678' },
	{
		from: 'Mexico',
		field: 'phoneNumber',
		cell: '222 123 4567',
		code: '+52',
		sent: '+522221234567',
	},
	{ from: 'Mexico', field: 'phoneNumber', cell: '+5215512345678', sent: '+5215512345678' },
	{
		from: 'Mexico',
		field: 'phoneNumber',
		cell: '5215512345678',
		code: '+52',
		sent: '+5215512345678',
	},
	{
		from: 'Mexico',
		field: 'phoneNumber',
		cell: '01 55 1234 5678',
		code: '+52',
		sent: '+525512345678',
	},
	{
		from: 'Argentina',
		field: 'phoneNumber',
		cell: '011 15 1234 5678',
		code: '+54',
		sent: '+5491112345678',
	},
	{ from: 'India', field: 'phoneNumber', cell: 9876543210, code: '+91', sent: '+919876543210' },
	{ from: 'France', field: 'phoneNumber', cell: 612345678, code: '+33', sent: '+33612345678' },
	{
		from: 'Germany',
		field: 'phoneNumber',
		cell: '4915155501234',
		code: '+49',
		sent: '+4915155501234',
	},
	{
		from: 'Germany',
		field: 'phoneNumber',
		cell: '4915123456789',
		code: '+49',
		sent: '+4915123456789',
	},
	{ from: 'Germany', field: 'phoneNumber', cell: '15155501234', code: '+49', sent: '15155501234' },
	{
		from: 'France, in a German sheet',
		field: 'phoneNumber',
		cell: '33612345678',
		code: '+49',
		sent: '33612345678',
	},
	{
		from: 'France',
		field: 'phoneNumber',
		cell: '0151 555 01234',
		code: '+33',
		sent: '015155501234',
	},
	{
		from: 'Germany',
		field: 'phoneNumber',
		cell: '+49 151 555 012345 678',
		sent: '+49151555012345678',
	},
	{
		from: 'Germany',
		field: 'phoneNumber',
		cell: '+0049 151 555 01234',
		refused: 'must begin with + and a country code',
	},
	{
		from: 'Japan',
		field: 'phoneNumber',
		cell: '＋４９　１５１－５５５０１２３４',
		sent: '+4915155501234',
	},
	{
		from: 'Egypt',
		field: 'phoneNumber',
		cell: '٠١٠٠ ١٢٣ ٤٥٦٧',
		code: '+20',
		sent: '+201001234567',
	},
	{ from: 'Iran', field: 'phoneNumber', cell: '۰۹۱۲ ۳۴۵ ۶۷۸۹', code: '+98', sent: '+989123456789' },
	{
		from: 'WhatsApp',
		field: 'phoneNumber',
		cell: '5511999999999@s.whatsapp.net',
		code: '+49',
		sent: '+5511999999999',
	},
	{
		from: 'WhatsApp',
		field: 'phoneNumber',
		cell: '5511999999999:12@s.whatsapp.net',
		sent: '+5511999999999',
	},
	{
		from: 'WhatsApp',
		field: 'phoneNumber',
		cell: '5511999999999@c.us',
		code: '+1',
		sent: '+5511999999999',
	},
	{
		from: 'WhatsApp',
		field: 'phoneNumber',
		cell: '1234567890@lid',
		refused: 'a WhatsApp ID that hides the phone number',
	},
	{
		from: 'WhatsApp',
		field: 'phoneNumber',
		cell: '120363041234567890@g.us',
		refused: 'a WhatsApp group',
	},
	{
		from: 'WhatsApp',
		field: 'phoneNumber',
		cell: '120363041234567890@newsletter',
		refused: 'a WhatsApp channel',
	},
	{
		from: 'WhatsApp',
		field: 'phoneNumber',
		cell: 'status@broadcast',
		refused: 'a WhatsApp broadcast list',
	},

	{ from: 'a form', field: 'email', cell: ' Ann.Lee@Example.com ', sent: 'Ann.Lee@Example.com' },
	{
		from: 'a web page',
		field: 'email',
		cell: '\u200bann.lee@example.com\u00a0',
		sent: 'ann.lee@example.com',
	},
	{ from: 'Germany', field: 'email', cell: 'jürgen@müller.example', sent: 'jürgen@müller.example' },
	{
		from: 'Ireland',
		field: 'email',
		cell: "sinéad.o'neil@example.ie",
		sent: "sinéad.o'neil@example.ie",
	},
	{
		from: 'a form',
		field: 'email',
		cell: 'ann+news@example.co.uk',
		sent: 'ann+news@example.co.uk',
	},
	{ from: 'a form', field: 'email', cell: 'ann@example', refused: noEmail },
	{ from: 'a form', field: 'email', cell: 'ann example.com', refused: noEmail },
	{ from: 'a form', field: 'email', cell: 'ann@example..com', refused: noEmail },
	{ from: 'an address book', field: 'email', cell: 'Ann Lee <ann@example.com>', refused: noEmail },
	{
		from: 'an address book',
		field: 'email',
		cell: 'ann@example.com; bob@example.com',
		refused: noEmail,
	},

	{ from: 'Vietnam', field: 'firstName', cell: 'Nguyễn Thị Ánh', sent: 'Nguyễn Thị Ánh' },
	{ from: 'Ireland', field: 'firstName', cell: "O'Neil", sent: "O'Neil" },
	{ from: 'Japan', field: 'firstName', cell: '山田 太郎', sent: '山田 太郎' },
	{ from: 'Brazil', field: 'firstName', cell: '  José\t', sent: '  José\t' },
	{
		from: 'a form',
		field: 'firstName',
		cell: 'x'.repeat(101),
		refused: 'must be at most 100 characters long',
	},

	{ from: 'a form', field: 'gender', cell: 'Male', sent: 'male' },
	{ from: 'a form', field: 'gender', cell: ' F ', sent: 'female' },
	{ from: 'a form', field: 'gender', cell: 'm', sent: 'male' },
	{ from: 'a form', field: 'gender', cell: 'UNKNOWN', sent: 'unknown' },
	{
		from: 'Germany',
		field: 'gender',
		cell: 'männlich',
		refused: 'must be one of male, female, unknown, but is "männlich"',
	},

	{ from: 'anywhere', field: 'date', cell: '2026-01-31', sent: '2026-01-31' },
	{
		from: 'Germany',
		field: 'date',
		cell: '31.01.2026',
		refused: notADate('31.01.2026', 'd.M.yyyy'),
	},
	{
		from: 'Germany',
		field: 'date',
		cell: '01.02.2026',
		refused: notADate('01.02.2026', 'd.M.yyyy'),
	},
	{
		from: 'the United States',
		field: 'date',
		cell: '1/31/2026',
		refused: notADate('1/31/2026', 'M/d/yyyy'),
	},
	{
		from: 'Great Britain',
		field: 'date',
		cell: '31/01/2026',
		refused: notADate('31/01/2026', 'd/M/yyyy'),
	},
	{ from: 'Japan', field: 'date', cell: '2026/01/31', refused: notADate('2026/01/31', 'yyyy/M/d') },
	{
		from: 'Germany',
		field: 'datetime',
		cell: '31.01.2026 9:30',
		refused: "{{ DateTime.fromFormat($json.value, 'd.M.yyyy H:mm').toISO() }}",
	},
	{
		from: 'a database',
		field: 'datetime',
		cell: '2026-01-31 09:30:00Z',
		sent: '2026-01-31T09:30:00.000Z',
	},
	{ from: 'anywhere', field: 'number', cell: '1.5', sent: '1.5' },
	{
		from: 'Germany',
		field: 'number',
		cell: '1,5',
		refused:
			"must be a number, such as 1234.5, but is \"1,5\". Nothing was changed. Convert it with {{ Number($json.value.replace(/[.\\s]/g, '').replace(',', '.')) }}",
	},
	{
		from: 'the United States',
		field: 'number',
		cell: '1,234.50',
		refused: "{{ Number($json.value.replace(/[^\\d.+-]/g, '')) }}",
	},
	{ from: 'a form', field: 'boolean', cell: 'Yes', sent: 'true' },
];

const isCustom = (field: Field) => ['date', 'datetime', 'number', 'boolean'].includes(field);
const named = rows.map(
	(row) => [`${row.from}: ${row.field} ${JSON.stringify(row.cell)}`, row] as const,
);
/** What a run gets besides its items: the credential with the country code of a row. */
const withCodeOf = ({ code }: Row) => {
	const { url, token } = shared.workspace;
	return { credential: { baseUrl: url, accessToken: token, defaultCountryCode: code } };
};

/** One function reads the numbers of all operations: *Update* tries each row, others every third. */
const everyThird = <Case>(rows: Case[]) =>
	casesOf(
		rows.filter((_, index) => index % 3 === 0),
		rows.filter((_, index) => index % 3 !== 0),
	);

test('No messy row is both sent and refused', () => {
	for (const { sent, refused } of rows) expect([sent, refused]).toContain(undefined);
});

let shared: TestWorkspace;
let contactId: string;
let fieldId: (type: string) => string;
beforeAll(async () => {
	shared = await testWorkspace({ contacts: 1 });
	const { contacts, customFields } = await shared.workspace.state();
	contactId = contacts[0].id;
	fieldId = (type) => customFields.find((field) => field.type === type)!.id;
});
beforeEach(async () => await shared.workspace.clearJournal());

/** What the service has received, without reads of its definitions and searches for contacts. */
async function sent() {
	return (await received(shared.workspace)).filter(
		({ path }) => !/^\/api\/v1\/(custom-fields|contacts\?)/.test(path),
	);
}

describe('Update Contact with a messy row', () => {
	test.each(named)('sends the clean value or reports the row: %s', async (_, row) => {
		const { field, cell } = row;
		const identifier = by('id', contactId);
		const value = fromItem();
		const parameters = isCustom(field)
			? {
					operation: 'setCustomFields',
					customFields: { mappingMode: 'defineBelow', value: { [fieldId(field)]: value } },
				}
			: { operation: 'update', updateFields: { [field]: value } };
		const { error } = await shared.run(
			{ resource: 'contact', identifier, ...parameters },
			[{ value: cell as string }],
			withCodeOf(row),
		);
		const requests = await sent();
		if (row.refused !== undefined) {
			expect(error?.message).toContain(row.refused);
			expect(requests).toEqual([]);
			return;
		}
		const [{ body }] = requests;
		expect(requests).toHaveLength(1);
		expect(body).toEqual(
			isCustom(field)
				? { operations: [{ customFieldId: fieldId(field), operation: 'set', value: row.sent }] }
				: { [field]: row.sent },
		);
	});
});

describe('Set Custom Fields with a messy phone number', () => {
	test.each(everyThird(named.filter(([, { field }]) => field === 'phoneNumber')))(
		'sends the clean value or reports the row: %s',
		async (_, row) => {
			const value = { [fieldId('phoneNumber')]: fromItem() };
			const { error } = await shared.run(
				{
					resource: 'contact',
					operation: 'setCustomFields',
					identifier: by('id', contactId),
					customFields: { mappingMode: 'defineBelow', value },
				},
				[{ value: row.cell as string }],
				withCodeOf(row),
			);
			expect(error === undefined).toBe(row.refused === undefined);
			expect((await sent()).map(({ body }) => body)).toEqual(
				row.refused === undefined
					? [
							{
								operations: [
									{ customFieldId: fieldId('phoneNumber'), operation: 'set', value: row.sent },
								],
							},
						]
					: [],
			);
		},
	);
});

describe('Get Contact with a messy row', () => {
	const reaches = named.filter(([, { field }]) => field === 'phoneNumber' || field === 'email');
	// Of new addresses the API wants more than of those to look for.
	const looseEmails = ['ann@example', 'ann@example..com'];

	test.each(everyThird(reaches))('finds the contact or reports the row: %s', async (_, row) => {
		const [mode, prefix] = row.field === 'email' ? ['email', 'email:'] : ['phone', 'phone:'];
		const { error } = await shared.run(
			{ resource: 'contact', operation: 'get', identifier: by(mode, fromItem()) },
			[{ value: row.cell as string }],
			withCodeOf(row),
		);
		const paths = (await sent()).map(({ path }) => decodeURIComponent(path.split('/')[4]));
		const name =
			row.sent ?? (looseEmails.includes(String(row.cell)) ? String(row.cell) : undefined);
		expect(paths).toEqual(name === undefined ? [] : [prefix + name]);
		if (name === undefined) expect(error?.message).toMatch(/^Contact (must|was rounded) /);
	});
});

test('All spellings of one phone number select one contact', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const spellings = [
		'+49 151 555-01234',
		'00491515550 1234',
		'0151/55501234',
		'+49 (0)151 555 01234',
	];
	const { json, error } = await run(
		{
			resource: 'contact',
			operation: 'upsert',
			email: 'ann@example.com',
			phoneNumber: fromItem('phone'),
			options: { defaultCountryCode: '+49' },
		},
		spellings.map((phone) => ({ phone })),
	);
	expect(error).toBeUndefined();
	expect(json.map(({ outcome }) => outcome)).toEqual([
		'created',
		'unchanged',
		'unchanged',
		'unchanged',
	]);
	expect((await workspace.state()).contacts.map(({ phoneNumber }) => phoneNumber)).toEqual([
		'+4915155501234',
	]);
});
