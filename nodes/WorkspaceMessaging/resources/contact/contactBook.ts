import type { IDataObject } from 'n8n-workflow';
import { listContacts } from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { readList } from '../../routing/pages';

/** Contacts asked for in one page. */
const PER_PAGE = 100;
/** Runs of fewer items look each contact up; reading the list would delay their first result. */
const WORTH_READING = 20;

/** The contacts of the workspace as far as a run has seen them, by id, email and phone number. */
export class ContactBook {
	private readonly contacts = new Map<string, IDataObject>();

	/** The form in which identifiers are compared: emails without regard to case, phone numbers without the leading +. */
	static keyOf(this: void, identifier: string): string {
		if (identifier.startsWith('email:')) return identifier.toLowerCase();
		return identifier.replace(/^phone:\+/, 'phone:');
	}

	/** The contact with this identifier (part 4), if it has been seen. */
	find(identifier: string): IDataObject | undefined {
		return this.contacts.get(ContactBook.keyOf(identifier));
	}

	add(contact: IDataObject) {
		const { id, email, phoneNumber } = contact;
		this.contacts.set(`id:${String(id)}`, contact);
		if (email) this.contacts.set(ContactBook.keyOf(`email:${String(email)}`), contact);
		if (phoneNumber) this.contacts.set(ContactBook.keyOf(`phone:${String(phoneNumber)}`), contact);
	}

	/**
	 * Reads the whole list when that takes fewer requests than looking up `lookUps` contacts one by one. A list that
	 * cannot be read is no harm: every contact is looked up then.
	 */
	async readIfCheaper(caller: Caller, lookUps: number): Promise<void> {
		if (lookUps < WORTH_READING) return;
		const call = callOf(listContacts, { query: { perPage: PER_PAGE } });
		const first = (await caller.send({ ...call, query: { ...call.query, page: 1 } }).catch(() => null)) as {
			pageCount?: number;
		} | null;
		if (typeof first?.pageCount !== 'number' || first.pageCount >= lookUps) return;
		for (const contact of await readList(caller, call)) this.add(contact);
	}
}
