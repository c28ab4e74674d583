/*
 * Whole numbers with more digits than JavaScript keeps: 7615917337495251231 in JSON becomes
 * 7615917337495251000. As text, such a number would be another one, so n8n refuses it.
 */

/** Whether a value is a whole number whose digits are not exact. */
export const isInexact = (value: unknown): boolean =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

/** Whether a value is a number with all of its digits. */
export const isExactNumber = (value: unknown): boolean =>
	Number.isFinite(value) && !isInexact(value);

/**
 * Describes a number whose digits are not exact, after "is" or "contains": `the number
 * 9007199254740992, whose digits are not exact; enter it as text`.
 */
export const describeInexact = (value: unknown): string =>
	`the number ${String(value)}, whose digits are not exact; enter it as text`;

/** Returns the numbers in a value of any depth whose digits are not exact. */
function findInexactNumbers(value: unknown): number[] {
	const found: number[] = [];
	// Without recursion, because the value may be nested too deeply for it. A set, because objects
	// such as dates of n8n may contain themselves.
	const all = new Set([value]);
	for (const at of all) {
		if (typeof at === 'number' && isInexact(at)) found.push(at);
		if (typeof at !== 'object' || at === null) continue;
		for (const inner of Object.values(at)) all.add(inner);
	}
	return found;
}

/** So many digits that a number may have lost some. */
const MANY_DIGITS = /\d{16,}/g;

/**
 * Returns what is wrong with a value that becomes text if it is, or has in it, a number whose digits
 * are not exact; undefined if nothing is wrong.
 *
 * @param getSources returns what the user may have made the value from: a text such as `No {{
 * $json.no }}` no longer shows that it was a number
 */
export function findInexactProblem(
	value: unknown,
	getSources: () => unknown[],
): string | undefined {
	if (isInexact(value)) return `is ${describeInexact(value)}`;
	if (typeof value === 'object' && value !== null) {
		const [first] = findInexactNumbers(value);
		return first === undefined ? undefined : `contains ${describeInexact(first)}`;
	}
	if (typeof value !== 'string') return undefined;
	const digits = value.match(MANY_DIGITS);
	if (!digits) return undefined;
	const found = findInexactNumbers(getSources()).find((number) => digits.includes(String(number)));
	return found === undefined ? undefined : `contains ${describeInexact(found)}`;
}
