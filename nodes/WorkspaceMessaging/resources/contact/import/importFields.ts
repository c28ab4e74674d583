import { z } from 'zod/v4';
import type { Field } from '../../../run/operation';
import { anyChannel, limits, rules } from '../../../contract/limits';
import { oneOf } from '../../../contract/values';
import {
	channelOptions,
	inBody,
	optional,
	textField,
	toSortedOptions,
} from '../../../panel/fields';
import { locator } from '../../../panel/lookups/locators';
import { lookups } from '../../../panel/lookups';
import { contactFields } from '../../../panel/contactFields';
import { customFieldMapper } from '../../../panel/customFields';
import { encodingField } from './encodings';
import { contactColumns } from './itemsToCsv';
import { DEFAULT_NAME } from './uploadFile';

const fromInput = { show: { source: ['input'] } };
const fromItems = { show: { source: ['items'] } };
const byId = { show: { source: ['id'] } };

const source: Field = {
	displayName: 'File',
	name: 'source',
	description: 'Where the contacts come from',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'From Input', value: 'input', description: 'A CSV or XLSX file from the workflow' },
		{ name: 'From Items', value: 'items', description: 'All items as one import' },
		{ name: 'By ID', value: 'id', description: 'A file that is already in the workspace' },
	],
	default: 'input',
	displayOptions: { hide: { '@tool': [true] } },
};

/** An agent has neither files nor items, so its tool always imports by ID. */
const sourceOfTool: Field = {
	displayName: 'File',
	name: 'source',
	type: 'hidden',
	default: 'id',
	displayOptions: { show: { '@tool': [true] } },
};

const fileId = textField({
	displayName: 'File ID',
	name: 'fileId',
	required: true,
	placeholder: 'e.g. 4711',
	description: 'ID of a file in the workspace. For your own, choose From Input or From Items.',
	displayOptions: byId,
});

const binaryPropertyName: Field = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: DEFAULT_NAME,
	required: true,
	hint: `The name of the input binary field with the file. Leave at "${DEFAULT_NAME}" if the item has only one file.`,
	displayOptions: fromInput,
};

/** Hidden if the channel comes from the list, which says its type. */
export const channelTypeField = inBody({
	displayName: 'Channel Type',
	name: 'channel',
	type: 'options',
	options: channelOptions,
	default: anyChannel,
	required: true,
	description: "Leave at Omnichannel to use the channel's own type",
	// n8n 1 takes a name with a dot for a field that is missing, unless it begins at the root.
	displayOptions: { hide: { '/inboxId.mode': ['list'] } },
});

const inboxId = locator(lookups.channels, 'inboxId', { required: true });

/** Whether n8n finds the columns of a file by their names. */
export const mapping: Field<'automatic' | 'manual'> = {
	displayName: 'Mapping',
	name: 'mapping',
	type: 'options',
	options: [
		{ name: 'Automatic', value: 'automatic', description: 'By column name' },
		{ name: 'Manual', value: 'manual', description: 'Only columns under Options' },
	],
	default: 'automatic',
	rule: oneOf(['automatic', 'manual']).default('automatic'),
	description: 'Columns under Options take precedence',
	displayOptions: fromInput,
};

const itemFieldDescriptions: Record<string, string> = {
	contactId: 'Required except on WhatsApp',
	phoneNumber: 'Required on WhatsApp',
};

const itemFields: Field[] = contactColumns.map(([name, displayName]) => ({
	displayName,
	name,
	type: 'string',
	default: '',
	description: itemFieldDescriptions[name],
	displayOptions: fromItems,
}));
itemFields.push({ ...contactFields.fullName, displayOptions: fromItems });

const waitForCompletion: Field = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description: 'Whether to wait until the import ends and return the totals',
};

const column = (displayName: string, name: string, example: string) =>
	textField({
		displayName,
		name,
		description: 'Name in the file',
		placeholder: `e.g. ${example}`,
		displayOptions: { hide: { '/source': ['items'] } },
	});

const fieldMapping = inBody({
	displayName: 'Custom Field Columns',
	name: 'fieldMapping',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Column',
	default: {},
	description: `Columns with custom fields, up to ${limits.fieldMapping.max}`,
	displayOptions: { hide: { '/source': ['items'] } },
	options: [
		{
			displayName: 'Columns',
			name: 'columns',
			values: [
				{
					displayName: 'Column',
					description: 'Name in the file',
					name: 'column',
					type: 'string',
					default: '',
					placeholder: 'e.g. Birthday',
				},
				{
					displayName: 'Custom Field Name or ID',
					name: 'customFieldId',
					type: 'options',
					typeOptions: { loadOptionsMethod: lookups.customFields.optionsMethod },
					default: '',
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
			],
		},
	],
});

const minutesRule = 'must be a number of minutes';

/** How long an import waits at most, in minutes. */
export const maxWait: Field<number> = {
	displayName: 'Max Wait (Minutes)',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 10,
	rule: z.number(minutesRule).min(0, minutesRule).default(10),
	description: 'After that, the node stops waiting; the import goes on',
};

/** What to do while another import runs. */
export const ifAnotherRuns: Field<'fail' | 'wait'> = {
	displayName: 'If Another Import Runs',
	name: 'ifAnotherRuns',
	type: 'options',
	options: toSortedOptions(['fail', 'wait']),
	default: 'wait',
	rule: oneOf(['fail', 'wait']).default('wait'),
	description: 'Only one import can run at a time',
};

/** What to do after an import if rows failed. */
export const onFailedRows: Field<'continue' | 'fail'> = {
	displayName: 'On Failed Rows',
	name: 'onFailedRows',
	type: 'options',
	options: toSortedOptions(['continue', 'fail']),
	default: 'continue',
	rule: oneOf(['continue', 'fail']).default('continue'),
	description: 'What to do if rows were not imported; needs Wait for Completion',
};

const options = optional('options', [
	textField({
		displayName: 'Default Country Code',
		name: 'countryCode',
		canBeEmpty: true,
		placeholder: 'e.g. +49',
		description: `For phone numbers without one: ${rules.countryCode}`,
	}),
	fieldMapping,
	column('Email Column', 'email', 'Email'),
	encodingField,
	column('First Name Column', 'firstName', 'First name'),
	column('ID on the Channel Column', 'contactId', 'External ID'),
	ifAnotherRuns,
	column('Last Name Column', 'lastName', 'Last name'),
	maxWait,
	onFailedRows,
	column('Phone Number Column', 'phoneNumber', 'Phone'),
	locator(lookups.tags, 'tagId', { description: 'Added to every imported contact' }),
]);

export const importFields: Field[] = [
	source,
	sourceOfTool,
	fileId,
	binaryPropertyName,
	inboxId,
	channelTypeField,
	mapping,
	...itemFields,
	{ ...customFieldMapper, required: false, displayOptions: fromItems },
	{ ...waitForCompletion, displayOptions: byId },
	{ ...waitForCompletion, default: true, displayOptions: { show: { source: ['input', 'items'] } } },
	options,
];
