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

/** The rows of one field: where they come from, the cell, and what becomes of it. */
const rowsOf = (
	field: Field,
	cells: Array<[from: string, cell: unknown, Pick<Row, 'code' | 'sent' | 'refused'>]>,
): Row[] => cells.map(([from, cell, more]) => ({ from, field, cell, ...more }));

const noPhone = 'must be 10 to 20 digits, with an optional leading +, but is';
const noEmail = 'must be a valid email address, but is';
const rounded = 'was rounded by a spreadsheet';
const twoNumbers = 'must be one phone number, but is';
const extension = 'must be a phone number without an extension, but is';
const notADate = (cell: string, format: string) =>
	`must be a date, such as 2026-01-31, but is "${cell}". Nothing was changed. Convert it with {{ DateTime.fromFormat($json.value, '${format}').toISODate() }}`;

const rows: Row[] = [
	...rowsOf('phoneNumber', [
		['Germany', '+49 151 555 01234', { sent: '+4915155501234' }],
		['Germany', '+49 151 555-01235', { sent: '+4915155501235' }],
		['Germany', '0049 151 555 01236', { sent: '+4915155501236' }],
		['Germany', '0151/555 01237', { code: '+49', sent: '+4915155501237' }],
		['Germany', '(0151) 555 01238', { code: '49', sent: '+4915155501238' }],
		['Germany', '0151 555 01239', { sent: '015155501239' }],
		['Germany', '+49 (0) 711 / 123 45-0', { sent: '+49711123450' }],
		['Germany', '0711 12345', { code: '0049', sent: '+4971112345' }],
		['Germany', '0711 123450 App. 12', { refused: extension }],
		['Germany', 4915155501240, { sent: '4915155501240' }],
		['Germany', '4.91512E+11', { refused: rounded }],
		['Germany', '4,91512E+11', { refused: rounded }],
		['a phone', '\u202a+49\u00a0151\u00a0555\u00a001241\u202c', { sent: '+4915155501241' }],
		['a PDF', '+49 151–555‑01\u00ad242', { sent: '+4915155501242' }],
		['a data frame', '4915155501243.0', { sent: '4915155501243' }],
		['Austria', '+43 (0)664 / 123 45 67', { sent: '+436641234567' }],
		['Switzerland', '079 123 45 67', { code: '+41', sent: '+41791234567' }],
		['France', '06.12.34.56.78', { code: '+33', sent: '+33612345678' }],
		['France', '+33 (0)6 12 34 56 79', { sent: '+33612345679' }],
		['Great Britain', '(020) 7946 0958', { code: '+44', sent: '+442079460958' }],
		['Great Britain', '+44 (0)20-7946-0959', { sent: '+442079460959' }],
		['Italy', '06 1234 5678', { code: '+39', sent: '+390612345678' }],
		['Italy', '333 123 4567', { code: '+39', sent: '+393331234567' }],
		['the United States', '(415) 555-0132', { code: '+1', sent: '+14155550132' }],
		['the United States', '415.555.0133', { code: '+1', sent: '+14155550133' }],
		['the United States', '1-415-555-0134', { code: '+1', sent: '+14155550134' }],
		['the United States', '+1 415 555 0135 ext. 5', { refused: extension }],
		['the United States', '415-555-0136 x5', { code: '+1', refused: extension }],
		['the United States', '1-800-FLOWERS', { refused: noPhone }],
		['Brazil', '+55 (11) 91234-5678', { sent: '+5511912345678' }],
		['India', '+91-98765 43210', { sent: '+919876543210' }],
		['Vietnam', '090 123 45 67', { code: '+84', sent: '+84901234567' }],
		['Japan', '090-1234-5678', { code: '+81', sent: '+819012345678' }],
		['a form', 'n/a', { refused: noPhone }],
		['a form', '+49 151', { refused: noPhone }],
		['a form', '+49 151 55501244 oder 0711 12345', { refused: 'must be' }],
		['a data frame', '+34612345678.0', { sent: '+34612345678' }],
		['a data frame', '612345678.0', { code: '+34', sent: '+34612345678' }],
		['Germany', '030 1234567 / 030 765432', { code: '+49', refused: twoNumbers }],
		['Germany', '030 1234567 / 030 765432', { refused: twoNumbers }],
		['Germany', '+49 30 12345 / 12346', { refused: twoNumbers }],
		['Germany', '030 1234567\n030 765432', { code: '+49', refused: twoNumbers }],
		['the United States', '415-555-0132 415-555-0133', { code: '+1', refused: twoNumbers }],
		['the United States', '011 49 151 555 01234', { code: '+1', sent: '+4915155501234' }],
		['Russia', '8 10 49 151 555 01234', { code: '+7', sent: '+4915155501234' }],
		['Brazil', '00 15 49 151 555 01234', { code: '+55', sent: '+4915155501234' }],
		['Germany', '+49 0151 55501234', { sent: '+4915155501234' }],
		['Germany', '0049 0151 55501234', { sent: '+4915155501234' }],
		['Great Britain', '+44 (0131) 496 0123', { sent: '+441314960123' }],
		['Hungary', '+36 06 20 123 4567', { sent: '+36201234567' }],
		['Italy', '+39 06 1234 5678', { sent: '+390612345678' }],
		['San Marino', '+378 0549 886377', { sent: '+3780549886377' }],
		['Ivory Coast', '+225 07 12 34 56 78', { sent: '+2250712345678' }],
		['Ivory Coast', '+225 (0)7 12 34 56 78', { sent: '+2250712345678' }],
		['Benin', '+229 01 95 12 34 56', { sent: '+2290195123456' }],
		['the Congo', '+242 06 612 3456', { sent: '+242066123456' }],
		['Ivory Coast', '07 12 34 56 78', { code: '+225', sent: '+2250712345678' }],
		['Russia', '8 912 345-67-89', { code: '+7', sent: '+79123456789' }],
		['Hungary', '06 20 123 4567', { code: '+36', sent: '+36201234567' }],
		['Italy', '312 345 6789', { code: '+39', sent: '+393123456789' }],
		['Spain', '612 34 56 78', { code: '+34', sent: '+34612345678' }],
		['Mexico', '222 123 4567', { code: '+52', sent: '+522221234567' }],
		['Mexico', '+5215512345678', { sent: '+5215512345678' }],
		['Mexico', '5215512345678', { code: '+52', sent: '+5215512345678' }],
		['Mexico', '01 55 1234 5678', { code: '+52', sent: '+525512345678' }],
		['Argentina', '011 15 1234 5678', { code: '+54', sent: '+5491112345678' }],
		['India', 9876543210, { code: '+91', sent: '+919876543210' }],
		['France', 612345678, { code: '+33', sent: '+33612345678' }],
		['Germany', '4915155501234', { code: '+49', sent: '+4915155501234' }],
		['Germany', '4915123456789', { code: '+49', sent: '+4915123456789' }],
		['Germany', '15155501234', { code: '+49', sent: '15155501234' }],
		['France, in a German sheet', '33612345678', { code: '+49', sent: '33612345678' }],
		['France', '0151 555 01234', { code: '+33', sent: '015155501234' }],
		['Germany', '+49 151 555 012345 678', { sent: '+49151555012345678' }],
		['Germany', '+0049 151 555 01234', { refused: 'must begin with + and a country code' }],
		['Japan', '＋４９　１５１－５５５０１２３４', { sent: '+4915155501234' }],
		['Egypt', '٠١٠٠ ١٢٣ ٤٥٦٧', { code: '+20', sent: '+201001234567' }],
		['Iran', '۰۹۱۲ ۳۴۵ ۶۷۸۹', { code: '+98', sent: '+989123456789' }],
		['WhatsApp', '5511999999999@s.whatsapp.net', { code: '+49', sent: '+5511999999999' }],
		['WhatsApp', '5511999999999:12@s.whatsapp.net', { sent: '+5511999999999' }],
		['WhatsApp', '5511999999999@c.us', { code: '+1', sent: '+5511999999999' }],
		['WhatsApp', '1234567890@lid', { refused: 'a WhatsApp ID that hides the phone number' }],
		['WhatsApp', '120363041234567890@g.us', { refused: 'a WhatsApp group' }],
		['WhatsApp', '120363041234567890@newsletter', { refused: 'a WhatsApp channel' }],
		['WhatsApp', 'status@broadcast', { refused: 'a WhatsApp broadcast list' }],
	]),
	...rowsOf('email', [
		['a form', ' Ann.Lee@Example.com ', { sent: 'Ann.Lee@Example.com' }],
		['a web page', '\u200bann.lee@example.com\u00a0', { sent: 'ann.lee@example.com' }],
		['Germany', 'jürgen@müller.example', { sent: 'jürgen@müller.example' }],
		['Ireland', "sinéad.o'neil@example.ie", { sent: "sinéad.o'neil@example.ie" }],
		['a form', 'ann+news@example.co.uk', { sent: 'ann+news@example.co.uk' }],
		['a form', 'ann@example', { refused: noEmail }],
		['a form', 'ann example.com', { refused: noEmail }],
		['a form', 'ann@example..com', { refused: noEmail }],
		['an address book', 'Ann Lee <ann@example.com>', { refused: noEmail }],
		['an address book', 'ann@example.com; bob@example.com', { refused: noEmail }],
	]),
	...rowsOf('firstName', [
		['Vietnam', 'Nguyễn Thị Ánh', { sent: 'Nguyễn Thị Ánh' }],
		['Ireland', "O'Neil", { sent: "O'Neil" }],
		['Japan', '山田 太郎', { sent: '山田 太郎' }],
		['Brazil', '  José\t', { sent: 'José' }],
		['a form', 'x'.repeat(101), { refused: 'must be at most 100 characters long' }],
	]),
	...rowsOf('gender', [
		['a form', 'Male', { sent: 'male' }],
		['a form', ' F ', { sent: 'female' }],
		['a form', 'm', { sent: 'male' }],
		['a form', 'UNKNOWN', { sent: 'unknown' }],
		['Germany', 'männlich', { refused: 'must be one of male, female, unknown, but is "männlich"' }],
	]),
	...rowsOf('date', [
		['anywhere', '2026-01-31', { sent: '2026-01-31' }],
		['Germany', '31.01.2026', { refused: notADate('31.01.2026', 'd.M.yyyy') }],
		['Germany', '01.02.2026', { refused: notADate('01.02.2026', 'd.M.yyyy') }],
		['the United States', '1/31/2026', { refused: notADate('1/31/2026', 'M/d/yyyy') }],
		['Great Britain', '31/01/2026', { refused: notADate('31/01/2026', 'd/M/yyyy') }],
		['Japan', '2026/01/31', { refused: notADate('2026/01/31', 'yyyy/M/d') }],
	]),
	...rowsOf('datetime', [
		[
			'Germany',
			'31.01.2026 9:30',
			{ refused: "{{ DateTime.fromFormat($json.value, 'd.M.yyyy H:mm').toISO() }}" },
		],
		['a database', '2026-01-31 09:30:00Z', { sent: '2026-01-31T09:30:00.000Z' }],
	]),
	...rowsOf('number', [
		['anywhere', '1.5', { sent: '1.5' }],
		[
			'Germany',
			'1,5',
			{
				refused:
					"must be a number, such as 1234.5, but is \"1,5\". Nothing was changed. Convert it with {{ Number($json.value.replace(/[.\\s]/g, '').replace(',', '.')) }}",
			},
		],
		[
			'the United States',
			'1,234.50',
			{ refused: "{{ Number($json.value.replace(/[^\\d.+-]/g, '')) }}" },
		],
	]),
	...rowsOf('boolean', [['a form', 'Yes', { sent: 'true' }]]),
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
