import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ApiError } from '../../transport/errors/ApiError';
import { readPages } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { contactApi } from '../../contract/contact';
import { numericId } from '../../contract/values';
import type { Field } from '../../execution/operation';
import { simpleContact } from '../../contacts/simplify';
import { multiSelect } from '../../resources/shared/lookupFields';
import { lookups } from '../../resources/shared/lookups';
import { ContactItems, contactFields } from './contacts';
import { WHOLE } from '../lists';
import { compareWithSnapshot } from '../snapshot';
import type { Snapshot } from '../snapshot';
import type { Settings, TriggerEvent, Watcher } from '../types';

const readsAllNotice: Field = {
	displayName: `Each poll reads all matching contacts (one request per ${WHOLE.perPage}). With many contacts, poll less often or add filters.`,
	name: 'readsAllNotice',
	type: 'notice',
	default: '',
};

const tagIdsField = multiSelect(lookups.tags, 'tagIds', {
	description: 'Tags to watch. Leave empty to watch all.',
});

const parameters = z.object({ tagIds: z.array(numericId, 'must be a list of tag IDs').default([]) });

type TagSettings = Settings<z.infer<typeof parameters>>;

const common = {
	fields: [readsAllNotice, tagIdsField, ...contactFields],
	parameters,
	output: simpleContact.extend({ tag: z.object({ id: z.string(), name: z.string().nullable() }) }),
};

const tagAdded: TriggerEvent<typeof parameters> = {
	name: 'Tag Added to Contact',
	value: 'tagAdded',
	description: 'When a contact gets a tag',
	...common,
	watch: (client, settings) => watchTags(client, settings, 'added'),
};

const tagRemoved: TriggerEvent<typeof parameters> = {
	name: 'Tag Removed From Contact',
	value: 'tagRemoved',
	description: 'When a contact loses a tag',
	...common,
	watch: (client, settings) => watchTags(client, settings, 'removed'),
};

export const tagEvents = [tagAdded, tagRemoved];

/** A snapshot with the names of its tags, in the order of `values`: no list has the name of a tag that nobody has any more. */
type TagMemory = Snapshot & { names: string[] };

/**
 * Watches for tags that contacts get or lose (part 2.3). The reference does not say that this changes a contact's
 * `updatedAt`, so each poll reads all contacts that match the filters.
 *
 * A contact that is deleted or no longer matches the filters counts as unchanged until the list has it again.
 */
function watchTags(client: Requester, settings: TagSettings, kind: 'added' | 'removed'): Watcher {
	const { tagIds } = settings.parameters;
	const contacts = new ContactItems(client, settings);
	const watchedTags = (contact: IDataObject) =>
		tagsOf(contact).filter(({ id }) => tagIds.length === 0 || tagIds.includes(id));

	return {
		async poll(memory: TagMemory | undefined) {
			const names = new Map(memory?.values.map((id, place) => [id, memory.names[place]]));
			const noteTags = (contact: IDataObject) =>
				watchedTags(contact).map(({ id, name }) => {
					names.set(id, name);
					return id;
				});
			const read = () => readPages(client, contactApi.listContacts, { query: settings.filters }, WHOLE);
			const { changes, snapshot } = await compareWithSnapshot(read, noteTags, memory);
			const found = changes.filter((change) => change[kind].length > 0);
			const { items } = await contacts.make(found, (change, contact) =>
				change[kind].map((id) => ({ ...contact, tag: { id, name: names.get(id) ?? null } })),
			);
			const next: TagMemory = { ...snapshot, names: snapshot.values.map((id) => names.get(id) ?? '') };
			// A change the other way is no event, but the event can come again after it.
			return { items, memory: next, mustSave: changes.length > 0 };
		},

		async sample() {
			const extraOf = (contact: IDataObject) => {
				const [tag] = watchedTags(contact);
				return tag && { tag };
			};
			const withoutTag = (contact: IDataObject) => {
				const [lost] = watchedTags(contact);
				const tags: IDataObject[] = Array.isArray(contact.tags) ? contact.tags : [];
				return { ...contact, tags: tags.filter(({ id }) => String(id) !== lost.id) };
			};
			return await contacts.sample('updatedAt', extraOf, kind === 'removed' ? withoutTag : undefined);
		},
	};
}

function tagsOf({ tags }: IDataObject): Array<{ id: string; name: string }> {
	const records: IDataObject[] | undefined = Array.isArray(tags) ? tags : undefined;
	if (records) return records.map(({ id, name }) => ({ id: String(id), name: String(name) }));
	throw new ApiError(
		'This service lists contacts without their tags, so the trigger cannot see which tags change.',
		{ outcome: 'refused', advice: 'Choose another event.' },
	);
}
