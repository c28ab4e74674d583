import { limits } from '../../contract';
import type { ContactFilter, FilterCondition } from '../list/contactFilter';
import type { FilterFields } from '../list/serviceSupport';
import { isServerOnly, serverOnlyFilter } from './serverConditions';
import { opposites } from './condition';
import type { Clock, Condition, ConditionSet } from './condition';
import { dateRangeOf, toIsoText } from './dates';

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
	number: ['eq', 'lt', 'lte', 'gt', 'gte', 'isBetween'],
	datetime: ['lt', 'gt', 'isBetween'],
	boolean: ['eq', 'isNotEmpty'],
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
			// Services compare custom fields with regard to upper and lower case and to white space, but not where they look for
			// a part. Letters beyond ASCII are not the same in both cases everywhere; `\\` has a meaning in databases.
			return /^[\x20-\x5b\x5d-\x7e]+$/.test(value) ? { operator: 'contains', value } : undefined;
		case 'number':
			if (operator !== 'eq' && values.some(isInexact)) return undefined;
			return { operator, value: operator === 'isBetween' ? [...values] : values[0] };
		case 'boolean':
			// A contact's own field without a value means no.
			return value === 'true' || typeof field === 'object' ? { operator, value } : undefined;
		case 'list':
			return { operator: 'in', value: [...values] };
		case 'date':
			return widenDate(condition, clock);
	}
}

/** Whether a service may take other numbers for this one, as JavaScript does beyond 15 digits. */
const isInexact = (value: string) => Math.abs(Number(value)) >= 1e15;

/** Returns a range around a date. Custom fields hold times without an offset, which a service may read in another time zone. */
function widenDate(condition: Condition, clock: Clock): Comparison {
	const margin = 1 + (typeof condition.field === 'object' ? 2 * DAY_MS : 0);
	const [from, to] = dateRangeOf(condition, clock);
	const [low, high] = [toIsoText(from - margin), toIsoText(to + margin)];
	if (to === Infinity) return { operator: 'gt', value: low };
	if (from === -Infinity) return { operator: 'lt', value: high };
	return { operator: 'isBetween', value: [low, high] };
}
