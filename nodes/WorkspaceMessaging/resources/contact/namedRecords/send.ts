import { contactApi } from '../../../contract/contact';
import type { Endpoint } from '../../../contract/endpoint';
import { limits } from '../../../contract/limits';
import { bulkAnswer, undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../run/item';
import { oncePerRun, type RunItem } from '../../../run/run';
import { supports } from '../../../service/capabilities';
import { isUnsupportedOrRefused, ignore } from '../../../transport/errors/ApiError';
import { parseIdentifier } from '../../../values/identifier';
import { hasExpression } from '../../../values/expressions/expression';
import { foldName } from '../../../values/names';
import { findExisting, type Names } from '../../shared/existingRecords';
import type { Noun } from './fields';

/* Sends which tags or sequences contacts get or lose: one contact, or up to 1,000 in one request. */

/** An item that selects tags or sequences by their IDs or names. */
export type RecordsItem = Item<{ identifier: string }, object, Record<string, string[]>>;

/** Sends the IDs of records to an endpoint that adds them to the contact, or removes them. */
export async function sendChangedIds(
	item: RecordsItem,
	noun: Noun,
	endpoint: Endpoint,
	ids: Iterable<string>,
): Promise<void> {
	const uniqueIds = [...new Set(ids)];
	const body = { [`${noun}Ids`]: uniqueIds };
	await item.request(endpoint, { params: item.params, body });
}

const bulkEndpoints = new Map<Endpoint, Endpoint>([
	[contactApi.addContactTags, undocumentedApi.bulkAddTags],
	[contactApi.removeContactTags, undocumentedApi.bulkRemoveTags],
	[undocumentedApi.addContactSequences, undocumentedApi.bulkAddSequences],
	[undocumentedApi.removeContactSequences, undocumentedApi.bulkRemoveSequences],
]);

const mostRecords = { tag: limits.bulkTags.max, sequence: limits.bulkSequences.max };

/** From so many contacts on, one request for all is worth the look at what the service can do. */
const MANY = 20;

/** Contacts that get the same in one request. */
interface Block {
	contactIds: string[];
	/** The contacts that the request did not change, once it has been sent. */
	unchanged?: Promise<ReadonlySet<string>>;
}

/**
 * Adds tags or sequences to the contact of an item, or removes them. The first item of many that
 * select the same sends the request for all. Whom it leaves out gets a request of its own, which
 * finds out why. Throws an `ApiError`.
 *
 * @param ids the tags or sequences; they are the same for all items with the same body
 */
export async function sendWithOthers(
	item: RecordsItem,
	noun: Noun,
	endpoint: Endpoint,
	ids: Iterable<string>,
): Promise<void> {
	const uniqueIds = [...new Set(ids)];
	const contactId = findContactId(item) ?? '';
	const block = blocksOf(item).get(choiceOf(item))?.get(contactId);
	if (block) {
		block.unchanged ??= sendBlock(item, noun, endpoint, uniqueIds, block.contactIds);
		const unchanged = await block.unchanged;
		if (!unchanged.has(contactId)) return;
	}
	await sendChangedIds(item, noun, endpoint, uniqueIds);
}

/** What an item selects; those that select the same share requests. */
const choiceOf = ({ body }: Pick<RunItem, 'body'>) => JSON.stringify(body);

/** The blocks of a run: by what their items select, then by the IDs of the contacts. */
const blocksOf = oncePerRun(({ run }: RecordsItem) => {
	const blocks = new Map<string, Map<string, Block>>();
	const { createMissing } = run.entered;
	// Items that wait for others, or that may not create what others create, send their own request.
	if (run.startsInBatches || hasExpression(createMissing)) return blocks;
	const contactsOf = new Map<string, Set<string>>();
	for (const item of run.items) {
		const contactId = findContactId(item);
		if (contactId === undefined) continue;
		const choice = choiceOf(item);
		contactsOf.set(choice, (contactsOf.get(choice) ?? new Set()).add(contactId));
	}
	for (const [choice, contactIds] of contactsOf) {
		if (contactIds.size >= MANY) blocks.set(choice, makeBlocks([...contactIds]));
	}
	return blocks;
});

function makeBlocks(contactIds: string[]): Map<string, Block> {
	const blocks = new Map<string, Block>();
	const { max } = limits.bulkContacts;
	for (let from = 0; from < contactIds.length; from += max) {
		const block = { contactIds: contactIds.slice(from, from + max) };
		for (const contactId of block.contactIds) blocks.set(contactId, block);
	}
	return blocks;
}

/** The ID of an item's contact, if the item has it and still has something to do. */
function findContactId({ params, tries }: Pick<RunItem, 'params' | 'tries'>): string | undefined {
	const { kind, value } = parseIdentifier(params.identifier) ?? {};
	return kind === 'id' && !tries?.isSettled ? value : undefined;
}

/** Sends the request for a block. Returns the contacts that it did not change. */
async function sendBlock(
	item: RecordsItem,
	noun: Noun,
	endpoint: Endpoint,
	ids: string[],
	contactIds: string[],
): Promise<ReadonlySet<string>> {
	const choice = await chooseRecords(item, noun, ids);
	const bulkEndpoint = bulkEndpoints.get(endpoint);
	if (!choice || !bulkEndpoint) return new Set(contactIds);
	const answer = await item
		.request(bulkEndpoint, { body: { contactIds, ...choice } })
		.catch(ignore(isUnsupportedOrRefused));
	const { data } = bulkAnswer.safeParse(answer);
	const unchanged = new Set(data?.skippedContactIds);
	const isComplete = data && data.processed + unchanged.size === contactIds.length;
	return isComplete ? unchanged : new Set(contactIds);
}

/** Whether the service takes so many tags or sequences in one request for many contacts. */
async function canShare(item: RecordsItem, noun: Noun, { length }: string[]): Promise<boolean> {
	if (length > mostRecords[noun]) return false;
	return await supports(item, 'bulkChanges').catch(() => false);
}

/**
 * Returns tags or sequences as the request names them, of those that exist: one sequence that does
 * not would fail it for all contacts. Returns undefined if it can't name them.
 */
async function chooseRecords(item: RecordsItem, noun: Noun, ids: string[]) {
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
