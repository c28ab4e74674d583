import type { IDataObject } from 'n8n-workflow';
import { lookUpContact, findContactsInList } from '../../../contacts/findByIdentifier';
import type { Item } from '../../../run/item';
import { toObject } from '../../../transport/guards';
import { oncePerRun, type Run } from '../../../run/run';
import {
	toIdentifierParams,
	formatIdentifier,
	getIdentifiers,
	identifierKey,
	identifierKeys,
	otherFormKey,
	parseIdentifier,
	sameContactKeys,
	type Identifier,
} from '../../../values/identifier';
import { useOtherNumber } from '../../../values/phone/otherMobileForm';

/** The contacts that a run has read or written, by ID, email and phone number. */
export class ContactCache {
	private readonly contacts = new Map<string, IDataObject>();

	/** The contacts that the service had besides `contacts` with the same phone number. */
	private readonly doubles = new Map<string, IDataObject[]>();

	/** The IDs of contacts that a preview has changed here, but not on the service. */
	private readonly planned = new Set<string>();

	/** @param isComplete whether the run has read the complete list of contacts */
	private constructor(
		contacts: IDataObject[],
		readonly isComplete: boolean,
	) {
		for (const contact of contacts) {
			for (const key of identifierKeys(contact)) {
				const known = this.contacts.get(key);
				const isDouble = known && known.id !== contact.id;
				if (isDouble) this.doubles.set(key, [...(this.doubles.get(key) ?? []), known]);
			}
			this.add(contact);
		}
	}

	/**
	 * Returns the cache of a run, with the contacts that it needs from the list of contacts if the
	 * run reads that. Somebody whom a deletion moved meanwhile may be missing unless it is complete.
	 * Then the run looks for a contact in every form before it creates one.
	 */
	static readonly of = oncePerRun(async (item: Item): Promise<ContactCache> => {
		const { run } = item;
		const keys = findNeededKeys(run);
		const options = { insteadOf: run.openItems.length, isWhole: true };
		const { contacts, isComplete } = await findContactsInList(item, keys, options);
		return new ContactCache(contacts, isComplete);
	});

	/** Returns the cache of a run that reads no contacts: it has those that the run has written. */
	static readonly ofWritten = oncePerRun(() => new ContactCache([], false));

	/**
	 * Finds a contact if the run has written one that the identifiers may mean; otherwise asks for
	 * nothing.
	 */
	async findWritten(item: Item, identifiers: Identifier[]): Promise<IDataObject | undefined> {
		const keys = identifiers.flatMap(sameContactKeys);
		if (!keys.some((key) => this.contacts.has(key))) return undefined;
		return await this.find(item, identifiers, lookUpContact);
	}

	/**
	 * Finds a contact by the first identifier, or else by the next. Asks the service for what the
	 * cache lacks before it tries the next identifier: which contact an item means must not depend on
	 * the items before it. That applies even if the whole list was read, because the contact may be
	 * new. Only items that change an email or create a contact need this request. If nobody has a
	 * phone number, the contact with the other form of this mobile number will do.
	 */
	async find(
		item: Item,
		identifiers: Identifier[],
		ask = lookUpByList,
	): Promise<IDataObject | undefined> {
		for (const identifier of identifiers) {
			const key = identifierKey(identifier);
			const known = this.contacts.get(key);
			if (known) return known;
			const contact = await ask(item, formatIdentifier(identifier));
			// If a preview has changed it, it would have another email or phone number by now.
			const isCurrent = contact && !this.planned.has(String(contact.id));
			if (isCurrent) return contact;
			const other = this.findByOtherNumber(item, identifier);
			if (other) return other;
		}
		return undefined;
	}

	private findByOtherNumber(item: Item, identifier: Identifier) {
		const otherKey = otherFormKey(identifier);
		if (otherKey === undefined) return undefined;
		const known = this.contacts.get(otherKey);
		const doubles = this.doubles.get(otherKey) ?? [];
		const contacts = [...doubles, ...(known ? [known] : [])];
		return useOtherNumber(item, contacts, identifier.value);
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
		const { identifier } = toIdentifierParams(id);
		const known = this.contacts.get(identifier);
		if (!known) return;
		for (const key of identifierKeys(known)) this.contacts.delete(key);
	}
}

/**
 * Asks the service for a contact; undefined if there is none. A run that has read the complete list
 * knows the contact in another form already; another run searches for it by keyword.
 */
async function lookUpByList(item: Item, identifier: string) {
	const { isComplete } = await ContactCache.of(item);
	return await lookUpContact(item, identifier, { isExact: isComplete });
}

/** The same, once for all items of a run. */
export const lookUpOnce = oncePerRun(lookUpByList);

/**
 * Returns the keys of everything that the items of a run find contacts by. An item that is not
 * valid has no body.
 */
function findNeededKeys({ openItems }: Run) {
	const keys = new Set<string>();
	for (const { params, body } of openItems) {
		const chosen = parseIdentifier(params.identifier);
		const identifiers = [...(chosen ? [chosen] : []), ...getIdentifiers(toObject(body))];
		for (const key of identifiers.flatMap(sameContactKeys)) keys.add(key);
	}
	return keys;
}
