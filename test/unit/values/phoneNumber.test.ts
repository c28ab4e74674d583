import {
	comparablePhoneNumber,
	isNational,
	normalizePhoneNumber,
	readCountryCode,
} from '../../../nodes/WorkspaceMessaging/values/phoneNumber';

describe('normalizePhoneNumber', () => {
	const normalize = (input: string, code = '') => normalizePhoneNumber(input, 'Phone', () => code);

	test.each([
		['the form of the API', '+4915155501234', '+4915155501234'],
		['blanks', ' +49 151\u00a0555\u202f01234 ', '+4915155501234'],
		['dashes', '+49-151–555—01‑2−34', '+4915155501234'],
		['dots', '+49.151.555.01234', '+4915155501234'],
		['slashes', '+49/151/555 01234', '+4915155501234'],
		['brackets', '+49 (151) [555] 01234', '+4915155501234'],
		['its country code in brackets', '(+49) 151 555 01234', '+4915155501234'],
		[
			'invisible characters',
			'\u202a+49\u200b151\u00ad555\u206001234\u202c\ufeff',
			'+4915155501234',
		],
		['00', '0049 151 555 01234', '+4915155501234'],
		['00 in brackets', '(0049) 151 555 01234', '+4915155501234'],
		['(0)', '+49 (0) 151 555 01234', '+4915155501234'],
		['(0) without blanks', '+49(0)15155501234', '+4915155501234'],
		['(0) behind 00', '0044 (0)20 7946 0958', '+442079460958'],
		['(0) behind the code in brackets', '(+44) (0) 20 7946 0958', '+442079460958'],
		['(0) behind a code of one digit', '+7 (0) 495 123 45 67', '+74951234567'],
		['(0) behind a code of three digits', '+353 (0)1 234 5678', '+35312345678'],
		['(0) behind a code without a +', '49 (0) 151 555 01234', '4915155501234'],
		['(0) in Italy, where it is part of the number', '+39 (0)6 1234 5678', '+390612345678'],
		['a (0) that is not behind a country code', '(0)151 555 01234', '015155501234'],
		['digits alone', '4915155501234', '4915155501234'],
		['a leading 0 without a country code', '0151 555 01234', '015155501234'],
		['a whole number with a decimal place', '4915155501234.0', '4915155501234'],
		['ten digits', '+0123456789', '+0123456789'],
		['twenty digits', '01234567890123456789', '01234567890123456789'],
	])('normalizes a number with %s', (_, input, number) => {
		expect(normalize(input)).toBe(number);
	});

	test.each([
		['+49', '0151 555-01234', '+4915155501234'],
		['+49', '(0151) 555 01234', '+4915155501234'],
		['+49', '0711 12345', '+4971112345'],
		['+49', '4915155501234', '4915155501234'],
		['+49', '15155501234', '15155501234'],
		['+49', '+33 6 12 34 56 78', '+33612345678'],
		['+49', '0033 6 12 34 56 78', '+33612345678'],
		['+39', '06 1234 5678', '+390612345678'],
		['+39', '333 123 4567', '3331234567'],
		['+1', '(415) 555-0132', '+14155550132'],
		['+1', '1 415 555 0132', '14155550132'],
		['+1', '415 555 01320', '41555501320'],
		['+44', '4155550132', '4155550132'],
	])('completes with the country code %s the number %s', (code, input, number) => {
		expect(normalize(input, code)).toBe(number);
	});

	test.each([
		'',
		' ',
		'n/a',
		'-',
		'+49 151',
		'012345678',
		'+012345678901234567890',
		'+49 151 5550123 or 4',
		'++4915155501234',
	])('leaves %p, which is no phone number, for validation', (input) => {
		expect(normalize(` ${input}\u200b`)).toBe(input.trim());
	});

	test.each([
		'+49 711 123456 ext. 5',
		'+49 711 123456 ext 12',
		'+1 415 555 0132 x5',
		'+1 415 555 0132x1234',
		'+49 711 123456 App. 12',
		'+49 711 123456 (Durchwahl 3)',
		'+41 44 668 18 00 #7',
		'+49711123456;ext=5',
	])('refuses %p because of its extension', (input) => {
		expect(() => normalize(input)).toThrow(
			`Phone must be a phone number without an extension, but is "${input}"`,
		);
	});

	test.each(['4.91512E+11', '4,91512E+11', '4E+11', '+4.91512e11', ' 4.91512E+11 '])(
		'refuses %p because a spreadsheet rounded it',
		(input) => {
			expect(() => normalize(input)).toThrow(
				`Phone was rounded by a spreadsheet ("${input.trim()}"). Format the column as text`,
			);
		},
	);

	test.each([
		['0022796347', '', '+22796347'],
		['00491234567', '', '+491234567'],
		['01234567890123456789', '+49', '+491234567890123456789'],
	])('refuses %s: with the country code "%s" it would be %s', (input, code, completed) => {
		expect(() => normalize(input, code)).toThrow(
			`Phone must be 10 to 20 digits, with an optional leading +, but is "${completed}"`,
		);
	});

	test('normalizes text of any length in no time', () => {
		const long = [
			' '.repeat(200_000) + 'x',
			'1'.repeat(200_000),
			'1 '.repeat(100_000) + 'x',
			'('.repeat(200_000),
		];
		const startedAt = Date.now();
		for (const text of long) expect(normalize(text)).toBe(text.trim());
		expect(Date.now() - startedAt).toBeLessThan(20_000);
	});

	test('reads the country code only for a national number', () => {
		const fail = () => {
			throw new Error('not needed');
		};
		expect(normalizePhoneNumber('+4915155501234', 'Phone', fail)).toBe('+4915155501234');
		expect(() => normalizePhoneNumber('015155501234', 'Phone', fail)).toThrow('not needed');
	});
});

describe('comparablePhoneNumber', () => {
	test.each([
		['+4915155501234', '4915155501234'],
		['0049 151 555-01234', '4915155501234'],
		['4915155501234', '4915155501234'],
		['015155501234', '015155501234'],
		['+49 (0)151 555 01234', '4915155501234'],
	])('reduces %s to %s', (text, digits) => {
		expect(comparablePhoneNumber(text)).toBe(digits);
	});
});

describe('isNational', () => {
	test.each([
		['015155501234', true],
		['+4915155501234', false],
		['4915155501234', false],
		['012345678', false],
		['0 n/a', false],
	])('answers for %s: %p', (number, expected) => {
		expect(isNational(number)).toBe(expected);
	});
});

describe('readCountryCode', () => {
	test.each([
		['+49', '+49'],
		['49', '+49'],
		['0049', '+49'],
		[' + 49 ', '+49'],
		[49, '+49'],
		['+1', '+1'],
		['+1684', '+1684'],
		['', ''],
		[undefined, ''],
		[null, ''],
	])('reads %p as %p', (input, code) => {
		expect(readCountryCode(input, 'Code')).toBe(code);
	});

	test.each(['DE', '+', '+16841', '+49x'])('refuses %p', (input) => {
		expect(() => readCountryCode(input, 'Code')).toThrow(
			`Code must be + followed by 1 to 4 digits, but is "${input}"`,
		);
	});
});
