import { readFileSync } from 'node:fs';
import path from 'node:path';
import metadata from 'libphonenumber-js/metadata.full.json';
import { version } from 'libphonenumber-js/package.json';

/*
 * The numbering plans of the world as the node needs them, made from the metadata of
 * libphonenumber-js.
 */

/** A country in the metadata: its entries have no names, only positions. */
type Country = Array<string | number | unknown[] | undefined>;

/** The positions of what the node needs in a country. */
const at = {
	exitCode: 1,
	pattern: 2,
	lengths: 3,
	trunkPrefix: 5,
	trunkPattern: 7,
	trunkRule: 8,
	types: 11,
} as const;

/** What people dialed before a number in earlier years, and still write. */
const formerTrunkPatterns: Record<string, string> = { 52: '0(?:1|4[45])' };

/** The positions of the types of numbers in the list of types. */
const typesAt = { landline: 0, mobile: 1 } as const;

/**
 * Returns the numbering plans as compact JSON, by country code. Countries that share a code, such
 * as those of +1, share a plan: a number is valid if it is valid in one of them; the main country
 * says how people dial.
 */
export function numberingPlans(): string {
	const { country_calling_codes: countryCodes, countries, nonGeographic } = metadata;
	const all = countries as unknown as Record<string, Country>;
	const plans: Record<string, unknown[]> = {};
	for (const [code, names] of Object.entries(countryCodes))
		plans[code] = toPlan(
			names.map((name) => all[name]),
			formerTrunkPatterns[code],
		);
	for (const [code, country] of Object.entries(nonGeographic ?? {}))
		plans[code] = toPlan([country as unknown as Country]);
	const library = path.dirname(require.resolve('libphonenumber-js/package.json'));
	const license = readFileSync(path.join(library, 'LICENSE'), 'utf8');
	const source = `Made by "npm run generate" from the metadata of libphonenumber-js ${version}, which come from Google's libphonenumber (Apache License 2.0).`;
	return `${JSON.stringify({ source, license: license.trim().replace(/\s+/g, ' '), plans })}\n`;
}

/**
 * Returns a plan in the order of `StoredPlan` in values/phone/numberingPlans.ts.
 *
 * @param countries those with the country code, the main one first
 * @param trunkPattern instead of that of the main country
 */
function toPlan(countries: Country[], trunkPattern?: string): unknown[] {
	const [main] = countries;
	const lengths = new Set(countries.flatMap((country) => country[at.lengths] as number[]));
	const patterns = countries.map((country) => String(country[at.pattern]));
	const mobiles: string[] = [];
	const others: string[] = [];
	for (const country of countries) {
		const types = ((country[at.types] ?? []) as Array<[string] | 0>).map((type) => type && type[0]);
		for (const [position, pattern] of types.entries()) {
			if (typeof pattern !== 'string') continue;
			// An empty pattern stands for that of landlines.
			const shown = pattern || String(types[typesAt.landline]);
			const list = position === typesAt.mobile ? mobiles : others;
			list.push(shown);
		}
	}
	const notMobile = others.filter((pattern) => !mobiles.includes(pattern));
	return [
		main[at.exitCode] || '',
		main[at.trunkPrefix] || '',
		trunkPattern ?? (main[at.trunkPattern] || ''),
		main[at.trunkRule] || '',
		[...lengths].sort((a, b) => a - b),
		...[patterns, mobiles, notMobile].map((each) => [...new Set(each)].join('|')),
	];
}
