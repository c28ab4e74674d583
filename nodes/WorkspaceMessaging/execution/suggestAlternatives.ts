import type { IDataObject } from 'n8n-workflow';
import { patterns } from '../contract/limits';
import { ApiError, isUnsupported, recover } from '../transport/errors/ApiError';
import { sentence } from '../transport/errors/render';
import { readList } from '../transport/pagination';
import { quoted } from '../validation/labels';
import { nearest, suggest } from '../validation/suggestions';
import type { Item } from './item';
import { innerFields } from './operation';
import type { Lookup, Operation } from './operation';
import { oncePerRun } from './run';

/** How many records of a list are read at most. */
const MAX_READ = 1000;

/** Returns an error that also suggests what exists, if one of the fields that the user sees has a lookup for it. */
export async function improvedError(operation: Operation, item: Item, error: Error): Promise<Error> {
	// Nobody should delete an alternative instead.
	if (operation.endpoint.isDelete) return error;
	for (const [path, lookup] of shownLookups(operation, item)) {
		const better = await suggestAlternatives(item, lookup, error, item.parameter(path, ''));
		if (better) return better;
	}
	return error;
}

/** The lookups of the fields that the user sees, also inside collections, with the paths of the fields. */
function shownLookups({ fields }: Operation, { run }: Item): Array<[path: string, lookup: Lookup]> {
	const withPaths = fields
		.filter((field) => run.shows(field))
		.flatMap((field) => [
			{ ...field, path: field.name },
			...innerFields(field).map((inner) => ({ ...inner, path: `${field.name}.${inner.name}` })),
		]);
	return withPaths.flatMap(({ path, lookup }) => (lookup ? [[path, lookup]] : []));
}

/**
 * Adds to an error which records a list has, if the item chose one that does not exist: people and agents can then choose
 * another. It reads the list only after such an error, once per run. Returns undefined if the error has another cause, or if
 * the list cannot be read.
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
	for (const id of idsIn(value)) {
		const isNamed = error.message.includes(id);
		// Of what was not sent, only a name in place of an ID can be missing.
		if (!isSent && (!isNamed || patterns.numericId.test(id))) continue;
		const list = await recordsOf(lookup, item).catch(() => undefined);
		const suggestion = list && suggestionFor(id, lookup.noun, list, isNamed);
		if (suggestion === undefined) continue;
		if (!isSent) return new Error(`${sentence(error.message)} ${suggestion}`);
		const advice = `${error.details.advice ?? ''} ${suggestion}`.trim();
		return new ApiError(error.what, { ...error.details, advice });
	}
	return undefined;
}

/** Services refuse what does not exist with 404, or with another status and in words. */
function saysMissing({ details: { status, reason, serverMessage = '' } }: ApiError): boolean {
	// Then the contact is missing.
	if (/\bcontact\b/i.test(serverMessage)) return false;
	if (status === 404) return reason !== 'operationMissing';
	const isRefused = (status === 400 || status === 422) && reason === undefined;
	return isRefused && /not found|no such|not exist|unknown/i.test(serverMessage);
}

/** The IDs in the value of a locator or a dropdown. */
function idsIn(value: unknown): string[] {
	const { value: id = value } = (value ?? {}) as IDataObject;
	return [id]
		.flat()
		.map((each) => String(each ?? '').trim())
		.filter((each) => each !== '');
}

/** The records of a list, and how many of them the service shows if it cuts the list. */
interface Records {
	named: Array<{ name: string; id: string }>;
	cutAt?: number;
}

const listsPerRun = oncePerRun<Item, [], Map<Lookup, Promise<Records | undefined>>>(() => new Map());

/** Reads a list by the first of its endpoints that the service has; once per run. */
async function recordsOf(lookup: Lookup, item: Item): Promise<Records | undefined> {
	const lists = listsPerRun(item);
	const list = lists.get(lookup) ?? readRecords(lookup, item);
	lists.set(lookup, list);
	return await list;
}

async function readRecords({ endpoints, label }: Lookup, item: Item): Promise<Records | undefined> {
	for (const endpoint of endpoints) {
		const records = await readList(item, endpoint, {}, MAX_READ).catch(
			recover(isUnsupported, () => undefined),
		);
		if (!records) continue;
		const named = records.map((record) => ({
			name: typeof record.name === 'string' ? record.name : label(record),
			id: String(record.id),
		}));
		return { named, cutAt: item.service.cutLists.get(endpoint.path) };
	}
	return undefined;
}

/**
 * Says what exists if a record does not; undefined if it does, or if nobody knows.
 *
 * @param isNamed whether the error names the record already
 */
function suggestionFor(id: string, noun: string, { named, cutAt }: Records, isNamed: boolean) {
	if (named.some((record) => record.id === id)) return undefined;
	const isWhole = named.length < MAX_READ;
	if (!isWhole && nearest(id, named).length === 0) return undefined;
	const missing = isNamed || !isWhole ? '' : `The workspace lists no ${noun} with the ID ${quoted(id)}. `;
	return missing + suggest(id, named, `${noun}s`, cutAt);
}
