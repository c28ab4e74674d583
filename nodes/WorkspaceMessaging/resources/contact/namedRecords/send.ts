import type { Endpoint } from '../../../contract/endpoint';
import { limits } from '../../../contract/limits';
import type { Item } from '../../../run/item';
import { oncePerRun, type RunItem } from '../../../run/run';
import { parseIdentifier } from '../../../values/identifier';
import { hasExpression } from '../../../values/expressions/expression';
import { changeTogether, chooseRecords, MANY } from '../../shared/changeTogether';
import type { Noun } from './fields';
import { unique } from '../../../transport/guards';

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
	const uniqueIds = unique(ids);
	const body = { [`${noun}Ids`]: uniqueIds };
	await item.request(endpoint, { params: item.params, body });
}

/** Contacts whose tags or sequences change in one request. */
interface Block {
	contactIds: string[];
	/** The contacts that the request did not change, once it has been sent. */
	unchanged?: Promise<ReadonlySet<string>>;
}

/**
 * Adds tags or sequences to the contact of an item, or removes them. The first item of a block sends
 * one request for all its contacts. A contact that it did not change gets a request of its own, which
 * finds out why. Throws an `ApiError` if the request fails; all items of the block fail then.
 *
 * @param ids the tags or sequences; they are the same for all items with the same body
 */
export async function sendWithOthers(
	item: RecordsItem,
	noun: Noun,
	endpoint: Endpoint,
	ids: Iterable<string>,
): Promise<void> {
	const uniqueIds = unique(ids);
	const contactId = findContactId(item) ?? '';
	const block = blocksOf(item).get(choiceOf(item))?.get(contactId);
	if (block) {
		// The others wait for the request of the first.
		block.unchanged ??= sendBlock(item, noun, endpoint, uniqueIds, block.contactIds);
		const unchanged = await block.unchanged;
		if (!unchanged.has(contactId)) return;
	}
	await sendChangedIds(item, noun, endpoint, uniqueIds);
}

/** What an item selects, as a key: items with the same one share requests. */
const choiceOf = ({ body }: Pick<RunItem, 'body'>) => JSON.stringify(body);

/** The blocks of a run: by what their items select, then by the IDs of the contacts. */
const blocksOf = oncePerRun(({ run }: RecordsItem) => {
	const blocks = new Map<string, Map<string, Block>>();
	const { createMissing } = run.entered;
	// Items that start after others send their own requests. So do items if an expression decides which
	// of them creates what is missing.
	if (run.startsInBatches || hasExpression(createMissing)) return blocks;
	const contactsOf = new Map<string, Set<string>>();
	for (const item of run.openItems) {
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

/** The ID of an item's contact, if the item has it. */
function findContactId({ params }: Pick<RunItem, 'params'>): string | undefined {
	const { kind, value } = parseIdentifier(params.identifier) ?? {};
	return kind === 'id' ? value : undefined;
}

/** Sends the request for a block, if there is one. Returns the contacts that it did not change. */
async function sendBlock(
	item: RecordsItem,
	noun: Noun,
	endpoint: Endpoint,
	ids: string[],
	contactIds: string[],
): Promise<ReadonlySet<string>> {
	const choice = await chooseRecords(item, noun, ids);
	return choice ? await changeTogether(item, endpoint, contactIds, choice) : new Set(contactIds);
}
