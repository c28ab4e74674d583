import type { z } from 'zod/v4';

/**
 * What people see of a text. Besides white space, control characters and those that Unicode says to
 * ignore, it leaves out the blank cell of Braille, which people send as an empty message.
 */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether there is nothing to see in a text. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** Whether a value is nothing: none, blank text, an empty list or object. */
export function isNothing(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value);
	// A date has no keys either.
	if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
		const keys = Object.keys(value);
		return keys.length === 0;
	}
	return value === undefined || value === null;
}

/** The rule for a text that people are to read; it follows the label of the field. */
export const NOT_BLANK =
	'must not be blank, but has only spaces, line breaks or invisible characters';

/** Returns the schema of a text that must not be blank either. */
export const notBlank = <Text extends z.ZodType<string>>(schema: Text): Text =>
	schema.refine((text) => !isBlank(text), NOT_BLANK);
