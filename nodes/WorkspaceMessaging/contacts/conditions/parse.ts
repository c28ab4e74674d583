import type { IDataObject } from 'n8n-workflow';
import type { Service } from '../../transport/service';
import { customFieldApi } from '../../contract/customField';
import { patterns } from '../../contract/limits';
import { readMoment } from '../../values/dates';
import { quoted } from '../../values/labels';
import { toList } from '../../values/validate';
import {
	describeSeveral,
	matchCustomFields,
	suggestCustomFields,
} from '../customFields/definitions';
import type { CustomFieldDefinitions } from '../customFields/definitions';
import { getChannelType } from '../../channels/channel';
import { getDateRange, units, type Clock, type Condition, type ConditionSet } from './condition';
import { isServerOnly } from './serverConditions';
import {
	conditionGroups,
	fieldRows,
	getFieldNames,
	getValueType,
	operators,
	spanOperators,
	type FieldName,
	type Operator,
	type ValueType,
} from './table';

/**
 * Parses the parameters of `conditionFields`; undefined if there are no conditions.
 *
 * Throws a sentence for a condition that n8n cannot check, such as a number that is not one:
 * skipping it would list more contacts.
 *
 * @param readCustomFields reads the custom fields of the workspace
 * @param service knows whether the service shows all of them
 */
export async function parseConditions(
	parameter: (name: string, fallback: unknown) => unknown,
	clock: Clock,
	readCustomFields: () => Promise<CustomFieldDefinitions>,
	{ cutLists }: Pick<Service, 'cutLists'>,
): Promise<ConditionSet | undefined> {
	const groups: Record<string, IDataObject[] | undefined> = Object(parameter('conditions', {}));
	const conditions: Condition[] = [];
	for (const [group, rows = []] of Object.entries(groups)) {
		for (const row of rows) {
			let subject: Subject;
			if (group === 'customFields') {
				const definitions = await readCustomFields();
				// Only reading the list shows whether the service cuts it.
				const shownAtMost = cutLists.get(customFieldApi.listCustomFields.path);
				subject = readCustomField(row, definitions, shownAtMost);
			} else {
				subject = readField(group, row);
			}
			conditions.push(readCondition(subject, row, clock.timezone));
		}
	}
	if (conditions.length === 0) return undefined;
	return {
		match: readChoice(['all', 'any'], parameter('match', 'all'), 'Contacts Must Meet'),
		conditions,
		clock,
	};
}

/** What a row compares, and what messages call the condition. */
interface Subject {
	field: Condition['field'];
	type: ValueType;
	label: string;
}

/** Returns the field of a row. In a group of lists it is the only one, except for channels. */
function readField(group: string, row: IDataObject): Subject {
	const known = readChoice(Object.keys(conditionGroups), group, 'The kind of each condition');
	const { label, type = 'text', fields } = conditionGroups[known];
	const names = getFieldNames(fields);
	let [field] = names;
	if (group === 'channels')
		field = readChoice(names, row.channelsBy, `Select Channels By in the condition on ${label}`);
	else if (type !== 'list')
		field = readChoice(names, row.field, `The field in the condition on ${label}`);
	return { field, type, label: `condition on ${fieldRows[field].label}` };
}

/**
 * Returns the custom field of a row, with what its values are compared as. An ID or name alone,
 * which comes from an expression, has the type of the field. A field that does not exist would be
 * empty for every contact.
 *
 * @param shownAtMost how many fields the service shows, if it does not show all
 */
function readCustomField(
	row: IDataObject,
	definitions: CustomFieldDefinitions,
	shownAtMost?: number,
): Subject {
	const label = `condition on ${conditionGroups.customFields.label}`;
	const choice = readText(row.customField, label);
	if (choice === '') throw new Error('Select a custom field in each condition on Custom Field');
	const [id, kind = ''] = choice.split(':');
	const hasKind = isValueType(kind);
	const isHidden = shownAtMost !== undefined && hasKind && patterns.numericId.test(id);
	const name = hasKind ? id : choice;
	const fields = matchCustomFields(definitions, name);
	if (fields.length > 1) {
		const { what, advice } = describeSeveral(name, fields);
		throw new Error(`${what} ${advice}`);
	}
	const [definition] = fields;
	if (!definition && !isHidden) {
		const suggestion = suggestCustomFields(id, definitions, shownAtMost);
		throw new Error(
			`A condition uses the custom field ${quoted(choice)}, but the service doesn't list it. ${suggestion}${kindAdvice(id, shownAtMost)}`,
		);
	}
	const type = hasKind ? kind : getValueType(definition?.type);
	// n8n shows no comparison for a fixed value without a kind, and drops the one that was there.
	if (!(`${type}Operator` in row))
		throw new Error(
			`Select the custom field "${choice}" from the list, or enter its ID and kind, such as ${id}:${type}`,
		);
	const field = definition ?? { id, name: id };
	return { field: { customFieldId: field.id }, type, label: `${label} ${quoted(field.name)}` };
}

/** Returns how to choose a field that the service does not show. */
function kindAdvice(id: string, shownAtMost?: number): string {
	if (!shownAtMost) return '';
	const example = patterns.numericId.test(id) ? id : '1010';
	return ` Enter its ID and kind, such as ${example}:text.`;
}

const isValueType = (kind: string): kind is ValueType => Object.hasOwn(operators, kind);

/**
 * Reads how a row compares, with the values that its operator takes; hidden fields still hold what
 * was entered before.
 */
