import data from './numberingPlans.json';
import { otherMobileForm } from './otherMobileForm';

/*
 * The numbering plans of the world: which digits are a phone number of which country. They come
 * from libphonenumber-js; `npm run generate` writes them to numberingPlans.json.
 */

/** How the numbers of a country code are made. */
interface NumberingPlan {
	/** What people dial before the country code of another country, such as `011`. */
	exitCode?: RegExp;
	/** What people dial before a number inside the country, such as `0`; empty if nothing. */
	trunkPrefix: string;
	/** All that people dial before a number, if it is more than that, such as a carrier's code. */
	trunkPattern?: RegExp;
	/** What takes the place of a match of `trunkPattern`, such as `9$1`. */
	trunkRule: string;
	/** The numbers of digits after the country code. */
	lengths: number[];
	/** Numbers after the country code. */
	pattern: RegExp;
	mobile?: RegExp;
	/** The other types of numbers, such as landlines. */
	others?: RegExp;
}

type StoredPlan = [
	exitCode: string,
	trunkPrefix: string,
	trunkPattern: string,
	trunkRule: string,
	lengths: number[],
	pattern: string,
	mobile: string,
	others: string,
];

const storedPlans = data.plans as unknown as Record<string, StoredPlan>;

/** The plans that somebody has needed; a workspace needs few. */
const plans = new Map<string, NumberingPlan>();

/** The most digits of a country code. */
const LONGEST_CODE = 3;

/** An international number, in its parts. */
interface SplitNumber {
	code: string;
	/** The digits after the country code. */
	rest: string;
	plan: NumberingPlan;
}

/**
 * Splits the digits of an international number; undefined if they begin with no country code. No
 * country code begins with another one.
 */
export function splitNumber(digits: string): SplitNumber | undefined {
	for (let length = 1; length <= LONGEST_CODE; length++) {
		const code = digits.slice(0, length);
		const plan = getPlan(code);
		if (plan) return { code, rest: digits.slice(length), plan };
	}
	return undefined;
}

/**
 * How certain it is that digits are an international number: 3 if they can be a mobile, 2 for
 * another number in use, 1 if the plan leaves room for them, 0 if they are none.
 */
export type Certainty = 0 | 1 | 2 | 3;

const MOBILE: Certainty = 3;
export const IN_USE: Certainty = 2;

/**
 * Returns how certain it is that digits, without a +, are an international number. A mobile number
 * counts in each of its forms, also in the one that the plan does not have.
 */
export function getCertainty(digits: string): Certainty {
	const certainty = getCertaintyInPlan(digits);
	if (certainty > 0) return certainty;
	const other = otherMobileForm(digits);
	return other === undefined ? 0 : getCertaintyInPlan(other);
}

function getCertaintyInPlan(digits: string): Certainty {
	const split = splitNumber(digits);
	if (!split) return 0;
	const { pattern, mobile, others } = split.plan;
	if (!pattern.test(split.rest)) return 0;
	if (mobile?.test(split.rest)) return MOBILE;
	return others?.test(split.rest) ? IN_USE : 1;
}

/**
 * Whether an international number, without its +, has as many digits as numbers of its country. The
 * forms of a mobile number have different lengths.
 */
export function hasPossibleLength(digits: string): boolean {
	return [digits, otherMobileForm(digits) ?? digits].some((form) => {
		const split = splitNumber(form);
		return split !== undefined && split.plan.lengths.includes(split.rest.length);
	});
}

/**
 * Removes what people only dial inside the country, but write in spite of the country code, such as
 * the 0 in `+49 0151 …` and the 0 and 15 in `+54 011 15 …`, if only that makes the number possible.
 * Countries whose numbers begin with a 0, such as Italy, keep it.
 *
 * @param digits without a +
 */
