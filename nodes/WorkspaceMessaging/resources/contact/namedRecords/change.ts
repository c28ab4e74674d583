import type { IDataObject } from 'n8n-workflow';
import { contactOutput, describeContact } from '../../../contacts/output';
import type { Endpoint } from '../../../contract/endpoint';
import {
	describeGone,
	findExisting,
	requireExisting,
	type Names,
} from '../../shared/existingRecords';
import { getSelectionTitle, type Noun } from './fields';
import { strings } from '../../../contract/values';
import { sendWithOthers, type RecordsItem } from './send';

/* Adds tags and sequences to a contact, and removes them. */

/** Finds tags or sequences by their names. Throws an `ApiError` if one of them does not exist. */
export type FindByNames = (item: RecordsItem, names: string[]) => Promise<Names>;

/**
 * Returns what an item selects for its contact to get. Throws an `ApiError` if one of the records
 * does not exist.
 *
 * @param known names that need no look-up
 */
export async function getRecordsToAdd(
	item: RecordsItem,
	noun: Noun,
	findByNames: FindByNames,
	known?: Names,
): Promise<Names> {
	const { [`${noun}Ids`]: ids, [`${noun}Names`]: names } = item.body;
	return names ? await findByNames(item, names) : await requireExisting(item, noun, ids, known);
}

/** Removes the tags or sequences that an item selects from the contact, and returns the output. */
export async function removeSelectedRecords(
	item: RecordsItem,
	noun: Noun,
	endpoint: Endpoint,
	findByNames: FindByNames,
): Promise<IDataObject[]> {
	const { [`${noun}Ids`]: ids, [`${noun}Names`]: names } = item.body;
	const found = names && (await findByNames(item, names));
	await sendWithOthers(item, noun, endpoint, found?.keys() ?? ids);
	const removed = found ?? (await nameRemoved(item, noun, ids));
	return describeChangedRecords(item, noun, 'removed', removed);
}

/** What has happened to records; the names of the output begin with it. */
type DoneWord = 'added' | 'removed';

const outputNames = (noun: Noun, doneWord: DoneWord) => ({
	ids: `${doneWord}${getSelectionTitle(noun)}Ids`,
	names: `${doneWord}${getSelectionTitle(noun)}Names`,
});

/** Returns the schema of the item that `describeChangedRecords` returns. */
export function changedRecordsOutput(noun: Noun, doneWord: DoneWord) {
	const { ids: idsKey, names: namesKey } = outputNames(noun, doneWord);
	const texts = strings;
	return contactOutput.extend({ [idsKey]: texts, [namesKey]: texts });
}

/** Returns the output of an operation that has added or removed tags or sequences. */
export function describeChangedRecords(
	item: RecordsItem,
	noun: Noun,
	doneWord: DoneWord,
	records: Names,
): IDataObject[] {
	const { ids, names } = outputNames(noun, doneWord);
	const changed = { [ids]: [...records.keys()], [names]: [...records.values()] };
	return [{ success: true, ...describeContact(item), ...changed }];
}

const nothingRemoved = { tag: ', so there was nothing to remove', sequence: '' };

/**
 * Returns the names of removed records by their IDs. An ID takes the place of a name that the
 * service does not list. A hint names the records that do not exist.
 */
async function nameRemoved(item: RecordsItem, noun: Noun, ids: string[]): Promise<Names> {
	// The removal has succeeded, whether or not the list can be read.
	const found = await findExisting(item, noun, ids).catch(() => undefined);
	if (found?.isWhole && found.missing.length > 0) {
		const what = describeGone(noun, found.missing);
		item.hint(`${what}${nothingRemoved[noun]}.`);
	}
	return new Map(ids.map((id) => [id, found?.names.get(id) ?? id]));
}
