import { z } from 'zod/v4';
import { choices } from '../../contract/limits';
import { oneOf } from '../../contract/values';
import { conditionFields } from '../../panel/contactFilters';
import { optional, simplify, toOptions } from '../../panel/fields';
import type { Field } from '../../run/operation';
import { inboxIds, inboxIdsField } from '../eventFields';
import type { Settings } from '../types';

/* What the user sets for Message Received: the fields, and their values. */

/** The longest time for which messages wait for others, in seconds. */
const MAX_QUIET_SECONDS = 3600;

const answeredByField: Field = {
	displayName: 'Answered By',
	name: 'inCharge',
	type: 'options',
	options: toOptions(choices.answeredBy),
	default: 'anyone',
	description: 'Who must be in charge of the conversation when the trigger polls',
};

const optionsField = optional('options', [
	{
		displayName: 'Download Attachments',
		name: 'downloadAttachments',
		type: 'boolean',
		default: false,
		description: 'Whether to add the files of a message to the item as binary data',
	},
	{
		displayName: 'Group Messages',
		name: 'groupMessages',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_QUIET_SECONDS, numberPrecision: 0 },
		default: 10,
		description:
			'How many seconds to wait for more messages. All messages that a contact writes until then become one item.',
	},
	{
		displayName: 'Mark as Read',
		name: 'markAsRead',
		type: 'boolean',
		default: true,
		description: 'Whether to mark the conversation as read in the workspace',
	},
]);

export const messageReceivedFields = [
	inboxIdsField,
	answeredByField,
	...conditionFields,
	optionsField,
	simplify,
];

const secondsRule = `must be a whole number from 0 to ${MAX_QUIET_SECONDS}`;

export const messageReceivedParameters = z.object({
	inboxIds,
	inCharge: oneOf(choices.answeredBy).default('anyone'),
	options: z
		.object({
			downloadAttachments: z.boolean().default(false),
			groupMessages: z
				.number(secondsRule)
				.int(secondsRule)
				.min(0, secondsRule)
				.max(MAX_QUIET_SECONDS, secondsRule)
				.default(0),
			markAsRead: z.boolean().default(false),
		})
		.prefault({}),
});

export type MessageSettings = Settings<z.infer<typeof messageReceivedParameters>>;
