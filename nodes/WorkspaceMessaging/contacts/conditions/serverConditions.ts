import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../transport/errors/ApiError';
import { readList } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { listContacts } from '../../contract';
import { checkedContactFilter } from '../list/contactFilter';
import type { ContactFilter, FilterCondition } from '../list/contactFilter';
import { filterFields } from '../list/serviceSupport';
import type { FilterFields } from '../list/serviceSupport';
import { fieldLabels, groupLabels, opposites } from './condition';
import type { Clock, Condition, ConditionSet } from './condition';
import { dateRangeOf, toIsoText } from './dates';

/*
 * Conditions on what no record of a list shows. n8n cannot compare these and asks the service who meets them. If the
 * service cannot filter by one, that is an error: leaving the condition out would list more contacts.
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
		const contactFilter = await checkedContactFilter(client, filter);
		const contacts = await readList(client, listContacts, { query: { contactFilter } });
		const ids = new Set(contacts.map(({ id }) => String(id)));
		answers.set(condition, ({ id }) => ids.has(String(id)) === (opposite === undefined));
	}
	return answers;
}

/**
 * Returns the filter of the service for a condition that only it can compare. Everyone who meets the condition matches it.
 * Undefined if the service does not say that it has all of its fields and operators.
 */
export function serverOnlyFilter(
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
