import { z } from 'zod/v4';
import { limits } from '../../../contract/limits';
import { anyText, numericId, oneOf, someText } from '../../../contract/values';
import type { Item } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { isBlank, notBlank } from '../../../values/blankText';
import { toDateText } from '../../../values/dates';
import { inBody, optional, textField, toSortedOptions } from '../../../panel/fields';
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
		.transform((text) => (isBlank(text) ? preset : text))
		.default(preset);

const waitUnits = ['days', 'hours', 'minutes'] as const;

const textList = z
	.array(anyText.trim(), 'must be a list of texts')
	.transform((texts) => [...new Set(texts.filter((text) => !isBlank(text)))]);

const buttons = z.looseObject({
	approvalType: oneOf(['single', 'double']).default('double'),
	approveLabel: textOr('Approve'),
	declineLabel: textOr('Decline'),
});

/** What the user enters for a question. */
export const questionBody = z.strictObject({
	message: notBlank(someText).trim(),
	inboxId: numericId.optional(),
	responseType: oneOf(['approval', 'choices', 'freeText']).default('approval'),
	choices: textList.optional(),
	answer: oneOf(['link', 'chat']).default('link'),
	expectedAnswer: oneOf(['text', 'date', 'email', 'file', 'number', 'phoneNumber']).default('text'),
	approvalOptions: z.looseObject({ values: buttons.prefault({}) }).prefault({}),
	limitType: oneOf(['afterTimeInterval', 'atSpecifiedTime', 'noLimit']).default(
		'afterTimeInterval',
	),
	resumeAmount: z.number('must be a number').positive('must be above 0').default(1),
	resumeUnit: oneOf(waitUnits).default('days'),
	// An expression can also return a date object.
	maxDateAndTime: z.unknown().transform((time) => String(toDateText(time))),
	buttonLabel: textOr('Send'),
	pageTitle: textOr(''),
	thankYouText: textOr('Thank you. Your answer has been received.'),
	ifNotUnderstood: oneOf(['wait', 'continue']).default('wait'),
	pauseBot: z.boolean('must be true or false').default(true),
	yesWords: textList.optional(),
	noWords: textList.optional(),
});

/** What the user entered for a question. */
export type EnteredQuestion = z.output<typeof questionBody>;

/** An item that asks a question. */
export type QuestionItem = Item<{ identifier: string }, object, EnteredQuestion>;

const messageField = textField({
	displayName: 'Message',
	name: 'message',
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. May we ship your order on Friday?',
	description: `Up to ${limits.text.max.toLocaleString('en-US')} characters with the link or the choices`,
});

const answerField = inBody({
	displayName: 'Answer',
	name: 'answer',
	type: 'options',
	options: [
		{
			name: 'By Link',
			value: 'link',
			description: `On a page. The link is added at the end of the message, or where you write ${LINK}. Anyone with the link can answer.`,
		},
		{
			name: 'In the Chat',
			value: 'chat',
			description: 'By typing. Needs n8n 2.41 or newer. Not available on every service.',
		},
	],
	default: 'link',
});

const oneContactNotice: Field = {
	displayName:
		'An execution asks one contact. Message Received starts one for each contact. If several contacts come in another way, put a Loop Over Items node with a batch size of 1 before this one.',
	name: 'oneContactNotice',
	type: 'notice',
	default: '',
};

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

const expectedAnswerField = inBody({
	displayName: 'Expected Answer',
	name: 'expectedAnswer',
	type: 'options',
	options: [
		{ name: 'Any Text', value: 'text', description: 'All that the contact types' },
		{ name: 'Date', value: 'date', description: 'Such as 2026-01-31' },
		{ name: 'Email', value: 'email' },
		{ name: 'File', value: 'file', description: 'A file or picture, as a file of the item' },
		{ name: 'Number', value: 'number', description: 'Such as 1234.5' },
		{ name: 'Phone Number', value: 'phoneNumber' },
	],
	default: 'text',
	displayOptions: { show: { answer: ['chat'], responseType: ['freeText'] } },
	description: 'What n8n waits for. See If Not Understood under Options for other answers.',
});

