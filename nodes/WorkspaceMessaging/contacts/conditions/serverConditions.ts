import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { notSentError } from '../../transport/errors/ApiError';
import { normalizeText } from '../../transport/normalizeText';
import type { Requester } from '../../transport/request';
import { readMovingList } from '../../service/lists/movingLists';
import type { ContactFilter, FilterCondition } from '../../service/contactFilter';
import { toIsoText, unitMs } from '../../values/dates';
import { readFilterFields, refusesFilter, type FilterFields } from '../../service/capabilities';
import { checkedContactFilter } from '../../service/filterForm';
import { getConditionDates, type Clock, type Condition, type ConditionSet } from './condition';
import { fieldRows, opposites, type FieldName } from './conditionFields';
import { idsOf } from '../../transport/guards';

/*
 * Conditions as filters of the service, for two purposes. n8n cannot compare what no record of a
 * list shows, so it asks the service who meets such a condition; if the service cannot filter by
 * it, that is an error, because a list without the condition would have more contacts. All other
 * conditions only make the list shorter that n8n reads and compares.
 */

/** A condition on a field that only the service can compare. */
interface ServerOnly extends Condition {
	field: FieldName;
}

/** Whether only the service can compare a condition's field. */
export function isServerOnlyCondition(
	condition: Pick<Condition, 'field'>,
): condition is ServerOnly {
	const { field } = condition;
	return typeof field === 'string' && fieldRows[field].isServerOnly === true;
}

/**
 * Asks the service who meets the conditions that only it can compare. For a negative condition n8n
 * asks the opposite, so that an empty value means the same on every service.
 *
 * @returns for each of these conditions, whether a contact meets it
 * Throws a sentence if the service cannot filter by one.
 */
export async function askServerConditions(
	client: Requester,
	{ conditions, clock }: ConditionSet,
): Promise<Map<Condition, (contact: IDataObject) => boolean>> {
	const answers = new Map<Condition, (contact: IDataObject) => boolean>();
	for (const condition of conditions.filter(isServerOnlyCondition)) {
		const { operator } = condition;
		const opposite = opposites[operator];
		const asked = { ...condition, operator: opposite ?? operator };
		const ids = await readIdsThatMeet(client, asked, clock);
		const isPositive = opposite === undefined;
		answers.set(condition, ({ id }) => ids.has(String(id)) === isPositive);
	}
	return answers;
}

/** Reads the IDs of the contacts that meet a condition, as the service filters them. */
async function readIdsThatMeet(client: Requester, condition: ServerOnly, clock: Clock) {
	const fields = await readFilterFields(client);
	const filter = serverOnlyFilter(condition, fields, clock);
	const cannotFilter = notFiltered(condition);
	if (!filter) throw cannotFilter;
	const contactFilter = await checkedContactFilter(client, filter, cannotFilter);
	const query = { contactFilter };
	const contacts = await readMovingList(client, contactApi.listContacts, { query });
	return new Set(idsOf(contacts));
}

/**
 * Returns the filter of the service for a condition that only it can compare. Everyone who meets
 * the condition matches it. Undefined if the service does not say that it has all of its fields and
 * operators.
 */
function serverOnlyFilter(
	condition: ServerOnly,
	{ staticFields = [] }: FilterFields,
	clock: Clock,
): ContactFilter | undefined {
	const { serviceName = '' } = fieldRows[condition.field];
	const filter = toExactFilter(serviceName, condition, clock);
	const known = staticFields.filter(({ field }) => field === serviceName);
	const isKnown = ({ operator }: { operator: string }) =>
		known.some(({ operators }) => operators.includes(operator));
	const areAllKnown = filter.conditions.every(isKnown);
	return areAllKnown ? filter : undefined;
}

/** Returns a filter that contacts match exactly if they meet a condition. */
function toExactFilter(field: string, condition: Condition, clock: Clock): ContactFilter {
	const isEmpty = { field, operator: 'isEmpty' };
	const compare = (operator: string, value: string | string[]) => ({ field, operator, value });
	const any = (...conditions: FilterCondition[]): ContactFilter => ({ operator: 'or', conditions });
	const { operator, values } = condition;
	switch (operator) {
		case 'isEmpty':
			return any(isEmpty);
		case 'isNotEmpty':
			return any(compare('gt', toIsoText(0)));
		case 'in':
			return any(compare('in', [...values]));
		case 'notIn':
			// Services differ in whether an empty value is unequal to another.
			return any(compare('notIn', [...values]), isEmpty);
		case 'notInLast': {
			const [from, to] = getConditionDates({ ...condition, operator: 'inLast' }, clock);
			return any(compare('lt', toIsoText(from)), compare('gt', toIsoText(to)), isEmpty);
		}
		default: {
			const [from, to] = getConditionDates(condition, clock);
			const ends: FilterCondition[] = [];
			if (from !== -Infinity) ends.push(compare('gt', toIsoText(from - 1)));
			if (to !== Infinity) ends.push(compare('lt', toIsoText(to + 1)));
			return { operator: 'and', conditions: ends };
		}
	}
}

function notFiltered({ field }: ServerOnly) {
	const { label } = fieldRows[field];
	return notSentError(
		`This service can't filter contacts by ${label} and doesn't show it in lists.`,
		'Remove the condition on it.',
	);
}

/** Characters of a filter in a URL; servers and proxies refuse URLs that are much longer. */
const MAX_FILTER = 4000;

/**
 * Returns the filter by which the service can reduce a list to contacts that may meet conditions;
 * undefined if it cannot.
 */
