import type { IDataObject } from 'n8n-workflow';
import type { Service } from '../../../api/service';
import { anyChannel, contactChannels, listCustomFields, patterns } from '../../../contract';
import type { Item } from '../../../execution/item';
import { channelTypeOf } from '../channelFilter';
import { customFieldDefinitions } from '../customFieldDefinitions';
import type { CustomFieldDefinition } from '../customFieldDefinitions';
import { isAsked } from './askedOfService';
import { booleanFields, dateFields, operators, spanOperators, textFields, units } from './condition';
import type { Clock, Condition, Operator, Segment, ValueType } from './condition';
import { dateRangeOf } from './dateRange';
import { momentOf } from '../localTime';

const valueTypes: Record<string, ValueType> = {
	number: 'number',
	date: 'date',
	datetime: 'date',
	boolean: 'boolean',
};

/** What the value of a custom field is compared as, by the field's type (part 2.4). */
export const valueTypeOf = (fieldType: unknown): ValueType => valueTypes[String(fieldType)] ?? 'text';

/** A custom field as the dropdown of conditions offers it: its ID and what it is compared as, `731:number`. */
export function customFieldSubject({ id, type }: IDataObject): string {
	return `${String(id)}:${valueTypeOf(type)}`;
}

/** The conditions that the user gave for an item; undefined where there are none. Throws as `segmentOf` says. */
export async function givenSegment(item: Item): Promise<Segment | undefined> {
	return await segmentOf(
		(name, fallback) => item.parameter(name, fallback),
		{
			timezone: item.run.context.getTimezone(),
			// One moment for all items, so that they are measured alike.
			now: item.run.once('moment of the conditions', () => Date.now()),
		},
		async () => await customFieldDefinitions(item),
		item.service,
	);
}

type Definitions = () => Promise<Map<string, CustomFieldDefinition>>;

/**
 * The conditions that stand in the parameters of `conditionFields`; undefined where there are none.
 *
 * Throws a sentence for a condition that cannot be checked, such as a number that is none: nothing is left out in silence.
 *
 * @param customFields reads the custom fields of the workspace, by ID
 * @param service what is known of it: whether it shows all of them
 */
export async function segmentOf(
	parameter: (name: string, fallback: unknown) => unknown,
	clock: Clock,
	customFields: Definitions,
	{ cutLists }: Pick<Service, 'cutLists'>,
): Promise<Segment | undefined> {
	const fieldOf = async (subject: string) =>
		customField(subject, await customFields(), cutLists.has(listCustomFields.path));
	const given = parameter('conditions', {}) as Record<string, IDataObject[] | undefined>;
	const conditions: Condition[] = [];
	for (const [group, rows] of Object.entries(given))
		for (const row of rows ?? []) conditions.push(await conditionOf(group, row, fieldOf));
	if (conditions.length === 0) return undefined;
	for (const condition of conditions) check(condition, clock.timezone);
	const match = parameter('match', 'all') === 'any' ? 'any' : 'all';
	return { conditions: { match, conditions }, clock };
}

type FieldOf = (subject: string) => Promise<{ id: string; type: ValueType }>;

async function conditionOf(group: string, row: IDataObject, fieldOf: FieldOf): Promise<Condition> {
	switch (group) {
		case 'tags':
			return { field: 'tags', ...listed(row, row.tagIds) };
		case 'channels':
			return row.channelsBy === 'inboxes'
				? { field: 'inboxes', ...listed(row, row.inboxIds) }
				: { field: 'channels', ...ofTypes(listed(row, row.channelTypes)) };
		case 'sequences':
			return { field: 'sequences', ...listed(row, row.sequenceIds) };
		case 'assigned':
			return { field: 'assigned', ...listed(row, row.assigneeIds) };
		case 'texts':
			return { field: oneOf(textFields, row.field), ...compared('text', row) };
		case 'dates':
			return { field: oneOf(dateFields, row.field), ...compared('date', row) };
		case 'booleans':
			return { field: oneOf(booleanFields, row.field), ...compared('boolean', row) };
		default: {
			const subject = String(row.customField ?? '');
			if (subject === '') throw new Error('Choose a custom field for each condition on one');
			const { id, type } = await fieldOf(subject);
			// n8n shows no comparison for a fixed value without a kind, and forgets the one that was there.
			if (row[`${type}Operator`] === undefined)
				throw new Error(
					`Choose the custom field "${subject}" from the list, or give its ID and kind, such as ${id}:${type}`,
				);
			return { field: { customFieldId: id }, ...compared(type, row) };
		}
	}
}

/**
 * The ID of a custom field and what it is compared as; an ID alone, from an expression, has the kind of the field. One that is
 * not there would be empty for everybody.
 *
 * @param isCut whether the service does not show all of its fields
 */
function customField(subject: string, definitions: Map<string, CustomFieldDefinition>, isCut: boolean) {
	const [id, kind] = subject.split(':');
	const isKind = kind in operators;
	const definition = definitions.get(isKind ? id : subject);
	if (!definition && !(isCut && isKind && patterns.numericId.test(id)))
		throw new Error(`Conditions name the custom field "${subject}", which does not exist`);
	const type = isKind ? (kind as ValueType) : valueTypeOf(definition?.type);
	return { id: definition?.id ?? id, type };
}

