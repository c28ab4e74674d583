import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ApiError, partiallyDone } from '../../transport/errors/ApiError';
import { readRecord } from '../../transport/pagination';
import { rethrow } from '../../transport/rethrow';
import { addContactTags, getContact, limits, removeContactTags } from '../../contract';
import { resourceName } from '../../contract/values';
import type { Item } from '../../execution/item';
import type { Operation } from '../../execution/operation';
import { inBody, optional } from '../shared/fields';
import { contactLocator, defaultCountryCode } from '../shared/locators';
import { doneTo } from './shared/contactFields';
import { createMissing, idsOfNames, withCreated } from './tags/tags';
import { withNames } from './tags/tagNames';

const tagNames = inBody({
	displayName: 'Tag Names',
	name: 'tagNames',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. VIP, Newsletter',
	description: `Up to ${limits.tagIds.max} names, separated by commas or semicolons, or a list. Other tags are removed; an empty list removes all.`,
});

const accepted = z.strictObject({
	tagNames: z
		.array(resourceName, {
			error: ({ input }) =>
				input === undefined
					? 'must hold at least one name (to remove all tags, give an empty list: {{ [] }})'
					: 'must be a list of tag names',
		})
		.max(limits.tagIds.max, `must hold at most ${limits.tagIds.max} tags`),
});

export const setTags: Operation = {
	name: 'Set Tags',
	value: 'setTags',
	action: 'Set tags of contact',
	description: 'Give a contact exactly these tags: add those that it lacks, remove the others',
	endpoint: addContactTags,
	fields: [contactLocator, tagNames, createMissing, optional('options', [defaultCountryCode])],
	output: doneTo.extend({ addedTagNames: z.array(z.string()), removedTagNames: z.array(z.string()) }),
	schema: () => ({ body: accepted }),
	normalize: ({ body: { tagNames: given, ...body } }) => {
		const { tagNames: names } = withNames({ tagNames: given });
		// A text without a name, a list of nothing, or an object is a value that is missing; only an empty list means no tags.
		const isMissing = Array.isArray(names) ? names.length === 0 && !isEmptyList(given) : isObject(names);
		return { body: isMissing ? body : { ...body, tagNames: names } };
	},

	async run(item) {
		const { identifier } = item.params;
		// Two items about one contact would each undo what the other has just done.
		const names = [`contact ${String(identifier)}`];
		const { added, removed } = await item.run.runExclusive(names, async () => await replaceTags(item));
		return [{ success: true, contact: identifier, addedTagNames: added, removedTagNames: removed }];
	},
};

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const isEmptyList = (given: unknown) =>
	Array.isArray(given) ? given.length === 0 : typeof given === 'string' && /^\s*\[\s*\]\s*$/.test(given);

interface ReplacedTags {
	added: string[];
	removed: string[];
}

/** Adds and removes tags until the contact has exactly those of the item; returns their names. */
async function replaceTags(item: Item): Promise<ReplacedTags> {
	const { params, run } = item;
	const contact = await readRecord(item, getContact, { params });
	const changed = run.once('contacts whose tags were set', () => new Set<unknown>());
	// Another item may name the same contact in another way, and only now does it show.
	return await run.runExclusive([`tags of ${String(contact.id)}`], async () => {
		const now = changed.has(contact.id) ? await readRecord(item, getContact, { params }) : contact;
		changed.add(contact.id);
		return await replaceTagsOf(item, now);
	});
}

async function replaceTagsOf(item: Item, { tags }: IDataObject): Promise<ReplacedTags> {
	const { params } = item;
	const wanted = (item.body as { tagNames: string[] }).tagNames;
	if (!Array.isArray(tags)) throw tagsNotShown();
	const before = tags as IDataObject[];
	const idsByName = new Map(before.map(({ id, name }) => [String(name), String(id)]));
	// Services may not list all of their tags; those that the contact has are known.
	const names = wanted.filter((name) => !idsByName.has(name));
	// Not before the contact is known to be there: tags may be created.
	const { ids, created } = await idsOfNames(item, names, idsByName);
	for (const [index, name] of names.entries()) idsByName.set(name, ids[index]);
	const heldIds = new Set(before.map(({ id }) => String(id)));
	const wantedIds = new Set(wanted.map((name) => idsByName.get(name)!));
	const lacking = [...wantedIds].filter((id) => !heldIds.has(id));
	const others = before.filter(({ id }) => !wantedIds.has(String(id)));
	// One name for each, however often it was given.
	const added = lacking.map((id) => wanted.find((name) => idsByName.get(name) === id)!);
	if (lacking.length > 0)
		await item
			.request(addContactTags, { params, body: { tagIds: lacking } })
			.catch(async (error: unknown) => await rethrow(withCreated(error, created)));
	let removed = 0;
	try {
		// A contact can have more tags than one request takes.
		for (; removed < others.length; removed += limits.tagIds.max) {
			const tagIds = others.slice(removed, removed + limits.tagIds.max).map(({ id }) => String(id));
			await item.request(removeContactTags, { params, body: { tagIds } });
		}
	} catch (error) {
		const done = added.length > 0 ? `was given ${added.join(', ')}` : `lost ${removed} tags`;
		if (added.length + removed === 0 || !(error instanceof ApiError)) return await rethrow(error);
		throw partiallyDone(error, `The contact ${done}, but keeps other tags.`);
	}
	return { added, removed: others.map(({ name }) => String(name)) };
}

function tagsNotShown(): ApiError {
	return new ApiError(
		'This service does not show which tags the contact has, so they cannot be replaced. Nothing was changed. Use Add Tags and Remove Tags.',
		{ outcome: 'refused' },
	);
}
