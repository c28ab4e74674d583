import type { Endpoint } from '../../contract/endpoint';
import { limits } from '../../contract/limits';
import { tagApi } from '../../contract/tag';
import type { AnyItem, Item } from '../../run/item';
import type { Field } from '../../run/operation';
import { oncePerRun } from '../../run/run';
import {
	ApiError,
	beforeChange,
	isUnsupported,
	join,
	mayHaveChanged,
	partiallyDone,
	recover,
	rejected,
} from '../../transport/errors/ApiError';
import { readList } from '../../transport/lists/pages';
import { readRecord } from '../../transport/lists/records';
import { quoted } from '../../values/labels';
import { suggest } from '../../values/suggestions';
import { lookups } from '../../panel/lookups';
import { contactMayExist } from './contactFields';
import { describeContact } from '../../contacts/output';
import { describeGone, findExisting, requireExisting } from '../../run/existingRecords';
import { foldName, idsOrNamesFields, idsOrNamesInput } from './idsOrNames';

/** The fields that select tags by ID or by name. */
export const tagsFields = idsOrNamesFields(lookups.tags, 'e.g. VIP, Newsletter');

/** Turns on the creation of tags that do not exist. */
export const createMissing: Field = {
	displayName: 'Create Missing Tags',
	name: 'createMissing',
	type: 'boolean',
	default: false,
	description: 'Whether to create tags that do not exist yet',
	displayOptions: { show: { tagsBy: ['names'] } },
};

/** How Add Tags and Remove Tags read and check their fields: IDs or names. */
export const tagsInput = idsOrNamesInput('tag', limits.tagIds);

type TagsItem = Item<{ identifier: string }, object, Record<string, string[]>>;

/** Adds or removes the tags of an item. */
export async function runWithTags(
	item: TagsItem,
	endpoint: Endpoint,
	doneWord: 'added' | 'removed',
) {
	const { params, body } = item;
	const created: string[] = [];
	const request = async () => {
		const canCreate = doneWord === 'added';
		const tagIds =
			'tagIds' in body
				? body.tagIds
				: [...new Set(await findTagIds(item, body.tagNames, { created, canCreate }))];
		if ('tagIds' in body && doneWord === 'added') await requireExisting(item, 'tag', tagIds);
		await item.request(endpoint, { params, body: { tagIds } });
		const names = 'tagNames' in body ? body.tagNames : await findTagNames(item, tagIds);
		return [
			{
				success: true,
				...describeContact(item),
				[`${doneWord}TagIds`]: tagIds,
				[`${doneWord}TagNames`]: names,
			},
		];
	};
	return await request().catch(withCreatedTags(created));
}

/** Returns a handler for `catch()` that adds to an error which tags were created before it. */
export const withCreatedTags = (names: string[]) =>
	recover(
		() => names.length > 0,
		(error) => {
			const tags = `The ${names.length === 1 ? 'tag' : 'tags'} ${names.map((name) => `"${name}"`).join(', ')}`;
			const were = names.length === 1 ? 'was' : 'were';
			// If they may have been added, the error itself says so.
			const rest = mayHaveChanged(error) ? '' : ', but not added';
			throw partiallyDone(error, `${tags} ${were} created${rest}.`);
		},
	);

/** The IDs of the workspace's tags by their names. */
interface TagIds {
	exact: Map<string, Promise<string>>;
	/** By names in lower case. */
	folded: Map<string, Promise<string>>;
}

interface LookUp {
	/** Receives the names of the tags that were created. */
	created: string[];
	/**
	 * Whether tags that do not exist can be created. There is no use in creating a tag to remove it.
	 */
	canCreate: boolean;
	/** IDs of tags by their names, which the service may not list. */
	known?: ReadonlyMap<string, string>;
}

/**
 * Returns the ID of the tag with each of these names. Creates tags that do not exist if the user
 * turned that on. Otherwise throws an error that suggests others.
 */
