import type { Field, FieldGroup } from '../run/operation';
import {
	conditionGroups,
	fieldRows,
	getConditionFieldNames,
	spanOperators,
	type ConditionGroup,
	type FieldName,
} from '../contacts/conditions/conditionFields';
import { anyChannel } from '../contract/limits';
import { channelOptions, inQuery, keywordField, optional, toNamedOptions } from './fields';
import { compareByName } from '../values/names';
import { multiSelectLocator } from './lookups/locators';
import { lookups } from './lookups';

/**
 * Names of the methods that fill the dropdowns of assignees and of custom fields; see
 * `toConditionField`.
 */
export const conditionMethods = { assignees: 'getAssignees', customFields: 'getConditionFields' };

type Display = Field['displayOptions'];
type Show = NonNullable<NonNullable<Display>['show']>;

/** Returns a dropdown whose options are in the order of their meaning, not of the alphabet. */
function choice(
	displayName: string,
	name: string,
	names: Record<string, string>,
	displayOptions?: Display,
): Field {
	const options = toNamedOptions(names);
	const field: Field = { displayName, name, type: 'options', options, default: '' };
	return { ...field, default: options[0].value, displayOptions };
}

/**
 * Returns the dropdown of the fields of a group, sorted by name. The first one in the table is the
 * default.
 */
function fieldChoice(displayName: string, { fields }: ConditionGroup): Field {
	const names = getConditionFieldNames(fields);
	const labels = Object.fromEntries(names.map((name) => [name, fieldRows[name].label]));
	const options = names.map((value) => ({
		name: labels[value],
		value,
		description: fieldRows[value].description,
	}));
	return { ...choice(displayName, 'field', labels), options: options.sort(compareByName) };
}

/** Returns an input for the value of a comparison. */
const input = (
	displayName: string,
	name: string,
	type: 'string' | 'number' | 'dateTime',
	displayOptions: Display,
	description?: string,
): Field => ({
	displayName,
	name,
	type,
	default: type === 'number' ? 0 : '',
	displayOptions,
	description,
});

const emptiness = { isEmpty: 'Is Empty', isNotEmpty: 'Is Not Empty' };
const emptyOperators = Object.keys(emptiness);
const equality = { eq: 'Is Equal To', ne: 'Is Not Equal To' };
const textOperators = {
	...equality,
	contains: 'Contains',
	notContains: 'Does Not Contain',
	startsWith: 'Starts With',
	endsWith: 'Ends With',
	...emptiness,
};
const numberOperators = {
	...equality,
	gt: 'Is Greater Than',
	gte: 'Is Greater Than or Equal To',
	lt: 'Is Less Than',
	lte: 'Is Less Than or Equal To',
	isBetween: 'Is Between',
	...emptiness,
};
const dateOperators = {
	inLast: 'Is in the Last',
	notInLast: 'Is Not in the Last',
	inNext: 'Is in the Next',
	gt: 'Is After',
	lt: 'Is Before',
	eq: 'Is on the Day',
	isBetween: 'Is Between',
	...emptiness,
};
const booleanOperators = { eq: 'Is', ...emptiness };
const unitNames = { minutes: 'Minutes', hours: 'Hours', days: 'Days', weeks: 'Weeks' };

/** The inputs that compare text; `show` says for which fields the panel has them. */
const textComparison = (show: Show = {}): Field[] => [
	choice('Comparison', 'textOperator', textOperators, { show }),
	input('Text', 'text', 'string', { show, hide: { textOperator: emptyOperators } }),
];

const numberComparison = (show: Show): Field[] => [
	choice('Comparison', 'numberOperator', numberOperators, { show }),
	input('Number', 'number', 'number', { show, hide: { numberOperator: emptyOperators } }),
	input(
		'And',
		'numberTo',
		'number',
		{ show: { ...show, numberOperator: ['isBetween'] } },
		'End of the range',
	),
];

const dateComparison = (show: Show = {}): Field[] => [
	{
		...choice('Comparison', 'dateOperator', dateOperators, { show }),
		description:
			'"Is Not in the Last" includes contacts without this date. To leave them out, add the condition Is Not Empty.',
	},
	{
		displayName: 'Amount',
		description: 'How many units',
		name: 'amount',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 7,
		displayOptions: { show: { ...show, dateOperator: spanOperators } },
	},
	{
		...choice('Unit', 'unit', unitNames, { show: { ...show, dateOperator: spanOperators } }),
		default: 'days',
	},
	input(
		'Date',
		'date',
		'dateTime',
		{ show: { ...show, dateOperator: ['gt', 'lt', 'eq', 'isBetween'] } },
		'In the time zone of the workflow',
	),
	input(
		'And',
		'dateTo',
		'dateTime',
		{ show: { ...show, dateOperator: ['isBetween'] } },
		'End of the range',
	),
];

