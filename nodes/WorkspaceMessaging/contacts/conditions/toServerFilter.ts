import { limits } from '../../contract';
import type { ContactFilter, FilterCondition } from '../list/contactFilter';
import { isServerOnly, serverOnlyFilter } from './serverConditions';
import type { FilterFields } from './serverConditions';
import type { Clock, Condition, Conditions } from './condition';
import { dateRangeOf, writtenMoment } from './dateRange';

/** Fields of a contact by the names that services filter them by, as far as these are certain to mean the same. */
const staticFields: Record<string, string> = {
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
 * The filter by which a service can narrow a list to contacts that may meet conditions, so that fewer have to be read;
 * undefined where there is none. All that meet the conditions match it. Others may, too: what comes is compared here.
 *
 * Of conditions that must all be met, each narrows by itself. Of those of which any will do, all must be in the filter.
 *
 * @param fields what the service says that it can filter by (`GET /api/v1/contacts/filter-fields`)
 */
export function toServerFilter(
	{ match, conditions }: Conditions,
	fields: FilterFields,
	clock: Clock,
): ContactFilter | undefined {
	const translated = conditions.map((condition) =>
		isServerOnly(condition)
			? serverOnlyFilter(condition, fields, clock)
			: toServerCondition(condition, fields, clock),
	);
	const known = translated.filter((entry) => entry !== undefined);
	if (known.length === 0 || (match === 'any' && known.length < conditions.length)) return undefined;
	const operator = match === 'all' ? 'and' : 'or';
	return { operator, conditions: known.flatMap((entry) => asEntries(entry, operator)) };
}

/** A condition, or several, as entries of a filter whose entries are all combined by one operator. */
function asEntries(
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
	const target = targetOf(condition, fields);
	if (!target) return undefined;
	const comparison = widened(condition, clock);
	if (!comparison || !target.operators.includes(comparison.operator)) return undefined;
	const values = [comparison.value ?? []].flat();
	if (values.some((value) => value.trim() === '' || value.length > limits.filterValue.max)) return undefined;
	return { ...target.field, ...comparison };
}

/** The field of the service that a condition is about, with its operators; undefined where the service has none. */
function targetOf({ field, type }: Condition, { staticFields: statics, customFields }: FilterFields) {
	if (typeof field === 'string') {
		const known = statics?.find((entry) => entry.field === staticFields[field]);
		return known && { field: { field: known.field }, operators: known.operators ?? [] };
	}
	const definition = customFields?.find(({ id }) => id === field.customFieldId);
	const valueType = { text: 'text', number: 'number', date: 'datetime', boolean: 'boolean', list: '' }[type];
	if (!definition || definition.valueType !== valueType) return undefined;
	return {
		field: {
			field: 'customField',
			customFieldId: definition.id,
			valueType,
			...(definition.type && { customFieldType: definition.type }),
		},
		operators: definition.type === 'longText' ? [] : customOperators[valueType],
	};
}

/** What services are known to compare custom fields by. */
const customOperators: Record<string, string[]> = {
	text: ['isNotEmpty', 'contains', 'startsWith', 'endsWith'],
	number: ['eq', 'lt', 'lte', 'gt', 'gte', 'isBetween'],
	datetime: ['lt', 'gt', 'isBetween'],
	boolean: ['eq', 'isNotEmpty'],
};

type Comparison = Pick<FilterCondition, 'operator' | 'value'>;

/**
 * A comparison of the service that is met wherever ours is; undefined where none is certain to be. Negative ones and empty
 * values are left to us, because services differ in whether an empty value is unequal to another.
 */
function widened(condition: Condition, clock: Clock): Comparison | undefined {
	const { type, operator, values } = condition;
	if (operator === 'isNotEmpty') return type === 'text' ? { operator } : undefined;
	if (operator === 'isEmpty') return undefined;
	switch (type) {
		case 'text':
			return widenedText(operator, values[0].trim());
		case 'number':
			return operator === 'ne' || (operator !== 'eq' && values.some(isInexact))
				? undefined
				: { operator, value: operator === 'isBetween' ? [...values] : values[0] };
		case 'boolean':
			// Of a contact's own fields, nothing is no.
			return operator === 'eq' && (values[0] === 'true' || typeof condition.field === 'object')
				? { operator, value: values[0] }
				: undefined;
		case 'list':
			return operator === 'in' || operator === 'inAll' ? { operator: 'in', value: [...values] } : undefined;
		case 'date':
			return widenedDate(condition, clock);
	}
}

/** Whether a service may take other numbers for this one, as JavaScript does beyond 15 digits. */
const isInexact = (value: string) => Math.abs(Number(value)) >= 1e15;

/**
 * Services compare with regard to white space around what is held, and custom fields also to upper and lower case, but
 * never where they look for a part. Letters beyond ASCII are not the same in both cases everywhere; `\\` means something to
 * databases.
 */
function widenedText(operator: Condition['operator'], value: string): Comparison | undefined {
	const isPlain = /^[\x20-\x5b\x5d-\x7e]+$/.test(value);
	const isPositive = ['eq', 'contains', 'startsWith', 'endsWith'].includes(operator);
	return isPlain && isPositive ? { operator: 'contains', value } : undefined;
}

/** A range around a date. Custom fields hold times without an offset, which a service may take for others than we do. */
function widenedDate(condition: Condition, clock: Clock): Comparison | undefined {
	if (condition.operator === 'notInLast') return undefined;
	const margin = 1 + (typeof condition.field === 'object' ? 2 * DAY_MS : 0);
	const [from, to] = dateRangeOf(condition, clock);
	const [low, high] = [from - margin, to + margin];
	if (high === Infinity) return { operator: 'gt', value: writtenMoment(low) };
	if (low === -Infinity) return { operator: 'lt', value: writtenMoment(high) };
	return { operator: 'isBetween', value: [writtenMoment(low), writtenMoment(high)] };
}
