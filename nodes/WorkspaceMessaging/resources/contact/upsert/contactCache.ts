import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import type { Run } from '../../../run/run';
import { isNotFound, recover } from '../../../transport/errors/ApiError';
import { readRecord } from '../../../transport/lists/records';
import { SIDE_BY_SIDE } from '../../../transport/lists/pages';
import { RestingList } from '../../../transport/lists/movingLists';
import {
	contactParams,
	formatIdentifier,
	identifierKey,
	identifierKeys,
	parseIdentifier,
} from '../../../values/identifier';
import type { Identifier } from '../../../values/identifier';

/** Shorter runs look each contact up, because reading the list would delay their first result. */
const MIN_ITEMS = 20;
/** Longer lists are not read, however many items there are. */
const MAX_PAGES = 1000;

/** The contacts that a run has read or written, by ID, email and phone number. */
export class ContactCache {
	/** Whether the run has read the complete list of contacts. */
	isComplete = false;

	private readonly contacts = new Map<string, IDataObject>();

	/** The IDs of contacts that a preview has changed here, but not on the service. */
	private readonly planned = new Set<string>();

	/**
	 * Returns the cache of a run. Reads the list of contacts into it if that takes clearly fewer requests than looking each
	 * contact up. Somebody whom a deletion moved meanwhile may be missing unless the list is at rest. Then, and if the list cannot
	 * be read, the run looks for a contact in every form before it creates one.
	 */
	static readonly of = oncePerRun(async (item: Item): Promise<ContactCache> => {
		let cache = new ContactCache();
		const { items } = item.run;
		if (items.length < MIN_ITEMS) return cache;
		const keys = findNeededKeys(item.run);
		const addNeeded = (contact: IDataObject) => {
			if (identifierKeys(contact).some((key) => keys.has(key))) cache.add(contact);
		};
		const maxPages = Math.min(items.length / 2, MAX_PAGES);
		// Without hints: the look-ups find those whom the list lacks.
		const { service } = item;
		const client = { service, request: item.request.bind(item) };
		const list = new RestingList(client, contactApi.listContacts, {}, { ahead: SIDE_BY_SIDE });
		try {
			for await (const { fresh, pageCount, startsOver, isLast } of list.pages()) {
				const isLong = pageCount === undefined || pageCount > maxPages;
				// A service need not count the pages of an empty list.
				if (isLong && fresh.length > 0 && !isLast) return cache;
				if (startsOver) cache = new ContactCache();
				fresh.forEach(addNeeded);
			}
			list.arrived.forEach(addNeeded);
			cache.isComplete = list.isComplete;
			return cache;
		} catch {
			return new ContactCache();
		}
	});

	/**
	 * Finds a contact by the first identifier, or else by the next. Asks the service for what the cache lacks before it tries
	 * the next identifier: which contact an item means must not depend on the items before it. That applies even if the whole
	 * list was read, because the contact may be new. Only items that change an email or create a contact need this request.
	 */
	async find(item: Item, identifiers: Identifier[], ask = lookUp): Promise<IDataObject | undefined> {
		for (const identifier of identifiers) {
			const known = this.contacts.get(identifierKey(identifier));
			if (known) return known;
			const contact = await ask(item, formatIdentifier(identifier));
			// If a preview has changed it, it would have another email or phone number by now.
			if (contact && !this.planned.has(String(contact.id))) return contact;
		}
		return undefined;
	}

	/** Adds a contact, or replaces it by its current state. */
	add(contact: IDataObject) {
		this.forget(contact);
		for (const key of identifierKeys(contact)) this.contacts.set(key, contact);
	}

	/** Adds a contact as it would be after a row of a preview. */
	addPlanned(contact: IDataObject) {
		this.planned.add(String(contact.id));
		this.add(contact);
	}

	/** Removes a contact whose current state is unknown. */
	forget({ id }: IDataObject) {
		const known = this.contacts.get(contactParams(id).identifier);
		if (known) for (const key of identifierKeys(known)) this.contacts.delete(key);
	}
}

/**
 * Asks the service for a contact; undefined if there is none. A run that has read the complete list knows the contact in
 * another form already; another run searches for it by keyword.
 */
async function lookUp(item: Item, identifier: string): Promise<IDataObject | undefined> {
	const { isComplete } = await ContactCache.of(item);
	const parts = { params: { identifier }, isExact: isComplete };
	return await readRecord(item, contactApi.getContact, parts).catch(recover(isNotFound, () => undefined));
}

/** The same, once for all items of a run. */
export const lookUpOnce = oncePerRun(lookUp);

/** Returns the keys of everything that the items of a run find contacts by. An item that is not valid has no body. */
function findNeededKeys({ items }: Run): Set<string> {
	return new Set(
		items.flatMap(({ params, body }) => {
			const chosen = parseIdentifier(params.identifier);
			return [...(chosen ? [identifierKey(chosen)] : []), ...identifierKeys((body ?? {}) as IDataObject)];
		}),
	);
}
