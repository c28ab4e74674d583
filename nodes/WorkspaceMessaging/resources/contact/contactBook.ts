import type { IDataObject } from 'n8n-workflow';
import { listContacts } from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { readList } from '../../routing/pages';
import type { Run } from '../../routing/run';

/** Contacts asked for in one page. */
const PER_PAGE = 100;
/** Runs of fewer items look each contact up; reading the list would delay their first result. */
const WORTH_READING = 20;
/** Lists of more pages are not read, however many contacts there are to look up. */
const MAX_PAGES = 1000;

/** The contacts of the workspace as far as a run has seen them, by id, email and phone number. */
export class ContactBook {
	private readonly contacts = new Map<string, IDataObject>();

	/**
	 * Opens the book of a run. Reads the list of contacts when that takes clearly fewer requests than looking up each
	 * item's contact, and keeps those that the run is about. A list that cannot be read to its end is no harm: every
	 * contact is looked up then.
	 */
	static async open(this: void, caller: Caller, run: Run): Promise<ContactBook> {
		const book = new ContactBook();
		if (run.size < WORTH_READING) return book;
		try {
			const call = callOf(listContacts, { query: { perPage: PER_PAGE } });
			const first = (await caller.send({ ...call, query: { ...call.query, page: 1 } })) as {
				pageCount?: unknown;
			};
			const { pageCount } = first;
			if (typeof pageCount !== 'number' || pageCount > Math.min(run.size / 2, MAX_PAGES)) return book;
			const wanted = wantedBy(run);
			const isWanted = (contact: IDataObject) => keysOf(contact).some((key) => wanted.has(key));
			const contacts = await readList(caller, call, undefined, (contact) =>
				isWanted(contact) ? contact : { id: contact.id },
			);
			contacts.filter(isWanted).forEach((contact) => book.add(contact));
			return book;
		} catch {
			return new ContactBook();
		}
	}

	/** The form in which identifiers are compared: emails without regard to case, phone numbers without the leading +. */
	static keyOf(this: void, identifier: string): string {
		if (identifier.startsWith('email:')) return identifier.toLowerCase();
		return identifier.replace(/^phone:\+/, 'phone:');
	}

	/** The contact with this identifier (part 4), if it has been seen. */
	find(identifier: string): IDataObject | undefined {
		return this.contacts.get(ContactBook.keyOf(identifier));
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
	if (email) keys.push(ContactBook.keyOf(`email:${String(email)}`));
	if (phoneNumber) keys.push(ContactBook.keyOf(`phone:${String(phoneNumber)}`));
	return keys;
}

/** Everything that the items of a run find contacts by. */
function wantedBy({ requests }: Run): Set<string> {
	const keys = new Set<string>();
	for (const { params, body } of requests.values()) {
		const { email, phoneNumber } = body as IDataObject;
		if (params.identifier) keys.add(ContactBook.keyOf(String(params.identifier)));
		if (email) keys.add(ContactBook.keyOf(`email:${String(email)}`));
		if (phoneNumber) keys.add(ContactBook.keyOf(`phone:${String(phoneNumber)}`));
	}
	return keys;
}
