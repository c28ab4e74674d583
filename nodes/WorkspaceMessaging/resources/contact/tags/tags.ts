import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../../../execution/operation';
import { z } from 'zod/v4';
import { ApiError, partiallyDone, isDuplicate, isRefusal } from '../../../transport/errors/ApiError';
import { readList, readRecord } from '../../../transport/pagination';
import { rethrow } from '../../../transport/rethrow';
import { createTag, limits, listTags, patterns, rules } from '../../../contract';
import type { Endpoint } from '../../../contract';
import { resourceName, tagList } from '../../../contract/values';
import type { Item } from '../../../execution/item';
import { quoted } from '../../../validation/messages';
import { suggest } from '../../../validation/suggestions';
import { inBody } from '../../shared/fields';
import { multiSelect } from '../../shared/lookupFields';
import { lookups } from '../../shared/lookups';

const byNames = { tagsBy: ['names'] };

/** The fields that say which tags are meant, by ID or by name. */
export const tagsFields: Field[] = [
	{
		displayName: 'Select Tags By',
		name: 'tagsBy',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'List or IDs', value: 'ids', description: 'Pick tags from the list, or give their IDs' },
			{ name: 'Names', value: 'names', description: 'Give the names of tags, for example from another app' },
		],
		default: 'ids',
	},
	inBody(
		multiSelect(lookups.tags, 'tagIds', {
			displayOptions: { show: { tagsBy: ['ids'] } },
			required: true,
			description: `${limits.tagIds.min} to ${limits.tagIds.max} tags.`,
		}),
	),
	inBody({
		displayName: 'Tag Names',
		name: 'tagNames',
		type: 'string',
		displayOptions: { show: byNames },
		default: '',
		required: true,
		placeholder: 'e.g. VIP, Newsletter',
		description: `${limits.tagIds.min} to ${limits.tagIds.max} names, separated by commas or semicolons, or a list`,
	}),
];

export const createMissing: Field = {
	displayName: 'Create Missing Tags',
	name: 'createMissing',
	type: 'boolean',
	default: false,
	description: 'Whether to create tags that do not exist yet',
};

export const createMissingByName: Field = { ...createMissing, displayOptions: { show: byNames } };

/** Tags by their IDs, in a field in which names could be meant as well. */
const orNames = ' (to give names, set Select Tags By to Names)';
const idRule = `must be ${rules.numericId}${orNames}`;
const pickedTags = z.strictObject({
	tagIds: tagList(z.string(idRule).regex(patterns.numericId, idRule), 'tag IDs', orNames),
});

/** Tags by their names, to be looked up before they are added or removed. */
const namedTags = z.strictObject({ tagNames: tagList(resourceName, 'tag names') });

/** What the fields of tags must hold: IDs or names. */
export const tagsAccepted = (item: Item) => ({
	body: item.parameter('tagsBy', 'ids') === 'names' ? namedTags : pickedTags,
});

/** Adds or removes the tags of an item, which differ in the endpoint and the words for what was done. */
export async function runWithTags(
	item: Item,
	endpoint: Endpoint,
	doneWord: 'added' | 'removed',
): Promise<IDataObject[]> {
	const { params } = item;
	const { tagIds, tagNames } = item.body as { tagIds?: string[]; tagNames?: string[] };
	const named: NamedTags = { names: tagNames ?? [], canBeCreated: doneWord === 'added', created: [] };
	try {
		const ids = tagIds ?? (await idsOf(named, item));
		await item.request(endpoint, { params, body: { tagIds: ids } });
		const names = tagNames === undefined ? {} : { [`${doneWord}TagNames`]: tagNames };
		return [{ success: true, contact: params.identifier, [`${doneWord}TagIds`]: ids, ...names }];
	} catch (error) {
		return await rethrow(withCreated(error, named.created));
	}
}

/** The error of an item whose tags could not be added; it names those that were created before. */
export function withCreated(error: unknown, names: string[]): unknown {
	if (names.length === 0 || !(error instanceof ApiError)) return error;
	const tags = `The ${names.length === 1 ? 'tag' : 'tags'} ${names.map((name) => `"${name}"`).join(', ')}`;
	const were = names.length === 1 ? 'was' : 'were';
	// The error itself says so when nobody knows whether they were added.
	const rest = error.details.outcome === 'unknown' ? '' : ', but not added';
	return partiallyDone(error, `${tags} ${were} created${rest}.`);
}

/** Tags of the workspace by their names; read once for all items of a run. */
interface TagsByName {
	exact: Map<string, Promise<string>>;
	folded: Map<string, Promise<string>>;
}

