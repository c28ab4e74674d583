import { tagApi } from '../contract/tag';
import { workspaceApi } from '../contract/workspace';
import type { AnyItem } from './item';
import { oncePerRun } from './run';
import { beforeChange, isUnsupported, recover, rejected } from '../transport/errors/ApiError';
import type { ApiError } from '../transport/errors/ApiError';
import { readList } from '../transport/lists/pages';
import { readServiceAge } from '../transport/serviceAge';

/*
 * Services ignore the ID of a tag or a flow that no longer exists, and report success (difference
 * 11 and difference 12). So n8n reads the list first. It does the same for sequences, of which
 * nobody knows how services treat a wrong ID.
 */

const endpoints = {
	tag: tagApi.listTags,
	flow: workspaceApi.listFlows,
	sequence: workspaceApi.listSequences,
};

type Noun = keyof typeof endpoints;

/** What a list of the workspace has. */
interface Existing {
	/** The names by their IDs. */
	names: Map<string, string>;
	/** Whether the service shows all records, so that others do not exist. */
	isWhole: boolean;
}

/**
 * Whether a list failed because the service lacks it, or shows it to logged-in users only
 * (difference 2).
 */
export const isNotListed = (error: ApiError) =>
	error.details.reason === 'forPeopleOnly' || isUnsupported(error);

/** Reads a list. Throws an `ApiError` if that fails: then nobody knows which records exist. */
async function read(item: AnyItem, noun: Noun): Promise<Existing> {
	const endpoint = endpoints[noun];
	const records = await readList(item, endpoint)
		.catch(recover(isNotListed, () => undefined))
		.catch(beforeChange('changed'));
	if (!records) return { names: new Map(), isWhole: false };
	const names = new Map(records.map(({ id, name }) => [String(id), String(name)]));
	return { names, isWhole: !item.service.cutLists.has(endpoint.path) };
}

const readOnce = oncePerRun(read);

/** Reads the list again for IDs that it lacked: somebody may have just created the record. */
const readAgain = oncePerRun(
	async (item: AnyItem, ...[noun]: [noun: Noun, ids: string]) => await read(item, noun),
);

/** What is known about IDs. */
interface Found {
	/** The names that the service lists, by their IDs. */
	names: ReadonlyMap<string, string>;
	/** The IDs that do not exist. */
	gone: string[];
	/** The IDs that may exist, because the service does not list all records. */
	unlisted: string[];
}

/**
 * Finds out which tags, flows or sequences have these IDs. A run reads the list once, and once more
 * for IDs that it lacks. Throws an `ApiError` if the list cannot be read.
 */
export async function findExisting(item: AnyItem, noun: Noun, ids: string[]): Promise<Found> {
	if (ids.length === 0) return { names: new Map(), gone: [], unlisted: [] };
	let { names, isWhole } = await readOnce(item, noun);
	const findMissing = () => ids.filter((id) => !names.has(id));
	if (isWhole && findMissing().length > 0)
		({ names, isWhole } = await readAgain(item, noun, findMissing().join()));
	const missing = findMissing();
	return isWhole ? { names, gone: missing, unlisted: [] } : { names, gone: [], unlisted: missing };
}

/**
 * Returns the names of tags or sequences by their IDs, before a contact gets them. Throws an
 * `ApiError` if one of them does not exist, or if the list cannot be read. IDs that the service
 * does not list pass, with a hint.
 */
export async function requireExisting(
	item: AnyItem,
	noun: 'tag' | 'sequence',
	ids: string[],
): Promise<ReadonlyMap<string, string>> {
	const { names, gone, unlisted } = await findExisting(item, noun, ids);
	const them = gone.length === 1 ? 'it' : 'them';
	if (gone.length > 0)
		throw rejected(`${describeGone(noun, gone)}.`, `Pick ${them} again.`, { status: 404 });
	if (unlisted.length > 0)
		item.hint(
			`This service doesn't list some of these ${noun}s, so n8n couldn't check whether they exist. The output has their IDs in place of their names.`,
		);
	return names;
}

/** Says that records do not exist, without the full stop. */
export function describeGone(noun: Noun, ids: string[]): string {
	return ids.length === 1
		? `The ${noun} ${ids[0]} no longer exists`
		: `The ${noun}s ${ids.join(', ')} no longer exist`;
}

/**
 * Throws an `ApiError` if a flow does not exist on an older service, which would accept it and do
 * nothing (difference 12). Other services refuse it themselves. Older ones list only active flows.
 */
export async function refuseGoneFlow(item: AnyItem, flowId: string): Promise<void> {
	const age = await readServiceAge(item).catch(() => 'other');
	if (age !== 'older') return;
	const { gone } = await findExisting(item, 'flow', [flowId]);
	if (gone.length === 0) return;
	const what = `The flow ${flowId} no longer exists, or is not active.`;
	throw rejected(what, 'Pick it again.', { status: 404 });
}
