import { ApiError, isNotFound, missingError, unsupportedError } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import { apiRequest, subjectOf } from '../../transport/request';
import type { RequestParts } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { getContact } from '../../contract';
import type { Endpoint } from '../../contract';
import type { Item } from '../../execution/item';

/** Said of every operation that the reference names without its shape (part 4.6). */
export const NOT_DOCUMENTED = 'Not on every service';

/**
 * Sends a request that not every service takes (part 4.6). A 404 can mean that the service lacks the operation, or that what
 * it is about does not exist. Where the service does not say which, a look-up by documented calls shows it, and the error
 * says it. Where the look-up fails, the error names both.
 *
 * @param findMissing looks up what the request is about; returns what of it does not exist, in words, if anything
 */
export async function requestUndocumented(
	item: Item,
	endpoint: Endpoint,
	parts: RequestParts,
	findMissing: () => Promise<string | undefined>,
): Promise<unknown> {
	try {
		return await item.request(endpoint, parts);
	} catch (error) {
		// After a lost answer, a 404 may come of what the first try has done.
		if (!isNotFound(error) || error.details.outcome === 'unknown') return await rethrow(error);
		const request = apiRequest(endpoint, parts);
		const missing = isSubjectMissing(error, parts)
			? request.subject
			: error.details.reason === 'operationMissing'
				? undefined
				: await findMissing().catch(async () => await rethrow(error));
		return await rethrow(
			missing === undefined
				? // Something that the body names is missing, not the operation.
					error.details.reason === 'objectMissing'
					? error
					: unsupportedError(request, error)
				: new MissingError(missingError(missing, request, error)),
		);
	}
}

/** Whether the service says that something does not exist, and the request names only one thing that it could be. */
function isSubjectMissing({ details }: ApiError, { params = {}, body }: RequestParts): boolean {
	return details.reason === 'objectMissing' && Object.keys(params).length === 1 && body === undefined;
}

/** The error for what is known not to exist. */
export class MissingError extends ApiError {
	constructor({ what, details }: ApiError) {
		super(what, details);
	}
}

/** Looks a contact up: `contact email:a@b.c` when there is none with this identifier (part 4.1). */
export async function missingContact(item: Item, identifier: unknown): Promise<string | undefined> {
	const params = { identifier: String(identifier) };
	return await item.request(getContact, { params }).then(
		() => undefined,
		async (error: unknown) => (isNotFound(error) ? subjectOf(params) : await rethrow(error)),
	);
}

/** Looks something up by its ID in the list of its kind: what there is none of, in words. */
export async function missingInList(
	item: Item,
	list: Endpoint,
	params: NonNullable<RequestParts['params']>,
): Promise<string | undefined> {
	const [id] = Object.values(params);
	const exists = (await readList(item, list)).some((record) => String(record.id) === id);
	return exists ? undefined : subjectOf(params);
}
