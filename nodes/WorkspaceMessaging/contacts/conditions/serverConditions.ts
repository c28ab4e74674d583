import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { ApiError } from '../../transport/errors/ApiError';
import { readList } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { checkedContactFilter } from '../list/contactFilter';
import type { ContactFilter, FilterCondition } from '../list/contactFilter';
import { filterFields } from '../list/serviceSupport';
import type { FilterFields } from '../list/serviceSupport';
import { fieldLabels, groupLabels, opposites } from './condition';
import type { Clock, Condition, ConditionSet } from './condition';
import { dateRangeOf, toIsoText } from './dates';

/*
 * Conditions as filters of the service, for two purposes. n8n cannot compare what no record of a list shows, so it asks the
 * service who meets such a condition; if the service cannot filter by it, that is an error, because a list without the
 * condition would have more contacts. All other conditions only make the list shorter that n8n reads and compares.
 */

/** Fields that only the service can compare: their names there, and in the panel. */
const serverFields = new Map<Condition['field'], { name: string; label: string }>([
	['assigned', { name: 'conversationAssigned', label: groupLabels.assigned }],
	['lastInteraction', { name: 'lastInteraction', label: fieldLabels.dates.lastInteraction }],
	['sequences', { name: 'subscribedToDripCampaign', label: groupLabels.sequences }],
]);

/** Whether only the service can compare a condition's field. */
export const isServerOnly = ({ field }: Pick<Condition, 'field'>): boolean => serverFields.has(field);

/**
 * Asks the service who meets the conditions that only it can compare. For a negative condition n8n asks the opposite, so
 * that an empty value means the same on every service.
 *
 * @returns for each of these conditions, whether a contact meets it
 * Throws a sentence if the service cannot filter by one.
 */
export async function askService(
	client: Requester,
	{ conditions, clock }: ConditionSet,
): Promise<Map<Condition, (contact: IDataObject) => boolean>> {
	const answers = new Map<Condition, (contact: IDataObject) => boolean>();
	for (const condition of conditions.filter(isServerOnly)) {
		const opposite = opposites[condition.operator];
		const asked = { ...condition, operator: opposite ?? condition.operator };
		const filter = serverOnlyFilter(asked, await filterFields(client), clock);
		if (!filter) throw notFiltered(condition);
		const contactFilter = await checkedContactFilter(client, filter, notFiltered(condition));
		const contacts = await readList(client, contactApi.listContacts, { query: { contactFilter } });
		const ids = new Set(contacts.map(({ id }) => String(id)));
		answers.set(condition, ({ id }) => ids.has(String(id)) === (opposite === undefined));
	}
	return answers;
}

/**
 * Returns the filter of the service for a condition that only it can compare. Everyone who meets the condition matches it.
 * Undefined if the service does not say that it has all of its fields and operators.
 */
function serverOnlyFilter(
	condition: Condition,
	{ staticFields = [] }: FilterFields,
	clock: Clock,
): ContactFilter | undefined {
	const { name: field = '' } = serverFields.get(condition.field) ?? {};
	const filter = filterOf(field, condition, clock);
	const isKnown = ({ operator }: { operator: string }) =>
		staticFields.some((known) => known.field === field && known.operators.includes(operator));
	return filter.conditions.every(isKnown) ? filter : undefined;
}

function filterOf(field: string, condition: Condition, clock: Clock): ContactFilter {
	const compare = (operator: string, value?: string | string[]): FilterCondition =>
		value === undefined ? { field, operator } : { field, operator, value };
	const any = (...conditions: FilterCondition[]): ContactFilter => ({ operator: 'or', conditions });
	const { operator, values } = condition;
	switch (operator) {
		case 'isEmpty':
			return any(compare('isEmpty'));
		case 'isNotEmpty':
			return any(compare('gt', toIsoText(0)));
		case 'in':
			return any(compare('in', [...values]));
		case 'notIn':
			// Services differ in whether an empty value is unequal to another.
			return any(compare('notIn', [...values]), compare('isEmpty'));
		case 'notInLast': {
			const [from, to] = dateRangeOf({ ...condition, operator: 'inLast' }, clock);
			return any(compare('lt', toIsoText(from)), compare('gt', toIsoText(to)), compare('isEmpty'));
		}
		default: {
			const [from, to] = dateRangeOf(condition, clock);
			const ends: FilterCondition[] = [];
			if (from !== -Infinity) ends.push(compare('gt', toIsoText(from - 1)));
			if (to !== Infinity) ends.push(compare('lt', toIsoText(to + 1)));
			return { operator: 'and', conditions: ends };
		}
	}
}

function notFiltered({ field }: Condition): ApiError {
	const label = serverFields.get(field)?.label;
	return new ApiError(`This service can't filter contacts by ${label}, and its records don't show it.`, {
		outcome: 'notSent',
		advice: 'Remove the condition on it.',
	});
}

/** Fields of a contact with the names that services filter them by, if these are certain to mean the same. */
const staticNames: Record<string, string> = {
	email: 'email',
	phoneNumber: 'phone',
	fullName: 'fullName',
	createdAt: 'contactCreatedAt',
	blocked: 'blocked',
	emailOptIn: 'optedInForEmail',
	emailVerified: 'emailWasVerified',
	tags: 'tags',
	inboxes: 'inbox',
};

