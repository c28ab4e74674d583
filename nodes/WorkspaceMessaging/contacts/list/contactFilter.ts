import type { IDataObject } from 'n8n-workflow';
import { ApiError, isRefusal } from '../../transport/errors/errors';
import { rowsOf } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { listContacts } from '../../contract';
import { isDay } from '../conditions/localTime';

/** One condition of a filter, as services are known to take it; all values are text. */
export interface FilterCondition extends IDataObject {
	field: string;
	operator: string;
	value?: string | string[];
}

/** Some conditions in a filter. */
export interface FilterGroup extends IDataObject {
	type: 'group';
	operator: 'and' | 'or';
	conditions: FilterCondition[];
}

/** A filter of contacts. The reference does not show what is inside; services are known that take this. */
export interface ContactFilter extends IDataObject {
	operator: 'and' | 'or';
	conditions: Array<FilterCondition | FilterGroup>;
	/** Of times without an offset; UTC when left out. */
	timezone?: string;
}

/** How a filter is written into a query: as the reference says (part 4.1), and as some services want it. */
const filterForms: ReadonlyArray<(filter: IDataObject) => IDataObject | string> = [
	(filter) => filter,
	(filter) => JSON.stringify(filter),
];
type FilterForm = (typeof filterForms)[number];
const [asObject, asText] = filterForms;

/** The form in which a service has applied a filter. */
const appliedForms = new WeakMap<Requester['service'], FilterForm>();

/** A condition that no contact meets. */
const NOBODY: FilterCondition = {
	field: 'fullName',
	operator: 'eq',
	value: 'Nobody 5b0e6a1c-8b5f-4a5e-9a7e-3f1d2c4b6a90',
};

/**
 * Makes sure that the service applies a query's `contactFilter`, and writes it in the form that it takes. Older services
 * ignore filters, or those that they cannot read, and list everyone: who writes to what is listed then writes to everyone.
 *
 * So the service is first asked for contacts that match the filter and a condition that nobody meets: it must refuse that or
 * bring nobody. This takes one request, a few where the service wants another form than the reference's.
 *
 * @returns the query to list contacts with; the same one when it has no filter
 * Throws an ApiError that says why the filter cannot be used there.
 */
export async function checkedContactFilter(client: Requester, query: IDataObject): Promise<IDataObject> {
	const filter = query.contactFilter as IDataObject | undefined;
	if (!filter || !filtersContacts(query)) return query;
	if (isContactFilter(filter)) refuseUnreadable(filter);
	const form = await formFor(client, filter);
	return { ...query, contactFilter: form(filter) };
}

async function formFor(client: Requester, filter: IDataObject): Promise<FilterForm> {
	const nobody: ContactFilter = { operator: 'and', conditions: [NOBODY] };
	const check = isContactFilter(filter) ? andNobody(filter) : nobody;
	const applied = appliedForms.get(client.service);
	const refusing: FilterForm[] = [];
	for (const form of applied === asText ? [asText, asObject] : [asObject, asText]) {
		const answer = await ask(client, form(check));
		if (answer === 'nobody') {
			// Services that want JSON text are known to take nothing else inside it, and some ignore what they cannot read.
			if (form === asText && !isContactFilter(filter)) throw unknownForm();
			appliedForms.set(client.service, form);
			return form;
		}
		if (answer === 'refused') refusing.push(form);
	}
	// Whether it is the service that takes no filter, or this filter that is wrong.
	const takesText = (await ask(client, asText(nobody))) === 'nobody';
	if (takesText && refusing.includes(asText)) return asText;
	if (takesText) throw unknownForm();
	if (refusing.length > 0) return refusing[0];
	throw new ApiError(
		'This service does not apply Contact Filter: it lists all contacts, whatever the filter says. Leave it out, and filter the contacts with a Filter node behind this one.',
		{ outcome: 'notSent' },
	);
}