/** Tags that an item gives by their names. */
interface NamedTags {
	names: string[];
	/** Whether those that are missing can be created at all: there is no use in creating a tag to remove it. */
	canBeCreated: boolean;
	/** Those that were created for this item. */
	created: string[];
}

/**
 * The IDs of tags by their names, one for each name; those that are missing are created if the item says so.
 * Throws an error that names the tags there are.
 *
 * @param known IDs of tags by their names, which the service may not list
 * @returns also the names of those that were created
 */
export async function idsOfNames(
	item: Item,
	names: string[],
	known: ReadonlyMap<string, string>,
): Promise<{ ids: string[]; created: string[] }> {
	const created: string[] = [];
	try {
		if (names.length === 0) return { ids: [], created };
		const tags = await tagsByName(item);
		for (const [name, id] of known) remember(tags, name, Promise.resolve(id));
		const ids: string[] = [];
		for (const name of names)
			ids.push(...(await idsOf({ names: [name], canBeCreated: true, created }, item)));
		return { ids, created };
	} catch (error) {
		return await rethrow(withCreated(error, created));
	}
}

async function idsOf({ names, canBeCreated, created }: NamedTags, item: Item): Promise<string[]> {
	const tags = await tagsByName(item);
	const create = canBeCreated && item.parameter('createMissing', false) === true;
	const ids: string[] = [];
	for (const name of names) {
		let id = find(tags, name);
		if (id === undefined) {
			if (!create) throw noSuchTag(item, name, tags, canBeCreated);
			id = createOrFind(name, item, created);
			remember(tags, name, id);
			// Another item may try again.
			id.catch(() => forget(tags, name));
		}
		ids.push(await id);
	}
	return [...new Set(ids)];
}

/** The error for a name that no tag has: it names those near it, for people and for agents to choose from. */
function noSuchTag(
	{ run, service }: Item,
	name: string,
	{ exact }: TagsByName,
	canBeCreated: boolean,
): ApiError {
	const cutAt = service.cutLists.get(listTags.path);
	const known = run.once(`tags near ${name}`, () => {
		const all = [...exact.keys()].map((each) => ({ name: each }));
		return suggest(name, all, 'tags', cutAt);
	});
	const byId = cutAt === undefined ? '' : ' Others can be added and removed by their IDs.';
	const advice = canBeCreated ? ' Create it first, or turn on Create Missing Tags.' : '';
	return new ApiError(
		`There is no tag named ${quoted(name)}. Nothing was changed. ${known}${byId}${advice}`,
		{ outcome: 'refused' },
	);
}

const tagsByName = async (item: Item) => await item.run.once('tags', async () => await readTags(item));

async function readTags(item: Item): Promise<TagsByName> {
	const byName: TagsByName = { exact: new Map(), folded: new Map() };
	const tags = await readList(item, listTags).catch(async (error: unknown) => {
		const { status } = error instanceof ApiError ? error.details : {};
		return await rethrow(status === 404 || status === 405 ? noListOfTags(status) : error);
	});
	for (const { id, name } of tags) remember(byName, String(name), Promise.resolve(String(id)));
	return byName;
}

/** The error for names on a service without the list of tags, which the API does not document (part 4.6). */
function noListOfTags(status: number): ApiError {
	return new ApiError(
		`This service cannot list its tags (${status}), so they cannot be found by their names. Nothing was changed. Give the IDs of the tags: in Add Tags and Remove Tags, set Select Tags By to List or IDs.`,
		{ outcome: 'refused', status },
	);
}

const fold = (name: string) => name.trim().toLocaleLowerCase();

function find({ exact, folded }: TagsByName, name: string) {
	return exact.get(name) ?? folded.get(fold(name));
}

function remember({ exact, folded }: TagsByName, name: string, id: Promise<string>) {
	exact.set(name, id);
	if (!folded.has(fold(name))) folded.set(fold(name), id);
}

function forget({ exact, folded }: TagsByName, name: string) {
	exact.delete(name);
	folded.delete(fold(name));
}

/** Creates a tag; when someone else has just done so, or nobody knows whether it was created, looks for it. */
async function createOrFind(name: string, item: Item, created: string[]): Promise<string> {
	try {
		const tag = await readRecord(item, createTag, { body: { name } });
		created.push(name);
		return String(tag.id);
	} catch (error) {
		const isUnknown = error instanceof ApiError && error.details.outcome === 'unknown';
		if (isDuplicate(error) || isRefusal(error) || isUnknown) {
			const found = find(await readTags(item), name);
			// It was not there before: if nobody knows, it was this call.
			if (found !== undefined && isUnknown) created.push(name);
			if (found !== undefined) return await found;
		}
		return await rethrow(error);
	}
}
