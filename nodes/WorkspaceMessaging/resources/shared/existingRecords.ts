import type { IDataObject } from 'n8n-workflow';
import { tagApi } from '../../contract/tag';
import { workspaceApi } from '../../contract/workspace';
import type { AnyItem } from '../../run/item';
import { oncePerRun } from '../../run/run';
import {
	errorBeforeChange,
	isListMissing,
	refusedError,
	ignore,
} from '../../transport/errors/ApiError';
import { readPagedList } from '../../service/lists/pages';
import { listTraits, supports } from '../../service/capabilities';
import { findByName } from '../../values/names';
import { describeSeveral } from '../../values/suggestions';

/*
 * Services ignore the ID of a tag (difference 11) or of a flow (difference 12) that no longer
 * exists, and report success. So n8n reads the list first. It does the same for sequences, because
 * nobody knows how services treat a wrong ID of one.
 */

const listEndpoints = {
	tag: tagApi.listTags,
	flow: workspaceApi.listFlows,
	sequence: workspaceApi.listSequences,
};

type ListedNoun = keyof typeof listEndpoints;

/** Names of records by their IDs. */
export type Names = ReadonlyMap<string, string>;

/** What a list of the workspace has. */
interface Existing {
	names: Names;
	/** How many records the service lists at most, if it lists no more than these. */
	cutAt?: number;
}

/** Reads a list. Throws an `ApiError` if that fails: then nobody knows which records exist. */
export async function readExisting(item: AnyItem, noun: ListedNoun): Promise<Existing> {
	const endpoint = listEndpoints[noun];
	const records = await readPagedList(item, endpoint).catch(errorBeforeChange('changed'));
	const names = namesById(records);
	const { cutAt } = listTraits(item, endpoint);
	return { names, cutAt };
}

/** Returns the names of records by their IDs. */
export const namesById = (records: IDataObject[]) =>
	new Map(records.map(({ id, name }) => [String(id), String(name)]));

/** Reads a list once per run. */
export const readExistingOnce = oncePerRun(readExisting);

/** Reads the list again for IDs that it lacked: somebody may have just created the record. */
const readAgain = oncePerRun((item: AnyItem, ...[noun]: [noun: ListedNoun, ids: string]) =>
	readExisting(item, noun),
);

async function readFor(item: AnyItem, noun: ListedNoun, ids: string[]): Promise<Existing> {
	const existing = await readExistingOnce(item, noun);
	const { names, cutAt } = existing;
	// A list that is cut would lack the same records again.
	if (cutAt !== undefined) return existing;
	const missing = findMissingIds(names, ids);
	if (missing.length === 0) return existing;
	return await readAgain(item, noun, missing.join());
}

const findMissingIds = (names: Names, ids: string[]) => ids.filter((id) => !names.has(id));

/** What is known about IDs. */
interface Found {
	/** What the service lists. */
	names: Names;
	/** The IDs that the service does not list. */
	missing: string[];
	/** Whether the service lists all records, so that missing ones do not exist. */
	isWhole: boolean;
}

/**
 * Finds out which tags, flows or sequences have these IDs. A run reads the list once, and once more
 * for IDs that it lacks. Throws an `ApiError` if the list cannot be read.
 */
export async function findExisting(item: AnyItem, noun: ListedNoun, ids: string[]): Promise<Found> {
	if (ids.length === 0) return { names: new Map(), missing: [], isWhole: true };
	const ignoreMissingList = ignore(isListMissing);
	const existing = await readFor(item, noun, ids).catch(ignoreMissingList);
	if (!existing) return { names: new Map(), missing: ids, isWhole: false };
	const { names, cutAt } = existing;
	return { names, missing: findMissingIds(names, ids), isWhole: cutAt === undefined };
}

/**
 * Throws an `ApiError` if a flow does not exist on a service that would accept it and do nothing
 * (difference 12). Such services list only active flows.
 */
export async function refuseGoneFlow(item: AnyItem, flowId: string): Promise<void> {
	if (await supports(item, 'flowChecks').catch(() => true)) return;
	const { missing, isWhole } = await findExisting(item, 'flow', [flowId]);
	const isGone = isWhole && missing.length > 0;
	if (!isGone) return;
	const what = `The flow ${flowId} no longer exists, or is not active.`;
	throw refusedError(what, 'Pick it again.', { status: 404 });
}

/**
 * Returns the names of records by their IDs, before a contact gets them: services ignore unknown
 * ones (difference 11). An ID takes the place of a name that the service does not list, with a hint.
 * Throws an `ApiError` if one of them does not exist, or if the list cannot be read.
 *
 * @param known names that need no look-up
 */
export async function requireExisting(
	item: AnyItem,
	noun: ListedNoun,
	ids: string[],
	known: Names = new Map(),
): Promise<Names> {
	const unknown = ids.filter((id) => !known.has(id));
	const { names, missing, isWhole } = await findExisting(item, noun, unknown);
	if (missing.length > 0 && isWhole) {
		const what = `${describeGone(noun, missing)}.`;
		const them = missing.length === 1 ? 'it' : 'them';
		throw refusedError(what, `Pick ${them} again.`, { status: 404 });
	}
	if (missing.length > 0)
		item.hint(
			`This service doesn't list some of these ${noun}s, so n8n couldn't check whether they exist. The output has their IDs in place of their names.`,
		);
	return new Map(ids.map((id) => [id, known.get(id) ?? names.get(id) ?? id]));
}

/** Says that records do not exist, without the full stop. */
export function describeGone(noun: ListedNoun, ids: string[]): string {
	return ids.length === 1
		? `The ${noun} ${ids[0]} no longer exists`
		: `The ${noun}s ${ids.join(', ')} no longer exist`;
}

/**
 * Returns the ID of the record with a name; undefined if there is none. Throws an `ApiError` if
 * there are several.
 */
export function findIdByName(noun: ListedNoun, names: Names, name: string): string | undefined {
	const found = findRecordsByName(names, name);
	if (found.length <= 1) return found.at(0)?.id;
	throw refusedError(describeSeveral(`${noun}s`, name, found), 'Choose one of them from the list.');
}

/** Returns the records that a name fits; see `findByName`. */
export function findRecordsByName(names: Names, name: string): Array<{ id: string; name: string }> {
	const found = findByName(names, name, ([, own]) => [own]);
	return found.map(([id, own]) => ({ id, name: own }));
}