const yesNo = choice('Is', 'isTrue', { true: 'Yes', false: 'No' });

/**
 * Custom fields have values such as `731:number`, so that the panel can show the inputs for their
 * type.
 */
const ofType = (type: string): Show => ({ customField: [{ _cnd: { endsWith: `:${type}` } }] });

/** The inputs of conditions on a custom field. */
const customFieldComparison: Field[] = [
	{
		displayName: 'Custom Field Name or ID',
		name: 'customField',
		type: 'options',
		typeOptions: { loadOptionsMethod: conditionMethods.customFields },
		builderHint: { propertyHint: 'ID:text|number|date|boolean' },
		default: '',
		description:
			'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	...textComparison(ofType('text')),
	...numberComparison(ofType('number')),
	...dateComparison(ofType('date')),
	choice('Comparison', 'booleanOperator', booleanOperators, { show: ofType('boolean') }),
	{
		...yesNo,
		displayName: 'Value',
		displayOptions: { show: { ...ofType('boolean'), booleanOperator: ['eq'] } },
	},
];

/** The inputs of lists that are no lookup, by field. */
const otherLists: Record<string, Field> = {
	assigned: {
		displayName: 'Assignee Names or IDs',
		name: fieldRows.assigned.input,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: conditionMethods.assignees },
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	channels: {
		displayName: 'Channel Types',
		name: fieldRows.channels.input,
		type: 'multiOptions',
		options: channelOptions.filter(({ value }) => value !== anyChannel),
		default: [],
	},
};

/** The input for the entries that a condition on a list looks for. */
function entriesInput(field: FieldName, displayOptions?: Display): Field {
	const { input, lookup } = fieldRows[field];
	if (lookup) return multiSelectLocator(lookups[lookup], input, { displayOptions });
	return { ...otherLists[field], displayOptions };
}

/** The inputs of conditions on a list. Only channels can be selected in two ways. */
function listComparison({ operatorLabels = {}, fields }: ConditionGroup): Field[] {
	const comparison = choice('Contact', 'listOperator', operatorLabels);
	const names = getConditionFieldNames(fields);
	if (names.length === 1) {
		let displayOptions: Display;
		if ('isEmpty' in operatorLabels) displayOptions = { hide: { listOperator: emptyOperators } };
		return [comparison, entriesInput(names[0], displayOptions)];
	}
	return [
		comparison,
		choice('Select Channels By', 'channelsBy', { channels: 'Type', inboxes: 'Name or ID' }),
		...names.map((name) => entriesInput(name, { show: { channelsBy: [name] } })),
	];
}

/** Returns the inputs of a group of conditions. */
function getComparison(group: ConditionGroup): Field[] {
	switch (group.type) {
		case 'text':
			return [fieldChoice('Field', group), ...textComparison()];
		case 'date':
			return [fieldChoice('Date', group), ...dateComparison()];
		case 'boolean':
			return [fieldChoice('Field', group), yesNo];
		case 'list':
			return listComparison(group);
		default:
			return customFieldComparison;
	}
}

/** Returns a group of conditions as the panel offers it. */
function toFieldGroup([name, group]: [string, ConditionGroup]): FieldGroup {
	const { label, examples } = group;
	const displayName = examples ? `${label} (${examples})` : label;
	return { displayName, name, values: getComparison(group) };
}

/** n8n compares objects, too, but its type of a condition allows none. */
const NO_CONDITIONS = {} as unknown as string;

/** Conditions that contacts must meet: each row says what to compare, how, and with what. */
export const conditionFields: Field[] = [
	{
		displayName: 'Conditions',
		name: 'conditions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Condition',
		default: {},
		description:
			"Upper and lower case make no difference. Some services can't filter by Last Interaction, Sequence or Assigned To.",
		options: Object.entries(conditionGroups).map(toFieldGroup),
	},
	{
		...choice('Contacts Must Meet', 'match', { all: 'All Conditions', any: 'Any Condition' }),
		displayOptions: { hide: { conditions: [{ _cnd: { eq: NO_CONDITIONS } }] } },
		description: 'How many of the conditions above a contact must meet',
	},
];

/** Filters of a list of contacts (part 4.1). */
export const contactFilters: Field = optional('filters', [
	inQuery({
		displayName: 'Channel Types',
		name: 'channels',
		type: 'multiOptions',
		options: channelOptions,
		default: [],
		description: 'Leave empty for any',
	}),
	inQuery(
		multiSelectLocator(lookups.channels, 'inboxIds', { description: 'Leave empty for any.' }),
	),
	keywordField('e.g. nathan', 'Part of a name, email or phone number'),
	inQuery({
		displayName: 'Contact Filter (JSON)',
		name: 'contactFilter',
		type: 'json',
		default: '{}',
		description: "For cases Conditions can't express",
	}),
]);
