import type { IDataObject } from 'n8n-workflow';
import { listFor } from '../../contacts/list/channels';
import { patterns } from '../../contract/limits';
import type { Item } from '../../execution/item';
import type { Field } from '../../execution/operation';
import { oncePerRun } from '../../execution/run';
import { ApiError, sentence } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import { quoted } from '../../validation/messages';
import { nearest, suggest } from '../../validation/suggestions';
import type { Lookup } from './lookups';

/** How many records of a list are read at most. */
const MAX_READ = 1000;

/**
 * Returns the function that adds to an error which records exist, if the chosen one does not: people and agents can then
 * choose another. It reads the list only after such an error, once per run. If the list cannot be read, the error stays as
 * it is.
 */
export function suggestFrom(lookup: Lookup): Field['improveError'] {
	const readAll = oncePerRun(async (item: Item) => await readLookup(item, lookup));

	return async (item, { isDelete }, error, value) => {
		const isSent = error instanceof ApiError;
		// Nobody should delete an alternative instead.
		if (isDelete || (isSent && !saysMissing(error))) return undefined;
		for (const id of idsIn(value)) {
			const isNamed = error.message.includes(id);
			// Of what was not sent, only a name in place of an ID can be missing.
			if (!isSent && (!isNamed || patterns.numericId.test(id))) continue;
			const list = await readAll(item).catch(() => undefined);
			const suggestion = list && suggestionFor(id, lookup.noun, list, isNamed);
			if (suggestion === undefined) continue;
			if (!isSent) return new Error(`${sentence(error.message)} ${suggestion}`);
			const advice = `${error.details.advice ?? ''} ${suggestion}`.trim();
			return new ApiError(error.what, { ...error.details, advice });
		}
		return undefined;
	};
}

/** Services refuse what does not exist with 404, or with another status and in words. */
function saysMissing({ details: { status, reason, serverMessage = '' } }: ApiError): boolean {
	// Then the contact is missing.
	if (/\bcontact\b/i.test(serverMessage)) return false;
	if (status === 404) return reason !== 'operationMissing';
	const isRefused = (status === 400 || status === 422) && reason === undefined;
	return isRefused && /not found|no such|not exist|unknown/i.test(serverMessage);
}

/** The IDs in the value of a locator or dropdown. */
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

async function readLookup(item: Item, lookup: Lookup): Promise<Records> {
	const endpoint = await listFor(item, lookup.endpoint);
	const records = await readList(item, endpoint, {}, MAX_READ);
	return {
		named: records.map((record) => ({
			name: typeof record.name === 'string' ? record.name : lookup.label(record),
			id: String(record.id),
		})),
		cutAt: item.service.cutLists.get(endpoint.path),
	};
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
