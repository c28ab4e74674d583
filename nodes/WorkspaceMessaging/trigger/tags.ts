import type { IDataObject } from 'n8n-workflow';
import { listContacts } from '../contract';
import { callOf } from './shim';
import type { Caller } from './shim';
import { CallError } from './shim';
import type { TagEvent } from './events';
import { Ledger } from './ledger';
import type { StoredLedger } from './ledger';
import { unlessRefused } from './newestFirst';
import { LARGE_PAGE, readPages, readUntilAgreed } from './readPages';
import type { Shape } from './shape';
import type { Watch } from './watch';

/** Which contacts have which of the watched tags. */
export interface TagMemory extends StoredLedger {
	/** Names of the tags, in the order of `marks`: a tag that was removed from everybody is in no list any more. */
	names: string[];
}

/** Pages of contacts that are looked through for an example. */
const SAMPLE_PAGES = 5;

/**
 * Watches for tags that are added to contacts or removed from them (part 2.3). Nothing in the reference says that tagging
 * touches the `updatedAt` of a contact, so every poll reads all contacts that match the filters.
 *
 * A contact that is deleted, or does not match the filters any more, counts as unchanged until it is in the list again.
 *
 * @param tagIds the tags to watch; all when there are none
 */
export function watchTags(
	event: TagEvent,
	caller: Caller,
	query: IDataObject,
	tagIds: string[],
	shape: Shape,
): Watch<TagMemory> {
	const list = callOf(listContacts, { query });
	const isWatched = ({ id }: IDataObject) => tagIds.length === 0 || tagIds.includes(String(id));
	const watchedTags = (contact: IDataObject) => tagsOf(contact).filter(isWatched);

	return {
		async poll(memory) {
			const ledger = new Ledger(memory);
			const names = new Map(memory?.marks.map((id, place) => [id, memory.names[place]]));
			const changed: Array<{ contact: IDataObject; ids: string[] }> = [];
			let isOtherwiseChanged = false;

			const take = (contacts: IDataObject[]) => {
				for (const contact of contacts) {
					const tags = watchedTags(contact);
					for (const { id, name } of tags) names.set(String(id), String(name));
					const change = ledger.enter(
						String(contact.id),
						tags.map(({ id }) => String(id)),
					);
					if (!memory || !change) continue;
					const { added, removed } = change;
					const [ids, others] = event === 'tagAdded' ? [added, removed] : [removed, added];
					if (ids.length > 0) changed.push({ contact, ids });
					isOtherwiseChanged ||= others.length > 0;
				}
				return true;
			};
			const read = async () => await readPages(caller, list, LARGE_PAGE, take);
			await readUntilAgreed(read, memory ? 1 : undefined);

			const shaped = await shape(changed.map(({ contact }) => contact));
			const items = changed.flatMap(({ ids }, index) =>
				ids.map((id) => ({ ...shaped[index], tag: { id, name: names.get(id) ?? null } })),
			);
			const stored = ledger.close();
			return {
				items,
				memory: { ...stored, names: stored.marks.map((id) => names.get(id) ?? '') },
				mustKeep: isOtherwiseChanged,
			};
		},

		async sample() {
			let found: IDataObject | undefined;
			let pages = 0;
			const look = (contacts: IDataObject[]): boolean => {
				found ??= contacts.find((contact) => watchedTags(contact).length > 0);
				return !found && ++pages < SAMPLE_PAGES;
			};
			const sort = [{ field: 'updatedAt', order: 'desc' }];
			const newest = callOf(listContacts, { query: { ...query, sort } });
			const isRead = await readPages(caller, newest, LARGE_PAGE, look).catch(unlessRefused);
			if (!isRead) await readPages(caller, list, LARGE_PAGE, look);
			if (!found) return undefined;
			const [{ id, name }] = watchedTags(found);
			const [item] = await shape([found]);
			return { ...item, tag: { id: String(id), name: String(name) } };
		},
	};
}

function tagsOf({ tags }: IDataObject): IDataObject[] {
	if (Array.isArray(tags)) return tags as IDataObject[];
	throw new CallError(
		'The service lists contacts without their tags, so that it cannot be seen which change. This event cannot be watched there.',
		{ outcome: 'refused' },
	);
}
