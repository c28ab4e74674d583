import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../../execution/operation';
import { anyChannel } from '../../contract';
import { channelOptions } from './contactFilters';
import { multiSelect } from './lookupFields';
import { lookups } from './lookups';
import { fieldLabels, groupLabels } from '../../contacts/conditions/labels';
import { spanOperators } from '../../contacts/conditions/condition';

/** Name of the function that fills the dropdown of custom fields; see `customFieldSubject`. */
export const CUSTOM_FIELDS_METHOD = 'getConditionFields';
/** Name of the function that fills the dropdown of those to whom conversations are assigned. */
export const ASSIGNEES_METHOD = 'getAssignees';

const valueless = ['isEmpty', 'isNotEmpty'];

const named = (names: Record<string, string>): INodePropertyOptions[] =>
	Object.entries(names).map(([value, name]) => ({ name, value }));

/** A dropdown whose options stand in the order of their sense, not of the alphabet. */
function choice(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
	more: Partial<Field> = {},
): Field {
	const field: Field = { displayName, name, type: 'options', options, default: '' };
	return { ...field, default: options[0].value as string, ...more };
}

const textOperators = named({
	eq: 'Is Equal To',
	ne: 'Is Not Equal To',
	contains: 'Contains',
	notContains: 'Does Not Contain',
	startsWith: 'Starts With',
	endsWith: 'Ends With',
	isEmpty: 'Is Empty',
	isNotEmpty: 'Is Not Empty',
});
const numberOperators = named({
	eq: 'Is Equal To',
	ne: 'Is Not Equal To',
	gt: 'Is Greater Than',
	gte: 'Is Greater Than or Equal To',
	lt: 'Is Less Than',
	lte: 'Is Less Than or Equal To',
	isBetween: 'Is Between',
	isEmpty: 'Is Empty',
	isNotEmpty: 'Is Not Empty',
});
const dateOperators = named({
	inLast: 'Is in the Last',
	notInLast: 'Is Not in the Last',
	inNext: 'Is in the Next',
	gt: 'Is After',
	lt: 'Is Before',
	eq: 'Is on the Day',
	isBetween: 'Is Between',
	isEmpty: 'Is Empty',
	isNotEmpty: 'Is Not Empty',
});
const unitOptions = named({ minutes: 'Minutes', hours: 'Hours', days: 'Days', weeks: 'Weeks' });

/** The fields that compare with a text; `show` says for which subjects they are there. */
const textComparison = (show: NonNullable<Field['displayOptions']>['show'] = {}): Field[] => [
	choice('Comparison', 'textOperator', textOperators, { displayOptions: { show } }),
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		default: '',
		displayOptions: { show, hide: { textOperator: valueless } },
	},
];

const dateComparison = (show: NonNullable<Field['displayOptions']>['show'] = {}): Field[] => [
	choice('Comparison', 'dateOperator', dateOperators, { displayOptions: { show } }),
	{
		displayName: 'Amount',
		description: 'How many units',
		name: 'amount',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 7,
		displayOptions: { show: { ...show, dateOperator: spanOperators } },
	},
	choice('Unit', 'unit', unitOptions, {
		default: 'days',
		displayOptions: { show: { ...show, dateOperator: spanOperators } },
	}),
	{
		displayName: 'Date',
		name: 'date',
		description: 'In the time zone of the workflow',
		type: 'dateTime',
		default: '',
		displayOptions: { show: { ...show, dateOperator: ['gt', 'lt', 'eq', 'isBetween'] } },
	},
	{
		displayName: 'And',
		description: 'End of the range',
		name: 'dateTo',
		type: 'dateTime',
		default: '',
		displayOptions: { show: { ...show, dateOperator: ['isBetween'] } },
	},
];

const numberComparison = (show: NonNullable<Field['displayOptions']>['show']): Field[] => [
	choice('Comparison', 'numberOperator', numberOperators, { displayOptions: { show } }),
	{
		displayName: 'Number',
		name: 'number',
		type: 'number',
		default: 0,
		displayOptions: { show, hide: { numberOperator: valueless } },
	},
	{
		displayName: 'And',
		description: 'End of the range',
		name: 'numberTo',
		type: 'number',
		default: 0,
		displayOptions: { show: { ...show, numberOperator: ['isBetween'] } },
	},
];

