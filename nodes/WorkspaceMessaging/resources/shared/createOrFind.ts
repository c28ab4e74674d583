import type { AnyItem } from '../../run/item';
import { ApiError, isDuplicate, isRefusal, onApiError } from '../../transport/errors/ApiError';

/** How to make something that may exist already. */
interface Creation<T> {
	/** Sends the request, with `isLookedFor`. */
	create(): Promise<T>;
	/** Looks for it; undefined if it is not there. Throws an `ApiError` if nobody can tell. */
	find(error: ApiError): Promise<T | undefined>;
	/** Whether the request also changes what is there, and is sent once more for that. */
	changes?: true;
	/** Explains the error if it is not there. */
	explain?(error: ApiError): ApiError;
}

/** Something that exists now. */
interface MadeOrFound<T> {
	/** `madeUnseen`: this item has made it, but the answer got lost. */
	outcome: 'made' | 'madeUnseen' | 'found';
	record: T;
}

/**
 * Makes something. If that fails because it exists, or may exist, looks for it; if the answer got
 * lost, it waits until the service answers again. If it is not there, and the request that failed
 * can't make it any more, makes it once more. Throws the error if it is not there after that, or if
 * nobody knows.
 *
 * @param isRepeated whether this is the second time
 */
export async function createOrFind<T>(
	item: AnyItem,
	creation: Creation<T>,
	isRepeated = false,
): Promise<MadeOrFound<T>> {
	const { create, find, changes, explain } = creation;
	const isExpected = changes ? isOutcomeUnknown : mayExist;
	const result = await create().catch(onApiError(isExpected, (error) => error));
	if (!(result instanceof ApiError)) return { outcome: 'made', record: result };
	const error = result;
	const { client, context } = item.run;
	const isUnknown = isOutcomeUnknown(error);
	const fail = (): never => {
		throw error;
	};
	if (!(await client!.isBack(context, error))) fail();
	const record = await find(error).catch(onApiError(() => isUnknown, fail));
	const isThere = record !== undefined;
	// It was not there before, as the callers have seen: after a lost answer, it is this item's.
	const outcome = isUnknown || isRepeated ? 'madeUnseen' : 'found';
	if (isThere && !changes) return { outcome, record };
	// With `changes`, what is there still has to be changed.
	const effect = isThere ? 'state' : 'notThere';
	if (!isRepeated && (await client!.mayRepeat(context, error, effect)))
		return await createOrFind(item, creation, true);
	throw explain?.(error) ?? error;
}

const isOutcomeUnknown = ({ details }: ApiError) => details.outcome === 'unknown';

/**
 * Whether something may exist although creating it failed: services say so in several ways, and an
 * answer can be lost.
 */
const mayExist = (error: ApiError): boolean =>
	isOutcomeUnknown(error) || isDuplicate(error) || isRefusal(error);
