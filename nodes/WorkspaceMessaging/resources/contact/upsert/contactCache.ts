import type { IDataObject } from 'n8n-workflow';
import { readPages, SIDE_BY_SIDE } from '../../../transport/pagination';
import { listContacts } from '../../../contract';
import type { Item } from '../../../execution/item';
import type { Run } from '../../../execution/run';
import { comparablePhoneNumber } from '../../../validation/phoneNumber';

/** Runs of fewer items look each contact up; reading the list would delay their first result. */
const WORTH_READING = 20;
/** Lists of more pages are not read, however many contacts there are to look up. */
const MAX_PAGES = 1000;

/** The contacts of the workspace as far as a run has seen them, by id, email and phone number. */
export class ContactCache {
	private readonly contacts = new Map<string, IDataObject>();

	/**
	 * The cache of a run. Reads the list of contacts when that takes clearly fewer requests than looking up each item's
	 * contact, and keeps those that the run is about. A list that cannot be read to its end is no harm: every contact is
	 * looked up then.
	 */
	static async of(this: void, item: Item): Promise<ContactCache> {
		return await item.run.once('contacts', async () => {
			const cache = new ContactCache();
			const { run } = item;
			if (run.items.length < WORTH_READING) return cache;
			try {
				const wanted = wantedBy(run);
				const most = Math.min(run.items.length / 2, MAX_PAGES);
				for await (const { fresh, pageCount } of readPages(item, listContacts, {}, { ahead: SIDE_BY_SIDE })) {
					if (pageCount === undefined || pageCount > most) return cache;
					for (const contact of fresh) if (keysOf(contact).some((key) => wanted.has(key))) cache.add(contact);
				}
				return cache;
			} catch {
				return new ContactCache();
			}
		});
	}

	/** The form in which identifiers are compared: emails without regard to case, phone numbers by their digits. */
	static keyOf(this: void, identifier: string): string {
		if (identifier.startsWith('email:')) return identifier.toLowerCase();
		if (!identifier.startsWith('phone:')) return identifier;
		return `phone:${comparablePhoneNumber(identifier.slice('phone:'.length))}`;
	}

	/** The contact with this identifier (part 4), if it has been seen. */
	find(identifier: string): IDataObject | undefined {
		return this.contacts.get(ContactCache.keyOf(identifier));
	}

	/** Notes what a contact is like now. */
	add(contact: IDataObject) {
		this.forget(contact);
		for (const key of keysOf(contact)) this.contacts.set(key, contact);
	}

	/** Forgets a contact of which nobody knows what it is like now. */
	forget({ id }: IDataObject) {
		const before = this.contacts.get(`id:${String(id)}`);
		if (before) for (const key of keysOf(before)) this.contacts.delete(key);
	}
}

function keysOf({ id, email, phoneNumber }: IDataObject): string[] {
	const keys = [`id:${String(id)}`];
	if (email) keys.push(ContactCache.keyOf(`email:${String(email)}`));
	if (phoneNumber) keys.push(ContactCache.keyOf(`phone:${String(phoneNumber)}`));
	return keys;
}

/** Everything that the items of a run find contacts by. */
function wantedBy({ items }: Run): Set<string> {
	const keys = new Set<string>();
	for (const { params, body } of items) {
		const { email, phoneNumber } = (body ?? {}) as IDataObject;
		if (params.identifier) keys.add(ContactCache.keyOf(String(params.identifier)));
		if (email) keys.add(ContactCache.keyOf(`email:${String(email)}`));
		if (phoneNumber) keys.add(ContactCache.keyOf(`phone:${String(phoneNumber)}`));
	}
	return keys;
}
