import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { listContacts } from '../../contract';
import { listFilterFields } from '../../contract/undocumented';
import { checkedContactFilter } from '../list/contactFilter';
import type { ContactFilter, FilterCondition } from '../list/contactFilter';
import type { Clock, Condition, Conditions, Operator } from './condition';
import { dateRangeOf, writtenMoment } from './dateRange';

/*
 * What no record of a list shows, so that it cannot be compared here: the service is asked who meets it. One that does not
 * say that it can filter by it, or does not do so, makes this an error and never a larger segment.
 */

/** What a service says that it can filter contacts by. */
export interface FilterFields {
	staticFields?: ReadonlyArray<{ field: string; operators?: readonly string[] }>;
	customFields?: ReadonlyArray<{ id: string; type?: string; valueType?: string }>;
}

/** Fields that only the service can compare: what it calls them, and what users call them. */
const askedFields = new Map<Condition['field'], { field: string; label: string }>([
	['assigned', { field: 'conversationAssigned', label: 'Assigned To' }],
	['lastInteraction', { field: 'lastInteraction', label: 'Last Interaction' }],
	['sequences', { field: 'subscribedToDripCampaign', label: 'Sequence' }],
]);

/** Whether only the service can compare what a condition is about. */
export const isServerOnly = ({ field }: Pick<Condition, 'field'>): boolean => askedFields.has(field);

/** Negative operators by what they are the opposites of. */
const opposites: Partial<Record<Operator, Operator>> = {
	isNotEmpty: 'isEmpty',
	notIn: 'in',
	notInLast: 'inLast',
};

/** What services answer that do not say by what they filter; others may well say it the next time. */
const notOffered = [400, 404, 405, 422];

/** What the service says that it filters by; nothing where it does not say, or not in the form that is known. */
export async function filterFields(client: Requester): Promise<FilterFields> {
	return await client.service.once('fields to filter contacts by', async () => {
		try {
			const { staticFields, customFields } = ((await client.request(listFilterFields)) ?? {}) as IDataObject;
			return {
				staticFields: objectsIn(staticFields).map(({ field, operators }) => ({
					field: String(field),
					operators: Array.isArray(operators) ? operators.map(String) : [],
				})),
				customFields: objectsIn(customFields) as unknown as FilterFields['customFields'],
			};
		} catch (error) {
			const { status = 500 } = error instanceof ApiError ? error.details : {};
			return notOffered.includes(status) ? {} : await rethrow(error);
		}
	});
}

const objectsIn = (list: unknown) => (Array.isArray(list) ? (list as unknown[]).filter(isObject) : []);
const isObject = (value: unknown): value is IDataObject => typeof value === 'object' && value !== null;

/**
 * Asks the service who meets those conditions that only it can compare. Of a negative condition the opposite is asked, so
 * that an empty value means the same everywhere.
 *
 * @returns for each of these conditions, whether a contact meets it
 * Throws a sentence where the service cannot filter by one.
 */
export async function askService(
	client: Requester,
	{ conditions }: Conditions,
	clock: Clock,
): Promise<Map<Condition, (contact: IDataObject) => boolean>> {
	const answers = new Map<Condition, (contact: IDataObject) => boolean>();
	for (const condition of conditions.filter(isServerOnly)) {
		const opposite = opposites[condition.operator];
		const filter = filterOf({ ...condition, operator: opposite ?? condition.operator }, clock);
		if (!takes(await filterFields(client), filter)) throw notFiltered(condition);
		const query = await checkedContactFilter(client, { contactFilter: filter });
		const contacts = await readList(client, listContacts, { query });
		const ids = new Set(contacts.map(({ id }) => String(id)));
		answers.set(condition, ({ id }) => ids.has(String(id)) === (opposite === undefined));
	}
	return answers;
}

/** The filter of the service that all match who meet such a condition, to narrow a list with; undefined where it has none. */
export function serverOnlyFilter(
	condition: Condition,
	fields: FilterFields,
	clock: Clock,
): ContactFilter | undefined {
	const filter = filterOf(condition, clock);
	return takes(fields, filter) ? filter : undefined;
}

function filterOf(condition: Condition, clock: Clock): ContactFilter {
	const { field = '' } = askedFields.get(condition.field) ?? {};
	const compared = (operator: string, value?: string | string[]): FilterCondition =>
		value === undefined ? { field, operator } : { field, operator, value };
	const any = (...conditions: FilterCondition[]): ContactFilter => ({ operator: 'or', conditions });
	const { operator, values } = condition;
	switch (operator) {
		case 'isEmpty':
			return any(compared('isEmpty'));
		case 'isNotEmpty':
			return any(compared('gt', writtenMoment(0)));
		case 'in':
			return any(compared('in', [...values]));
		case 'notIn':
			// Services differ in whether an empty value is unequal to another.
			return any(compared('notIn', [...values]), compared('isEmpty'));
		case 'notInLast': {
			const [from, to] = dateRangeOf({ ...condition, operator: 'inLast' }, clock);
			return any(compared('lt', writtenMoment(from)), compared('gt', writtenMoment(to)), compared('isEmpty'));
		}
		default: {
			const [from, to] = dateRangeOf(condition, clock);
			const ends: FilterCondition[] = [];
			if (from !== -Infinity) ends.push(compared('gt', writtenMoment(from - 1)));
			if (to !== Infinity) ends.push(compared('lt', writtenMoment(to + 1)));
			return { operator: 'and', conditions: ends };
		}
	}
}

/** Whether a service says that it has all fields and operators of a filter without groups. */
function takes({ staticFields = [] }: FilterFields, { conditions }: ContactFilter): boolean {
	return (conditions as FilterCondition[]).every(({ field, operator }) =>
		staticFields.some((known) => known.field === field && known.operators?.includes(operator)),
	);
}

function notFiltered({ field }: Condition): ApiError {
	return new ApiError(
		`This service cannot filter contacts by ${askedFields.get(field)?.label}, and their records do not show it. Leave out the condition on it.`,
		{ outcome: 'notSent' },
	);
}
