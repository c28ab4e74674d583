import type { IDataObject } from 'n8n-workflow';
import { isRefusal, ignore } from '../transport/errors/ApiError';
import { readRecords } from './lists/records';
import type { Requester } from '../transport/request';
import { contactApi } from '../contract/contact';
import { undocumentedApi } from '../contract/undocumented';

/**
 * Asks for one contact, or as many as the query says; returns undefined if the service refuses the
 * query.
 *
 * What a service sorts and filters contacts by, and in which form, the reference does not say, and
 * a service ignores what it does not understand. So n8n sends requests whose right answer it knows,
 * and remembers for the service what came.
 */
export async function probeContacts(
	client: Requester,
	query: IDataObject,
): Promise<IDataObject[] | undefined> {
	return await client
		.request(contactApi.listContacts, { query: { page: 1, perPage: 1, ...query } })
		.then(readRecords)
		.catch(ignore(isRefusal));
}

/** Asks the service for the contacts whose custom field has exactly a text. */
export async function searchByCustomField(
	client: Requester,
	customFieldId: string,
	value: string,
): Promise<IDataObject[]> {
	const query = { customFieldId, value };
	return readRecords(await client.request(undocumentedApi.findContactsByCustomField, { query }));
}
