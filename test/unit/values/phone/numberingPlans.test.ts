import * as fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.full.json';
import { shareOf } from '../../../support/cases';
import { normalizePhoneNumber } from '../../../../nodes/WorkspaceMessaging/values/phone/phoneNumber';

/*
 * The numbers of all countries, as people write them. None may become the number of somebody else:
 * it arrives right, or as it was typed, or is refused.
 */

interface Example {
	country: string;
	/** The country code, without +. */
	code: string;
	/** The number after the country code. */
	rest: string;
	/** The number with its +. */
	number: string;
}

const countries = metadata.countries as unknown as Record<string, unknown[]>;
const mobiles = examples as Record<string, string>;

/** The numbers of each type that a test reads, besides the example of the library. */
const OF_EACH_TYPE = 4;

function exampleOf(country: string, rest: string): Example {
	const code = String(countries[country][0]);
	return { country, code, rest, number: `+${code}${rest}` };
}

const isOfApi = ({ number }: Example) => /^\+\d{10,20}$/.test(number);

const examplesOfLibrary = Object.entries(mobiles)
	.map(([country, rest]) => exampleOf(country, rest))
	.filter(isOfApi);

/** Numbers of all types of all countries: landlines, mobiles, toll-free ones, … */
const numbersOfAllTypes = Object.entries(countries)
	.flatMap(([country, entries]) => {
		const pattern = new RegExp(`^(?:${String(entries[2])})$`);
		const types = (entries[11] ?? []) as Array<[string] | 0>;
		return types.flatMap((type) => {
			if (!type || type[0] === '') return [];
			const numbers = fc.stringMatching(new RegExp(`^(?:${type[0]})$`));
			return fc
				.sample(numbers, { numRuns: OF_EACH_TYPE, seed: 7 })
				.filter((rest) => pattern.test(rest))
				.map((rest) => exampleOf(country, rest));
		});
	})
	.filter(isOfApi);

/** Numbers in the form that people use inside the country. */
const nationalNumbers = [...numbersOfAllTypes, ...examplesOfLibrary].flatMap(({ code, number }) => {
	const parsed = parsePhoneNumberFromString(number);
	const digits = (parsed?.formatNational() ?? '').replace(/\D/g, '');
	// The library itself reads a few numbers of Gabon as others.
	const isReadable = parsePhoneNumberFromString(digits, parsed?.country)?.number === number;
	// 00 stands for a country code, whoever has such numbers.
	return isReadable && !digits.startsWith('00') ? [{ code, number, digits }] : [];
});

/** Groups of three digits; the first has what is left. */
const grouped = (digits: string, sign: string) => digits.replace(/\B(?=(\d{3})+$)/g, sign);
const digitsFrom = (zero: number) => (text: string) =>
	text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** The ways of writing, for a number in two parts: what stands before it, and its digits. */
const writtenForms: Array<[name: string, write: (front: string, digits: string) => string]> = [
	['digits alone', (front, digits) => front + digits],
	['blanks', (front, digits) => `${front} ${grouped(digits, ' ')}`],
	['dashes', (front, digits) => `${front}-${grouped(digits, '-')}`],
	['dots', (front, digits) => `${front}.${grouped(digits, '.')}`],
	['no-break spaces', (front, digits) => `${front}\u00a0${grouped(digits, '\u202f')}`],
	['a slash', (front, digits) => `${front} ${digits.slice(0, 3)}/${digits.slice(3)}`],
	['brackets', (front, digits) => `${front} (${digits.slice(0, 2)}) ${digits.slice(2)}`],
	['dashes of print', (front, digits) => `${front} ${grouped(digits, '–')}`],
	[
		'full-width digits',
		(front, digits) => digitsFrom(0xff10)(`${front}\u3000${grouped(digits, '－')}`),
	],
	['Arabic digits', (front, digits) => `\u202a${digitsFrom(0x660)(`${front} ${digits}`)}\u202c`],
	['invisible characters', (front, digits) => `\ufeff${front}${grouped(digits, '\u200b')}\u00ad`],
];

/** What arrives, or why nothing does. */
function arrive(typed: string, defaultCode: string): string {
	try {
		return normalizePhoneNumber(typed, 'Phone', () => defaultCode);
	} catch (error) {
		return `refused: ${(error as Error).message}`;
	}
}

/** Whether n8n sends nothing. */
const isRefused = (arrived: string) => !/^\+?\d{10,20}$/.test(arrived);
/** Whether the digits are those that were typed. */
const isAsTyped = (arrived: string, digits: string) => arrived === digits;

test('The tests have numbers of all countries', () => {
	const found = new Set([...numbersOfAllTypes, ...examplesOfLibrary].map(({ country }) => country));
	// The numbers of these have fewer digits than the API takes.
	const short = [
		'AC',
		'CK',
		'FK',
		'FO',
		'GL',
		'NC',
		'NF',
		'NU',
		'PM',
		'SH',
		'TA',
		'TK',
		'TV',
		'WF',
	];
	const missing = Object.keys(countries).filter((country) => !found.has(country));
	expect(missing.filter((country) => !short.includes(country))).toEqual([]);
	expect(numbersOfAllTypes.length).toBeGreaterThan(4000);
});

/** The forms, each with its share of the numbers. */
const formsWithNumbers = writtenForms.map(([name, write], index) => {
	const ofForm = <Entry>(list: Entry[]) => shareOf(list, index, 4);
	return [name, write, ofForm] as const;
});

describe.each(formsWithNumbers)(
	'Numbers of all countries, written with %s,',
	(_, write, ofForm) => {
		const all = ofForm([...numbersOfAllTypes, ...examplesOfLibrary]);
		const national = ofForm(nationalNumbers);

		test('arrive right with + and with 00', () => {
			const wrong = all.flatMap(({ code, rest, number }) => {
				const typed = [write(`+${code}`, rest), write(`00${code}`, rest)];
				return typed.filter((text) => arrive(text, `+${code}`) !== number);
			});
			expect(wrong).toEqual([]);
		});

		test('never become another number in the form that people use inside the country', () => {
			const wrong: string[][] = [];
			let right = 0;
			for (const { code, number, digits } of national) {
				const [front, rest] = [digits.slice(0, 1), digits.slice(1)];
				const arrived = arrive(write(front, rest).trim(), `+${code}`);
				if (arrived === number) right++;
				else if (!isAsTyped(arrived, digits) && !isRefused(arrived))
					wrong.push([number, digits, arrived]);
			}
			expect(wrong).toEqual([]);
			expect(right / national.length).toBeGreaterThan(0.97);
		});
	},
);

describe('With the default code of each other country,', () => {
	const codes = [...new Set(Object.values(countries).map(([code]) => String(code)))];
	const pairs = examplesOfLibrary.flatMap((example) =>
		codes.filter((code) => code !== example.code).map((code) => ({ ...example, foreign: code })),
	);

	test('a mobile number arrives right with + and with 00', () => {
		const wrong = pairs.filter(({ code, rest, number, foreign }) =>
			[number, `00${code}${rest}`].some((typed) => arrive(typed, `+${foreign}`) !== number),
		);
		expect(wrong).toEqual([]);
	});

	test('a mobile number without + never becomes another number', () => {
		const wrong = pairs.filter(({ code, rest, foreign }) => {
			const digits = code + rest;
			// Ten digits are how everybody in North America writes numbers.
			if (foreign === '1' && digits.length === 10) return false;
			const arrived = arrive(digits, `+${foreign}`);
			return !isAsTyped(arrived, digits) && !isRefused(arrived);
		});
		expect(wrong).toEqual([]);
	});
});
