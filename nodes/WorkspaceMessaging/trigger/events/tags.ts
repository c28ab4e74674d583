import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ApiError } from '../../transport/errors/errors';
import type { Requester } from '../../transport/request';
import { conditionFields, contactFilters } from '../../resources/shared/contactFilters';
import { simpleContact } from '../../contacts/simplify';
import { multiSelect } from '../../resources/shared/lookupFields';
import { lookups } from '../../resources/shared/lookups';
import { simplify } from '../../resources/shared/fields';
import { findContact, matching, contactPages, toItems } from '../contacts';
import type { Settings, TriggerEvent, Watch } from '../types';
import { FIRST_READINGS, readWhole, WHOLE } from '../lists';
import { Snapshot } from '../snapshot';
import type { StoredSnapshot } from '../snapshot';

const readsAll: INodeProperties = {
	displayName: `Tags can only be compared by reading all contacts that match the filters: every poll costs one request for each ${WHOLE.perPage} of them, or more if the service gives fewer at a time. With many contacts, poll less often or add filters.`,
	name: 'readsAllNotice',
	type: 'notice',
	default: '',
};

const tagIdsField = multiSelect(lookups.tags, 'tagIds', {
	description: 'Tags to watch. Leave empty to watch all.',
});

const common = {
	fields: [readsAll, tagIdsField],
	sharedFields: [...conditionFields, contactFilters, simplify],
	output: simpleContact.extend({ tag: z.object({ id: z.string(), name: z.string().nullable() }) }),
};

export const tagAdded: TriggerEvent = {
	option: {
		name: 'Tag Added to Contact',
		value: 'tagAdded',
		description: 'When a contact gets a tag',
	},
	...common,
	watch: (client, settings) => watchTags(client, settings, 'added'),
};

export const tagRemoved: TriggerEvent = {
	option: {
		name: 'Tag Removed From Contact',
		value: 'tagRemoved',
		description: 'When a contact loses a tag',
	},
	...common,
	watch: (client, settings) => watchTags(client, settings, 'removed'),
};

/** Which contacts have which of the watched tags. */
export interface TagMemory extends StoredSnapshot {
	/** Names of the tags, in the order of `values`: a tag that was removed from everybody is in no list any more. */
	names: string[];
}

/** Where an example is looked for. */
const SAMPLE = { pages: 5, perPage: WHOLE.perPage };

/**
 * Watches for tags that are added to contacts or removed from them (part 2.3). Nothing in the reference says that tagging
 * touches the `updatedAt` of a contact, so every poll reads all contacts that match the filters.
 *
 * A contact that is deleted, or does not match the filters any more, counts as unchanged until it is in the list again.
 */
function watchTags(client: Requester, settings: Settings, wanted: 'added' | 'removed'): Watch {
	const { filters, tagIds, simplify: isSimplified } = settings;
	const other = wanted === 'added' ? 'removed' : 'added';
	const watchedTags = (contact: IDataObject) =>
		tagsOf(contact).filter(({ id }) => tagIds.length === 0 || tagIds.includes(String(id)));

	return {
		async poll(memory: TagMemory | undefined) {
			const snapshot = new Snapshot(memory);
			const names = new Map(memory?.values.map((id, place) => [id, memory.names[place]]));
			const changed: Array<{ contact: IDataObject; ids: string[] }> = [];
			let mustPersist = false;

			const compare = (contact: IDataObject) => {
				const tags = watchedTags(contact);
				for (const { id, name } of tags) names.set(String(id), String(name));
				const ids = tags.map(({ id }) => String(id));
				const change = snapshot.add(String(contact.id), ids);
				if (!memory || !change) return;
				if (change[wanted].length > 0) changed.push({ contact, ids: change[wanted] });
				mustPersist ||= change[other].length > 0;
			};
			await readWhole(
				() => contactPages(client, filters, WHOLE),
				memory ? 1 : FIRST_READINGS,
				(contacts) => contacts.forEach(compare),
			);

			const contacts = changed.map(({ contact }) => contact);
			const wantedOnes = new Set(await matching(client, settings, contacts));
			const news = changed.filter(({ contact }) => wantedOnes.has(contact));
			// What was passed over would come after a restart, once time alone has made it meet the conditions.
			mustPersist ||= news.length < changed.length;
			const outputs = await toItems(
				client,
				news.map(({ contact }) => contact),
				isSimplified,
			);
			const items = news.flatMap(({ ids }, index) =>
				ids.map((id) => ({ ...outputs[index], tag: { id, name: names.get(id) ?? null } })),
			);
			const stored = snapshot.toStored();
			const next: TagMemory = { ...stored, names: stored.values.map((id) => names.get(id) ?? '') };
			return { items, memory: next, mustPersist };
		},

		async sample() {
			const isTagged = (contact: IDataObject) => watchedTags(contact).length > 0;
			const contact = await findContact(client, settings, 'updatedAt', SAMPLE, isTagged);
			if (!contact) return undefined;
			const [{ id, name }] = watchedTags(contact);
			const [item] = await toItems(client, [contact], isSimplified);
			return { ...item, tag: { id: String(id), name: String(name) } };
		},
	};
}

function tagsOf({ tags }: IDataObject): IDataObject[] {
	if (Array.isArray(tags)) return tags as IDataObject[];
	throw new ApiError(
		'The service lists contacts without their tags, so that it cannot be seen which change. This event cannot be watched there.',
		{ outcome: 'refused' },
	);
}
