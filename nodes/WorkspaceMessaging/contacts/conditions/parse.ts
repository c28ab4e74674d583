import type { IDataObject } from 'n8n-workflow';
import { capabilities } from '../../service/capabilities';
import type { Requester } from '../../transport/request';
import { customFieldApi } from '../../contract/customField';
import { patterns } from '../../contract/limits';
import { readMoment } from '../../values/dates';
import { describeInexact, isInexact } from '../../values/inexactNumbers';
import { quoted } from '../../values/labels';
import { foldName } from '../../values/names';
import { toList } from '../../values/list';
import {
	describeSeveralCustomFields,
	findCustomFieldDefinitions,
	suggestCustomFields,
	type CustomFieldDefinitions,
} from '../customFields/definitions';
import { getChannelType } from '../../channels/channel';
import {
	getConditionDates,
	units,
	type Clock,
	type Condition,
	type ConditionSet,
} from './condition';
import { isServerOnlyCondition } from './serverConditions';
import {
	conditionGroups,
	fieldRows,
	getConditionFieldNames,
	getConditionFieldType,
	operators,
	spanOperators,
	type FieldName,
	type Operator,
	type ValueType,
} from './conditionFields';

/**
 * Parses the parameters of `conditionFields`; undefined if there are no conditions.
 *
 * Throws a sentence for a condition that n8n cannot check, such as a number that is not one:
 * skipping it would list more contacts.
 *
 * @param readCustomFields reads the custom fields of the workspace
 * @param client of the service, which may not show all of them
 */
