import { z } from 'zod/v4';
import { limits } from '../../../contract/limits';
import { kinds, text } from '../../../contract/values';
import type { AnyItem } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { findLeftover } from '../../../values/expressions/leftovers';
import { foldName } from '../../../values/names';
import { tagsOfRun } from './tagsInUse';

/* The option Send Once: its field, its rules, and what items look like that are passed over. */

/** What follows the name of the tag in that of the second tag, which a contact has while n8n sends. */
export const SENDING = ' (sending)';

/** The option; see `sendOnce`. */
export const sendOnceOption: Field = {
	displayName: 'Send Once',
	name: 'sendOnce',
	type: 'string',
	default: '',
	placeholder: 'e.g. sent: win-back 2026-11',
	description:
		'Name of a tag that each contact gets with the message. n8n passes over contacts who have it, so you can run the same list again.',
};

const { displayName: LABEL, name } = sendOnceOption;

const tagName = text(1, limits.name.max - SENDING.length).register(kinds, { kind: 'name' });
const body = z.strictObject({ [name]: tagName });

/** What the output of an item has that is passed over. */
export const passedOverOutput = {
	skipped: z.literal(true).optional(),
	reason: z.enum(['sentBefore', 'unknown']).optional(),
};

/** Why an item is passed over: the contact has got it, or nobody knows whether it has. */
export type PassOverReason = NonNullable<z.output<typeof passedOverOutput.reason>>;

/**
 * Returns the name of the tag that an item's contact gets; undefined without the option. Throws an
 * error that names the field if it is no such name.
 */
export function readTag(item: AnyItem): string | undefined {
	const entered = item.parameter(`options.${name}`, undefined);
	if (entered === undefined) return undefined;
	const valid = item.validate({ body }, { body: { [name]: entered } });
	return valid.body[name];
}

/** Throws an error if the option is not valid, or if a message could be sent twice in spite of it. */
export function checkSendOnce(item: AnyItem): void {
	const tag = readTag(item);
	if (tag === undefined) return;
	tagsOfRun(item).add(foldName(tag));
	const { options } = item.run.entered;
	const left = findLeftover(tag, String(Object(options)[name]));
	if (left)
		throw new Error(
			`${LABEL} contains "${left}". An expression writes this if it has no valid value.`,
		);
	if (item.nodeParameter('requestOptions.retryWhenOutcomeUnknown', '') === 'always')
		throw new Error(
			`${LABEL} can't keep its promise if Retry When Outcome Is Unknown is Always. Choose another value under Settings, Request Options.`,
		);
}
