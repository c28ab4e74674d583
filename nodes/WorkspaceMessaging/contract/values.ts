import { z } from 'zod/v4';
import { contactChannels, genders, limits, patterns, rules } from './limits';

/*
 * The values that requests are made of. The message of each is the rule in the user's words: it is read behind the
 * field's label ("Phone Number must be 10 to 20 digits, …").
 */

/** One of some texts. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
	z.enum(values, `must be one of ${values.join(', ')}`);

/** Text of `min` to `max` characters. */
const text = (min: number, max: number) => {
	const rule =
		min > 0 ? `must be ${min} to ${max} characters long` : `must be at most ${max} characters long`;
	return z.string(rule).min(min, rule).max(max, rule);
};

/** Text that matches a pattern. */
const matching = (pattern: RegExp, rule: string) => z.string(rule).regex(pattern, rule);

export const numericId = matching(patterns.numericId, `must be ${rules.numericId}`);

/** An id or name that becomes one segment of a path; a URL would collapse `.` and `..`. */
export const pathValue = z
	.string('must not be empty')
	.min(1, 'must not be empty')
	.refine((value) => value !== '.' && value !== '..', 'must not be "." or ".."');

export const identifier = matching(patterns.identifier, 'must name a contact by ID, email or phone');
export const email = matching(patterns.email, 'must be a valid email address');
export const phoneNumber = matching(patterns.phoneNumber, `must be ${rules.phoneNumber}`);
export const countryCode = matching(patterns.countryCode, `must be ${rules.countryCode}`);

export const anyText = z.string('must be text');
export const gender = oneOf(genders);
export const contactChannel = oneOf(contactChannels);
export const personName = text(0, limits.personName.max);
/** The name of someone new; an empty one says nothing. */
export const givenName = personName.min(1, 'must not be empty');
/** What somebody is called on the platform of a channel. */
export const externalId = text(1, limits.externalId.max);
export const columnName = text(0, limits.columnName.max).min(1, 'must not be empty');
export const searchText = anyText.min(1, 'must not be empty');
export const resourceName = text(limits.name.min, limits.name.max);
export const messageText = text(limits.text.min, limits.text.max);
export const folderId = z
	.string('must be a folder ID or null')
	.min(1, 'must be a folder ID or null')
	.nullable();

/** 1 to 100 of something that tags are given by (part 8); `hint` for who gave none, or something else. */
export const tagList = (entry: z.ZodType<string>, what: string, hint = '') =>
	z
		.array(entry, `must be a list of ${what}${hint}`)
		.min(limits.tagIds.min, `must be a list of ${limits.tagIds.min} to ${limits.tagIds.max} tags${hint}`)
		.max(limits.tagIds.max, `must be a list of ${limits.tagIds.min} to ${limits.tagIds.max} tags`);

export const tagIds = tagList(numericId, 'tag IDs');

const pageRule = `must be a whole number from ${limits.page.min} to ${limits.page.max}`;
const pageNumber = z
	.number(pageRule)
	.int(pageRule)
	.min(limits.page.min, pageRule)
	.max(limits.page.max, pageRule);

/** `page` and `perPage`, which most lists take (part 4). */
export const paging = { page: pageNumber.optional(), perPage: pageNumber.optional() };
