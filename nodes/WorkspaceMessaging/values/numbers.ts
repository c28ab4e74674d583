import { z } from 'zod/v4';

/**
 * Converts digits, with or without a decimal point, to their number; returns anything else
 * unchanged.
 */
export function toNumber(value: unknown): unknown {
	return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
}

/** Returns a function that sorts by a number, the smallest first. */
export const ascendingBy =
	<Entry>(valueOf: (entry: Entry) => number) =>
	(one: Entry, other: Entry) =>
		valueOf(one) - valueOf(other);

/** The schema of a whole number. */
export function wholeNumberFrom(least: number) {
	const rule = `must be a whole number of at least ${least}`;
	return z.int(rule).min(least, rule);
}

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

/** Whether a value is what a calculation returns that fails: NaN or Infinity. */
export const isFailedNumber = (value: unknown): boolean =>
	typeof value === 'number' && !Number.isFinite(value);

/**
 * Describes a number whose digits are not exact, after "is" or "contains": `the number
 * 9007199254740992, whose digits are not exact; enter it as text`.
 */
export const describeInexact = (value: unknown): string =>
	`the number ${String(value)}, whose digits are not exact; enter it as text`;
