import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Service } from '../../transport/service';
import { customFieldApi } from '../../contract/customField';
import { anyChannel, choices, patterns } from '../../contract/limits';
import { quoted } from '../../validation/labels';
import { suggestCustomFields } from '../customFields/definitions';
import type { CustomFieldDefinition } from '../customFields/definitions';
import { channelTypeOf } from '../list/channels';
import { fieldLabels, groupLabels, operators, spanOperators, units } from './condition';
import type { Clock, Condition, ConditionSet, Operator, OwnField, ValueType } from './condition';
import { dateRangeOf, momentOf } from './dates';
import { isServerOnly } from './serverConditions';

const valueTypes: Record<string, ValueType> = {
	number: 'number',
	date: 'date',
	datetime: 'date',
	boolean: 'boolean',
};

/** Returns what conditions compare the values of a custom field as, by the field's type (part 2.4). */
export const valueTypeOf = (fieldType: unknown): ValueType => valueTypes[String(fieldType)] ?? 'text';

/** Returns a custom field as the dropdown of conditions offers it, with its ID and what its values are compared as: `731:number`. */
export function customFieldSubject({ id, type }: IDataObject): string {
	return `${String(id)}:${valueTypeOf(type)}`;
}

/**
 * Parses the parameters of `conditionFields`; undefined if there are no conditions.
 *
 * Throws a sentence for a condition that n8n cannot check, such as a number that is not one: skipping it would list more
 * contacts.
 *
 * @param readCustomFields reads the custom fields of the workspace, by ID
 * @param service knows whether the service shows all of them
 */
export async function parseConditions(
	parameter: (name: string, fallback: unknown) => unknown,
	clock: Clock,
	readCustomFields: () => Promise<Map<string, CustomFieldDefinition>>,
	{ cutLists }: Pick<Service, 'cutLists'>,
): Promise<ConditionSet | undefined> {
	const groups = parameter('conditions', {}) as Record<string, IDataObject[] | undefined>;
	const conditions: Condition[] = [];
	for (const [group, rows = []] of Object.entries(groups))
		for (const row of rows) {
			const subject =
				group === 'customFields'
					? customFieldOf(row, await readCustomFields(), cutLists.get(customFieldApi.listCustomFields.path))
					: subjectOf(group, row);
			conditions.push(parseRow(subject, row, clock.timezone));
		}
	if (conditions.length === 0) return undefined;
	return { match: parse(oneOf(['all', 'any']), parameter('match', 'all'), 'Match'), conditions, clock };
}

/** What a row compares, and what messages call the condition. */
interface Subject {
	field: Condition['field'];
	type: ValueType;
	label: string;
}

const ownTypes = { texts: 'text', dates: 'date', booleans: 'boolean' } as const;

function subjectOf(group: string, row: IDataObject): Subject {
	const labels: Record<string, string> = { ...groupLabels, ...fieldLabels[group as keyof typeof ownTypes] };
	const label = `condition on ${labels[String(row.field)] ?? labels[group] ?? group}`;
	switch (group) {
		case 'texts':
		case 'dates':
		case 'booleans': {
			const names = Object.keys(fieldLabels[group]) as OwnField[];
			const field = parse(oneOf(names), row.field, `The field in the ${label}`);
			return { field, type: ownTypes[group], label };
		}
		case 'channels': {
			const field = parse(
				oneOf(['channels', 'inboxes']),
				row.channelsBy,
				`Select Channels By in the ${label}`,
			);
			return { field, type: 'list', label };
		}
		default: {
			const field = parse(oneOf(['assigned', 'sequences', 'tags']), group, 'The kind of each condition');
			return { field, type: 'list', label };
		}
	}
}

/**
 * Returns the custom field of a row, with what its values are compared as. An ID alone, which comes from an expression, has
 * the type of the field. A field that does not exist would be empty for every contact.
 *
 * @param shownAtMost how many fields the service shows, if it does not show all
 */
function customFieldOf(
	row: IDataObject,
	definitions: Map<string, CustomFieldDefinition>,
	shownAtMost?: number,
): Subject {
	const label = `condition on ${groupLabels.customFields}`;
	const choice = parse(single, row.customField, `The ${label}`);
	if (choice === '') throw new Error('Select a custom field in each condition on Custom Field');
	const [id, kind = ''] = choice.split(':');
	const hasKind = isValueType(kind);
	const isId = patterns.numericId.test(id);
	const definition = definitions.get(hasKind ? id : choice);
	if (!definition && !(shownAtMost && hasKind && isId)) {
		const advice = shownAtMost ? ` Enter its ID and kind, such as ${isId ? id : '1010'}:text.` : '';
		throw new Error(
			`Conditions use the custom field ${quoted(choice)}, which the service does not list. ${suggestCustomFields(id, definitions, shownAtMost)}${advice}`,
		);
	}
	const type = hasKind ? kind : valueTypeOf(definition?.type);
	// n8n shows no comparison for a fixed value without a kind, and drops the one that was there.
	if (!(`${type}Operator` in row))
		throw new Error(
			`Select the custom field "${choice}" from the list, or enter its ID and kind, such as ${id}:${type}`,
		);
	const { name } = definition ?? { name: id };
	return { field: { customFieldId: definition?.id ?? id }, type, label: `${label} ${quoted(name)}` };
}

const isValueType = (kind: string): kind is ValueType => Object.hasOwn(operators, kind);

