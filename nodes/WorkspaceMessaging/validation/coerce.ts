import type { z } from 'zod/v4';

/**
 * Brings values that people and expressions give into the form that the contract asks for, where only one form can be
 * meant. What it cannot help stays as it is, for the check to name.
 *
 * - `undefined`, and `null` or an empty text in an optional field that accepts neither: not sent;
 * - an empty text where null is accepted: null (a folder is removed);
 * - a whole number where text is asked for, such as an ID from a spreadsheet: its digits; and the reverse;
 * - text where a list is asked for: JSON, or entries separated by commas or semicolons; text where an object is asked for:
 *   JSON;
 * - the value of a repeating field of n8n, `{ entries: [...] }`, where a list is asked for: the list.
 */
export function coerce(schema: z.ZodType, given: unknown): unknown {
	if (typeof given !== 'object' || given === null) return given;
	const value: Record<string, unknown> = {};
	for (const [key, entry] of Object.entries(given)) if (entry !== undefined) value[key] = entry;

	// A list that was text can hold numbers, so there is something left to do after the first look.
	for (let look = 0; look < 2; look++) {
		const result = schema.safeParse(value);
		if (result.success) return value;
		for (const issue of result.error.issues) coerceAt(schema, value, issue);
	}
	return value;
}

function coerceAt(schema: z.ZodType, root: Record<string, unknown>, issue: z.core.$ZodIssue) {
	const key = issue.path[issue.path.length - 1];
	if (key === undefined) return;
	let holder: Record<PropertyKey, unknown> = root;
	for (const step of issue.path.slice(0, -1)) {
		// What is inside may belong to an input item, which other nodes read as well.
		holder = holder[step] = copyOf(holder[step]);
	}
	const value = holder[key];

	if (value === null || value === '') {
		if (issue.path.length > 1) return;
		if (accepts(schema, root, key, null)) holder[key] = null;
		else if (accepts(schema, root, key, undefined)) delete holder[key];
		return;
	}
	if (issue.code !== 'invalid_type') return;
	if (issue.expected === 'string' && Number.isSafeInteger(value)) holder[key] = String(value);
	if (issue.expected === 'number') holder[key] = toNumber(value);
	if (issue.expected === 'array') holder[key] = toList(value);
	if (issue.expected === 'record' && typeof value === 'string') holder[key] = fromJson(value);
}

/** A list or object of its own with the same entries. The contract has found something wrong inside, so it is one. */
function copyOf(value: unknown): Record<PropertyKey, unknown> {
	return (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
		PropertyKey,
		unknown
	>;
}

/** Whether the contract has nothing against `value` under this key, whatever else may be wrong. */
function accepts(
	schema: z.ZodType,
	root: Record<string, unknown>,
	key: PropertyKey,
	value: unknown,
): boolean {
	const result = schema.safeParse({ ...root, [key]: value });
	return (
		result.success || !result.error.issues.some((issue) => issue.path[0] === key && issue.code !== 'custom')
	);
}

/** Digits as the number that they are; anything else stays as it is. */
export function toNumber(value: unknown): unknown {
	return typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
}

/** Text as the list that it is, JSON or entries separated by commas or semicolons; anything else stays as it is. */
export function toList(value: unknown): unknown {
	if (typeof value === 'string') {
		const text = value.trim();
		if (!text.startsWith('[') && !text.startsWith('{')) {
			return text
				.split(/[,;]/)
				.map((entry) => entry.trim())
				.filter((entry) => entry !== '');
		}
		const parsed = fromJson(text);
		return typeof parsed === 'object' && !Array.isArray(parsed) ? [parsed] : parsed;
	}
	if (typeof value === 'number') return [value];
	if (typeof value === 'object' && value !== null) {
		const entries = Object.values(value);
		if (entries.length === 0) return [];
		return entries.length === 1 && Array.isArray(entries[0]) ? entries[0] : [value];
	}
	return value;
}

function fromJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
