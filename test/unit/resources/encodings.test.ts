import { getCountries, getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max';
import { toServiceCsv } from '../../../nodes/WorkspaceMessaging/resources/contact/import/csvText';
import {
	describeFitting,
	encodingOptions,
	isWestern,
} from '../../../nodes/WorkspaceMessaging/resources/contact/import/encodings';

const hex = (text: string) => Buffer.from(text, 'hex');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const read = (bytes: Buffer, encoding?: string, countryCode?: string) =>
	toServiceCsv(bytes, 'a.csv', { encoding, countryCode }).content.toString();
/** What an import says that refuses a file; an empty text if it reads it. */
function refusal(bytes: Buffer, encoding?: string, countryCode?: string): string {
	try {
		read(bytes, encoding, countryCode);
		return '';
	} catch (error) {
		return (error as Error).message;
	}
}

/** Names as Windows writes them: made with Python's code pages, which are Microsoft's tables. */
const written: Array<[encoding: string, name: string, bytes: string]> = [
	['windows-1250', 'Żółć, Győző, Ştefan', 'aff3b3e62c204779f57af52c20aa746566616e'],
	['windows-1251', 'Щербаков, Їжак, Ђорђе', 'd9e5f0e1e0eaeee22c20afe6e0ea2c2080eef090e5'],
	['windows-1252', 'Müller, €, Œuvre', '4dfc6c6c65722c20802c208c75767265'],
	['windows-1253', 'Γιώργος Άννα', 'c3e9fef1e3eff220a2edede1'],
	['windows-1254', 'Yıldız Şeker Ğ', '59fd6c64fd7a20de656b657220d0'],
	['windows-1255', 'שלום כהן', 'f9ece5ed20ebe4ef'],
	['windows-1256', 'محمد علي پ', 'e3cde3cf20dae1ed2081'],
	['windows-1257', 'Žygimantas Jānis Õ', 'de7967696d616e746173204ae26e697320d5'],
	// Tones are characters of their own.
	[
		'windows-1258',
		'Nguyễn Thị Hạnh, Đỗ Ưng',
		'4e677579eade6e20546869f2204861f26e682c20d0f4de20dd6e67',
	],
	['windows-874', 'สมชาย ใจดี', 'cac1aad2c220e3a8b4d5'],
	['shift_jis', '髙橋 﨑 ～①', 'eee08bb420ed952081608740'],
	['gbk', '张伟 镕 €', 'd5c5ceb020e9462080'],
	['big5', '陳大文 碁 €', 'b3afa46aa4e520f9d620a3e1'],
	['euc-kr', '김철수', 'b1e8c3b6bcf6'],
];

describe('A CSV file in an encoding that the user chose', () => {
	test.each(written)('is read as Windows writes it in %s: %s', (encoding, name, bytes) => {
		expect(read(hex(bytes), encoding)).toBe(name);
	});

	test('can have every encoding of the panel', () => {
		const values = encodingOptions
			.map(({ value }) => value)
			.filter((value) => value !== 'automatic');
		expect(values.sort()).toEqual(written.map(([encoding]) => encoding).sort());
	});

	test('keeps rare forms of characters, which NFC would replace', () => {
		expect(read(hex('ee42'), 'shift_jis')).toBe('\uFA16');
	});

	test.each<[what: string, encoding: string, bytes: Buffer]>([
		['that is in UTF-8 with a byte order mark', 'gbk', Buffer.from('\uFEFFMüller')],
		[
			'that is in UTF-16 with a byte order mark',
			'windows-1250',
			Buffer.from('\uFEFFMüller', 'utf16le'),
		],
		['of single bytes that is in UTF-8', 'windows-1250', Buffer.from('Müller')],
	])('%s is read in Unicode', (_, encoding, bytes) => {
		expect(read(bytes, encoding)).toBe('Müller');
	});

	test.each([
		['gbk', '李娜'],
		['big5', '陳大文'],
		['shift_jis', '山田'],
		['euc-kr', '김철수'],
		['windows-874', 'สมชาย'],
	])('for %s is read in UTF-8 if it has that: %s', (encoding, name) => {
		expect(read(Buffer.from(name), encoding)).toBe(name);
	});

	test.each([
		['gbk', '陆', 'c2bd'],
		['windows-874', 'แกง', 'e1a1a7'],
	])('in %s is read so, although it is valid in UTF-8: %s', (encoding, name, bytes) => {
		expect(read(hex(bytes), encoding)).toBe(name);
	});

	test.each<[what: string, encoding: string, bytes: string]>([
		['letters that EUC-KR lacks', 'euc-kr', '610a8c63b9e6'],
		['other letters that EUC-KR lacks', 'euc-kr', '610ab1e8bc84'],
		['bytes that Windows-1250 lacks', 'windows-1250', '610a83'],
		['bytes that Windows-1252 lacks', 'windows-1252', '610a9d'],
		['bytes that Windows-1253 lacks', 'windows-1253', '610ad2'],
		['half a character of Shift JIS', 'shift_jis', '610a88'],
		['a character of Windows-1252 before a line end', 'big5', '610ac40d0a'],
		['zeros', 'windows-1254', '610a6200'],
		['a character of private use', 'big5', '610ac6a1'],
	])('with %s is refused, and the error names the line', (_, encoding, bytes) => {
		const { name } = encodingOptions.find(({ value }) => value === encoding)!;
		expect(refusal(hex(bytes), encoding)).toContain(
			`Line 2 of the file "a.csv" has letters that n8n can't read as ${name}.`,
		);
	});
});

const MARKED_32 = hex('fffe000061000000');

test.each([
	['its byte order mark', MARKED_32],
	['the other byte order mark', hex('0000feff00000061')],
	['its zeros', Buffer.from('p\0\0\0,\0\0\0')],
	['its zeros before the letters', Buffer.from('\0\0\0p\0\0\0,')],
])('a file in UTF-32, known by %s, is refused in any encoding', (_, bytes) => {
	for (const encoding of [undefined, 'windows-1251'])
		expect(refusal(bytes, encoding)).toContain('The file "a.csv" is in UTF-32.');
});

test.each(['Āris', '一二', '\u3000Ann'])(
	'%s in UTF-16 without a byte order mark is read in both byte orders',
	(name) => {
		const text = `name,phone\r\n${name},+37121234567\r\n`;
		const bytes = Buffer.from(text, 'utf16le');
		expect(read(bytes)).toBe(text);
		expect(read(bytes.swap16())).toBe(text);
	},
);

const CHOOSE = 'Choose its encoding under Encoding, or save it as "CSV UTF-8".';
const row = (number: string, name = 'Y\xfdld\xfdz') =>
	latin1(`name,phone\r\n${name},${number}\r\n`);
const central = (country: string) =>
	`Files from ${country} are usually Central European (Windows-1250).`;

describe('A CSV file without a chosen encoding that is not in Unicode', () => {
	test.each([
		['+48', central('Poland (+48)')],
		['+36', central('Hungary (+36)')],
		['+90', 'Files from Türkiye (+90) are usually Turkish (Windows-1254).'],
		['+370', 'Files from Lithuania (+370) are usually Baltic (Windows-1257).'],
		['+81', 'Files from Japan (+81) are usually Japanese (Shift JIS).'],
		['+7', 'Files from Russia (+7) are usually Cyrillic (Windows-1251).'],
		['+971', 'Files from the United Arab Emirates (+971) are usually Arabic (Windows-1256).'],
		[
			'+212',
			'Files from Morocco (+212) are usually Western European (Windows-1252) or Arabic (Windows-1256).',
		],
		// Its language has no encoding.
		['+995', ''],
	])('is refused with the country code %s, whatever its numbers: %s', (countryCode, fitting) => {
		const message = refusal(row('+4915112345678'), undefined, countryCode);
		const advice = fitting ? `${fitting} ${CHOOSE}` : CHOOSE;
		expect(message).toBe(`The file "a.csv" is not in UTF-8. Nothing was changed. ${advice}`);
	});

	test.each([
		['+48 512 345 678', central('Poland (+48)')],
		['0048512345678', central('Poland (+48)')],
		['="+40712345678"', central('Romania (+40)')],
		['call +420 (601) 123-456 at noon', central('Czechia (+420)')],
		...[
			'+48 - 512 - 345 - 678',
			'+48\x96512\x96345\x96678',
			'+ 48 512345678',
			'00 48 512345678',
			'+48512345678\r\n7',
			'+48512345678\t7',
		].map((number) => [number, central('Poland (+48)')]),
		['"+30 691 234 5678"', 'Files from Greece (+30) are usually Greek (Windows-1253).'],
		[
			'+4915112345678\r\nAnn,+48512345678\r\nBob,+49 (0)151 12345679',
			'Files from Germany (+49) are usually Western European (Windows-1252), those from Poland (+48) Central European (Windows-1250).',
		],
		[
			'+48512345678\r\nAnn,+420601123456\r\nBob,+37061234567',
			'Files from Poland (+48) are usually Central European (Windows-1250), those from Lithuania (+370) Baltic (Windows-1257).',
		],
	])('is refused for the international number %s', (number, fitting) => {
		expect(refusal(row(number))).toContain(` Nothing was changed. ${fitting} ${CHOOSE}`);
	});

	test.each<[name: string, code: string, number: string]>([
		['Jürgen Groß', '+49', '+48 512 345 678'],
		['Zoë', '+31', '0048512345678'],
		['François Lefèvre', '', '+33 6 12 34 56 78'],
		['João Conceição', '', '+5511987654321'],
		['José Núñez', '', '+34 612 345 678'],
		['Ångström', '', '0701234567'],
		['Jürgen', '', ''],
		['Ana Peña', '', '+1 212 555 0123'],
		// Neither is an international number.
		['Jürgen', '', '+1 (2024)'],
		['Jürgen', '', '1.0048512345678'],
	])(
		'is read in Windows-1252: %s with the country code "%s" and the number %s',
		(name, code, number) => {
			for (const copies of [1, 500]) {
				const bytes = Buffer.concat(Array.from({ length: copies }, () => row(number, name)));
				expect(read(bytes, undefined, code)).toBe(bytes.toString('latin1'));
			}
		},
	);
});

describe('The countries of encodings', () => {
	/** Countries whose own languages have no encoding of Windows, and codes of no country. */
	const inNoRow =
		'211 251 252 291 374 800 808 850 855 856 870 878 880 881 882 883 888 94 95 960 975 977 979 995';

	test('have the codes of their phone numbers, and none is missing', () => {
		const codes = new Set(getCountries().map((country) => String(getCountryCallingCode(country))));
		for (const code of codes) {
			const [, name] = /^Files from (?:the )?([^(]+) \(/.exec(describeFitting([code])) ?? [];
			if (name === undefined) {
				expect(inNoRow.split(' ')).toContain(code);
				continue;
			}
			const names = new Intl.DisplayNames('en', { type: 'region' });
			const isOfCode = (country: CountryCode) => getCountryCallingCode(country) === code;
			expect(
				getCountries()
					.filter(isOfCode)
					.map((country) => names.of(country)),
			).toContain(name);
		}
	});

	test('where Excel writes Windows-1252 alone are those of Western Europe, America and most of Africa', () => {
		expect(
			['1', '33', '34', '351', '39', '41', '44', '49', '52', '55', '27', '91'].every(isWestern),
		).toBe(true);
		expect(
			['20', '30', '36', '373', '48', '66', '7', '82', '84', '90', '92', '972', '216', '94'].some(
				isWestern,
			),
		).toBe(false);
	});
});