/** What becomes of a filter that nobody meets: who comes, if anybody, or a refusal. */
async function ask(
	client: Requester,
	contactFilter: IDataObject | string,
): Promise<'nobody' | 'refused' | 'somebody'> {
	try {
		const body = await client.request(listContacts, { query: { page: 1, perPage: 1, contactFilter } });
		return rowsOf(body).length === 0 ? 'nobody' : 'somebody';
	} catch (error) {
		return isRefusal(error) ? 'refused' : await rethrow(error);
	}
}

/** Whether a service refuses a filter, written as it takes it. */
export async function isFilterRefused(client: Requester, contactFilter: string): Promise<boolean> {
	return (await ask(client, contactFilter)) === 'refused';
}

/** Whether a query has a `contactFilter`: one that is empty filters nobody out. */
export function filtersContacts({ contactFilter }: IDataObject): boolean {
	return Object.keys(contactFilter ?? {}).length > 0;
}

/** Whether a filter is of the kind that services are known to take. */
function isContactFilter(filter: IDataObject): filter is ContactFilter {
	const isCondition = (entry: unknown) => typeof entry === 'object' && entry !== null && 'operator' in entry;
	return (
		(filter.operator === 'and' || filter.operator === 'or') &&
		Array.isArray(filter.conditions) &&
		filter.conditions.every(isCondition)
	);
}

const isGroup = (entry: FilterCondition | FilterGroup): entry is FilterGroup =>
	'type' in entry && entry.type === 'group';

/** A filter that holds all of another one's conditions, and that nobody meets. Groups cannot be in groups. */
function andNobody({ operator, conditions, ...more }: ContactFilter): ContactFilter {
	if (operator === 'and') return { ...more, operator, conditions: [...conditions, NOBODY] };
	const both = (...entries: FilterCondition[]): FilterGroup => ({
		type: 'group',
		operator: 'and',
		conditions: [...entries, NOBODY],
	});
	const groups = conditions.flatMap((entry) => {
		if (!isGroup(entry)) return both(entry);
		return entry.operator === 'and' ? both(...entry.conditions) : entry.conditions.map((one) => both(one));
	});
	return { ...more, operator, conditions: groups };
}

const numbers = [
	'contactCreatedDateMinutesAgo',
	'lastSeenMinutesAgo',
	'lastInteractionMinutesAgo',
	'consecutiveAiFailures',
	'followerCountOnInstagram',
];
const dates = ['contactCreatedAt', 'lastSent', 'lastSeen', 'lastInteraction'];
const comparing = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'isBetween', 'notBetween'];
const dateForm = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Refuses numbers and dates that cannot be read: a service drops such a condition without a word, and lists more. */
function refuseUnreadable({ conditions }: ContactFilter) {
	for (const entry of conditions.flatMap((one) => (isGroup(one) ? one.conditions : [one]))) {
		const { field, valueType, operator, value } = entry;
		if (!comparing.includes(operator)) continue;
		const isNumber = numbers.includes(field) || valueType === 'number';
		const isDate = dates.includes(field) || valueType === 'datetime';
		const wrong = [value]
			.flat()
			.find((one) => (isNumber && !isReadableNumber(one)) || (isDate && !isReadableDate(one)));
		if (wrong === undefined && !((isNumber || isDate) && value === undefined)) continue;
		throw new Error(
			`Contact Filter compares "${field}" with "${String(wrong ?? '')}", which is no ${isNumber ? 'number' : 'date, such as 2026-12-31'}. The service would leave out such a condition and list more contacts`,
		);
	}
}

const isReadableNumber = (value: unknown) => String(value).trim() !== '' && Number.isFinite(Number(value));

const isReadableDate = (value: unknown) =>
	dateForm.test(String(value)) &&
	isDay(String(value).slice(0, 10)) &&
	!Number.isNaN(Date.parse(String(value).replace(' ', 'T')));

function unknownForm(): ApiError {
	return new ApiError(
		'This service cannot read this Contact Filter, and would list all contacts. It takes { "operator": "and", "conditions": [ { "field": …, "operator": …, "value": … } ] }, and says itself under GET /api/v1/contacts/filter-fields which fields and operators it has.',
		{ outcome: 'notSent' },
	);
}
