import { z } from 'zod/v4';
import { limits, patterns, rules } from './limits';

/*
 * The values that several requests are made of. The message of each is the rule in the user's
 * words; it follows the label of the field ("Phone Number must be 10 to 20 digits, …").
 */

/**
 * What a value is, if people write it in several ways: `normalizeInput` brings each kind into the
 * form of the API.
 */
export const kinds = z.registry<{
	/** `name` is a name of a record, `cell` another text of a contact. */
	kind: 'email' | 'phoneNumber' | 'gender' | 'name' | 'cell';
}>();

/** One of some texts. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
	z.enum(values, `must be one of ${values.join(', ')}`);

/**
 * Text of `min` to `max` characters.
 *
 * @param ifLonger added to the error about a longer one
 */
export const text = (min: number, max: number, ifLonger = '') => {
	const most = max.toLocaleString('en-US');
	const rule =
		min > 0
			? `must be ${min} to ${most} characters long`
			: `must be at most ${most} characters long`;
	return z
		.string(rule)
		.min(min, rule)
		.max(max, rule + ifLonger);
};

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number) => {
	const rule = `must be a whole number from ${min} to ${max}`;
	return z.number(rule).int(rule).min(min, rule).max(max, rule);
};

/** Text that matches a pattern. */
export const matchingText = (pattern: RegExp, rule: string) => z.string(rule).regex(pattern, rule);

export const anyText = z.string('must be text');
export const someText = anyText.min(1, 'must not be empty');
export const numericId = matchingText(patterns.numericId, `must be ${rules.numericId}`);
/** The path parameter of a call about a conversation. */
export const ofConversation = z.strictObject({ conversationId: numericId });
/** The query parameter of a list that can be searched: a part of a name. */
export const search = {
	keyword: anyText.min(1, 'must not be empty').register(kinds, { kind: 'name' }).optional(),
};
export const resourceName = text(limits.name.min, limits.name.max).register(kinds, {
	kind: 'name',
});

export const email = matchingText(patterns.email, 'must be a valid email address').register(kinds, {
	kind: 'email',
});
export const phoneNumber = matchingText(
	patterns.phoneNumber,
	`must be ${rules.phoneNumber}`,
).register(kinds, {
	kind: 'phoneNumber',
});

/** An ID or name that becomes one segment of a path; a URL would drop `.` and `..`. */
export const pathValue = z
	.string('must not be empty')
	.min(1, 'must not be empty')
	.refine((value) => value !== '.' && value !== '..', 'must not be "." or ".."');

export const folderId = z
	.string('must be a folder ID or null')
	.min(1, 'must be a folder ID or null')
	.nullable();

/**
 * A list of IDs or names.
 *
 * @param entry the schema of one entry
 * @param size how many entries a request takes
 * @param noun what the records are called, in the plural, such as `tags`
 * @param nouns what the entries are, in the plural, such as `tag IDs`
 * @param hint added to the error if the value is no such list
 */
export const listOf = (
	entry: z.ZodType<string>,
	{ min, max }: { min: number; max: number },
	[noun, nouns]: [noun: string, nouns: string],
	hint = '',
) =>
	z
		.array(entry, `must be a list of ${nouns}${hint}`)
		.min(min, `must be a list of ${min} to ${max} ${noun}${hint}`)
		.max(max, `must be a list of ${min} to ${max} ${noun}`);

/* What answers and outputs are made of. Nobody reads an error about them. */
export const string = z.string();
export const stringOrNull = string.nullable();
export const strings = z.array(string);
export const number = z.number();
export const boolean = z.boolean();
export const dateTime = z.iso.datetime();
export const dateTimeOrNull = dateTime.nullable();

/** When a record was created and changed. */
export const timestamps = { createdAt: dateTime, updatedAt: dateTime };

/** Returns the fields of a record that a schema has; undefined for those that the record lacks. */
export const pickFields = <Value>({ shape }: z.ZodObject, record: Record<string, Value>) =>
	Object.fromEntries(Object.keys(shape).map((name) => [name, record[name]]));