export function dropTrunkPrefix(digits: string): string {
	const split = splitNumber(digits);
	if (!split || getCertainty(digits) > 0) return digits;
	const { code, rest, plan } = split;
	const readings = withoutTrunkPrefix(rest, plan).map((number) => code + number);
	const [inUse, second] = readings.filter((number) => getCertainty(number) >= IN_USE);
	if (inUse !== undefined && second === undefined) return inUse;
	const { trunkPrefix } = plan;
	if (trunkPrefix === '' || !rest.startsWith(trunkPrefix)) return digits;
	// No number begins with a 0 here; but one can begin with an 8, which may be new.
	if (trunkPrefix !== '0' && hasPossibleLength(digits)) return digits;
	const dropped = rest.slice(trunkPrefix.length);
	const isPossible = !dropped.startsWith('0') && hasPossibleLength(code + dropped);
	return isPossible ? code + dropped : digits;
}

/** Digits as the national number of a country code. */
export interface NationalReading {
	/** The international number, without a +. */
	digits: string;
	certainty: Certainty;
}

/**
 * Reads digits as a national number, with or without its trunk prefix. Returns the most certain
 * reading; undefined if there is none, or if two are equally certain.
 *
 * @param countryCode without a +; it can have the first digits of the numbers, such as 1684
 */
export function readNationalNumber(
	digits: string,
	countryCode: string,
): NationalReading | undefined {
	const split = splitNumber(countryCode);
	if (!split) return undefined;
	const { code, plan } = split;
	const readings = new Map<string, NationalReading>();
	for (const rest of [digits, ...withoutTrunkPrefix(digits, plan)]) {
		for (const number of [countryCode + rest, code + rest]) {
			const certainty = getCertainty(number);
			if (certainty > 0) readings.set(number, { digits: number, certainty });
		}
	}
	const [best, second] = [...readings.values()].sort((a, b) => b.certainty - a.certainty);
	return best?.certainty === second?.certainty ? undefined : best;
}

/** Returns what national numbers can be without what people dial before them. */
function withoutTrunkPrefix(
	digits: string,
	{ trunkPrefix, trunkPattern, trunkRule }: NumberingPlan,
): string[] {
	const numbers = new Set<string>();
	if (trunkPrefix !== '' && digits.startsWith(trunkPrefix))
		numbers.add(digits.slice(trunkPrefix.length));
	const match = trunkPattern?.exec(digits);
	if (match) {
		const [prefix, ...groups] = match;
		const isRuled = trunkRule !== '' && groups.at(-1) !== undefined;
		numbers.add(isRuled ? digits.replace(trunkPattern!, trunkRule) : digits.slice(prefix.length));
	}
	numbers.delete(digits);
	return [...numbers];
}

/**
 * Removes the exit code of a country, such as `011`; undefined if the rest is no international
 * number.
 *
 * @param countryCode without a +
 */
export function dropExitCode(digits: string, countryCode: string): string | undefined {
	const exitCode = splitNumber(countryCode)?.plan.exitCode;
	const [prefix] = exitCode?.exec(digits) ?? [];
	if (prefix === undefined) return undefined;
	const number = dropTrunkPrefix(digits.slice(prefix.length));
	return getCertainty(number) > 0 ? number : undefined;
}

function getPlan(code: string): NumberingPlan | undefined {
	const known = plans.get(code);
	if (known) return known;
	if (!Object.hasOwn(storedPlans, code)) return undefined;
	const [exitCode, trunkPrefix, trunkPattern, trunkRule, lengths, pattern, mobile, others] =
		storedPlans[code];
	const plan = {
		exitCode: toPattern(exitCode),
		trunkPrefix,
		trunkPattern: toPattern(trunkPattern),
		trunkRule,
		lengths,
		pattern: new RegExp(`^(?:${pattern})$`),
		mobile: toPattern(mobile, '$'),
		others: toPattern(others, '$'),
	};
	plans.set(code, plan);
	return plan;
}

const toPattern = (source: string, end = '') =>
	source === '' ? undefined : new RegExp(`^(?:${source})${end}`);
