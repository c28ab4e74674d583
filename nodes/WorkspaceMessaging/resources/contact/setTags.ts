import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { numericId, resourceName, strings } from '../../contract/values';
import type { AnyItem } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { partiallyDoneError, onApiError, refusedError } from '../../transport/errors/ApiError';
import { isObject, objectsIn } from '../../transport/guards';
import { readRecord } from '../../service/lists/records';
import { contactLocator } from '../../panel/contactLocator';
import { contactOutput, describeContact } from '../../contacts/output';
import { sendChangedIds, type RecordsItem } from './namedRecords/send';
import { selectionFields, selectsByName } from './namedRecords/fields';
import { readNames } from '../../values/list';
import { addSelectedTags, createMissing } from './namedRecords/tags';
import { namesById, type Names } from '../shared/existingRecords';

/** A list that can be empty, which removes all tags; a missing value is none. */
const anyNumberOf = (entry: z.ZodType<string>, noun: string) =>
	z
		.array(entry, {
			error: ({ input }) =>
				input === undefined
					? `must hold at least one ${noun} (to remove all tags, enter an empty list: {{ [] }})`
					: `must be a list of tag ${noun}s`,
		})
		.max(limits.tagIds.max, `must hold at most ${limits.tagIds.max} tags`);

const bodies = {
	tagIds: z.strictObject({ tagIds: anyNumberOf(numericId, 'ID') }),
	tagNames: z.strictObject({ tagNames: anyNumberOf(resourceName, 'name') }),
};

const fieldOf = (item: AnyItem) => (selectsByName(item, 'tag') ? 'tagNames' : 'tagIds');

export const setTags = defineOperation({
	name: 'Set Tags',
	value: 'setTags',
	action: 'Set tags of contact',
	description: 'Give a contact exactly these tags: add those that it lacks, remove the others',
	endpoint: contactApi.addContactTags,
	fields: [contactLocator, ...selectionFields('tag'), createMissing],
	output: contactOutput.extend({
		addedTagNames: strings,
		removedTagNames: strings,
	}),
	schema: (item) => ({ body: bodies[fieldOf(item)] }),
	normalize({ body }, item) {
		const field = fieldOf(item);
		const { [field]: input } = body;
		const tags = readNames(input);
		if (!tags) return { body };
		// Only an empty list means no tags. Text without a name, a list of empty values and an object
		// are missing values.
		const hasNoName = tags.length === 0 && !isEmptyList(input);
		const isMissing = isObject(input) || hasNoName;
		if (isMissing) return { body: {} };
		return { body: { [field]: tags } };
	},

	async run(item) {
		const { params } = item;
		const contact = await item.findBefore(() =>
			readRecord(item, contactApi.getContact, { params }),
		);
		const before = tagsOf(contact);
		const wanted = await addSelectedTags(item, before);
		const added = without(wanted, before);
		const removed = without(before, wanted);
		await removeAll(item, [...removed.keys()], [...added.values()]);
		return [
			{
				success: true,
				...describeContact(item, contact),
				addedTagNames: [...added.values()],
				removedTagNames: [...removed.values()],
			},
		];
	},
});

const isEmptyList = (input: unknown) =>
	Array.isArray(input) ? input.length === 0 : /^\s*\[\s*\]\s*$/.test(String(input));

/** Returns the names of a contact's tags by their IDs. */
function tagsOf({ tags }: { tags?: unknown }): Names {
	if (!Array.isArray(tags))
		throw refusedError(
			"This service doesn't show which tags the contact has, so n8n can't replace them.",
			'Use Add Tags and Remove Tags.',
		);
	return namesById(objectsIn(tags));
}

/** Returns the tags that are not among the others. */
const without = (tags: Names, others: Names): Names =>
	new Map([...tags].filter(([id]) => !others.has(id)));

/** Removes tags, as many at a time as one request takes. An error says what was changed before. */
async function removeAll(item: RecordsItem, ids: string[], added: string[]) {
	const { max } = limits.tagIds;
	for (let from = 0; from < ids.length; from += max) {
		const done = added.length > 0 ? `added ${added.join(', ')}` : `removed ${from} tags`;
		const rest = "but didn't remove all other tags of the contact";
		await sendChangedIds(
			item,
			'tag',
			contactApi.removeContactTags,
			ids.slice(from, from + max),
		).catch(
			onApiError(
				() => added.length + from > 0,
				(error) => {
					throw partiallyDoneError(error, `n8n ${done}, ${rest}.`);
				},
			),
		);
	}
}