function oneOf<T extends string>(fields: readonly T[], field: unknown): T {
	const found = fields.find((name) => name === field);
	if (!found) throw new Error(`Conditions cannot compare "${String(field)}"`);
	return found;
}

type Comparison = Omit<Condition, 'field'>;

function listed({ listOperator }: IDataObject, values: unknown): Comparison {
	const list = typeof values === 'string' ? values.split(',') : Array.isArray(values) ? values : [];
	const texts = (list as unknown[]).map((value) => String(value).trim()).filter(Boolean);
	return { type: 'list', operator: (listOperator ?? 'in') as Operator, values: texts };
}

/** A comparison with types of channels, by the names that records are compared by. */
function ofTypes(comparison: Comparison): Comparison {
	const values = comparison.values.map((type) => channelTypeOf({ channel: type.toLowerCase() }) ?? type);
	return { ...comparison, values };
}

function compared(type: ValueType, row: IDataObject): Comparison {
	const { textOperator, numberOperator, dateOperator, booleanOperator } = row;
	switch (type) {
		case 'number': {
			const values = [row.number, row.numberTo].map((value) => String(value ?? ''));
			return comparison(type, numberOperator ?? 'eq', values);
		}
		case 'date': {
			const operator = String(dateOperator ?? 'inLast');
			const isSpan = spanOperators.includes(operator);
			const values = isSpan ? [row.amount ?? 7, row.unit ?? 'days'] : [row.date, row.dateTo];
			return comparison(type, operator, values.map(written));
		}
		case 'boolean':
			return comparison(type, booleanOperator ?? 'eq', [String(row.isTrue ?? 'true')]);
		default:
			return comparison('text', textOperator ?? 'eq', [String(row.text ?? '')]);
	}
}

/** Only the values that an operator takes: fields that are not shown keep what they held before. */
function comparison(type: ValueType, operator: unknown, values: string[]): Comparison {
	const count = operator === 'isBetween' || spanOperators.includes(String(operator)) ? 2 : 1;
	const taken = ['isEmpty', 'isNotEmpty'].includes(String(operator)) ? 0 : count;
	return { type, operator: operator as Operator, values: values.slice(0, taken) };
}

/** A value as text; dates of expressions in the form that is compared. */
function written(value: unknown): string {
	return value instanceof Date ? value.toISOString() : String(value ?? '');
}

const channelTypes: string[] = contactChannels.filter((type) => type !== anyChannel);
const isNumericId = (value: string) => patterns.numericId.test(value);

/**
 * What the values of a list must be, and how that is said. No contact has others, so that everybody would meet a negative
 * condition with one.
 */
const listValues: Record<string, { isValid(value: string): boolean; rule: string }> = {
	tags: { isValid: isNumericId, rule: 'need the IDs of tags, made of digits only' },
	inboxes: { isValid: isNumericId, rule: 'need the IDs of channels, made of digits only' },
	sequences: { isValid: isNumericId, rule: 'need the IDs of sequences, made of digits only' },
	channels: {
		isValid: (value) => channelTypes.includes(value),
		rule: `need types of channels: ${channelTypes.join(', ')}`,
	},
	assigned: {
		isValid: (value) => /^(u_\d+|t_\d+|unassigned)$/.test(value),
		rule: 'need a member as u_ and the user ID, a team as t_ and its ID, or unassigned',
	},
};

/** Refuses what cannot be compared. */
function check(condition: Condition, timezone: string) {
	const { field, type, operator, values } = condition;
	if (!operators[type].includes(operator) || (operator === 'inAll' && isAsked(condition)))
		throw new Error(`Conditions cannot compare by "${operator}" here`);
	const wrong = (rule: string, value = '') =>
		new Error(`Conditions compare with ${value === '' ? 'nothing' : `"${value}"`}, but ${rule}`);
	if (type === 'list') {
		if (values.length === 0 && !operator.startsWith('is'))
			throw wrong('need at least one tag, channel, sequence or assignee');
		const { isValid, rule } = listValues[String(field)];
		const stranger = values.find((value) => !isValid(value));
		if (stranger !== undefined) throw wrong(rule, stranger);
		return;
	}
	if (type === 'date' && values.length > 0 && values[1] in units) {
		if (!/^\d+$/.test(values[0]))
			throw wrong('need a whole number of minutes, hours, days or weeks', values[0]);
		return;
	}
	for (const value of values) {
		if (value.trim() === '') throw wrong('need a value; to find empty ones, choose Is Empty');
		if (type === 'number' && !Number.isFinite(Number(value))) throw wrong('need a number', value);
		if (type === 'date' && momentOf(value, timezone) === undefined)
			throw wrong('need a date, such as 2026-12-31', value);
	}
	if (operator === 'isBetween') {
		const [from, to] = type === 'number' ? values.map(Number) : dateRangeOf(condition, { now: 0, timezone });
		if (to < from)
			throw new Error(
				`Conditions compare between "${values[0]}" and "${values[1]}", but the end must not be before the start`,
			);
	}
}
