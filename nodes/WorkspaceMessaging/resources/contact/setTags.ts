import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { numericId, resourceName } from '../../contract/values';
import type { Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { partiallyDone, recover, rejected } from '../../transport/errors/ApiError';
import { readRecord } from '../../transport/lists/records';
import { contactLocator } from '../../panel/locators';
import { contactOutput, describeContact } from '../../contacts/output';
import { requireExisting } from '../../run/existingRecords';
import { readNames, selectsByName } from './idsOrNames';
import { createMissing, findTagIds, tagsFields, withCreatedTags } from './tags';

/** A list that can be empty, which removes all tags; a missing value is none. */
const listOf = (entry: z.ZodType<string>, noun: string) =>
	z
		.array(entry, {
			error: ({ input }) =>
				input === undefined
					? `must hold at least one ${noun} (to remove all tags, enter an empty list: {{ [] }})`
					: `must be a list of tag ${noun}s`,
		})
		.max(limits.tagIds.max, `must hold at most ${limits.tagIds.max} tags`);
const byIdBody = z.strictObject({ tagIds: listOf(numericId, 'ID') });
const byNameBody = z.strictObject({ tagNames: listOf(resourceName, 'name') });

export const setTags = defineOperation({
	name: 'Set Tags',
	value: 'setTags',
	action: 'Set tags of contact',
	description: 'Give a contact exactly these tags: add those that it lacks, remove the others',
	endpoint: contactApi.addContactTags,
	fields: [contactLocator, ...tagsFields, createMissing],
	output: contactOutput.extend({
		addedTagNames: z.array(z.string()),
		removedTagNames: z.array(z.string()),
	}),
	schema: (item) => ({ body: selectsByName(item, 'tag') ? byNameBody : byIdBody }),
	normalize({ body }, item) {
		const field = selectsByName(item, 'tag') ? 'tagNames' : 'tagIds';
		const { [field]: input } = body;
		const tags = readNames(input);
		// Only an empty list means no tags. Text without a name, a list of empty values and an object
		// are missing values.
		const isMissing =
			tags.length === 0 ? !isEmptyList(input) : !Array.isArray(input) && isObject(input);
		return { body: isMissing ? {} : { [field]: tags } };
	},

	async run(item) {
		const { contact, added, removed } = await replaceTags(item);
		return [
			{
				success: true,
				...describeContact(item, contact),
				addedTagNames: added,
				removedTagNames: removed,
			},
		];
	},
});

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const isEmptyList = (input: unknown) =>
	Array.isArray(input)
		? input.length === 0
		: typeof input === 'string' && /^\s*\[\s*\]\s*$/.test(input);

type TagsItem = Item<
	{ identifier: string },
	object,
	z.output<typeof byIdBody> | z.output<typeof byNameBody>
>;

/** A contact as it was, and the names of the tags that it got and lost. */
interface ReplacedTags {
	contact: IDataObject;
	added: string[];
	removed: string[];
}

/** Adds and removes tags until the contact has exactly those of the item. */
async function replaceTags(item: TagsItem): Promise<ReplacedTags> {
	const { params, body } = item;
	const contact = await readRecord(item, contactApi.getContact, { params });
	const { tags }: { tags?: unknown } = contact;
	if (!Array.isArray(tags)) {
		throw rejected(
			"This service doesn't show which tags the contact has, so n8n can't replace them.",
			'Use Add Tags and Remove Tags.',
		);
	}
	const before = tags.map(({ id, name }: IDataObject) => ({ id: String(id), name: String(name) }));
	const created: string[] = [];
	const add = async () => {
		const names =
			'tagIds' in body
				? await nameTags(item, body.tagIds, before)
				: await findTagsByName(item, body.tagNames, before, created);
		const lacking = [...names].filter(([id]) => before.every((tag) => tag.id !== id));
		const tagIds = lacking.map(([id]) => id);
		if (tagIds.length > 0)
			await item.request(contactApi.addContactTags, { params, body: { tagIds } });
		return { names, added: lacking.map(([, name]) => name) };
	};
	const { names, added } = await add().catch(withCreatedTags(created));
	const others = before.filter(({ id }) => !names.has(id));
	await removeAll(item, others, added);
	return { contact, added, removed: others.map(({ name }) => name) };
}

interface Tag {
	id: string;
	name: string;
}

/**
 * Returns the names of tags by their IDs. Looks up only those that the contact lacks. Throws an
 * error if there is no such tag: some services ignore an unknown ID (difference 11), and the
 * contact would only lose its other tags.
 */
async function nameTags(
	item: TagsItem,
	ids: string[],
	before: Tag[],
): Promise<Map<string, string>> {
	const own = new Map(before.map(({ id, name }) => [id, name]));
	const lacking = ids.filter((id) => !own.has(id));
	const names = await requireExisting(item, 'tag', lacking);
	return new Map(ids.map((id) => [id, own.get(id) ?? names.get(id) ?? id]));
}

/**
 * Returns the tags with these names by their IDs. Several names can mean the same tag; it has the
 * first one.
 */
async function findTagsByName(
	item: TagsItem,
	tagNames: string[],
	before: Tag[],
	created: string[],
): Promise<Map<string, string>> {
	const known = new Map(before.map(({ id, name }) => [name, id]));
	// Services may not list all tags, so n8n looks up only those that the contact lacks.
	const unknown = tagNames.filter((name) => !known.has(name));
	const ids = await findTagIds(item, unknown, { created, canCreate: true, known });
	for (const [index, name] of unknown.entries()) known.set(name, ids[index]);
	const names = new Map<string, string>();
	for (const name of tagNames) {
		const id = known.get(name)!;
		if (!names.has(id)) names.set(id, name);
	}
	return names;
}

/** Removes tags, as many at a time as one request takes. An error says what was changed before. */
async function removeAll(item: TagsItem, tags: Array<{ id: string }>, added: string[]) {
	const { max } = limits.tagIds;
	for (let from = 0; from < tags.length; from += max) {
		const tagIds = tags.slice(from, from + max).map(({ id }) => id);
		await item
			.request(contactApi.removeContactTags, { params: item.params, body: { tagIds } })
			.catch(
				recover(
					() => added.length + from > 0,
					(error) => {
						const done = added.length > 0 ? `added ${added.join(', ')}` : `removed ${from} tags`;
						throw partiallyDone(
							error,
							`n8n ${done}, but didn't remove all other tags of the contact.`,
						);
					},
				),
			);
	}
}