function readCondition(subject: Subject, row: IDataObject, timezone: string): Condition {
	const { field, type, label } = subject;
	const operator = readOperator(subject, row);
	const values = readComparedValues(subject, operator, row, timezone);
	const condition = { field, type, operator, values };
	if (operator === 'isBetween' && isReversed(condition, timezone))
		throw new Error(`The ${label} ends (${values[1]}) before it starts (${values[0]})`);
	return condition;
}

function readOperator({ field, type, label }: Subject, row: IDataObject): Operator {
	// A contact's own yes/no fields have no other comparison.
	if (type === 'boolean' && typeof field === 'string') return 'eq';
	const known: readonly Operator[] = operators[type];
	const allowed = known.filter((operator) => operator !== 'inAll' || !isServerOnly({ field }));
	return readChoice(allowed, row[`${type}Operator`], `The comparison in the ${label}`);
}

/** Whether a range ends before it starts. */
function isReversed(condition: Condition, timezone: string): boolean {
	let [from, to] = condition.values.map(Number);
	if (condition.type === 'date') [from, to] = getDateRange(condition, { now: 0, timezone });
	return to < from;
}

/** Reads the values that an operator takes. Throws a sentence if n8n cannot compare with one. */
function readComparedValues(
	{ field, type, label }: Subject,
	operator: Operator,
	row: IDataObject,
	timezone: string,
): string[] {
	const read = (input: string, isValid: (text: string) => boolean, advice: string) => {
		const text = readText(row[input], label);
		if (isValid(text)) return text;
		throw notComparable(label, text, advice);
	};
	const readFilled = (input: string) =>
		read(input, (text) => text.trim() !== '', 'To find contacts without one, select Is Empty');
	/** Reads a value, or both ends of a range. */
	const readRange = (input: string, isValid: (text: string) => boolean, advice: string) => {
		const inputs = operator === 'isBetween' ? [input, `${input}To`] : [input];
		inputs.forEach(readFilled);
		return inputs.map((each) => read(each, isValid, advice));
	};
	if (operator === 'isEmpty' || operator === 'isNotEmpty') return [];
	if (spanOperators.includes(operator)) {
		const isUnit = (text: string) => Object.hasOwn(units, text);
		return [
			read(
				'amount',
				(text) => /^\d+$/.test(text),
				'Enter a whole number of minutes, hours, days or weeks',
			),
			read('unit', isUnit, `Select a unit: ${Object.keys(units).join(', ')}`),
		];
	}
	if (type === 'list' && typeof field === 'string') return readIds(field, row, label);
	switch (type) {
		case 'text':
			return [readFilled('text')];
		case 'number':
			return readRange('number', (text) => Number.isFinite(Number(text)), 'Enter a number');
		case 'date': {
			const isDate = (text: string) => readMoment(text, timezone) !== undefined;
			return readRange('date', isDate, 'Enter a date, such as 2026-12-31');
		}
		default: {
			const isYesOrNo = (text: string) => /^\s*(true|false)\s*$/i.test(text);
			return [read('isTrue', isYesOrNo, 'Select true or false').trim().toLowerCase()];
		}
	}
}

/**
 * Reads a list, or text as other lists are read. No contact has entries of another form, so
 * everyone would meet a negative condition with one; nor is an empty entry of a list an ID.
 */
function readIds(field: FieldName, row: IDataObject, label: string): string[] {
	const { input, lookup, form = patterns.numericId, rule } = fieldRows[field];
	const value = row[input];
	const list = isObjectOrList(value) ? value : toList(String(value ?? ''));
	const entries = [list].flat().map((entry) => readText(entry ?? 'null', label).trim());
	const ids = entries.filter(Boolean).map((entry) => normalizeEntry(field, entry));
	if (ids.length === 0) throw notComparable(label, value, 'Select at least one');
	const wrong = ids.find((id) => !form.test(id));
	if (wrong === undefined) return ids;
	throw notComparable(label, wrong, `Enter ${rule ?? `the IDs of ${lookup}, made of digits only`}`);
}

/**
 * Brings an entry of a list into the form that n8n compares: channels have types with several
 * names.
 */
function normalizeEntry(field: FieldName, entry: string): string {
	if (field !== 'channels') return entry;
	return getChannelType({ channel: entry.toLowerCase() }) ?? entry;
}

/** Reads one value as text. Dates of JavaScript become ISO 8601, as n8n's own dates do. */
function readText(value: unknown, label: string): string {
	if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
	if (!isObjectOrList(value)) return String(value ?? '');
	throw notComparable(label, value, 'Enter a single value, not an object or a list');
}

/**
 * Reads one of some words. n8n fills in what a workflow leaves out, so only an expression can
 * return nothing.
 */
function readChoice<T extends string>(choices: readonly T[], value: unknown, name: string): T {
	const choice = choices.find((each) => each === value);
	if (choice !== undefined) return choice;
	throw new Error(
		`${name} must be one of ${choices.join(', ')}, but is ${showValue(value) ?? 'empty'}`,
	);
}

/** Returns the error for a value that n8n cannot compare with. */
function notComparable(label: string, value: unknown, advice: string): Error {
	const shown = showValue(value);
	const problem = shown ? `has the value ${shown}` : 'has no value';
	return new Error(`The ${label} ${problem}. ${advice}`);
}

/** Returns a value as an error shows it; undefined if it is empty. */
function showValue(value: unknown): string | undefined {
	const text = isObjectOrList(value) ? JSON.stringify(value) : String(value ?? '');
	if (['', '[]'].includes(text.trim())) return undefined;
	return quoted(text);
}

const isObjectOrList = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;