const choicesField = inBody({
	displayName: 'Choices',
	name: 'choices',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Choice' },
	default: [''],
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
	answerField,
	oneContactNotice,
	responseTypeField,
	expectedAnswerField,
	choicesField,
	approvalField,
];

/** How long the workflow waits; `normalize` of the operation puts its values into the body. */
const limitWaitTime = inBody({
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'days' } },
	description:
		'How long to wait. Then the node returns its input without an answer; after a human review, the tool does not run. Without this option, n8n waits one day.',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Limit Type',
					name: 'limitType',
					type: 'options',
					options: [
						{ name: 'After Time Interval', value: 'afterTimeInterval' },
						{ name: 'At Specified Time', value: 'atSpecifiedTime' },
						{ name: 'No Limit', value: 'noLimit', description: 'Not for answers in the chat' },
					],
					default: 'afterTimeInterval',
				},
				{
					displayName: 'Amount',
					name: 'resumeAmount',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 1,
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
				},
				{
					displayName: 'Unit',
					name: 'resumeUnit',
					type: 'options',
					options: toSortedOptions(waitUnits),
					default: 'days',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
				},
				{
					displayName: 'Wait Until',
					name: 'maxDateAndTime',
					type: 'dateTime',
					default: '',
					displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
					description: 'In the time zone of the workflow',
				},
			],
		},
	],
});

const onlyByLink = { hide: { '/answer': ['chat'] } };
const onlyInChat = { show: { '/answer': ['chat'] } };
const onlyApprovalInChat = { show: { '/answer': ['chat'], '/responseType': ['approval'] } };

/** The words of the answer page or of the chat, and what to do in special cases. */
export const questionOptions = optional('options', [
	textField({
		displayName: 'Button Label',
		name: 'buttonLabel',
		default: 'Send',
		displayOptions: onlyByLink,
		description: 'Label of the button below a free text',
	}),
	inBody({
		displayName: 'If Not Understood',
		name: 'ifNotUnderstood',
		type: 'options',
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description: 'Return the text with understood: false, so that the workflow can ask again',
			},
			{ name: 'Keep Waiting', value: 'wait', description: 'Wait for an answer that fits' },
		],
		default: 'continue',
		displayOptions: onlyInChat,
		description:
			'What to do with an answer that does not fit. Without this option, n8n keeps waiting. To ask again, choose Continue, and lead an If node back to this one, as the example book-appointment does.',
	}),
	ifSilent,
	limitWaitTime,
	textField({
		displayName: 'Page Title',
		name: 'pageTitle',
		placeholder: 'e.g. Your order',
		displayOptions: onlyByLink,
		description: 'Title of the answer page',
	}),
	inBody({
		displayName: 'Pause the Bot While Waiting',
		name: 'pauseBot',
		type: 'boolean',
		default: true,
		displayOptions: onlyInChat,
		description:
			"Whether to keep the workspace's bot quiet until the answer is there. Without this option, n8n does.",
	}),
	textField({
		displayName: 'Thank You Text',
		name: 'thankYouText',
		default: 'Thank you. Your answer has been received.',
		displayOptions: onlyByLink,
		description: 'What the page shows after the answer',
	}),
	textField({
		displayName: 'Words for No',
		name: 'noWords',
		placeholder: 'e.g. nein, lieber nicht',
		displayOptions: onlyApprovalInChat,
		description: 'Besides no, 👎 and the label of the button to decline; with commas between them',
	}),
	textField({
		displayName: 'Words for Yes',
		name: 'yesWords',
		placeholder: 'e.g. ja, gerne',
		displayOptions: onlyApprovalInChat,
		description:
			'Besides yes, ok, 👍 and the label of the button to approve; with commas between them',
	}),
]);
