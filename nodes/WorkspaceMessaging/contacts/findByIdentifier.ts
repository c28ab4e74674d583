import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import type { AnyItem, Item } from '../run/item';
import { oncePerRun } from '../run/run';
import { isNotFound, ignore } from '../transport/errors/ApiError';
import { MovingListReader } from '../service/lists/movingLists';
import { readPages, SIDE_BY_SIDE, type Page } from '../service/lists/pages';
import { readRecord } from '../service/lists/records';
import type { RequestParts, Requester } from '../transport/request';
import {
	getIdentifiers,
	formatIdentifier,
	identifierKey,
	identifierKeys,
	parseIdentifier,
} from '../values/identifier';

/*
 * How items read their contacts by ID, email or phone number: one by one, or all of a run from the
 * list of contacts.
 */

/**
 * Asks the service for a contact; undefined if there is none.
 *
 * @param options how exactly the service must have the email or phone number; see `RequestParts`
 */
export async function lookUpContact(
	item: AnyItem,
	identifier: string,
	options: Pick<RequestParts, 'isExact' | 'needsExactNumber'> = {},
): Promise<IDataObject | undefined> {
	const parts = { params: { identifier }, ...options };
	return await readRecord(item, contactApi.getContact, parts).catch(ignore(isNotFound));
}

/** An item about a contact. */
type ContactItem = Item<{ identifier: string }, object>;

/**
 * Returns the contact of an item with its channels and its conversation: from the list of contacts
 * if the run reads it, or else by one request. Throws an `ApiError` if there is none.
 */
export async function lookUpContactOf(item: ContactItem): Promise<IDataObject> {
	const { identifier } = item.params;
	const known = item.knownContacts.get(identifier);
	if (known) return known;
	const contacts = await readContactsOfRun(item);
	const contact = contacts.get(identifier) ?? (await readOne(item, identifier));
	item.knownContacts.set(identifier, contact);
	return contact;
}

const readOne = oncePerRun((item: ContactItem, identifier: string) =>
	readRecord(item, contactApi.getContact, { params: { identifier } }),
);

/**
 * Reads the contacts of a run from their list, if that takes fewer requests than one by one. Returns
 * those that it finds, by everything that finds them.
 */
export async function readListedContacts(item: AnyItem): Promise<Map<string, IDataObject>> {
	const texts = new Set(item.run.openItems.map(({ params }) => String(params.identifier)));
	const identifiers = [...texts].flatMap((text) => parseIdentifier(text) ?? []);
	const keys = new Set(identifiers.map(identifierKey));
	const { contacts } = await findContactsInList(item, keys, { insteadOf: texts.size });
	return indexContacts(contacts);
}

const readContactsOfRun = oncePerRun(readListedContacts);

/** Returns contacts by everything that finds them. */
function indexContacts(contacts: IDataObject[]) {
	const index = new Map<string, IDataObject>();
	for (const contact of contacts) {
		const texts = getIdentifiers(contact).map(formatIdentifier);
		for (const text of texts) index.set(text, contact);
	}
	return index;
}

/** Shorter runs look each contact up, because reading the list would delay their first result. */
const MIN_CONTACTS = 20;
/** Longer lists are not read, however many contacts there are to look up. */
const MAX_PAGES = 1000;

/** What a run has found in the list of contacts. */
interface FoundInList {
	contacts: IDataObject[];
	/** Whether whom it has not found is not in the list, for certain. */
	isComplete: boolean;
}

/**
 * Returns contacts from the list of contacts if reading it takes clearly fewer requests than
 * looking each one up; nobody if it does not, or if the list cannot be read. The caller looks up
 * whom this does not return. So no hint says that the list ends too early.
 *
 * @param keys of the contacts; see `identifierKeys`
 * @param options `insteadOf`: how many look-ups the list replaces; `isWhole`: whether to read on
 * when all keys are found, and again if somebody may have moved
 */
export async function findContactsInList(
	item: AnyItem,
	keys: ReadonlySet<string>,
	{ insteadOf, isWhole = false }: { insteadOf: number; isWhole?: boolean },
): Promise<FoundInList> {
	const nobody: FoundInList = { contacts: [], isComplete: false };
	if (insteadOf < MIN_CONTACTS) return nobody;
	const maxPages = Math.min(insteadOf / 2, MAX_PAGES);
	const client = { service: item.service, request: item.request.bind(item) };
	const read = isWhole ? readWholeList : readUntilFound;
	try {
		return (await read(client, keys, maxPages)) ?? nobody;
	} catch {
		return nobody;
	}
}

/** Reads the list until it has all keys; undefined if the list is too long. */
async function readUntilFound(
	client: Requester,
	keys: ReadonlySet<string>,
	maxPages: number,
): Promise<FoundInList | undefined> {
	const missing = new Set(keys);
	const contacts: IDataObject[] = [];
	for await (const page of readPages(client, contactApi.listContacts)) {
		if (isTooLong(page, maxPages)) return undefined;
		contacts.push(...findWanted(page.fresh, keys));
		for (const key of page.fresh.flatMap(identifierKeys)) missing.delete(key);
		if (missing.size === 0) break;
	}
	return { contacts, isComplete: false };
}

/** Reads the list to its end, and again if somebody may have moved; undefined if it is too long. */
async function readWholeList(
	client: Requester,
	keys: ReadonlySet<string>,
	maxPages: number,
): Promise<FoundInList | undefined> {
	const list = new MovingListReader(client, contactApi.listContacts, {}, { ahead: SIDE_BY_SIDE });
	let contacts: IDataObject[] = [];
	for await (const page of list.pages()) {
		if (isTooLong(page, maxPages)) return undefined;
		if (page.startsOver) contacts = [];
		contacts.push(...findWanted(page.fresh, keys));
	}
	return { contacts, isComplete: list.isComplete };
}

function isTooLong({ fresh, pageCount, isLast }: Page, maxPages: number) {
	// A service need not count the pages of an empty list.
	if (isLast || fresh.length === 0) return false;
	return pageCount === undefined || pageCount > maxPages;
}

/** Returns the contacts that have one of some keys. */
function findWanted(contacts: IDataObject[], keys: ReadonlySet<string>) {
	return contacts.filter((contact) => {
		const own = identifierKeys(contact);
		return own.some((key) => keys.has(key));
	});
}
