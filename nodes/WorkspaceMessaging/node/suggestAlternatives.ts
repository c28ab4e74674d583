import type { IDataObject } from 'n8n-workflow';
import { patterns } from '../contract/limits';
import { hasLookup, type Lookup } from '../panel/lookups/lookup';
import { addAdvice, ApiError } from '../transport/errors/ApiError';
import { endSentence } from '../transport/errors/sentences';
import { isObject } from '../transport/guards';
import { readPagedList } from '../service/lists/pages';
import { quoted } from '../values/labels';
import { nearest, suggest } from '../values/suggestions';
import type { Item } from '../run/item';
import { getInnerFields } from '../run/fieldValues';
import type { Operation } from '../run/operation';
import { oncePerRun } from '../run/run';
import { findChannelListEndpoint, listTraits } from '../service/capabilities';

/** The maximum number of records that n8n reads from a list. */
const MAX_READ = 1000;

/**
 * Returns an error that also suggests what exists, if one of the fields that the user sees has a
 * lookup for it.
 */
export async function addAlternatives(
	operation: Operation,
	item: Item,
	error: Error,
): Promise<Error> {
	// Nobody should delete an alternative instead.
	if (operation.endpoint.isDelete) return error;
	for (const [path, lookup] of findLookups(operation, item)) {
		const better = await suggestAlternatives(item, lookup, error, item.parameter(path, ''));
		if (better) return better;
	}
	return error;
}

/**
 * The lookups of the fields that the user sees, also inside collections, with the paths of the
 * fields.
 */
function findLookups({ fields }: Operation, { run }: Item) {
	const found: Array<[path: string, lookup: Lookup]> = [];
	for (const field of fields) {
		if (!run.shows(field)) continue;
		if (hasLookup(field)) found.push([field.name, field.lookup]);
		for (const { name, lookup } of getInnerFields(field).filter(hasLookup))
			found.push([`${field.name}.${name}`, lookup]);
	}
	return found;
}

/**
 * Adds to an error which records a list has, if the item chose one that does not exist: people and
 * agents can then choose another. It reads the list only after such an error, once per run. Returns
 * undefined if the error has another cause, or if the list cannot be read.
 *
 * @param value of the field that takes IDs of the list
 */
async function suggestAlternatives(
	item: Item,
	lookup: Lookup,
	error: Error,
	value: unknown,
): Promise<Error | undefined> {
	const isSent = error instanceof ApiError;
	if (isSent && !saysMissing(error)) return undefined;
	for (const id of readChosenIds(value)) {
		const isNamed = error.message.includes(id);
		// Of what was not sent, only a name in place of an ID can be missing.
		const canBeMissing = isSent || (isNamed && !patterns.numericId.test(id));
		if (!canBeMissing) continue;
		const list = await readListOnce(lookup, item).catch(() => undefined);
		const suggestion = list && suggestionFor(id, lookup.noun, list, isNamed);
		if (suggestion === undefined) continue;
		if (!isSent) return new Error(`${endSentence(error.message)} ${suggestion}`);
		return addAdvice(error, suggestion);
	}
	return undefined;
}

/** Services refuse what does not exist with 404, or with another status and in words. */
function saysMissing({ details: { status, reason, serverMessage = '' } }: ApiError) {
	// Then the contact is missing.
	if (/\bcontact\b/i.test(serverMessage)) return false;
	if (status === 404) return reason !== 'operationMissing';
	const isRefused = status === 400 || status === 422;
	if (!isRefused || reason !== undefined) return false;
	return /not found|no such|not exist|unknown/i.test(serverMessage);
}

/** The IDs in the value of a locator or a dropdown. */
function readChosenIds(value: unknown) {
	const chosen = [isObject(value) ? value.value : value].flat();
	return chosen.map((each) => String(each ?? '').trim()).filter(Boolean);
}

/** The records of a list, and how many of them the service shows if it cuts the list. */
interface Records {
	named: Array<{ name: string; id: string }>;
	cutAt?: number;
}

const listsPerRun = oncePerRun(() => new Map<Lookup, Promise<Records>>());

/** Reads a list once per run. */
async function readListOnce(lookup: Lookup, item: Item) {
	const lists = listsPerRun(item);
	const list = lists.get(lookup) ?? readLookupRecords(lookup, item);
	lists.set(lookup, list);
	return await list;
}

async function readLookupRecords(lookup: Lookup, item: Item): Promise<Records> {
	const endpoint = await findChannelListEndpoint(item, lookup.endpoint);
	const records = await readPagedList(item, endpoint, {}, MAX_READ);
	const named = records.map((record) => toNamed(record, lookup));
	// Only reading the list shows whether the service cuts it.
	const { cutAt } = listTraits(item, endpoint);
	return { named, cutAt };
}

function toNamed(record: IDataObject, lookup: Lookup) {
	const { id, name } = record;
	const shownName = typeof name === 'string' ? name : lookup.label(record);
	return { name: shownName, id: String(id) };
}

/**
 * Says what exists instead of a record; undefined if the record exists, or if the list is too long
 * to tell.
 *
 * @param isNamed whether the error names the record already
 */
function suggestionFor(id: string, noun: string, { named, cutAt }: Records, isNamed: boolean) {
	const exists = named.some((record) => record.id === id);
	if (exists) return undefined;
	const isWhole = named.length < MAX_READ;
	if (!isWhole) {
		const similar = nearest(id, named);
		if (similar.length === 0) return undefined;
	}
	const suggestion = suggest(id, named, `${noun}s`, cutAt);
	// The record may be among those that n8n has not read.
	if (isNamed || !isWhole) return suggestion;
	const problem = `The workspace lists no ${noun} with the ID ${quoted(id)}.`;
	return `${problem} ${suggestion}`;
}
