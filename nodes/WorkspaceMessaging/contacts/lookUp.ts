import type { IDataObject } from 'n8n-workflow';
import type { AnyItem } from '../run/item';

/** The contacts that an item has read, by the identifier that it used; the service may have them in another form. */
const contactsOf = new WeakMap<AnyItem, Map<string, IDataObject>>();

/** Returns the contact that an item has read by this identifier; undefined if it has not. */
export function knownContact(item: AnyItem, identifier: string): IDataObject | undefined {
	return contactsOf.get(item)?.get(identifier);
}

/** Remembers the contact that an item has read by this identifier. */
export function rememberContact(item: AnyItem, identifier: string, contact: IDataObject) {
	const contacts = contactsOf.get(item) ?? new Map<string, IDataObject>();
	contacts.set(identifier, contact);
	contactsOf.set(item, contacts);
}
