import { z } from 'zod/v4';
import { choices } from '../../contract/limits';
import { boolean, oneOf, wholeNumber } from '../../contract/values';
import { conditionFields } from '../../panel/contactFilters';
import { optional, simplify, toSortedOptions } from '../../panel/fields';
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
	options: toSortedOptions(choices.answeredBy),
	default: 'anyone',
	description: 'Who must be in charge of the conversation when the trigger polls',
};

/** The most minutes for which the trigger is silent after a person wrote. */
const MAX_SILENT_MINUTES = 1440;

/** The most executions that a poll may start. */
export const MAX_EXECUTIONS = 100;

/**
 * How many it starts without the option: an n8n with 2 GB carries as many AI agents that take a
 * minute each, with a poll every minute (docs/internals/measurements.md).
 */
const USUAL_EXECUTIONS = 40;

/** The oldest messages that the trigger may take, in hours: a year. */
const MAX_HOURS = 8760;

export const downloadAttachmentsField: Field = {
	displayName: 'Download Attachments',
	name: 'downloadAttachments',
	type: 'boolean',
	default: false,
	description: 'Whether to add the files of a message to the item as binary data',
};

/** The option that makes one item of messages that come close together. */
export const groupMessagesField = (maxValue: number, seconds: number): Field => ({
	displayName: 'Group Messages (Seconds)',
	name: 'groupMessages',
	type: 'number',
	typeOptions: { minValue: 0, maxValue, numberPrecision: 0 },
	default: seconds,
	description:
		'How many seconds to wait for more messages. All messages that a contact writes until then become one item.',
});

const optionsField = optional('options', [
	{
		displayName: 'Answers to Questions',
		name: 'answersToQuestions',
		type: 'options',
		options: [
			{
				name: 'Include',
				value: 'include',
				description: 'Start the workflow for them, too, and never wait',
			},
			{
				name: 'Leave Out',
				value: 'leaveOut',
				description: 'Wait with all messages of a contact while a question is open',
			},
		],
		default: 'include',
		description:
			'What to do with answers to questions that n8n asks in the chat. Without this option, they are left out.',
	},
	downloadAttachmentsField,
	{
		displayName: 'Executions per Poll',
		name: 'executionsPerPoll',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_EXECUTIONS, numberPrecision: 0 },
		default: USUAL_EXECUTIONS,
		hint: `One for each contact: with a poll every minute, ${USUAL_EXECUTIONS} contacts a minute`,
		description:
			'How many executions a poll starts at most. The other contacts come with the next polls. Each running execution takes about 15 MB of memory.',
	},
	groupMessagesField(MAX_QUIET_SECONDS, 10),
	{
		displayName: 'Mark as Read',
		name: 'markAsRead',
		type: 'boolean',
		default: true,
		description: 'Whether to mark the conversation as read in the workspace',
	},
	{
		displayName: 'One Execution per Contact',
		name: 'executionPerContact',
		type: 'boolean',
		default: true,
		description:
			'Whether to start one execution for each contact that a poll finds. Without this option, n8n does. If off, one execution gets the messages of all contacts.',
	},
	{
		displayName: 'Silent After a Person (Minutes)',
		name: 'silentAfterPerson',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_SILENT_MINUTES, numberPrecision: 0 },
		default: 30,
		description:
			'For how many minutes messages start no workflow after a member wrote to the contact. These messages are skipped for good.',
	},
	{
		displayName: 'Skip Older Than (Hours)',
		name: 'skipOlderThan',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_HOURS, numberPrecision: 0 },
		default: 24,
		description:
			'After how many hours a message starts no workflow any more, for example if n8n was down. It is skipped for good and stays unread. 0 skips none.',
	},
]);

export const messageReceivedFields = [
	inboxIdsField,
	answeredByField,
	...conditionFields,
	optionsField,
	simplify,
];

const answersToQuestions = ['include', 'leaveOut'] as const;

export const messageReceivedParameters = z.object({
	inboxIds,
	inCharge: oneOf(choices.answeredBy).default('anyone'),
	options: z
		.object({
			answersToQuestions: oneOf(answersToQuestions).default('leaveOut'),
			downloadAttachments: boolean.default(false),
			executionPerContact: boolean.default(true),
			executionsPerPoll: wholeNumber(1, MAX_EXECUTIONS).default(USUAL_EXECUTIONS),
			groupMessages: wholeNumber(0, MAX_QUIET_SECONDS).default(0),
			markAsRead: boolean.default(false),
			silentAfterPerson: wholeNumber(0, MAX_SILENT_MINUTES).default(0),
			skipOlderThan: wholeNumber(0, MAX_HOURS).default(0),
		})
		.prefault({}),
});

export type MessageSettings = Settings<z.infer<typeof messageReceivedParameters>>;
