import { z } from 'zod/v4';
import { limits } from '../../../contract/limits';
import { anyText, numericId, oneOf } from '../../../contract/values';
import type { Field } from '../../../run/operation';
import { inBody, optional, toOptions } from '../../../panel/fields';
import { ifSilent } from '../delivery/silentContact';

/*
 * The fields of a question. Their values form the body that is validated; the service only gets the
 * message of it.
 */

/** Where the message has its link, if the user does not want it at the end. */
export const LINK = '{link}';

/** Text that falls back to a preset if it is blank; the preset is the default of the field. */
const textOr = (preset: string) =>
	anyText
		.trim()
		.transform((text) => text || preset)
		.default(preset);

const responseTypes = ['approval', 'choices', 'freeText'] as const;
const limitTypes = ['afterTimeInterval', 'atSpecifiedTime'] as const;
const waitUnits = ['days', 'hours', 'minutes'] as const;

const choiceList = z
	.array(anyText.trim(), 'must be a list of texts')
	.transform((texts) => [...new Set(texts.filter(Boolean))]);

const buttons = z.looseObject({
	approvalType: oneOf(['single', 'double']).default('double'),
	approveLabel: textOr('Approve'),
	declineLabel: textOr('Decline'),
});

/** What the user enters for a question. */
export const questionBody = z.strictObject({
	message: anyText.trim().min(1, 'must not be empty'),
	inboxId: numericId.optional(),
	responseType: oneOf(responseTypes).default('approval'),
	choices: choiceList.optional(),
	approvalOptions: z.looseObject({ values: buttons.prefault({}) }).prefault({}),
	limitWaitTime: z.boolean('must be true or false').default(true),
	limitType: oneOf(limitTypes).default('afterTimeInterval'),
	resumeAmount: z.number('must be a number').positive('must be above 0').default(1),
	resumeUnit: oneOf(waitUnits).default('days'),
	// An expression can also return a date object.
	maxDateAndTime: z.unknown().transform((time) => {
		const isDate = time instanceof Date && !Number.isNaN(time.getTime());
		return isDate ? time.toISOString() : String(time ?? '');
	}),
	buttonLabel: textOr('Send'),
	pageTitle: textOr(''),
	thankYouText: textOr('Thank you. Your answer has been received.'),
});

const messageField = inBody({
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. May we ship your order on Friday?',
	hint: `A link to the answer page is added at the end, or where you write ${LINK}`,
	description: `Up to ${limits.text.max.toLocaleString('en-US')} characters with the link. Anyone with the link can answer.`,
});

const responseTypeField = inBody({
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: [
		{ name: 'Approval', value: 'approval', description: 'The contact approves or declines' },
		{ name: 'Choices', value: 'choices', description: 'The contact picks one of your choices' },
		{ name: 'Free Text', value: 'freeText', description: 'The contact writes an answer' },
	],
	default: 'approval',
});

const choicesField = inBody({
	displayName: 'Choices',
	name: 'choices',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Choice' },
	default: ['', ''],
	displayOptions: { show: { responseType: ['choices'] } },
	builderHint: { propertyHint: 'Required' },
	placeholder: 'e.g. Large',
	description: 'The answers that the contact can pick from. Empty rows are ignored.',
});

const approvalField = inBody({
	displayName: 'Approval Options',
	name: 'approvalOptions',
	type: 'fixedCollection',
	placeholder: 'Add Option',
	default: {},
	displayOptions: { show: { responseType: ['approval'] } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Type of Approval',
					name: 'approvalType',
					type: 'options',
					options: [
						{ name: 'Approve Only', value: 'single' },
						{ name: 'Approve and Decline', value: 'double' },
					],
					default: 'double',
				},
				{
					displayName: 'Approve Button Label',
					name: 'approveLabel',
					type: 'string',
					default: 'Approve',
				},
				{
					displayName: 'Decline Button Label',
					name: 'declineLabel',
					type: 'string',
					default: 'Decline',
					displayOptions: { show: { approvalType: ['double'] } },
				},
			],
		},
	],
});

/** What the contact is asked, and how the contact can answer. */
export const questionFields: Field[] = [
	messageField,
	responseTypeField,
	choicesField,
	approvalField,
];

/** How long the workflow waits. */
export const waitFields: Field[] = [
	inBody({
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'boolean',
		default: true,
		description: 'Whether to stop waiting after some time',
		hint: 'When time is up, the node returns its input without an answer',
	}),
	inBody({
		displayName: 'Limit Type',
		name: 'limitType',
		type: 'options',
		options: [
			{ name: 'After Time Interval', value: 'afterTimeInterval' },
			{ name: 'At Specified Time', value: 'atSpecifiedTime' },
		],
		default: 'afterTimeInterval',
		displayOptions: { show: { limitWaitTime: [true] } },
	}),
	inBody({
		displayName: 'Amount',
		name: 'resumeAmount',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 1,
		displayOptions: { show: { limitWaitTime: [true], limitType: ['afterTimeInterval'] } },
	}),
	inBody({
		displayName: 'Unit',
		name: 'resumeUnit',
		type: 'options',
		options: toOptions(waitUnits),
		default: 'days',
		displayOptions: { show: { limitWaitTime: [true], limitType: ['afterTimeInterval'] } },
	}),
	inBody({
		displayName: 'Wait Until',
		name: 'maxDateAndTime',
		type: 'dateTime',
		default: '',
		displayOptions: { show: { limitWaitTime: [true], limitType: ['atSpecifiedTime'] } },
		description: 'In the time zone of the workflow',
	}),
];

/**
 * The words of the answer page, so that it speaks the contact's language, and what to do about
 * silence.
 */
export const questionOptions = optional('options', [
	inBody({
		displayName: 'Button Label',
		name: 'buttonLabel',
		type: 'string',
		default: 'Send',
		description: 'Label of the button below a free text',
	}),
	ifSilent,
	inBody({
		displayName: 'Page Title',
		name: 'pageTitle',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your order',
		description: 'Title of the answer page',
	}),
	inBody({
		displayName: 'Thank You Text',
		name: 'thankYouText',
		type: 'string',
		default: 'Thank you. Your answer has been received.',
		description: 'What the page shows after the answer',
	}),
]);
