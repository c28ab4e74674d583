import { contactApi } from '../../contract/contact';
import type { Endpoint } from '../../contract/endpoint';
import { limits } from '../../contract/limits';
import { bulkAnswer, undocumentedApi } from '../../contract/undocumented';
import type { AnyItem } from '../../run/item';
import { supports } from '../../service/capabilities';
import { ignore, isUnsupportedOrRefused } from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { foldName } from '../../values/names';
import { findExisting, type Names } from './existingRecords';

/* Requests that change the tags or sequences of many contacts, where the service has them. */

const bulkEndpoints = new Map<Endpoint, Endpoint>([
	[contactApi.addContactTags, undocumentedApi.bulkAddTags],
	[contactApi.removeContactTags, undocumentedApi.bulkRemoveTags],
	[undocumentedApi.addContactSequences, undocumentedApi.bulkAddSequences],
	[undocumentedApi.removeContactSequences, undocumentedApi.bulkRemoveSequences],
]);

const mostRecords = { tag: limits.bulkTags.max, sequence: limits.bulkSequences.max };

type TagOrSequence = keyof typeof mostRecords;

/** Tags or sequences, as a request for many contacts names them. */
type Choice = NonNullable<Awaited<ReturnType<typeof chooseRecords>>>;

/** With so many contacts or more, one request for all is worth a look at what the service can do. */
export const MANY = 20;

/**
 * Changes many contacts in one request. Returns those that it may not have changed: all of them if
 * the service lacks or refuses the request. Throws an `ApiError` for other failures.
 *
 * @param endpoint one of `bulkEndpoints`, which changes one contact
 */
export async function changeTogether(
	requester: Pick<Requester, 'request'>,
	endpoint: Endpoint,
	contactIds: string[],
	choice: Choice,
): Promise<ReadonlySet<string>> {
	const answer = await requester
		.request(bulkEndpoints.get(endpoint)!, { body: { contactIds, ...choice } })
		.catch(ignore(isUnsupportedOrRefused));
	const { data } = bulkAnswer.safeParse(answer);
	const unchanged = new Set(data?.skippedContactIds);
	const coversAll = data && data.processed + unchanged.size === contactIds.length;
	return coversAll ? unchanged : new Set(contactIds);
}

/** Whether the service takes so many tags or sequences in one request for many contacts. */
async function canShare(
	item: AnyItem,
	noun: TagOrSequence,
	{ length }: string[],
): Promise<boolean> {
	if (length > mostRecords[noun]) return false;
	return await supports(item, 'bulkChanges').catch(() => false);
}

/**
 * Returns tags or sequences as the request names them, of those that exist: one sequence that does
 * not would fail it for all contacts. Returns undefined if it can't name them.
 */
export async function chooseRecords(item: AnyItem, noun: TagOrSequence, ids: string[]) {
	if (!(await canShare(item, noun, ids))) return undefined;
	const found = await findExisting(item, noun, ids).catch(() => undefined);
	if (!found?.isWhole) return undefined;
	const existing = ids.filter((id) => found.names.has(id));
	if (existing.length === 0) return undefined;
	if (noun === 'sequence') return { sequenceIds: existing };
	const tags = existing.flatMap((id) => found.names.get(id) ?? []);
	return areClear(tags, found.names) ? { tags } : undefined;
}

/**
 * Whether the service knows tags by their names. It creates what it doesn't find: so only a name
 * that it lists letter by letter, and that no other tag has in any case, means the tag that the user
 * selected.
 */
function areClear(tags: string[], names: Names): boolean {
	const all = [...names.values()].map(foldName);
	return tags.every((name) => {
		const folded = foldName(name);
		const isTheOnlyOne = all.indexOf(folded) === all.lastIndexOf(folded);
		return isTheOnlyOne && name === name.trim();
	});
}
