import { z } from 'zod/v4';
import { genders } from '../contract/limits';
import { kinds } from '../contract/values';
import { labelAt } from './labels';
import { trimmed } from './phoneNumber';
import type { ReadPhoneNumber } from './phoneNumber';

/* Brings what people and expressions enter into the form of the contract, if only one form can be right. */

const genderWords: Record<string, string> = { m: 'male', f: 'female' };

/**
 * Normalizes the fields that people write in several ways: email addresses, phone numbers and genders. The contract marks
 * them with their kind. Throws an error that names the field if a phone number cannot be sent; other invalid values stay
 * unchanged for validation.
 */
export function normalizeInput(
	schema: z.ZodType,
	input: Record<string, unknown>,
	labels: Record<string, string>,
	readPhoneNumber: ReadPhoneNumber,
): Record<string, unknown> {
	const normalized = { ...input };
	for (const [name, value] of Object.entries(input)) {
		const text = Number.isSafeInteger(value) ? String(value) : value;
		if (typeof text !== 'string') continue;
		const kind = kindOf(schema, name);
		if (kind === 'email') normalized[name] = trimmed(text);
		if (kind === 'phoneNumber') normalized[name] = readPhoneNumber(text, labelAt([name], labels));
		if (kind === 'gender') normalized[name] = readGender(text);
	}
	return normalized;
}

function kindOf(schema: z.ZodType, name: string) {
	let field = schema instanceof z.ZodObject ? (schema.shape[name] as z.ZodType | undefined) : undefined;
	while (field instanceof z.ZodOptional) field = field.unwrap() as z.ZodType;
	return field && kinds.get(field)?.kind;
}

function readGender(text: string): string {
	const input = trimmed(text);
	const word = genderWords[input.toLowerCase()] ?? input.toLowerCase();
	return genders.find((gender) => gender === word) ?? input;
}

/**
 * Converts values to the types that the schema asks for. Values that it cannot convert stay unchanged for validation.
 *
 * - `undefined` is left out; `null` and an empty text are left out of an optional field that accepts neither.
 * - An empty text becomes null where null is valid: that removes a folder.
 * - A whole number becomes text, such as an ID from a spreadsheet; digits become a number.
 * - Text becomes a list: JSON, or entries separated by commas or semicolons. Text becomes an object: JSON.
 * - The value of a fixed collection of n8n, `{ entries: [...] }`, becomes its list.
 */
export function coerce(schema: z.ZodType, input: unknown): unknown {
	if (typeof input !== 'object' || input === null) return input;
	const value: Record<string, unknown> = {};
	for (const [key, entry] of Object.entries(input)) if (entry !== undefined) value[key] = entry;

	// Text that became a list can hold numbers, so the schema looks twice.
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
		// The inner values may belong to an input item, which other nodes read as well.
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

/** A copy of a list or object; the schema found a problem inside it, so it is one. */
function copyOf(value: unknown): Record<PropertyKey, unknown> {
	return (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
		PropertyKey,
		unknown
	>;
}

/** Whether the schema accepts a value under this key, whatever else is wrong. */
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

/** Converts digits to their number; returns anything else unchanged. */
export function toNumber(value: unknown): unknown {
	return typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
}

/** Converts text to its list, JSON or entries separated by commas or semicolons; returns anything else unchanged. */
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
