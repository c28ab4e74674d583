import { conflict, malformed } from '../../http/problems';
import type { Contact } from '../../records';

/** A custom field's value as a contact holds it. */
export interface StoredValue {
	id: string;
	createdAt: string;
	updatedAt: string;
	value: unknown;
}

/** A stored contact: it refers to other records by id. */
export interface StoredContact
	extends Omit<
		Contact,
		'fullName' | 'location' | 'workspaceId' | 'contactCustomFields' | 'tags' | 'contactInboxes'
	> {
	tagIds: readonly string[];
	inboxIds: readonly string[];
	values: ReadonlyMap<string, StoredValue>;
	/** Ids of the sequences that the contact is in; newer services only. */
	sequenceIds?: readonly string[];
	/** Ids of the person on the platforms, by inbox; newer and older services only. */
	platformIds?: Readonly<Record<string, string>>;
	/** The user of WhatsApp, if the newest services know it. */
	whatsappUser?: Readonly<{ sourceUserId: string; sourceUsername: string | null }>;
}

/** What a list of contacts may ask for. */
interface ContactQuery {
	sort?: Array<{ field: string; order: 'asc' | 'desc' }>;
	keyword?: string;
	/** Inboxes of which a contact must have one; undefined when all contacts will do. */
	inboxIds?: ReadonlySet<string>;
	/** Contacts without a value come before the others. */
	emptyFirst?: boolean;
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

const exactly = (text: string) => text;
const lowerCase = (text: string) => text.toLowerCase();
// The leading + makes no difference to the number.
const withoutPlus = (text: string) => text.replace('+', '');

function compare(left: StoredContact, right: StoredContact, field: SortField): number {
	const [a, b] = [left[field], right[field]];
	if (a === b) return 0;
	// Nobody looks for those without a value first, whichever way the others are sorted.
	if (a === null) return Number.POSITIVE_INFINITY;
	if (b === null) return Number.NEGATIVE_INFINITY;
	return a < b ? -1 : 1;
}

interface Order {
	field: SortField;
	order: 'asc' | 'desc';
}

/** Compares contacts by some fields, and the newest first where these are equal. */
export function compareContacts(sort: readonly Order[], emptyFirst = false) {
	const orders = [...sort, { field: 'createdAt', order: 'desc' } as const];
	return (left: StoredContact, right: StoredContact): number => {
		for (const { field, order } of orders) {
			const result = compare(left, right, field);
			if (!Number.isFinite(result)) return emptyFirst ? -result : result;
			if (result !== 0) return order === 'desc' ? -result : result;
		}
		return 0;
	};
}

/** Contacts by a text, the first of them first. */
class Index {
	readonly #contacts = new Map<string, Set<StoredContact>>();

	constructor(private readonly keyOf: (text: string) => string) {}

	find(text: string): StoredContact | undefined {
		return this.#contacts.get(this.keyOf(text))?.values().next().value;
	}

	add(text: string | null, contact: StoredContact): void {
		if (text === null) return;
		const key = this.keyOf(text);
		const holders = this.#contacts.get(key);
		if (holders) holders.add(contact);
		else this.#contacts.set(key, new Set([contact]));
	}

	remove(text: string | null, contact: StoredContact): void {
		if (text !== null) this.#contacts.get(this.keyOf(text))?.delete(contact);
	}
}

/** All contacts of a workspace, found by id, email and phone without searching. */
export class ContactStore {
	readonly #byId = new Map<string, StoredContact>();
	readonly #byEmail: Index;
	readonly #byPhone: Index;
	/**
	 * Lists as they were asked for, until a contact changes: the pages of one list need not be sorted
	 * each.
	 */
	readonly #lists = new Map<string, StoredContact[]>();
	readonly #unique: boolean;

	/**
	 * @param exact newer and older services compare emails and phone numbers as exact text, and leave
	 * it to their operations whether two contacts may share one; the reference's do neither
	 */
	constructor(exact = false) {
		this.#unique = !exact;
		this.#byEmail = new Index(exact ? exactly : lowerCase);
		this.#byPhone = new Index(exact ? exactly : withoutPlus);
	}

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
		if (kind === 'email') return this.#byEmail.find(value);
		if (kind === 'phone') return this.#byPhone.find(value);
		if (!/^\d+$/.test(value))
			throw malformed('The identifier is malformed: an id is made of digits');
		return this.#byId.get(value);
	}

	/** The contact that has this email or phone number. */
	findByReach(reach: {
		email?: string | null;
		phoneNumber?: string | null;
	}): StoredContact | undefined {
		return (
			(reach.email ? this.#byEmail.find(reach.email) : undefined) ??
			(reach.phoneNumber ? this.#byPhone.find(reach.phoneNumber) : undefined)
		);
	}

	/**
	 * Adds a contact; no other contact may have its email and phone number, if these identify a
	 * contact.
	 */
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

	/** Returns the contacts that match a query, newest first by default. */
	list(query: ContactQuery): StoredContact[] {
		const key = JSON.stringify([query, query.inboxIds && [...query.inboxIds]]);
		return this.listOf(key, () => this.#select(query));
	}

	/** A list that is made once for its key, until a contact changes. */
	listOf(key: string, make: () => StoredContact[]): StoredContact[] {
		let list = this.#lists.get(key);
		if (!list) {
			list = make();
			this.#lists.set(key, list);
		}
		return list;
	}

	#select({ keyword, inboxIds, sort = [], emptyFirst }: ContactQuery): StoredContact[] {
		let list = [...this.#byId.values()].reverse();
		if (inboxIds) list = list.filter((contact) => contact.inboxIds.some((id) => inboxIds.has(id)));
		if (keyword) {
			const wanted = keyword.toLowerCase();
			const holds = (text: string | null) => text?.toLowerCase().includes(wanted) ?? false;
			list = list.filter(
				(contact) =>
					holds(fullNameOf(contact)) || holds(contact.email) || holds(contact.phoneNumber),
			);
		}
		return list.sort(compareContacts(sort as Order[], emptyFirst));
	}

	#refuseTaken(fields: Partial<StoredContact>, self: StoredContact | undefined): void {
		if (!this.#unique) return;
		for (const [reach, name] of [
			[{ email: fields.email }, 'email'],
			[{ phoneNumber: fields.phoneNumber }, 'phone number'],
		] as const) {
			const holder = this.findByReach(reach);
			if (holder && holder !== self) throw conflict(`A contact with this ${name} already exists`);
		}
	}

	#index(contact: StoredContact): void {
		this.#byEmail.add(contact.email, contact);
		this.#byPhone.add(contact.phoneNumber, contact);
	}

	#unindex(contact: StoredContact): void {
		this.#byEmail.remove(contact.email, contact);
		this.#byPhone.remove(contact.phoneNumber, contact);
	}
}

/** Prefix and value of a contact's identifier. */
export function splitIdentifier(identifier: string): ['id' | 'email' | 'phone', string] {
	const colon = identifier.indexOf(':');
	return [identifier.slice(0, colon) as 'id' | 'email' | 'phone', identifier.slice(colon + 1)];
}
