import { conflict, malformed } from './problems';
import type { Contact } from './types';

/** A custom field's value as a contact holds it. */
export interface StoredValue {
	id: string;
	createdAt: string;
	updatedAt: string;
	value: unknown;
}

/** A contact as it is kept: what other records hold is referred to by id. */
export interface StoredContact
	extends Omit<
		Contact,
		'fullName' | 'location' | 'workspaceId' | 'contactCustomFields' | 'tags' | 'contactInboxes'
	> {
	tagIds: readonly string[];
	inboxIds: readonly string[];
	values: ReadonlyMap<string, StoredValue>;
}

/** What a list of contacts may ask for. */
interface ContactQuery {
	sort?: Array<{ field: string; order: 'asc' | 'desc' }>;
	keyword?: string;
	/** Inboxes of which a contact must have one; undefined when all contacts will do. */
	inboxIds?: ReadonlySet<string>;
}

const sortFields = [
	'createdAt',
	'updatedAt',
	'firstName',
	'lastName',
	'email',
	'phoneNumber',
	'lastReadAt',
] as const;
type SortField = (typeof sortFields)[number];

/** Whether lists of contacts can be sorted by the field. */
export const isSortField = (field: string): field is SortField =>
	(sortFields as readonly string[]).includes(field);

const nothing: ReadonlyMap<string, StoredValue> = new Map();
const nobody: readonly string[] = [];

/** A contact freshly created (part 2.1). */
export function newContact(id: string, at: string, fields: Partial<StoredContact>): StoredContact {
	return {
		id,
		createdAt: at,
		updatedAt: at,
		avatar: null,
		phoneNumber: null,
		email: null,
		emailVerified: false,
		emailOptIn: false,
		firstName: null,
		lastName: null,
		gender: null,
		lastReadAt: null,
		ref: null,
		country: null,
		state: null,
		city: null,
		locale: null,
		timezone: null,
		subscribedAt: null,
		broadcastSubscribedAt: null,
		blockedAt: null,
		contactNotes: [],
		conversation: null,
		tagIds: nobody,
		inboxIds: nobody,
		values: nothing,
		...fields,
	};
}

/** First and last name in one, null when there is neither. */
export function fullNameOf({
	firstName,
	lastName,
}: Pick<StoredContact, 'firstName' | 'lastName'>): string | null {
	if (firstName === null || lastName === null) return firstName ?? lastName;
	return `${firstName} ${lastName}`;
}

const emailKey = (email: string) => email.toLowerCase();
// The leading + says nothing about who is called.
const phoneKey = (phone: string) => phone.replace('+', '');

function compare(left: StoredContact, right: StoredContact, field: SortField): number {
	const [a, b] = [left[field], right[field]];
	if (a === b) return 0;
	// Nobody looks for those without a value first, whichever way the others are sorted.
	if (a === null) return Number.POSITIVE_INFINITY;
	if (b === null) return Number.NEGATIVE_INFINITY;
	return a < b ? -1 : 1;
}

/** All contacts of a workspace, found by id, email and phone without searching. */
export class ContactStore {
	readonly #byId = new Map<string, StoredContact>();
	readonly #byEmail = new Map<string, StoredContact>();
	readonly #byPhone = new Map<string, StoredContact>();
	/** Lists as they were asked for, until a contact changes: the pages of one list need not be sorted each. */
	readonly #lists = new Map<string, StoredContact[]>();

	get size(): number {
		return this.#byId.size;
	}

	/** Contacts in the order in which they were added. */
	values(): IterableIterator<StoredContact> {
		return this.#byId.values();
	}

	/** The contact that an identifier (`id:`, `email:`, `phone:`) names. */
	find(identifier: string): StoredContact | undefined {
		const [kind, value] = splitIdentifier(identifier);
		if (kind === 'email') return this.#byEmail.get(emailKey(value));
		if (kind === 'phone') return this.#byPhone.get(phoneKey(value));
		if (!/^\d+$/.test(value)) throw malformed('The identifier is malformed: an id is made of digits');
		return this.#byId.get(value);
	}

	/** The contact that has this email or phone number. */
	findByReach(reach: { email?: string | null; phoneNumber?: string | null }): StoredContact | undefined {
		return (
			(reach.email ? this.#byEmail.get(emailKey(reach.email)) : undefined) ??
			(reach.phoneNumber ? this.#byPhone.get(phoneKey(reach.phoneNumber)) : undefined)
		);
	}

	/** Adds a contact; email and phone number must be nobody else's. */
	add(contact: StoredContact): StoredContact {
		this.#refuseTaken(contact, undefined);
		this.#byId.set(contact.id, contact);
		this.#index(contact);
		this.#lists.clear();
		return contact;
	}

	/** Changes a contact. */
	change(contact: StoredContact, changes: Partial<StoredContact>): void {
		this.#refuseTaken(changes, contact);
		this.#unindex(contact);
		Object.assign(contact, changes);
		this.#index(contact);
		this.#lists.clear();
	}

	remove(contact: StoredContact): void {
		this.#byId.delete(contact.id);
		this.#unindex(contact);
		this.#lists.clear();
	}

	/** The contacts that a query matches, newest first unless it says otherwise. */
	list(query: ContactQuery): StoredContact[] {
		const key = JSON.stringify([query.sort, query.keyword, query.inboxIds && [...query.inboxIds]]);
		let list = this.#lists.get(key);
		if (!list) {
			list = this.#select(query);
			this.#lists.set(key, list);
		}
		return list;
	}

	#select({ keyword, inboxIds, sort = [] }: ContactQuery): StoredContact[] {
		let list = [...this.#byId.values()].reverse();
		if (inboxIds) list = list.filter((contact) => contact.inboxIds.some((id) => inboxIds.has(id)));
		if (keyword) {
			const wanted = keyword.toLowerCase();
			const holds = (text: string | null) => text?.toLowerCase().includes(wanted) ?? false;
			list = list.filter(
				(contact) => holds(fullNameOf(contact)) || holds(contact.email) || holds(contact.phoneNumber),
			);
		}
		const orders = [...sort, { field: 'createdAt', order: 'desc' }] as Array<{
			field: SortField;
			order: 'asc' | 'desc';
		}>;
		return list.sort((left, right) => {
			for (const { field, order } of orders) {
				const result = compare(left, right, field);
				if (result !== 0) return Number.isFinite(result) && order === 'desc' ? -result : result;
			}
			return 0;
		});
	}

	#refuseTaken(fields: Partial<StoredContact>, self: StoredContact | undefined): void {
		for (const [reach, name] of [
			[{ email: fields.email }, 'email'],
			[{ phoneNumber: fields.phoneNumber }, 'phone number'],
		] as const) {
			const holder = this.findByReach(reach);
			if (holder && holder !== self) throw conflict(`A contact with this ${name} already exists`);
		}
	}

	#index(contact: StoredContact): void {
		if (contact.email !== null) this.#byEmail.set(emailKey(contact.email), contact);
		if (contact.phoneNumber !== null) this.#byPhone.set(phoneKey(contact.phoneNumber), contact);
	}

	#unindex(contact: StoredContact): void {
		if (contact.email !== null) this.#byEmail.delete(emailKey(contact.email));
		if (contact.phoneNumber !== null) this.#byPhone.delete(phoneKey(contact.phoneNumber));
	}
}

/** Prefix and value of a contact's identifier. */
export function splitIdentifier(identifier: string): ['id' | 'email' | 'phone', string] {
	const colon = identifier.indexOf(':');
	return [identifier.slice(0, colon) as 'id' | 'email' | 'phone', identifier.slice(colon + 1)];
}