const DAY_MS = 86_400_000;

/**
 * Turns conditions into a filter of the service, so that n8n reads fewer contacts; undefined if the service has no such
 * filter. Everyone who meets the conditions matches the filter. Others may match it, too: n8n compares the records again.
 *
 * Of conditions that must all be met, the filter has those that the service knows. Of conditions of which any will do, it
 * must have all.
 *
 * @param fields what the service says that it can filter by
 */
export function toServerFilter(
	{ match, conditions, clock }: ConditionSet,
	fields: FilterFields,
): ContactFilter | undefined {
	const known = conditions
		.map((condition) =>
			isServerOnly(condition)
				? serverOnlyFilter(condition, fields, clock)
				: toServerCondition(condition, fields, clock),
		)
		.filter((entry) => entry !== undefined);
	if (known.length === 0 || (match === 'any' && known.length < conditions.length)) return undefined;
	const operator = match === 'all' ? 'and' : 'or';
	return { operator, conditions: known.flatMap((entry) => toEntries(entry, operator)) };
}

/** Returns a condition, or several, as entries of a filter whose entries are all combined by one operator. */
function toEntries(
	entry: FilterCondition | ContactFilter,
	operator: 'and' | 'or',
): ContactFilter['conditions'] {
	if (!isFilter(entry)) return [entry];
	if (entry.operator === operator || entry.conditions.length === 1) return entry.conditions;
	return [{ type: 'group', operator: entry.operator, conditions: entry.conditions as FilterCondition[] }];
}

const isFilter = (entry: FilterCondition | ContactFilter): entry is ContactFilter => 'conditions' in entry;

function toServerCondition(
	condition: Condition,
	fields: FilterFields,
	clock: Clock,
): FilterCondition | undefined {
	const target = serverFieldOf(condition, fields);
	const comparison = target && widen(condition, clock);
	if (!comparison || !target.operators.includes(comparison.operator)) return undefined;
	const values = [comparison.value ?? []].flat();
	if (values.some((value) => value.trim() === '' || value.length > limits.filterValue.max)) return undefined;
	return { ...target.field, ...comparison };
}

/** Returns the service's field for a condition, with its operators; undefined if the service has none. */
function serverFieldOf({ field, type }: Condition, { staticFields, customFields }: FilterFields) {
	if (typeof field === 'string') {
		const known = staticFields?.find((entry) => entry.field === staticNames[field]);
		return known && { field: { field: known.field }, operators: known.operators };
	}
	const definition = customFields?.find(({ id }) => id === field.customFieldId);
	const valueType = type === 'date' ? 'datetime' : type;
	if (!definition || definition.valueType !== valueType) return undefined;
	return {
		field: {
			field: 'customField',
			customFieldId: definition.id,
			valueType,
			...(definition.type && { customFieldType: definition.type }),
		},
		operators: definition.type === 'longText' ? [] : (customOperators[valueType] ?? []),
	};
}

/** What known services compare custom fields by. */
const customOperators: Record<string, string[]> = {
	text: ['isNotEmpty', 'contains', 'startsWith', 'endsWith'],
	datetime: ['lt', 'gt', 'isBetween'],
	boolean: ['isNotEmpty'],
};

type Comparison = Pick<FilterCondition, 'operator' | 'value'>;

/**
 * Returns a comparison of the service that every value meets which meets ours; undefined if none is certain to do so. n8n
 * compares negative operators and empty values itself, because services differ in whether an empty value is unequal to another.
 */
function widen(condition: Condition, clock: Clock): Comparison | undefined {
	const { field, type, operator, values } = condition;
	if (operator === 'isNotEmpty' && type === 'text') return { operator };
	if (operator === 'isEmpty' || operator in opposites) return undefined;
	const value = values[0].trim();
	switch (type) {
		case 'text':
			// If services compare whole custom fields, case and white space count; if they look for a part, they do not. Not all
			// services fold the case of letters beyond ASCII, and databases give `\\` a meaning.
			return /^[\x20-\x5b\x5d-\x7e]+$/.test(value) ? { operator: 'contains', value } : undefined;
		case 'number':
			// Services do not read all that n8n does, such as 1e3.
			return undefined;
		case 'boolean':
			// A custom field can hold `TRUE`, as Excel writes it. A contact's own field without a value means no.
			if (typeof field === 'object') return { operator: 'isNotEmpty' };
			return value === 'true' ? { operator, value } : undefined;
		case 'list':
			return { operator: 'in', value: [...values] };
		case 'date':
			return widenDate(condition, clock);
	}
}

/** Returns a range around a date. Custom fields hold times without an offset, which a service may read in another time zone. */
function widenDate(condition: Condition, clock: Clock): Comparison {
	const margin = 1 + (typeof condition.field === 'object' ? 2 * DAY_MS : 0);
	const [from, to] = dateRangeOf(condition, clock);
	const [low, high] = [toIsoText(from - margin), toIsoText(to + margin)];
	if (to === Infinity) return { operator: 'gt', value: low };
	if (from === -Infinity) return { operator: 'lt', value: high };
	return { operator: 'isBetween', value: [low, high] };
}
