import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { received, shownOf } from '../../support/engine/helpers';
import { contactsIn, fileOf, importsIn, newerWorkspace, people } from './helpers';

const CSV =
	'Phone,First name,Last name,Notes\r\n+4915112345678,Jürgen,"Groß, Dr. ""med.""",a;b|c\r\n';

/** The same table as `CSV`, with another character between columns. */
const withSeparator = (separator: string) => {
	const notes = separator === ';' ? '"a;b|c"' : separator === '|' ? '"a;b|c"' : 'a;b|c';
	return `Phone,First name,Last name,Notes\r\n+4915112345678,Jürgen,"Groß, Dr. ""med.""",${notes}\r\n`
		.replace('Groß, Dr', 'Groß\u0000 Dr')
		.replaceAll(',', separator)
		.replace('\u0000', ',');
};

const utf16be = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
const windows1252 = (text: string) => Buffer.from(text, 'latin1');

/** Imports a file and returns what the sandbox has stored of it. */
async function importOf(
	content: string | Buffer,
	options: INodeParameters = {},
	defaultCountryCode = '',
) {
	const test = await newerWorkspace();
	const parameters = test.into('whatsapp', 'input', { options });
	const fileName = 'people.csv';
	const { url: baseUrl, token: accessToken } = test.workspace;
	const credential = { baseUrl, accessToken, defaultCountryCode };
	const result = await test.run(parameters, [{}], {
		files: [fileOf(content, fileName)],
		credential,
	});
	const { files } = await test.workspace.state();
	return { ...test, ...result, file: files.find((file) => file.fileName === fileName), result };
}

describe('Import from the input: how a CSV file is written', () => {
	test.each<[string, string | Buffer]>([
		['semicolons between columns', withSeparator(';')],
		['tabs between columns', withSeparator('\t')],
		['| between columns', withSeparator('|')],
		['a first line that names the separator', `sep=;\r\n${withSeparator(';')}`],
		['a byte order mark', `\uFEFF${CSV}`],
		['a byte order mark and semicolons', `\uFEFF${withSeparator(';')}`],
		['line ends of an old Mac', CSV.replaceAll('\r\n', '\r')],
		['empty lines before the header', `\r\n\r\n${withSeparator(';')}`],
		['Windows-1252', windows1252(CSV)],
		['Windows-1252 and semicolons', windows1252(withSeparator(';'))],
		['UTF-16', Buffer.from(`\uFEFF${CSV}`, 'utf16le')],
		[
			'UTF-16 and tabs, as Excel writes "Unicode Text"',
			Buffer.from(`\uFEFF${withSeparator('\t')}`, 'utf16le'),
		],
		['UTF-16 with the other byte order', utf16be(withSeparator(';'))],
		['UTF-16 without a byte order mark', Buffer.from(withSeparator(';'), 'utf16le')],
	])('a file with %s arrives as a table with commas in UTF-8', async (_, content) => {
		const test = await importOf(content);
		expect(test.error?.message).toBeUndefined();
		expect(test.file).toMatchObject({
			columns: ['Phone', 'First name', 'Last name', 'Notes'],
			rows: [
				{
					Phone: '+4915112345678',
					'First name': 'Jürgen',
					'Last name': 'Groß, Dr. "med."',
					Notes: 'a;b|c',
				},
			],
		});
		expect(people(await contactsIn(test))).toEqual([
			['Jürgen', 'Groß, Dr. "med."', null, '+4915112345678'],
		]);
		expect(test.json).toMatchObject([{ success: true, successCount: 1, unusedColumns: ['Notes'] }]);
	});

	test('the line ends of an old Mac, which not every service reads, become those of Windows', async () => {
		const { workspace } = await importOf(CSV.replaceAll('\r\n', '\r'));
		const { uploads } = await workspace.journal();
		const sha256 = createHash('sha256').update(CSV).digest('hex');
		expect(uploads).toMatchObject([{ sha256 }]);
	});

	test('a file of one column, and one with signs of Windows-1252, keep what they have', async () => {
		const one = await importOf('phone\n+4915112345678\n');
		expect(one.json).toMatchObject([{ successCount: 1 }]);
		const signs = await importOf(
			Buffer.from('phone,Vorname\n+4915112345678,\x80 \x93O\x92Neil\x94 \xe9\xe8\n', 'latin1'),
		);
		expect(people(await contactsIn(signs))).toEqual([
			['€ “O’Neil” éè', null, null, '+4915112345678'],
		]);
		expect(signs.hints.join()).toContain(
			'The file "people.csv" was read as Windows-1252. If letters are wrong in the workspace, choose its encoding under Encoding,',
		);
		expect(one.hints).toEqual([]);
	});

	test('a quoted separator and a comma in a name do not decide how columns are separated', async () => {
		const header = await importOf('"Name; first",Phone\n"a;b",+4915112345678\n');
		expect(header.file?.columns).toEqual(['Name; first', 'Phone']);
		const names = await importOf(
			'Name, first;Phone\nMüller;+4915112345678\nMüller, Ann;+4915112345679\n',
		);
		expect(names.file?.columns).toEqual(['Name, first', 'Phone']);
		expect(names.json).toMatchObject([{ successCount: 2 }]);
	});

	test.each<[string, string | Buffer, string]>([
		...[':', '^', '~'].map((separator): [string, string, string] => [
			`the separator ${separator}`,
			`phone${separator}name\n+4915112345678${separator}Ann\n`,
			'The columns of the file "people.csv" are not separated by commas.',
		]),
		[
			'a title above the header',
			'Contacts of May\nphone;name\n+4915112345678;Ann\n',
			'The first line of the file "people.csv" has one column, but the other lines have more.',
		],
		[
			'two possible separators',
			'Name, first;phone\nMüller, Ann;+4915112345678\n',
			'The columns of the file "people.csv" could be separated by , or ;.',
		],
		[
			'a quote that is not closed',
			'phone;name\n+4915112345678;Ann\n+4915112345679;"Bob\n',
			'In line 3 of the file "people.csv", a quotation mark is not closed.',
		],
		[
			'letters that another program has lost',
			'phone,name\n+4915112345678,J\uFFFDrgen\n',
			'Line 2 of the file "people.csv" contains \uFFFD: another program lost a letter.',
		],
		[
			'Cyrillic letters of Windows-1251',
			windows1252('phone,name\n+4915112345678,\xc8\xe2\xe0\xed\n'),
			'UNKNOWN',
		],
		[
			'Polish letters of Windows-1250',
			windows1252('phone,name\n+4915112345678,Pawe\xb3ek\n'),
			'UNKNOWN',
		],
		['letters of an old Mac', windows1252('phone,name\n+4915112345678,J\x9frgen\n'), 'UNKNOWN'],
		['letters of DOS', windows1252('phone,name\n+4915112345678,J\x81rgen\n'), 'UNKNOWN'],
		[
			'UTF-8 and Windows-1252 at once',
			Buffer.concat([
				Buffer.from('phone,name\n+4915112345678,Jürgen\n'),
				windows1252('+4915112345679,J\xfcrgen\n'),
			]),
			'UNKNOWN',
		],
		['half a character in UTF-16', Buffer.from('\uFEFFphone\n\uD83D\n', 'utf16le'), 'UNKNOWN'],
		[
			'UTF-8 that breaks after its byte order mark',
			Buffer.from('\xef\xbb\xbfphone,name\n1,J\xfcrgen\n', 'latin1'),
			'UNKNOWN',
		],
		[
			'bytes that are no text',
			Buffer.from([0, 1, 2, 0, 0, 255, 254, 0]),
			'The file "people.csv" is not a text file.',
		],
		[
			'the content of an Excel file',
			Buffer.from('PK\x03\x04abc\x00'),
			'The file "people.csv" is not a text file.',
		],
	])('a file with %s is refused, and nothing is imported', async (_, content, headline) => {
		const test = await importOf(content);
		const expected =
			headline === 'UNKNOWN'
				? `The file "people.csv" is not valid in UTF-8, UTF-16 or Windows-1252.`
				: headline;
		expect(shownOf(test.result).startsWith(`${expected} Nothing was changed. `)).toBe(true);
		await expectNothingDone(test);
	});
});

