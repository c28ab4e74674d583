import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { simpleContact } from '../../contacts/simplify';
import { contactApi } from '../../contract/contact';
import { numericId, string, stringOrNull } from '../../contract/values';
import { multiSelectLocator } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';
import { ApiError } from '../../transport/errors/ApiError';
import { objectsIn } from '../../transport/guards';
import { readPages } from '../../service/lists/pages';
import { SENDING } from '../../resources/shared/sendOnce/option';
import type { Requester } from '../../transport/request';
import { ContactItems } from '../contactItems';
import { contactEventFields } from '../eventFields';
import { compareWithSnapshot, type Snapshot } from './snapshot';
import { WHOLE } from './wholeLists';
import type { PollingEvent, Settings, Watcher } from '../types';
import { notice } from '../../panel/fields';

const tagIdsField = multiSelectLocator(lookups.tags, 'tagIds', {
	description: 'Tags to watch. Leave empty to watch all.',
});

const readsAllNotice = notice(
	'readsAllNotice',
	'Each poll reads all matching contacts, 50 per request on most services. With many contacts, poll less often or add filters.',
);

const tagFields = [readsAllNotice, tagIdsField, ...contactEventFields];

const tagParameters = z.object({
	tagIds: z.array(numericId, 'must be a list of tag IDs').default([]),
});

type TagSettings = Settings<z.infer<typeof tagParameters>>;

const contactWithTag = simpleContact.extend({
	tag: z.object({ id: string, name: stringOrNull }),
});

export const tagAdded: PollingEvent<typeof tagParameters> = {
	name: 'Tag Added to Contact',
	value: 'tagAdded',
	description: 'When a contact gets a tag, whoever added it',
	fields: tagFields,
	parameters: tagParameters,
	output: contactWithTag,
	ifNoSample: 'Add one of the tags to a contact that meets the conditions and filters.',
	watch: (client, settings) => new TagWatcher(client, settings, 'added'),
};

export const tagRemoved: PollingEvent<typeof tagParameters> = {
	name: 'Tag Removed From Contact',
	value: 'tagRemoved',
	description: 'When a contact loses a tag, whoever removed it',
	fields: tagFields,
	parameters: tagParameters,
	output: contactWithTag,
	ifNoSample:
		'Add one of the tags to a contact that meets the conditions and filters. The test event shows it without the tag.',
	watch: (client, settings) => new TagWatcher(client, settings, 'removed'),
};

/**
 * A snapshot with the names of its tags, in the order of `values`: no list has the name of a tag
 * that nobody has any more.
 */
type TagMemory = Snapshot & { names: string[] };

/**
 * Watches for tags that contacts get or lose (part 2.3). The reference does not say that this
 * changes a contact's `updatedAt`, so each poll reads all contacts that match the filters.
 *
 * A contact that somebody deletes, or that no longer matches the filters, is unchanged until the
 * list has it again.
 */
class TagWatcher implements Watcher {
	private readonly contacts: ContactItems;

	constructor(
		private readonly client: Requester,
		private readonly settings: TagSettings,
		private readonly kind: 'added' | 'removed',
	) {
		this.contacts = new ContactItems(client, settings);
	}

	async poll(last: TagMemory | undefined) {
		const { kind } = this;
		const namesById = getNamesById(last);
		const { changes, snapshot } = await this.compareTags(last, namesById);
		const found = changes.filter((change) => change[kind].length > 0);
		const { items } = await this.contacts.make(found, (change, contact) =>
			change[kind].map((id) => {
				const name = namesById.get(id) ?? null;
				return { ...contact, tag: { id, name } };
			}),
		);
		const names = snapshot.values.map((id) => namesById.get(id) ?? '');
		const memory: TagMemory = { ...snapshot, names };
		// A change the other way is no event, but the event can come again after it.
		const mustSave = changes.length > 0;
		return { items, memory, mustSave };
	}

	/** Compares the tags of all contacts with the last poll. Adds the names of the tags to `namesById`. */
	private async compareTags(last: TagMemory | undefined, namesById: Map<string, string>) {
		const { client, settings } = this;
		const noteTags = (contact: IDataObject) => {
			const tags = this.getWatchedTags(contact);
			for (const { id, name } of tags) namesById.set(id, name);
			return tags.map(({ id }) => id);
		};
		const query = settings.filters;
		const read = () => readPages(client, contactApi.listContacts, { query }, WHOLE);
		return await compareWithSnapshot(read, noteTags, last);
	}

	async sample() {
		const getExtra = (contact: IDataObject) => {
			const [tag] = this.getWatchedTags(contact);
			return tag && { tag };
		};
		const afterEvent = (contact: IDataObject) => {
			if (this.kind === 'added') return contact;
			const [lost] = this.getWatchedTags(contact);
			const tagsBefore = objectsIn(contact.tags);
			const tags = tagsBefore.filter(({ id }) => String(id) !== lost.id);
			return { ...contact, tags };
		};
		return await this.contacts.sample('updatedAt', getExtra, afterEvent);
	}

	private getWatchedTags(contact: IDataObject) {
		const { tagIds } = this.settings.parameters;
		const tags = getTags(contact);
		if (tagIds.length === 0) return tags;
		return tags.filter(({ id }) => tagIds.includes(id));
	}
}

/** Returns the names of tags by their IDs, as the last poll knew them. */
const getNamesById = (last?: TagMemory) =>
	new Map(last?.values.map((id, place) => [id, last.names[place]]));

function getTags({ tags }: IDataObject): Array<{ id: string; name: string }> {
	if (!Array.isArray(tags)) {
		throw new ApiError(
			'This service lists contacts without their tags, so the trigger cannot see which tags change.',
			{ outcome: 'refused', advice: 'Choose another event.' },
		);
	}
	const all = objectsIn(tags).map(({ id, name }) => ({ id: String(id), name: String(name) }));
	// Each message that is sent once gives a contact such a tag, and takes it again.
	return all.filter(({ name }) => !name.endsWith(SENDING));
}
