import {
	comparablePhoneNumber,
	findDoubt,
	normalizePhoneNumber,
	readCountryCode,
} from '../../../../nodes/WorkspaceMessaging/values/phone/phoneNumber';

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
		['+49', '4915155501234', '+4915155501234'],
		['+49', '15155501234', '15155501234'],
		['+49', '+33 6 12 34 56 78', '+33612345678'],
		['+49', '0033 6 12 34 56 78', '+33612345678'],
		['+39', '06 1234 5678', '+390612345678'],
		['+39', '333 123 4567', '+393331234567'],
		['+1', '(415) 555-0132', '+14155550132'],
		['+1', '1 415 555 0132', '+14155550132'],
		['+1', '415 555 01320', '41555501320'],
		['+44', '4155550132', '4155550132'],
	])('completes with the country code %s the number %s', (code, input, number) => {
		expect(normalize(input, code)).toBe(number);
	});

	test.each([
		['can be a number of two countries: a German mobile and one of Iowa', '+49', '15155501234'],
		['is an international number of another country', '+49', '33612345678'],
		['is a mobile of two countries', '+55', '905012345678'],
		['is no national number', '+33', '0151 555 01234'],
		['is no national number, and no country has such a code', '+7', '0151 555 01234'],
	])('leaves a number without + as it is if it %s', (_, code, input) => {
		expect(normalize(input, code)).toBe(input.replaceAll(' ', ''));
	});

	test.each([
		['+49', '4915123456789', 'a mobile, not the landline 04915 123456789', '+4915123456789'],
		['+49', '15222333444', 'a German mobile, not a number for life of +1', '+4915222333444'],
		['+39', '328 123 4567', 'a mobile, because +32 81 23 45 67 has other groups', '+393281234567'],
		['+39', '3281234567', 'a mobile, not the landline +3281234567', '+393281234567'],
		['+1', '4355550132', 'ten digits, not the landline +435 5550132', '+14355550132'],
		['+7', '8 495 123 45 67', 'a number of Moscow, not +84 951234567', '+74951234567'],
	])('completes with the country code %s the number %s as %s', (code, input, _, number) => {
		expect(normalize(input, code)).toBe(number);
	});

	test.each([
		['+1684', '622 1234', '+16846221234'],
		['+1684', '(684) 622-1234', '+16846221234'],
		['+1684', '(415) 555-0132', '+14155550132'],
		['+999', '0151 555 01234', '+99915155501234'],
		['+999', '151 555 01234', '15155501234'],
		['+55', '(11) 8765-4321', '+551187654321'],
		['+52', '1 81 1234 5678', '+5218112345678'],
		['+54', '0 11 15 1234 5678', '+5491112345678'],
		['+82', '001 49 151 555 01234', '+4915155501234'],
	])('completes with the country code %s also the number %s', (code, input, number) => {
		expect(normalize(input, code)).toBe(number);
	});

	test.each([
		['+5215512345678', '+5215512345678'],
		['+525512345678', '+525512345678'],
		['+49 0151 555 01234', '+4915155501234'],
		['+49 (0151) 555 01234', '+4915155501234'],
		['+7 8 912 345 67 89', '+79123456789'],
		['+7 (800) 555 35 35', '+78005553535'],
		['+36 06 20 123 4567', '+36201234567'],
		['+39 0333 123 4567', '+3903331234567'],
		['+39 (0)6 1234 5678', '+390612345678'],
		['+225 (0)7 12 34 56 78', '+2250712345678'],
		['+33 (0)6 12 34 56 78', '+33612345678'],
		['+33 0612 34 56 78 90 12', '+33061234567890 12'.replace(' ', '')],
		['+999 0151 555 01234', '+999015155501234'],
		['+54 011 15-2345-6789', '+5491123456789'],
		['+54 (011) 15-2345-6789', '+5491123456789'],
		['0054 11 15 2345 6789', '+5491123456789'],
		['+54 0351 15 234-5678', '+5493512345678'],
		['+54 (0) 11 4321-5678', '+541143215678'],
		['+55 015 11 91234-5678', '+5511912345678'],
		['+52 045 55 1234 5678', '+525512345678'],
		['+57 03 300 1234567', '+573001234567'],
		['+54 9 11 2345-6789', '+5491123456789'],
		['+54 11 1523-4567', '+541115234567'],
		['+54(01)91123456789', '+540191123456789'],
	])('drops a trunk prefix only if that makes the number possible: %s', (input, number) => {
		expect(normalize(input)).toBe(number);
	});

	test.each([
		['', '030 1234567 / 030 765432'],
		['+49', '030 1234567 / 030 765432'],
		['', '+49 30 12345 / 12346'],
		['', '+49 30 12345/12346'],
		['+49', '030 12345 / 12346'],
		['', '030 12345 / 12346'],
		['', '030 1234567\n030 765432'],
		['', '030 1234567  030 765432'],
		['', '0301234567 030765432'],
		['', '030 1234567 - 030 765432'],
		['+1', '415-555-0132 / 415-555-0133'],
	])('refuses with the country code "%s" the two numbers %p', (code, input) => {
		expect(() => normalize(input, code)).toThrow(
			`Phone must be one phone number, but is "${input}"`,
		);
	});

	test.each([
		['0711 / 12345', '+4971112345'],
		['0711/12345-0', '+49711123450'],
		['06131 / 123456', '+496131123456'],
		['0711 12345 / 67', '+497111234567'],
		['0151/555 01237', '+4915155501237'],
		['030 / 123 456 78', '+493012345678'],
		['0711 - 12345 - 678', '+4971112345678'],
	])('takes %s, with a slash or a dash, as one number', (input, number) => {
		expect(normalize(input, '+49')).toBe(number);
	});

	test.each(['+0049 151 555 01234', '+00 49 15155501234', '+004915155501234'])(
		'refuses %s because of its + and 00',
		(input) => {
			expect(() => normalize(input)).toThrow(
				`Phone must begin with + and a country code, or with 00, but is "${input}"`,
			);
		},
	);

	test.each([
		['full-width', '＋４９　（１５１）　５５５－０１２３４'],
		['Arabic-Indic', '+٤٩ ١٥١ ٥٥٥ ٠١٢٣٤'],
		['Persian', '\u200e+۴۹ ۱۵۱ ۵۵۵ ۰۱۲۳۴'],
		['Devanagari', '+४९ १५१ ५५५ ०१२३४'],
		['Thai', '+๔๙ ๑๕๑ ๕๕๕ ๐๑๒๓๔'],
		['Bengali', '০০৪৯ ১৫১ ৫৫৫ ০১২৩৪'],
	])('reads %s digits', (_, input) => {
		expect(normalize(input)).toBe('+4915155501234');
	});

	test.each([
		['+34612345678.0', '', '+34612345678'],
		['34612345678.00', '', '34612345678'],
		['612345678.0', '+34', '+34612345678'],
		['612345678,0', '+34', '+34612345678'],
		['06.12.34.56.78', '+33', '+33612345678'],
	])('reads %s with the decimal place of a spreadsheet', (input, code, number) => {
		expect(normalize(input, code)).toBe(number);
	});

	test.each([
		'5511999999999@s.whatsapp.net',
		'5511999999999@S.WhatsApp.Net',
		'5511999999999@c.us',
		'5511999999999:12@s.whatsapp.net',
		' +5511999999999@s.whatsapp.net\u200b',
	])('reads the phone number in %p', (input) => {
		expect(normalize(input, '+49')).toBe('+5511999999999');
	});

	test.each([
		['1234567890@lid', 'a WhatsApp ID that hides the phone number'],
		['1234567890:3@lid', 'a WhatsApp ID that hides the phone number'],
		['120363041234567890@g.us', 'a WhatsApp group'],
		['5511999999999-1234567890@g.us', 'a WhatsApp group'],
		['120363041234567890@newsletter', 'a WhatsApp channel'],
		['status@broadcast', 'a WhatsApp broadcast list'],
	])('refuses %s', (input, kind) => {
		expect(() => normalize(input)).toThrow(
			`Phone must be a phone number, but is "${input}", ${kind}`,
		);
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

describe('findDoubt', () => {
	test.each([
		['+4915155501234', true, undefined],
		['+4915155501234', false, undefined],
		['4915155501234', false, undefined],
		['015155501234', false, 'noCountryCode'],
		['3331234567', false, 'noCountryCode'],
		['15155501234', true, 'notCompletable'],
		['+33612345678901', false, 'unusualDigits'],
		['+336123456', false, undefined],
		['+3361234567', false, 'unusualDigits'],
		['+9991234567', false, 'unusualDigits'],
		['+5215512345678', false, undefined],
		['+551187654321', false, undefined],
		['+540191123456789', false, 'unusualDigits'],
		['012345678', false, undefined],
		['n/a', false, undefined],
	])('says about %s, with a default code or without (%p): %p', (number, hasCode, doubt) => {
		expect(findDoubt(number, hasCode)).toBe(doubt);
	});

	test.each([
		// Numbers of Germany begin and end like this, but no mobile is so short.
		['015155571', '+4915155571', 'unusualDigits'],
		['0151 555 01', '+4915155501', 'unusualDigits'],
		['0151 555 01234', '+4915155501234', undefined],
		['030 123456', '+4930123456', undefined],
		['4915155501234', '+4915155501234', undefined],
		// Who types a country code means it.
		['+49 151 55571', '+4915155571', undefined],
		['0049 151 55571', '+4915155571', undefined],
		['4915155571@s.whatsapp.net', '+4915155571', undefined],
		// No number of Argentina is left without the 0.
		['+54 011 9 2345-6789', '+5411923456789', 'unusualDigits'],
		['+54 011 4321-5678', '+541143215678', undefined],
		['+54 011 15-2345-6789', '+5491123456789', undefined],
		['+49 (0) 151 55501234', '+4915155501234', undefined],
	])('says about %s, completed to %s: %p', (entered, number, doubt) => {
		expect(findDoubt(number, true, entered)).toBe(doubt);
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