/** Parses how a row compares, with the values that its operator takes; hidden fields still hold what was entered before. */
function parseRow(subject: Subject, row: IDataObject, timezone: string): Condition {
	const { field, type, label } = subject;
	const known: readonly Operator[] = operators[type];
	const allowed = known.filter((operator) => operator !== 'inAll' || !isServerOnly({ field }));
	const isOwnAnswer = type === 'boolean' && typeof field === 'string';
	const operator = isOwnAnswer
		? 'eq'
		: parse(oneOf(allowed), row[`${type}Operator`], `The comparison in the ${label}`);
	const inputs = Object.entries(inputsOf(subject, operator, timezone));
	const values = inputs.flatMap(([name, schema]) => parse(schema, row[name], `The ${label}`));
	if (operator === 'isBetween') {
		const range = { field, operator, values };
		const [from, to] = type === 'number' ? values.map(Number) : dateRangeOf(range, { now: 0, timezone });
		if (to < from)
			throw new Error(
				`The ${label} compares between "${values[0]}" and "${values[1]}", but the end must not be before the start`,
			);
	}
	return { field, type, operator, values };
}

/** Parses a value; throws a sentence about `name` for the first rule that the value breaks. */
function parse<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
	const { success, data, error } = schema.safeParse(value);
	if (success) return data;
	throw new Error(`${name} ${error.issues[0].message}`);
}

const shown = (value: unknown, empty: string) => {
	const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
	return ['', '[]'].includes(text.trim()) ? empty : quoted(text);
};

type Issue = z.core.$ZodRawIssue;

/** A rule for the values of a condition, as the end of a sentence. */
const needs = (rule: string) => ({
	error: ({ input }: Issue) => `compares with ${shown(input, 'nothing')}, but needs ${rule}`,
});

/** One of some words. n8n fills in what a workflow leaves out, so only an expression can return nothing. */
const oneOf = <const T extends readonly string[]>(words: T) =>
	z.enum(words, {
		error: ({ input }: Issue) => `must be one of: ${words.join(', ')}, but is ${shown(input, 'empty')}`,
	});

/** One value as text. Dates of JavaScript become ISO 8601, as n8n's own dates do. */
const single = z.preprocess(
	(value) => {
		if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
		return typeof value === 'object' && value !== null ? value : String(value ?? '');
	},
	z.string(needs('a single value, not an object or a list')),
);

const filled = single.pipe(z.string().regex(/\S/, needs('a value; to find empty ones, select Is Empty')));
const number = filled.pipe(z.string().refine((text) => Number.isFinite(Number(text)), needs('a number')));
const amount = single.pipe(
	z.string().regex(/^\d+$/, needs('a whole number of minutes, hours, days or weeks')),
);
const unit = single.pipe(z.enum(Object.keys(units), needs(`a unit: ${Object.keys(units).join(', ')}`)));
const yesOrNo = single
	.pipe(z.string().trim().toLowerCase())
	.pipe(z.enum(['true', 'false'], needs('true or false')));

/** The input of a list, and what its entries must be. */
interface ListInput {
	input: string;
	form: RegExp;
	rule: string;
	/** Brings an entry into the form that n8n compares. */
	normalize?(entry: string): string;
}

const ids = (input: string, noun: string): ListInput => ({
	input,
	form: patterns.numericId,
	rule: `the IDs of ${noun}, made of digits only`,
});

const channelTypes = choices.contactChannels.filter((type) => type !== anyChannel);

/** No contact has entries of another form, so everyone would meet a negative condition with one. */
const listInputs: Record<string, ListInput> = {
	tags: ids('tagIds', 'tags'),
	inboxes: ids('inboxIds', 'channels'),
	sequences: ids('sequenceIds', 'sequences'),
	channels: {
		input: 'channelTypes',
		form: new RegExp(`^(${channelTypes.join('|')})$`),
		rule: `types of channels: ${channelTypes.join(', ')}`,
		normalize: (type) => channelTypeOf({ channel: type.toLowerCase() }) ?? type,
	},
	assigned: {
		input: 'assigneeIds',
		form: /^(u_\d+|t_\d+|unassigned)$/,
		rule: 'a member as u_ and the user ID, a team as t_ and its ID, or unassigned',
	},
};

/** A list, or a text with commas between its entries. An empty entry of a list is not an ID, and n8n refuses it as one. */
function listOf({ form, rule, normalize = (entry) => entry }: ListInput) {
	const entry = z
		.string()
		.trim()
		.transform(normalize)
		.pipe(z.string().regex(form, needs(rule)));
	return z.preprocess(
		(value) => {
			const isText = typeof value !== 'object' || value === null;
			const entries: unknown[] = isText ? String(value ?? '').split(',') : [value].flat();
			return entries
				.map((each) => each ?? 'null')
				.filter((each) => typeof each !== 'string' || each.trim() !== '');
		},
		z.array(single.pipe(entry)).min(1, needs('at least one choice')),
	);
}

/** Returns the inputs that hold the values of a condition, with their rules. */
function inputsOf(
	{ field, type }: Subject,
	operator: Operator,
	timezone: string,
): Record<string, z.ZodType<string | string[]>> {
	if (operator === 'isEmpty' || operator === 'isNotEmpty') return {};
	if (spanOperators.includes(operator)) return { amount, unit };
	const isRange = operator === 'isBetween';
	switch (type) {
		case 'text':
			return { text: filled };
		case 'number':
			return isRange ? { number, numberTo: number } : { number };
		case 'date': {
			const isDate = (text: string) => momentOf(text, timezone) !== undefined;
			const date = filled.pipe(z.string().refine(isDate, needs('a date, such as 2026-12-31')));
			return isRange ? { date, dateTo: date } : { date };
		}
		case 'boolean':
			return { isTrue: yesOrNo };
		case 'list': {
			const list = listInputs[String(field)];
			return { [list.input]: listOf(list) };
		}
	}
}