const yesNo = choice('Is', 'isTrue', named({ true: 'Yes', false: 'No' }));

/** Custom fields are chosen as `731:number`, so that the inputs for their kind of value can be shown. */
const ofKind = (kind: string) => ({ customField: [{ _cnd: { endsWith: `:${kind}` } }] });

const groups: Array<{ displayName: string; name: string; values: Field[] }> = [
	{
		displayName: groupLabels.assigned,
		name: 'assigned',
		values: [
			choice(
				'Contact',
				'listOperator',
				named({ in: 'Is Assigned to Any Of', notIn: 'Is Assigned to None Of' }),
			),
			{
				displayName: 'Assignee Names or IDs',
				name: 'assigneeIds',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: ASSIGNEES_METHOD },
				default: [],
				description:
					'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
		],
	},
	{
		displayName: groupLabels.channels,
		name: 'channels',
		values: [
			choice('Contact', 'listOperator', named({ in: 'Is on Any Of', notIn: 'Is on None Of' })),
			choice('Channels By', 'channelsBy', named({ channels: 'Type', inboxes: 'Name or ID' })),
			{
				displayName: 'Channel Types',
				name: 'channelTypes',
				type: 'multiOptions',
				options: channelOptions.filter(({ value }) => value !== anyChannel),
				default: [],
				displayOptions: { show: { channelsBy: ['channels'] } },
			},
			multiSelect(lookups.channels, 'inboxIds', { displayOptions: { show: { channelsBy: ['inboxes'] } } }),
		],
	},
	{
		displayName: groupLabels.customFields,
		name: 'customFields',
		values: [
			{
				displayName: 'Custom Field Name or ID',
				name: 'customField',
				type: 'options',
				typeOptions: { loadOptionsMethod: CUSTOM_FIELDS_METHOD },
				builderHint: { propertyHint: 'ID:text|number|date|boolean' },
				default: '',
				description:
					'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
			...textComparison(ofKind('text')),
			...numberComparison(ofKind('number')),
			...dateComparison(ofKind('date')),
			choice(
				'Comparison',
				'booleanOperator',
				named({ eq: 'Is', isEmpty: 'Is Empty', isNotEmpty: 'Is Not Empty' }),
				{
					displayOptions: { show: ofKind('boolean') },
				},
			),
			{
				...yesNo,
				displayName: 'Value',
				displayOptions: { show: { ...ofKind('boolean'), booleanOperator: ['eq'] } },
			},
		],
	},
	{
		displayName: groupLabels.dates,
		name: 'dates',
		values: [choice('Date of', 'field', named(fieldLabels.dates)), ...dateComparison()],
	},
	{
		displayName: groupLabels.sequences,
		name: 'sequences',
		values: [
			choice('Contact', 'listOperator', named({ in: 'Is in Any Of', notIn: 'Is in None Of' })),
			multiSelect(lookups.sequences, 'sequenceIds'),
		],
	},
	{
		displayName: groupLabels.tags,
		name: 'tags',
		values: [
			choice(
				'Contact',
				'listOperator',
				named({
					in: 'Has Any Of',
					inAll: 'Has All Of',
					notIn: 'Has None Of',
					isNotEmpty: 'Has a Tag',
					isEmpty: 'Has No Tag',
				}),
			),
			multiSelect(lookups.tags, 'tagIds', { displayOptions: { hide: { listOperator: valueless } } }),
		],
	},
	{
		displayName: groupLabels.texts,
		name: 'texts',
		values: [choice('Field', 'field', named(fieldLabels.texts)), ...textComparison()],
	},
	{
		displayName: groupLabels.booleans,
		name: 'booleans',
		values: [choice('Field', 'field', named(fieldLabels.booleans)), yesNo],
	},
];

/** Which contacts are meant, without JSON: rows of what is compared, how, and with what. */
export const conditionFields: Field[] = [
	{
		displayName: 'Conditions',
		name: 'conditions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Condition',
		default: {},
		description: 'Case does not matter. Last Interaction, Sequence and Assigned To: not on every service.',
		options: groups,
	},
	{
		displayName: 'Conditions to Meet',
		name: 'match',
		type: 'options',
		options: [
			{ name: 'All', value: 'all' },
			{ name: 'Any', value: 'any' },
		],
		default: 'all',
	},
];