export async function findTagIds(
	item: AnyItem,
	names: string[],
	{ created, canCreate, known = new Map() }: LookUp,
): Promise<string[]> {
	if (names.length === 0) return [];
	const tags = await readTagsOnce(item);
	for (const [name, id] of known) remember(tags, name, Promise.resolve(id));
	const ids: string[] = [];
	for (const name of names) {
		let id = find(tags, name);
		if (id === undefined) {
			const isCreated = canCreate && item.isOn('createMissing');
			if (!isCreated) throw await noSuchTag(item, name, canCreate);
			id = createOrFind(item, name, created);
			remember(tags, name, id);
			// Another item may try again.
			id.catch(() => forget(tags, name));
		}
		ids.push(await id);
	}
	return ids;
}

async function noSuchTag(item: AnyItem, name: string, canCreate: boolean): Promise<ApiError> {
	const byId = item.service.cutLists.has(tagApi.listTags.path)
		? ' Others can be added and removed by their IDs.'
		: '';
	const advice = canCreate ? ' Create it first, or turn on Create Missing Tags.' : '';
	return rejected(
		`There is no tag named ${quoted(name)}.`,
		`${await suggestTags(item, name)}${byId}${advice}`,
	);
}

const suggestTags = oncePerRun(async (item: AnyItem, name: string) => {
	const { exact } = await readTagsOnce(item);
	const tags = [...exact.keys()].map((each) => ({ name: each }));
	return suggest(name, tags, 'tags', item.service.cutLists.get(tagApi.listTags.path));
});

const readTagsOnce = oncePerRun(
	async (item: AnyItem) => await readTagIds(item).catch(beforeChange('changed')),
);

async function readTagIds(item: AnyItem): Promise<TagIds> {
	const tags: TagIds = { exact: new Map(), folded: new Map() };
	const records = await readList(item, tagApi.listTags).catch(
		recover(isUnsupported, ({ details: { status } }) => {
			throw rejected(
				`This service can't list its tags (${status}), so n8n can't find them by their names.`,
				'Enter the IDs of the tags: set Select Tags By to From List.',
				{ status },
			);
		}),
	);
	for (const { id, name } of records) remember(tags, String(name), Promise.resolve(String(id)));
	return tags;
}

/**
 * Returns the names of tags for the output, after the change. An ID takes the place of a name that
 * the service does not list. A hint names the tags that do not exist.
 */
async function findTagNames(item: AnyItem, ids: string[]): Promise<string[]> {
	const found = await findExisting(item, 'tag', ids).catch(() => undefined);
	if (!found) return ids;
	const { names, gone } = found;
	if (gone.length > 0) item.hint(`${describeGone('tag', gone)}, so there was nothing to remove.`);
	return ids.map((id) => names.get(id) ?? id);
}

const find = ({ exact, folded }: TagIds, name: string) =>
	exact.get(name) ?? folded.get(foldName(name));

function remember({ exact, folded }: TagIds, name: string, id: Promise<string>) {
	exact.set(name, id);
	if (!folded.has(foldName(name))) folded.set(foldName(name), id);
}

function forget({ exact, folded }: TagIds, name: string) {
	exact.delete(name);
	folded.delete(foldName(name));
}

/** Creates a tag. If another run has just created it, or the answer was lost, looks for it. */
async function createOrFind(item: AnyItem, name: string, created: string[]): Promise<string> {
	return await readRecord(item, tagApi.createTag, { body: { name } }).then(
		({ id }) => {
			created.push(name);
			return String(id);
		},
		recover(contactMayExist, async (error) => {
			const isUnknown = error.details.outcome === 'unknown';
			const tags = await readTagIds(item).catch(
				recover(
					() => isUnknown,
					() => {
						throw error;
					},
				),
			);
			const found = find(tags, name);
			if (found === undefined) {
				// A list that is cut need not show a new tag.
				const isMissing = isUnknown && !item.service.cutLists.has(tagApi.listTags.path);
				throw isMissing ? notCreated(name, error) : error;
			}
			// The tag did not exist before, so the request whose answer was lost created it.
			if (isUnknown) created.push(name);
			return await found;
		}),
	);
}

/** The error for a tag that the service does not list after the request to create it. */
function notCreated(name: string, { what, details }: ApiError): ApiError {
	return new ApiError(`The tag ${quoted(name)} was not created.`, {
		...details,
		cause: join(what, details.cause),
		outcome: 'refused',
	});
}