export async function getServerFilter(
	client: Requester,
	conditionSet: ConditionSet,
): Promise<string | undefined> {
	const filter = toServerFilter(conditionSet, await readFilterFields(client));
	if (!filter) return undefined;
	// Services that say what they filter by take the filter as text (difference 14).
	const text = JSON.stringify(filter);
	if (encodeURIComponent(text).length > MAX_FILTER) return undefined;
	if (await refusesFilter(client, filter)) return undefined;
	return text;
}

/**
 * Turns conditions into a filter of the service, so that n8n reads fewer contacts; undefined if the
 * service has no such filter. Everyone who meets the conditions matches the filter. Others may
 * match it, too: n8n compares the records again.
 *
 * Of conditions that must all be met, the filter has those that the service knows. Of conditions of
 * which any will do, it must have all.
 *
 * @param fields what the service can filter by
 */
export function toServerFilter(
	{ match, conditions, clock }: ConditionSet,
	fields: FilterFields,
): ContactFilter | undefined {
	const known = conditions
		.map((condition) => toServerCondition(condition, fields, clock))
		.filter((entry) => entry !== undefined);
	if (known.length === 0) return undefined;
	if (match === 'any' && known.length < conditions.length) return undefined;
	const operator = match === 'all' ? 'and' : 'or';
	const entries = known.flatMap((entry) => toEntries(entry, operator));
	return { operator, conditions: entries };
}

/**
 * Returns a condition, or several, as entries of a filter whose entries are all combined by one
 * operator.
 */
function toEntries(
	entry: FilterCondition | ContactFilter,
	operator: 'and' | 'or',
): ContactFilter['conditions'] {
	if (!isFilter(entry)) return [entry];
	if (entry.operator === operator || entry.conditions.length === 1) return entry.conditions;
	return [
		{ type: 'group', operator: entry.operator, conditions: entry.conditions as FilterCondition[] },
	];
}

const isFilter = (entry: FilterCondition | ContactFilter): entry is ContactFilter =>
	'conditions' in entry;

function toServerCondition(
	condition: Condition,
	fields: FilterFields,
	clock: Clock,
): FilterCondition | ContactFilter | undefined {
	if (isServerOnlyCondition(condition)) return serverOnlyFilter(condition, fields, clock);
	const target = findServerField(condition, fields);
	if (!target) return undefined;
	const comparison = widen(condition, clock);
	if (!comparison) return undefined;
	const { operator, value = [] } = comparison;
	if (!target.operators.includes(operator)) return undefined;
	const { max } = limits.filterValue;
	const isUnusable = (text: string) => text.trim() === '' || text.length > max;
	const values = [value].flat();
	if (values.some(isUnusable)) return undefined;
	return { ...target.field, ...comparison };
}

/**
 * Returns the service's field for a condition, with its operators; undefined if the service has
 * none.
 */
function findServerField({ field, type }: Condition, { staticFields, customFields }: FilterFields) {
	if (typeof field === 'string') {
		const { serviceName } = fieldRows[field];
		const known = staticFields?.find((entry) => entry.field === serviceName);
		if (!known) return undefined;
		return { field: { field: known.field }, operators: known.operators };
	}
	const definition = customFields?.find(({ id }) => id === field.customFieldId);
	const valueType = type === 'date' ? 'datetime' : type;
	if (!definition || definition.valueType !== valueType) return undefined;
	let operators = customOperators[valueType] ?? [];
	if (definition.type === 'longText') operators = [];
	return {
		field: {
			field: 'customField',
			customFieldId: definition.id,
			valueType,
			...(definition.type && { customFieldType: definition.type }),
		},
		operators,
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
 * Returns a comparison of the service that every value meets which meets ours; undefined if none is
 * certain to do so. n8n compares negative operators and empty values itself, because services
 * differ in whether an empty value is unequal to another.
 */
function widen(condition: Condition, clock: Clock): Comparison | undefined {
	const { field, type, operator, values } = condition;
	if (operator === 'isNotEmpty' && type === 'text') return { operator };
	if (operator === 'isEmpty' || operator in opposites) return undefined;
	const value = normalizeText(values[0]).trim();
	switch (type) {
		case 'text':
			// If services compare whole custom fields, case and white space count; if they look for a
			// part, they do not. Not all services fold the case of letters beyond ASCII, and databases
			// give `\\` a meaning.
			if (!/^[\x20-\x5b\x5d-\x7e]+$/.test(value)) return undefined;
			return { operator: 'contains', value };
		case 'number':
			// Services do not read all that n8n does, such as 1e3.
			return undefined;
		case 'boolean':
			// A custom field can hold `TRUE`, as Excel writes it. A contact's own field without a value
			// means no.
			if (typeof field === 'object') return { operator: 'isNotEmpty' };
			if (value !== 'true') return undefined;
			return { operator, value };
		case 'list':
			return { operator: 'in', value: [...values] };
		case 'date':
			return widenDate(condition, clock);
	}
}

/**
 * Returns a range around a date. Custom fields hold times without an offset, which a service may
 * read in another time zone.
 */
function widenDate(condition: Condition, clock: Clock): Comparison {
	const isCustomField = typeof condition.field === 'object';
	const margin = isCustomField ? 1 + 2 * unitMs.days : 1;
	const [from, to] = getConditionDates(condition, clock);
	const low = toIsoText(from - margin);
	const high = toIsoText(to + margin);
	if (to === Infinity) return { operator: 'gt', value: low };
	if (from === -Infinity) return { operator: 'lt', value: high };
	return { operator: 'isBetween', value: [low, high] };
}
