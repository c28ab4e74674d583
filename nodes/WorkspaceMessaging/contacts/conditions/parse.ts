import type { IDataObject } from 'n8n-workflow';
import type { Service } from '../../transport/service';
import { anyChannel, contactChannels, listCustomFields, patterns } from '../../contract';
import type { Item } from '../../execution/item';
import { quoted } from '../../validation/messages';
import { suggest } from '../../validation/suggestions';
import { channelTypeOf } from '../list/channelFilter';
import { customFieldDefinitions } from '../customFields/definitions';
import type { CustomFieldDefinition } from '../customFields/definitions';
import { momentOf } from './localTime';
import { isServerOnly } from './serverConditions';
import { booleanFields, dateFields, operators, spanOperators, textFields, units } from './condition';
import type { Clock, Condition, Operator, ConditionSet, ValueType } from './condition';
import { dateRangeOf } from './dateRange';
import { labelOf } from './labels';

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
export async function parseItemConditions(item: Item): Promise<ConditionSet | undefined> {
	return await parseConditions(
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
export async function parseConditions(
	parameter: (name: string, fallback: unknown) => unknown,
	clock: Clock,
	customFields: Definitions,
	{ cutLists }: Pick<Service, 'cutLists'>,
): Promise<ConditionSet | undefined> {
	const fieldOf = async (subject: string) =>
		customField(subject, await customFields(), cutLists.get(listCustomFields.path));
	const given = parameter('conditions', {}) as Record<string, IDataObject[] | undefined>;
	const conditions: Condition[] = [];
	for (const [group, rows] of Object.entries(given))
		for (const row of rows ?? []) {
			const subject = await subjectOf(group, row, fieldOf);
			const condition = { field: subject.field, ...comparisonOf(subject, row) };
			check(condition, subject.label, clock.timezone);
			conditions.push(condition);
		}
	if (conditions.length === 0) return undefined;
	return {
		conditions: { match: oneOf(['all', 'any'], parameter('match', 'all'), 'Conditions to Meet'), conditions },
		clock,
	};
}

/** What a row compares, and how messages call the condition. */
interface Subject {
	field: Condition['field'];
	type: ValueType;
	label: string;
}

type FieldOf = (subject: string) => Promise<{ id: string; name: string; type: ValueType }>;

async function subjectOf(group: string, row: IDataObject, fieldOf: FieldOf): Promise<Subject> {
	const label = `condition on ${labelOf(group, row.field)}`;
	const fieldLabel = `The field in the ${label}`;
	switch (group) {
		case 'tags':
			return { field: 'tags', type: 'list', label };
		case 'sequences':
			return { field: 'sequences', type: 'list', label };
		case 'assigned':
			return { field: 'assigned', type: 'list', label };
		case 'channels':
			return {
				field: oneOf(['channels', 'inboxes'] as const, row.channelsBy, `Channels By in the ${label}`),
				type: 'list',
				label,
			};
		case 'texts':
			return { field: oneOf(textFields, row.field, fieldLabel), type: 'text', label };
		case 'dates':
			return { field: oneOf(dateFields, row.field, fieldLabel), type: 'date', label };
		case 'booleans':
			return { field: oneOf(booleanFields, row.field, fieldLabel), type: 'boolean', label };
		default: {
			const subject = textOf(row.customField, label);
			if (subject === '') throw new Error('Choose a custom field for each condition on one');
			const { id, name, type } = await fieldOf(subject);
			// n8n shows no comparison for a fixed value without a kind, and forgets the one that was there.
			if (!(`${type}Operator` in row))
				throw new Error(
					`Choose the custom field "${subject}" from the list, or give its ID and kind, such as ${id}:${type}`,
				);
			return { field: { customFieldId: id }, type, label: `${label} ${quoted(name)}` };
		}
	}
}

/**
 * The ID and name of a custom field, and what it is compared as; an ID alone, from an expression, has the kind of the field. One
 * that is not there would be empty for everybody.
 *
 * @param shownAtMost how many fields the service shows, where it does not show all
 */
function customField(subject: string, definitions: Map<string, CustomFieldDefinition>, shownAtMost?: number) {
	const [id, kind] = subject.split(':');
	const isKind = Object.hasOwn(operators, kind);
	const definition = definitions.get(isKind ? id : subject);
	if (!definition && shownAtMost === undefined) {
		const names = [...new Set([...definitions.values()].map(({ name }) => name))];
		throw new Error(
			`Conditions name the custom field ${quoted(subject)}, which does not exist. ${suggest(
				id,
				names.map((name) => ({ name })),
				'custom fields',
			)}`,
		);
	}
	if (!definition && !(isKind && isNumericId(id)))
		throw new Error(
			`Conditions name the custom field ${quoted(subject)}, which is not among the first ${shownAtMost} that the service shows. Give its ID and kind, such as ${isNumericId(id) ? id : '1010'}:text`,
		);
	const type = isKind ? (kind as ValueType) : valueTypeOf(definition?.type);
	return { id: definition?.id ?? id, name: definition?.name ?? id, type };
}

/** One of some words. n8n fills in what a workflow leaves out, so that nothing comes only of an expression that gives nothing. */
function oneOf<T extends string>(words: readonly T[], given: unknown, label: string): T {
	const found = words.find((word) => word === given);
	if (found === undefined) {
		const text = typeof given === 'string' ? given : JSON.stringify(given ?? null);
		throw new Error(
			`${label} must be one of: ${words.join(', ')}, but is ${text === '' || text === 'null' ? 'empty' : quoted(text)}`,
		);
	}
	return found;
}

/** The fields that hold the values of lists. */
const listedIn: Record<string, string> = {
	tags: 'tagIds',
	inboxes: 'inboxIds',
	channels: 'channelTypes',
	sequences: 'sequenceIds',
	assigned: 'assigneeIds',
};

/** How a row compares, with the values that its operator takes: fields that are not shown keep what they held before. */
function comparisonOf(subject: Subject, row: IDataObject): Omit<Condition, 'field'> {
	const { field, type, label } = subject;
	const isOwnAnswer = type === 'boolean' && typeof field === 'string';
	const given = isOwnAnswer ? 'eq' : row[`${type}Operator`];
	const operator = oneOf(
		operators[type].filter((each) => each !== 'inAll' || !isServerOnly(subject)),
		given,
		`The comparison in the ${label}`,
	);
	const isValueless = operator === 'isEmpty' || operator === 'isNotEmpty';
	return { type, operator, values: isValueless ? [] : valuesOf(subject, operator, row) };
}

function valuesOf({ field, type, label }: Subject, operator: Operator, row: IDataObject): string[] {
	const texts = (...values: unknown[]) => values.map((value) => textOf(value, label));
	const isRange = operator === 'isBetween';
	switch (type) {
		case 'list': {
			const given = row[listedIn[String(field)]];
			// Nothing in a list is no ID, and refused as such.
			const list = Array.isArray(given)
				? given.map((value) => textOf(value ?? 'null', label))
				: textOf(given, label).split(',');
			const values = list.map((value) => value.trim()).filter(Boolean);
			// Types of channels by the names that records are compared by.
			return field === 'channels'
				? values.map((value) => channelTypeOf({ channel: value.toLowerCase() }) ?? value)
				: values;
		}
		case 'number':
			return isRange ? texts(row.number, row.numberTo) : texts(row.number);
		case 'date':
			if (spanOperators.includes(operator)) return texts(row.amount, row.unit);
			return (isRange ? [row.date, row.dateTo] : [row.date]).map((value) => dateOf(value, label));
		case 'boolean':
			return texts(row.isTrue).map((value) => value.trim().toLowerCase());
		default:
			return texts(row.text);
	}
}

/** A value as text. Throws for an object or a list, which nobody has as a text. */
function textOf(value: unknown, label: string): string {
	if (typeof value === 'object' && value !== null)
		throw new Error(
			`The ${label} compares with ${shown(JSON.stringify(value))}, but needs a single value, not an object or a list`,
		);
	return String(value ?? '');
}

/** A date as text; those of JavaScript in the form that is compared. n8n makes texts of those of its expressions. */
function dateOf(value: unknown, label: string): string {
	const isDate = value instanceof Date && !Number.isNaN(value.getTime());
	return isDate ? value.toISOString() : textOf(value, label);
}

const shown = (text: string) => (text.trim() === '' ? 'nothing' : quoted(text));

const channelTypes: string[] = contactChannels.filter((type) => type !== anyChannel);
const isNumericId = (value: string) => patterns.numericId.test(value);

/**
 * What the values of a list must be, and how that is said. No contact has others, so that everybody would meet a negative
 * condition with one.
 */
const listValues: Record<string, { isValid(value: string): boolean; rule: string }> = {
	tags: { isValid: isNumericId, rule: 'needs the IDs of tags, made of digits only' },
	inboxes: { isValid: isNumericId, rule: 'needs the IDs of channels, made of digits only' },
	sequences: { isValid: isNumericId, rule: 'needs the IDs of sequences, made of digits only' },
	channels: {
		isValid: (value) => channelTypes.includes(value),
		rule: `needs types of channels: ${channelTypes.join(', ')}`,
	},
	assigned: {
		isValid: (value) => /^(u_\d+|t_\d+|unassigned)$/.test(value),
		rule: 'needs a member as u_ and the user ID, a team as t_ and its ID, or unassigned',
	},
};

/** Refuses what cannot be compared. */
function check({ field, type, operator, values }: Condition, label: string, timezone: string) {
	const wrong = (rule: string, value: string) =>
		new Error(`The ${label} compares with ${shown(value)}, but ${rule}`);
	if (operator === 'isEmpty' || operator === 'isNotEmpty') return;
	if (type === 'list') {
		const { isValid, rule } = listValues[String(field)];
		if (values.length === 0) throw wrong('needs at least one choice', '');
		const stranger = values.find((value) => !isValid(value));
		if (stranger !== undefined) throw wrong(rule, stranger);
		return;
	}
	if (spanOperators.includes(operator)) {
		const [amount, unit] = values;
		if (!/^\d+$/.test(amount)) throw wrong('needs a whole number of minutes, hours, days or weeks', amount);
		if (!Object.keys(units).includes(unit))
			throw wrong(`needs a unit: ${Object.keys(units).join(', ')}`, unit);
		return;
	}
	for (const value of values) {
		if (type === 'boolean' && value !== 'true' && value !== 'false')
			throw wrong('needs true or false', value);
		if (value.trim() === '') throw wrong('needs a value; to find empty ones, choose Is Empty', value);
		if (type === 'number' && !Number.isFinite(Number(value))) throw wrong('needs a number', value);
		if (type === 'date' && momentOf(value, timezone) === undefined)
			throw wrong('needs a date, such as 2026-12-31', value);
	}
	if (operator === 'isBetween') {
		const range = { field, operator, values };
		const [from, to] = type === 'number' ? values.map(Number) : dateRangeOf(range, { now: 0, timezone });
		if (to < from)
			throw new Error(
				`The ${label} compares between "${values[0]}" and "${values[1]}", but the end must not be before the start`,
			);
	}
}
