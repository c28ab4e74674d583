import { contactApi } from '../../contract/contact';
import type { Endpoint } from '../../contract/endpoint';
import type { Item } from '../../execution/item';
import {
	ApiError,
	isNotFound,
	missingError,
	recover,
	unsupportedError,
} from '../../transport/errors/ApiError';
import { apiRequest, subjectOf } from '../../transport/request';
import type { ApiRequest, RequestParts } from '../../transport/request';

/** The error for something that certainly does not exist. */
export class MissingError extends ApiError {
	constructor({ what, details }: ApiError) {
		super(what, details);
	}
}

/**
 * Sends a request that not every service has (API §4.6). A 404 can mean that the service lacks the operation, or that its
 * subject does not exist. If the service does not say which, documented requests find out.
 *
 * @param findMissing looks the subject up; returns in words what does not exist, or undefined
 */
export async function requestUndocumented(
	item: Item,
	endpoint: Endpoint,
	parts: RequestParts,
	findMissing: () => Promise<string | undefined>,
): Promise<unknown> {
	// After a lost answer, the 404 may be the result of the first try.
	const isCertain = (error: ApiError) => isNotFound(error) && error.details.outcome !== 'unknown';
	return await item.request(endpoint, parts).catch(
		recover(isCertain, async (error) => {
			throw await explainNotFound(error, apiRequest(endpoint, parts), findMissing);
		}),
	);
}

/** Returns the error that says what a 404 means. If a lookup fails, the first error stays: it names both meanings. */
async function explainNotFound(
	error: ApiError,
	request: ApiRequest,
	findMissing: () => Promise<string | undefined>,
): Promise<ApiError> {
	const { reason } = error.details;
	if (reason === 'operationMissing') return unsupportedError(request, error);
	const { subject, params = {}, body } = request;
	const isSubject = reason === 'objectMissing' && Object.keys(params).length === 1 && body === undefined;
	try {
		const missing = isSubject ? subject : await findMissing();
		if (missing !== undefined) return new MissingError(missingError(missing, request, error));
	} catch {
		return error;
	}
	// The body names something that does not exist.
	return reason === 'objectMissing' ? error : unsupportedError(request, error);
}

/**
 * Deletes what the path of the item's request names; see `requestUndocumented`.
 *
 * @returns whether it existed; only the option Ignore Not Found allows that it did not
 */
export async function deleteUndocumented(
	item: Item,
	endpoint: Endpoint,
	findMissing: () => Promise<string | undefined>,
): Promise<boolean> {
	const { params } = item;
	const isIgnored = (error: ApiError) =>
		error instanceof MissingError && item.parameter('options.ignoreMissing', false) === true;
	return await requestUndocumented(item, endpoint, { params }, findMissing).then(
		() => true,
		recover(isIgnored, () => false),
	);
}

/** Returns `contact email:a@b.c` if no contact has this identifier. */
export async function missingContact(item: Item, identifier: unknown): Promise<string | undefined> {
	const params = { identifier: String(identifier) };
	return await item.request(contactApi.getContact, { params }).then(
		() => undefined,
		recover(isNotFound, () => subjectOf(params)),
	);
}
