import { contactApi } from '../../../contract/contact';
import type { AnyItem } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { oncePerRun } from '../../../run/run';
import { mayHaveChanged, partiallyDoneError, onApiError } from '../../../transport/errors/ApiError';
import { createTag } from '../../shared/createTag';
import { findIdByName, type Names } from '../../shared/existingRecords';
import { getRecordsToAdd, type FindByNames } from './change';
import { notFoundByNameError, findAllNames } from './find';
import { normalizeText } from '../../../transport/normalizeText';
import { foldName } from '../../../values/names';
import { sendChangedIds, sendWithOthers, type RecordsItem } from './send';

/* What only tags have: one that does not exist can be created. */

/** Turns on the creation of tags that do not exist. */
export const createMissing: Field = {
	displayName: 'Create Missing Tags',
	name: 'createMissing',
	type: 'boolean',
	default: false,
	description: 'Whether to create tags that do not exist yet',
	displayOptions: { show: { tagsBy: ['names'] } },
};

/**
 * Adds the tags that an item selects, except those that the contact has. Creates tags that do not
 * exist if the user turned that on. Returns all tags that the item selects.
 *
 * @param own the tags of the contact; without them, many items with the same choice share a request
 */
export async function addSelectedTags(item: RecordsItem, own?: Names): Promise<Names> {
	const created: string[] = [];
	const create = async (name: string) => await createOnce(item, name, created);
	return await addLackingTags(item, own, create).catch(withCreatedTags(created));
}

async function addLackingTags(
	item: RecordsItem,
	own: Names | undefined,
	create: GetMissing,
): Promise<Names> {
	const find: FindByNames = async (_, names) => await findTags(item, names, own, create);
	const tags = await getRecordsToAdd(item, 'tag', find, own);
	const lacking = [...tags.keys()].filter((id) => !own?.has(id));
	if (lacking.length === 0) return tags;
	const send = own ? sendChangedIds : sendWithOthers;
	await send(item, 'tag', contactApi.addContactTags, lacking);
	return tags;
}

/** Returns a handler for `catch()` that adds to an error which tags were created before it. */
const withCreatedTags = (names: string[]) =>
	onApiError(
		() => names.length > 0,
		(error) => {
			const [tags, were] = names.length === 1 ? ['tag', 'was'] : ['tags', 'were'];
			const quotedNames = names.map((name) => `"${name}"`).join(', ');
			// If they may have been added, the error itself says so.
			const rest = mayHaveChanged(error) ? '' : ', but not added';
			throw partiallyDoneError(error, `The ${tags} ${quotedNames} ${were} created${rest}.`);
		},
	);

/** Returns the ID of a tag that does not exist, or throws an `ApiError`. */
type GetMissing = (name: string) => Promise<string>;

/**
 * Returns the tags with these names: those of the contact, and those of the workspace.
 *
 * @param own the tags of the contact, if known; services may not list all tags
 * @param getMissing creates tags that do not exist; by default, they are an error
 */
export async function findTags(
	item: AnyItem,
	names: string[],
	own: Names = new Map(),
	getMissing: GetMissing = async (name) => {
		throw await notFoundByNameError(item, 'tag', name);
	},
): Promise<Names> {
	const ownIds = new Map<string, string>();
	for (const [id, name] of own) ownIds.set(name, id);
	const found = new Map<string, string>();
	for (const name of names) {
		const existing = ownIds.get(name) ?? (await findTag(item, name, own));
		const id = existing ?? (await getMissing(name));
		// Several names can mean the same tag; it has the first one.
		if (!found.has(id)) found.set(id, normalizeText(name));
	}
	return found;
}

async function findTag(item: AnyItem, name: string, own: Names): Promise<string | undefined> {
	const listed = await findAllNames(item, 'tag');
	// A list that is cut need not have them.
	const areListed = [...own.keys()].every((id) => listed.has(id));
	const all = areListed ? listed : new Map([...listed, ...own]);
	return findIdByName('tag', all, name);
}

/** The IDs of the tags that a run creates, by their folded names. */
const createdTags = oncePerRun(() => new Map<string, Promise<string>>());

/** Creates a tag once for all items of the run, if the user turned that on. */
async function createOnce(item: AnyItem, name: string, created: string[]): Promise<string> {
	const tags = createdTags(item);
	const key = foldName(name);
	const known = tags.get(key);
	if (known) return await known;
	if (!item.isOn('createMissing')) {
		const advice = ' Create it first, or turn on Create Missing Tags.';
		throw await notFoundByNameError(item, 'tag', name, advice);
	}
	const id = createTag(item, normalizeText(name), created);
	tags.set(key, id);
	// Another item may try again.
	id.catch(() => tags.delete(key));
	return await id;
}
