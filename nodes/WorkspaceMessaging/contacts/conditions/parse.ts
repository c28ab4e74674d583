import type { IDataObject } from 'n8n-workflow';
import { listTraits } from '../../service/capabilities';
import type { Requester } from '../../transport/request';
import { customFieldApi } from '../../contract/customField';
import { patterns } from '../../contract/limits';
import { oneOf } from '../../contract/values';
import { quoted } from '../../values/labels';
import { readValue } from '../../values/validate';
import {
	describeSeveralCustomFields,
	findCustomFieldDefinitions,
	suggestCustomFields,
	type CustomFieldDefinitions,
} from '../customFields/definitions';
import { getComparedInputs, readCompared, singleText } from './comparedValues';
import { getConditionDates, type Clock, type Condition, type ConditionSet } from './condition';
import { isServerOnlyCondition } from './serverConditions';
import {
	conditionGroups,
	fieldRows,
	getConditionFieldNames,
	getConditionFieldType,
	operators,
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
				const { cutAt } = listTraits(client, customFieldApi.listCustomFields);
				subject = readCustomField(row, definitions, cutAt);
			} else {
				subject = readField(group, row);
			}
			conditions.push(readCondition(subject, row, clock.timezone));
		}
	}
	if (conditions.length === 0) return undefined;
	return {
		match: readValue(oneOf(['all', 'any']), parameter('match', 'all'), 'Contacts Must Meet'),
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
	const known = readValue(oneOf(Object.keys(conditionGroups)), group, 'The kind of each condition');
	const { label, type = 'text', fields } = conditionGroups[known];
	const names = getConditionFieldNames(fields);
	let [field] = names;
	if (group === 'channels') {
		const name = `Select Channels By in the condition on ${label}`;
		field = readValue(oneOf(names), row.channelsBy, name);
	} else if (type !== 'list') {
		const name = `The field in the condition on ${label}`;
		field = readValue(oneOf(names), row.field, name);
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
	const choice = readCompared(singleText, row.customField, label);
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
function kindAdvice(id: string, shownAtMost?: number) {
	if (!shownAtMost) return '';
	const example = patterns.numericId.test(id) ? id : '1010';
	return ` Enter its ID and kind, such as ${example}:text.`;
}

const isValueType = (kind: string): kind is ValueType => Object.hasOwn(operators, kind);

/** Reads how a row compares, with the values that its operator takes. */
function readCondition(subject: Subject, row: IDataObject, timezone: string): Condition {
	const { field, type, label } = subject;
	const operator = readOperator(subject, row);
	const values = getComparedInputs(subject, operator).flatMap(([input, schema]) =>
		readCompared(schema, row[input], label),
	);
	const condition = { field, type, operator, values };
	if (operator === 'isBetween' && isReversed(condition, timezone)) {
		const [from, to] = values;
		throw new Error(`The ${label} ends (${to}) before it starts (${from})`);
	}
	return condition;
}

function readOperator({ field, type, label }: Subject, row: IDataObject) {
	// A contact's own yes/no fields have no other comparison.
	if (type === 'boolean' && typeof field === 'string') return 'eq';
	const known: readonly Operator[] = operators[type];
	const isServerOnly = isServerOnlyCondition({ field });
	const allowed = known.filter((operator) => operator !== 'inAll' || !isServerOnly);
	const chosen = row[`${type}Operator`];
	return readValue(oneOf(allowed), chosen, `The comparison in the ${label}`);
}

/** Whether a range ends before it starts. */
function isReversed(condition: Condition, timezone: string) {
	let [from, to] = condition.values.map(Number);
	if (condition.type === 'date') [from, to] = getConditionDates(condition, { now: 0, timezone });
	return to < from;
}
