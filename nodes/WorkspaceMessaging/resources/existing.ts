import { tagApi } from '../contract/tag';
import { workspaceApi } from '../contract/workspace';
import type { AnyItem } from '../run/item';
import { oncePerRun } from '../run/run';
import { rejected } from '../transport/errors/ApiError';
import { readList } from '../transport/lists/pages';
import { readServiceAge } from '../transport/service';

/*
 * Services ignore the ID of a tag or a flow that no longer exists, and report success (difference 11 and difference 12). So n8n
 * reads the list first. It does the same for sequences, of which nobody knows how services treat a wrong ID.
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

/** Reads a list; undefined if that fails, because the change works without it. */
async function read(item: AnyItem, noun: Noun): Promise<Existing | undefined> {
	const endpoint = endpoints[noun];
	const records = await readList(item, endpoint).catch(() => undefined);
	if (!records) return undefined;
	const names = new Map(records.map(({ id, name }) => [String(id), String(name)]));
	return { names, isWhole: !item.service.cutLists.has(endpoint.path) };
}

const readOnce = oncePerRun(read);

/** Reads the list again for IDs that it lacked: somebody may have just created the record. */
const readAgain = oncePerRun(
	async (item: AnyItem, ...[noun]: [noun: Noun, ids: string]) => await read(item, noun),
);

/**
 * Finds out which tags, flows or sequences have these IDs. A run reads the list once, and once more for IDs that it lacks.
 *
 * @returns the names that the service lists, by their IDs, and the IDs that do not exist
 */
export async function findExisting(item: AnyItem, noun: Noun, ids: string[]) {
	const missingIn = ({ names, isWhole }: Existing) => (isWhole ? ids.filter((id) => !names.has(id)) : []);
	const first = ids.length > 0 ? await readOnce(item, noun) : undefined;
	if (!first) return { names: new Map<string, string>(), gone: [] };
	const missing = missingIn(first);
	if (missing.length === 0) return { names: first.names, gone: [] };
	const latest = (await readAgain(item, noun, missing.join())) ?? first;
	return { names: latest.names, gone: missingIn(latest) };
}

/** Returns the names of tags by their IDs. Throws an `ApiError` if one of the tags does not exist. */
export async function requireTags(item: AnyItem, ids: string[]): Promise<Map<string, string>> {
	const { names, gone } = await findExisting(item, 'tag', ids);
	const them = gone.length === 1 ? 'it' : 'them';
	if (gone.length > 0)
		throw rejected(`${describeGone('tag', gone)}.`, `Pick ${them} again.`, { status: 404 });
	return names;
}

/** Says that records do not exist, without the full stop. */
export function describeGone(noun: Noun, ids: string[]): string {
	return ids.length === 1
		? `The ${noun} ${ids[0]} no longer exists`
		: `The ${noun}s ${ids.join(', ')} no longer exist`;
}

/**
 * Throws an `ApiError` if a flow does not exist on an older service, which would accept it and do nothing (difference 12).
 * Other services refuse it themselves. Older ones list only active flows.
 */
export async function refuseGoneFlow(item: AnyItem, flowId: string): Promise<void> {
	const age = await readServiceAge(item).catch(() => 'other');
	if (age !== 'older') return;
	const { gone } = await findExisting(item, 'flow', [flowId]);
	if (gone.length === 0) return;
	const what = `The flow ${flowId} no longer exists, or is not active.`;
	throw rejected(what, 'Pick it again.', { status: 404 });
}
