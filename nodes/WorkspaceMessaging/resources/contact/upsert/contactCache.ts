import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../execution/item';
import { oncePerRun } from '../../../execution/run';
import type { Run } from '../../../execution/run';
import { readPages, SIDE_BY_SIDE } from '../../../transport/pagination';
import { comparableIdentifier } from '../../../validation/identifier';

/** Shorter runs look each contact up, because reading the list would delay their first result. */
const MIN_ITEMS = 20;
/** Longer lists are not read, however many items there are. */
const MAX_PAGES = 1000;

/** The contacts that a run has read or written, by ID, email and phone number. */
export class ContactCache {
	/** Whether the run has read the whole list of contacts. */
	isComplete = false;

	private readonly contacts = new Map<string, IDataObject>();

	/**
	 * Returns the cache of a run. Reads the list of contacts into it if that takes clearly fewer requests than looking each
	 * contact up. If the list cannot be read to its end, the run looks each contact up.
	 */
	static readonly of = oncePerRun(async (item: Item): Promise<ContactCache> => {
		const cache = new ContactCache();
		const { items } = item.run;
		if (items.length < MIN_ITEMS) return cache;
		const keys = keysOfItems(item.run);
		const maxPages = Math.min(items.length / 2, MAX_PAGES);
		try {
			for await (const { fresh, pageCount } of readPages(
				item,
				contactApi.listContacts,
				{},
				{ ahead: SIDE_BY_SIDE },
			)) {
				const isLong = pageCount === undefined || pageCount > maxPages;
				// A service need not count the pages of an empty list.
				if (isLong && fresh.length > 0) return cache;
				for (const contact of fresh) if (keysOf(contact).some((key) => keys.has(key))) cache.add(contact);
			}
			cache.isComplete = true;
			return cache;
		} catch {
			return new ContactCache();
		}
	});

	/** Returns the contact with an identifier (API §4), if the run has seen it. */
	find(identifier: string): IDataObject | undefined {
		return this.contacts.get(comparableIdentifier(identifier));
	}

	/** Adds a contact, or replaces it by its current state. */
	add(contact: IDataObject) {
		this.forget(contact);
		for (const key of keysOf(contact)) this.contacts.set(key, contact);
	}

	/** Removes a contact whose current state is unknown. */
	forget({ id }: IDataObject) {
		const known = this.find(`id:${String(id)}`);
		if (known) for (const key of keysOf(known)) this.contacts.delete(key);
	}
}

/** Returns all keys under which the cache has a contact. */
export function keysOf({ id, email, phoneNumber }: IDataObject): string[] {
	const identifiers = id === undefined ? [] : [`id:${String(id)}`];
	if (email) identifiers.push(`email:${String(email)}`);
	if (phoneNumber) identifiers.push(`phone:${String(phoneNumber)}`);
	return identifiers.map(comparableIdentifier);
}

/** Returns the keys of everything that the items of a run find contacts by. An item that is not valid has no body. */
function keysOfItems({ items }: Run): Set<string> {
	return new Set(
		items.flatMap(({ params, body }) => {
			const chosen = params.identifier ? [comparableIdentifier(String(params.identifier))] : [];
			return [...chosen, ...keysOf((body ?? {}) as IDataObject)];
		}),
	);
}
