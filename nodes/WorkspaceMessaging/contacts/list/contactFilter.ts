import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ApiError } from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { memoryPerService } from '../../transport/service';
import { probe } from './serviceSupport';

/** One condition of a filter, as known services take it; all values are text. */
export interface FilterCondition extends IDataObject {
	field: string;
	operator: string;
	value?: string | string[];
}

/** Some conditions in a filter. */
interface FilterGroup extends IDataObject {
	type: 'group';
	operator: 'and' | 'or';
	conditions: FilterCondition[];
}

/** A filter of contacts. The reference does not show what is inside; known services take this. */
export interface ContactFilter extends IDataObject {
	operator: 'and' | 'or';
	conditions: Array<FilterCondition | FilterGroup>;
	/** Of times without an offset; UTC if left out. */
	timezone?: string;
}

/** Writes a filter into a query. */
type FilterForm = (filter: IDataObject) => IDataObject | string;

/** As the reference says (part 4.1). */
const asObject: FilterForm = (filter) => filter;
/** As some services take it. */
const asText: FilterForm = (filter) => JSON.stringify(filter);

/** The form in which a service has applied a filter. */
const appliedForm = memoryPerService((): { form?: FilterForm } => ({}));

/** A condition that no contact meets. */
const NOBODY: FilterCondition = {
	field: 'fullName',
	operator: 'eq',
	value: 'Nobody 5b0e6a1c-8b5f-4a5e-9a7e-3f1d2c4b6a90',
};
const nobodyFilter: ContactFilter = { operator: 'and', conditions: [NOBODY] };

/**
 * Makes sure that the service applies a contact filter, and writes the filter in the form that the service takes. Older
 * services ignore filters, or those that they cannot read, and list everyone: a workflow that writes to the listed contacts
 * would write to everyone.
 *
 * @param notApplied the error if the service does not apply the filter; about Contact Filter, if empty
 * @returns the `contactFilter` of a query; undefined for an empty filter, which filters nobody out
 * Throws an ApiError that says why the service cannot use the filter.
 */
export async function checkedContactFilter(
	client: Requester,
	contactFilter: unknown,
	notApplied?: ApiError,
): Promise<IDataObject | string | undefined> {
	const filter = (contactFilter ?? {}) as IDataObject;
	if (Object.keys(filter).length === 0) return undefined;
	if (isKnownFilter(filter)) checkValues(filter);
	const form = await findForm(client, filter, notApplied);
	return form(filter);
}

/**
 * Finds the form in which the service applies a filter. n8n asks for contacts that match the filter and a condition that
 * nobody meets: a service that applies the filter lists nobody or refuses it. This takes one request, and a few more if the
 * service wants another form than the reference's.
 */
async function findForm(client: Requester, filter: IDataObject, notApplied?: ApiError): Promise<FilterForm> {
	const applied = appliedForm(client);
	const isKnown = isKnownFilter(filter);
	const impossible = isKnown ? andNobody(filter) : nobodyFilter;
	const refused: FilterForm[] = [];
	for (const form of applied.form === asText ? [asText, asObject] : [asObject, asText]) {
		const contacts = await probe(client, { contactFilter: form(impossible) });
		if (contacts?.length === 0) {
			// Services that want text take the known form only, and some ignore what they cannot read.
			if (form === asText && !isKnown) throw unknownForm();
			applied.form = form;
			return form;
		}
		if (!contacts) refused.push(form);
	}
	// Either the service applies no filter at all, or it cannot use this one.
	const appliesText = (await probe(client, { contactFilter: asText(nobodyFilter) }))?.length === 0;
	if (appliesText && !refused.includes(asText)) throw notApplied ?? unknownForm();
	// The list then fails in the words of the service.
	if (appliesText) return asText;
	if (refused.length > 0) return refused[0];
	throw notApplied ?? ignored();
}

const knownFilter = z.looseObject({
	operator: z.enum(['and', 'or']),
	conditions: z.array(z.looseObject({ operator: z.string() })),
});

/** Whether a filter has the form that known services take. */
const isKnownFilter = (filter: IDataObject): filter is ContactFilter => knownFilter.safeParse(filter).success;

const isGroup = (entry: FilterCondition | FilterGroup): entry is FilterGroup =>
	'type' in entry && entry.type === 'group';

/** Returns a filter with all conditions of another one that nobody meets. Groups cannot be in groups. */
function andNobody({ operator, conditions, ...rest }: ContactFilter): ContactFilter {
	if (operator === 'and') return { ...rest, operator, conditions: [...conditions, NOBODY] };
	const both = (...entries: FilterCondition[]): FilterGroup => ({
		type: 'group',
		operator: 'and',
		conditions: [...entries, NOBODY],
	});
	const groups = conditions.flatMap((entry) => {
		if (!isGroup(entry)) return both(entry);
		return entry.operator === 'and' ? both(...entry.conditions) : entry.conditions.map((one) => both(one));
	});
	return { ...rest, operator, conditions: groups };
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
const dateForm = z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })]);

const isNumber = (value: string) => value.trim() !== '' && Number.isFinite(Number(value));
const isDate = (value: string) => dateForm.safeParse(value.replace(' ', 'T')).success;

/** Throws for a number or date that nobody can read: a service drops such a condition silently and lists more contacts. */
function checkValues({ conditions }: ContactFilter) {
	for (const entry of conditions.flatMap((one) => (isGroup(one) ? one.conditions : [one]))) {
		const { field, valueType, operator, value = '' } = entry;
		if (!comparing.includes(operator)) continue;
		const needsNumber = numbers.includes(field) || valueType === 'number';
		const needsDate = dates.includes(field) || valueType === 'datetime';
		const wrong = [value]
			.flat()
			.map(String)
			.find((one) => (needsNumber && !isNumber(one)) || (needsDate && !isDate(one)));
		if (wrong === undefined) continue;
		const rule = needsNumber ? 'not a number' : 'not a date such as 2026-12-31';
		throw new Error(
			`Contact Filter compares "${field}" with "${wrong}", which is ${rule}. The service would skip this condition and list more contacts`,
		);
	}
}

function ignored(): ApiError {
	return new ApiError(
		'This service does not apply Contact Filter: it lists all contacts, whatever the filter says.',
		{
			outcome: 'notSent',
			advice: 'Remove the filter, and filter the contacts with a Filter node after this one.',
		},
	);
}

function unknownForm(): ApiError {
	return new ApiError("This service can't read this Contact Filter and would list all contacts.", {
		outcome: 'notSent',
		advice:
			'It takes { "operator": "and", "conditions": [ { "field": …, "operator": …, "value": … } ] }. GET /api/v1/contacts/filter-fields lists its fields and operators.',
	});
}
