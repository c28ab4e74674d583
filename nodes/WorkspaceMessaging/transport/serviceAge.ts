import { undocumentedApi } from '../contract/undocumented';
import { onApiError } from './errors/ApiError';
import type { ApiError } from './errors/ApiError';
import type { Requester } from './request';
import { oncePerService } from './service';
import type { ServiceAge } from './service';

/**
 * Returns which kind of service this is, for what no answer shows: newer ones list inboxes, and
 * older ones say in plain text that they have no such path; `other` for all others. Costs one
 * request an hour. Throws an `ApiError` if the answer is about something else.
 */
export const readServiceAge = async (client: Requester): Promise<ServiceAge> =>
	client.service.age ?? (await askOnce(client));

/** Asks the service what `readServiceAge` returns, even if that is known. */
export async function askServiceAge(client: Requester): Promise<ServiceAge> {
	const age = await client
		.request(undocumentedApi.listInboxes, { query: { perPage: 1 } })
		.then(() => 'newer' as const, onApiError(saysAge, ageByError));
	client.service.age = age;
	return age;
}

const askOnce = oncePerService(askServiceAge);

const saysAge = ({ details: { status, reason } }: ApiError) =>
	status === 404 || status === 405 || reason === 'scope';

function ageByError({ details: { reason } }: ApiError): ServiceAge {
	if (reason === 'scope') return 'newer';
	return reason === 'operationMissing' ? 'older' : 'other';
}