/** Expects that a run has neither uploaded nor changed anything. */
async function expectNothingDone(test: Awaited<ReturnType<typeof importOf>>) {
	expect((await test.workspace.journal()).uploads).toEqual([]);
	expect(await importsIn(test)).toEqual([]);
	expect(await contactsIn(test)).toEqual([]);
	expect((await received(test.workspace)).filter(({ method }) => method !== 'GET')).toEqual([]);
}

/** A name as Excel writes it in Poland. */
const polish = (number: string) =>
	windows1252(`Imi\xea;Phone\r\nPawe\xb3 \xa3\xf3d\x9f;${number}\r\n`);
const fromPoland =
	'The file "people.csv" is not in UTF-8. Nothing was changed. Files from Poland (+48) are usually Central European (Windows-1250). Choose its encoding under Encoding, or save it as "CSV UTF-8". [item 0]';

describe('Import from the input: Encoding', () => {
	test('a file in the encoding that the user chose arrives with its letters, without a hint', async () => {
		const options = { encoding: 'windows-1250', firstName: 'Imię' };
		const test = await importOf(polish('+48512345678'), options, '+49');
		expect(test.error?.message).toBeUndefined();
		expect(people(await contactsIn(test))).toEqual([['Paweł Łódź', null, null, '+48512345678']]);
		expect(test.hints).toEqual([]);
	});

	test.each<[what: string, number: string, options: INodeParameters, credential: string]>([
		['its phone numbers', '+48512345678', {}, ''],
		['the credential', '512345678', {}, '+48'],
		['the option Default Country Code', '512345678', { countryCode: '+48' }, '+49'],
	])('a file from Poland, known by %s, is refused before the upload', async (_, ...how) => {
		const [number, options, credential] = how;
		const test = await importOf(polish(number), options, credential);
		expect(shownOf(test.result)).toBe(fromPoland);
		await expectNothingDone(test);
	});

	test.each(['latin2', 1250, ['gbk']])(
		'an expression that returns %j is refused without a request',
		async (encoding) => {
			const test = await importOf(CSV, { encoding: `={{ ${JSON.stringify(encoding)} }}` });
			expect(test.error?.message).toMatch(
				/^Encoding must be one of .*windows-1250, .*, but (?:is|has)/,
			);
			expect(await received(test.workspace)).toEqual([]);
		},
	);
});
