import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { notSentError, type ApiError } from '../transport/errors/ApiError';
import type { Requester } from '../transport/request';
import { shownBy, type FilterForm } from './capabilities';
import { probeContacts } from './contacts';
import {
	addImpossibleFilterCondition,
	checkFilterValues,
	nobodyFilter,
	type ContactFilter,
} from './contactFilter';
import { string } from '../contract/values';

/** As the reference says (part 4.1). */
const asObject: FilterForm = (filter) => filter;
/** As some services take it. */
const asText: FilterForm = (filter) => JSON.stringify(filter);

const knownFilterSchema = z.looseObject({
	operator: z.enum(['and', 'or']),
	conditions: z.array(z.looseObject({ operator: string })),
});

/** Whether a filter has the form that known services take. */
const isKnownFilter = (filter: IDataObject): filter is ContactFilter =>
	knownFilterSchema.safeParse(filter).success;

/**
 * Makes sure that the service applies a contact filter, and writes the filter in the form that the
 * service takes. Older services ignore filters, or those that they cannot read, and list everyone
 * (difference 14): a workflow that writes to the listed contacts would write to everyone.
 *
 * @param notApplied the error if the service does not apply the filter; about Contact Filter, if
 * empty
 * @returns the `contactFilter` of a query; undefined for an empty filter, which filters nobody out
 * Throws an ApiError that says why the service cannot use the filter.
 */
export async function checkedContactFilter(
	client: Requester,
	contactFilter: unknown,
	notApplied?: ApiError,
): Promise<IDataObject | string | undefined> {
	const filter: IDataObject = Object(contactFilter);
	if (Object.keys(filter).length === 0) return undefined;
	if (isKnownFilter(filter)) checkFilterValues(filter);
	const form = await findFilterForm(client, filter, notApplied);
	return form(filter);
}

/**
 * Finds the form in which the service applies a filter. n8n asks for contacts that match the filter
 * and a condition that nobody meets: a service that applies the filter lists nobody or refuses it.
 * This takes one request, and a few more if the service wants another form than the reference's.
 */
async function findFilterForm(client: Requester, filter: IDataObject, notApplied?: ApiError) {
	const shown = shownBy(client);
	const isKnown = isKnownFilter(filter);
	const impossible = isKnown ? addImpossibleFilterCondition(filter) : nobodyFilter;
	const forms = shown.filterForm === asText ? [asText, asObject] : [asObject, asText];
	const refused: FilterForm[] = [];
	for (const form of forms) {
		const contacts = await probeContacts(client, { contactFilter: form(impossible) });
		if (!contacts) refused.push(form);
		if (contacts?.length !== 0) continue;
		// Services that want text take the known form only, and some ignore what they cannot read.
		if (form === asText && !isKnown) throw unreadableError();
		shown.filterForm = form;
		return form;
	}
	// Either the service applies no filter at all, or it cannot use this one.
	const nobody = await probeContacts(client, { contactFilter: asText(nobodyFilter) });
	const appliesText = nobody?.length === 0;
	if (appliesText && !refused.includes(asText)) throw notApplied ?? unreadableError();
	// The list then fails with the error of the service.
	if (appliesText) return asText;
	if (refused.length > 0) return refused[0];
	throw (
		notApplied ??
		notSentError(
			'This service ignores Contact Filter and would return all contacts.',
			'Remove the filter, and filter the contacts with a Filter node after this one.',
		)
	);
}

function unreadableError() {
	return notSentError(
		"This service can't read this Contact Filter and would list all contacts.",
		'It takes { "operator": "and", "conditions": [ { "field": …, "operator": …, "value": … } ] }. GET /api/v1/contacts/filter-fields lists its fields and operators.',
	);
}