export async function parseConditions(
	parameter: (name: string, fallback: unknown) => unknown,
	clock: Clock,
	readCustomFields: () => Promise<CustomFieldDefinitions>,
	client: Requester,
): Promise<ConditionSet | undefined> {
	const groups: Record<string, IDataObject[] | undefined> = Object(parameter('conditions', {}));
	const conditions: Condition[] = [];
	for (const [group, rows = []] of Object.entries(groups)) {
		for (const row of rows) {
			let subject: Subject;
			if (group === 'customFields') {
				const definitions = await readCustomFields();
				// Only reading the list shows whether the service cuts it.
				const { cutAt } = capabilities(client).list(customFieldApi.listCustomFields);
				subject = readCustomField(row, definitions, cutAt);
			} else {
				subject = readField(group, row);
			}
			conditions.push(readCondition(subject, row, clock.timezone));
		}
	}
	if (conditions.length === 0) return undefined;
	return {
		match: readOneOf(['all', 'any'], parameter('match', 'all'), 'Contacts Must Meet'),
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
	const known = readOneOf(Object.keys(conditionGroups), group, 'The kind of each condition');
	const { label, type = 'text', fields } = conditionGroups[known];
	const names = getConditionFieldNames(fields);
	let [field] = names;
	if (group === 'channels') {
		const name = `Select Channels By in the condition on ${label}`;
		field = readOneOf(names, row.channelsBy, name);
	} else if (type !== 'list') {
		const name = `The field in the condition on ${label}`;
		field = readOneOf(names, row.field, name);
	}
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
	const choice = readSingleText(row.customField, label);
	if (choice === '') throw new Error('Select a custom field in each condition on Custom Field');
	const [id, kind = ''] = choice.split(':');
	const hasKind = isValueType(kind);
	const isHidden = shownAtMost !== undefined && hasKind && patterns.numericId.test(id);
	const name = hasKind ? id : choice;
	const fields = findCustomFieldDefinitions(definitions, name);
	if (fields.length > 1) {
		const { what, advice } = describeSeveralCustomFields(name, fields);
		throw new Error(`${what} ${advice}`);
	}
	const [definition] = fields;
	if (!definition && !isHidden) {
		const suggestion = suggestCustomFields(id, definitions, shownAtMost);
		throw new Error(
			`A condition uses the custom field ${quoted(choice)}, but the service doesn't list it. ${suggestion}${kindAdvice(id, shownAtMost)}`,
		);
	}
	const type = hasKind ? kind : getConditionFieldType(definition?.type);
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
	if (operator === 'isBetween' && isReversed(condition, timezone)) {
		const [from, to] = values;
		throw new Error(`The ${label} ends (${to}) before it starts (${from})`);
	}
	return condition;
}

function readOperator({ field, type, label }: Subject, row: IDataObject): Operator {
	// A contact's own yes/no fields have no other comparison.
	if (type === 'boolean' && typeof field === 'string') return 'eq';
	const known: readonly Operator[] = operators[type];
	const isServerOnly = isServerOnlyCondition({ field });
	const allowed = known.filter((operator) => operator !== 'inAll' || !isServerOnly);
	const chosen = row[`${type}Operator`];
	return readOneOf(allowed, chosen, `The comparison in the ${label}`);
}

/** Whether a range ends before it starts. */
function isReversed(condition: Condition, timezone: string): boolean {
	let [from, to] = condition.values.map(Number);
	if (condition.type === 'date') [from, to] = getConditionDates(condition, { now: 0, timezone });
	return to < from;
}

/** What a text must be so that n8n can compare with it, and what an error advises. */
interface TextRule {
	isValid: (text: string, timezone: string) => boolean;
	advice: string;
}

const filledRule: TextRule = {
	isValid: (text) => text.trim() !== '',
	advice: 'To find contacts without one, select Is Empty',
};
const amountRule: TextRule = {
	isValid: (text) => /^\d+$/.test(text),
	advice: 'Enter a whole number of minutes, hours, days or weeks',
};
const unitRule: TextRule = {
	isValid: (text) => Object.hasOwn(units, text),
	advice: `Select a unit: ${Object.keys(units).join(', ')}`,
};
const numberRule: TextRule = {
	isValid: (text) => Number.isFinite(Number(text)),
	advice: 'Enter a number',
};
const dateRule: TextRule = {
	isValid: (text, timezone) => readMoment(text, timezone) !== undefined,
	advice: 'Enter a date, such as 2026-12-31',
};
const yesOrNoRule: TextRule = {
	isValid: (text) => /^\s*(true|false)\s*$/i.test(text),
	advice: 'Select true or false',
};

/** Reads the values that an operator takes. Throws a sentence if n8n cannot compare with one. */
function readComparedValues(
	{ field, type, label }: Subject,
	operator: Operator,
	row: IDataObject,
	timezone: string,
): string[] {
	if (operator === 'isEmpty' || operator === 'isNotEmpty') return [];
	if (type === 'list' && typeof field === 'string') return readComparedIds(field, row, label);
	const read = (input: string, { isValid, advice }: TextRule) => {
		const text = readSingleText(row[input], label);
		if (!isValid(text, timezone)) throw notComparable(label, text, advice);
		return text;
	};
	if (spanOperators.includes(operator)) return [read('amount', amountRule), read('unit', unitRule)];
	switch (type) {
		case 'text':
			return [read('text', filledRule)];
		case 'number':
		case 'date': {
			const inputs = operator === 'isBetween' ? [type, `${type}To`] : [type];
			const rule = type === 'number' ? numberRule : dateRule;
			for (const input of inputs) read(input, filledRule);
			return inputs.map((input) => read(input, rule));
		}
		default:
			return [read('isTrue', yesOrNoRule).trim().toLowerCase()];
	}
}

/**
 * Reads the entries of a list of a contact. No contact has entries of another form, so everyone
 * would meet a negative condition with one.
 */
function readComparedIds(field: FieldName, row: IDataObject, label: string): string[] {
	const { input, lookup, form = patterns.numericId, rule } = fieldRows[field];
	const entered = row[input];
	const entries = readListEntries(entered, label);
	if (entries.length === 0) throw notComparable(label, entered, 'Select at least one');
	const ids = entries.map((entry) => normalizeEntry(field, entry));
	const wrong = ids.find((id) => !form.test(id));
	if (wrong === undefined) return ids;
	const expected = rule ?? `the IDs of ${lookup}, made of digits only`;
	throw notComparable(label, wrong, `Enter ${expected}`);
}

/** Reads a list, or text as other lists are read, without the empty entries. */
function readListEntries(value: unknown, label: string): string[] {
	const list = isObjectOrList(value) ? value : toList(String(value ?? ''));
	const texts: string[] = [];
	for (const entry of [list].flat()) {
		const text = readSingleText(entry ?? 'null', label).trim();
		if (text !== '') texts.push(text);
	}
	return texts;
}

/**
 * Brings an entry of a list into the form that n8n compares: channels have types with several
 * names.
 */
function normalizeEntry(field: FieldName, entry: string): string {
	if (field !== 'channels') return entry;
	return getChannelType({ channel: foldName(entry) }) ?? entry;
}

/** Reads one value as text. Dates of JavaScript become ISO 8601, as n8n's own dates do. */
function readSingleText(value: unknown, label: string): string {
	if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
	if (isInexact(value)) throw new Error(`The ${label} has ${describeInexact(value)}`);
	if (!isObjectOrList(value)) return String(value ?? '');
	throw notComparable(label, value, 'Enter a single value, not an object or a list');
}

/**
 * Reads one of some words. n8n fills in what a workflow leaves out, so only an expression can
 * return nothing.
 */
function readOneOf<T extends string>(choices: readonly T[], value: unknown, name: string): T {
	const choice = choices.find((each) => each === value);
	if (choice !== undefined) return choice;
	const shown = showValue(value) ?? 'empty';
	throw new Error(`${name} must be one of ${choices.join(', ')}, but is ${shown}`);
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
