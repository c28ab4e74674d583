import type { IDataObject } from 'n8n-workflow';
import { readListedContacts } from '../../../contacts/findByIdentifier';
import { contactApi } from '../../../contract/contact';
import type { AnyItem, Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import { readRecord } from '../../../service/lists/records';
import {
	ApiError,
	errorBeforeChange,
	isListMissing,
	onApiError,
	refusedError,
} from '../../../transport/errors/ApiError';
import { objectsIn } from '../../../transport/guards';
import type { Requester } from '../../../transport/request';
import { quoted } from '../../../values/labels';
import { changeTogether } from '../changeTogether';
import { createTag } from '../createTag';
import { findIdByName, readExistingOnce, type Names } from '../existingRecords';
import { SENDING, readTag, type PassOverReason } from './option';

/* Who has got the message, as two tags of each contact say. */

/** The IDs of the two tags. */
export interface Marks {
	sent: string;
	sending: string;
}

/** One of the two tags. */
export interface NamedTag {
	id: string;
	/** Its name, which requests for many contacts need. */
	name: string;
}

/** What sends the requests that change tags. */
export type Sender = Pick<Requester, 'request'>;

/** An item about a contact. */
export type ContactItem = Item<{ identifier: string }, object>;

/** Returns a handler for `catch()`, for what fails before the message is sent: the error says so. */
export const nothingSent = () =>
	onApiError(
		({ details: { outcome } }) => outcome !== 'notSent',
		({ what, details }): never => {
			throw new ApiError(what, { ...details, outcome: 'refused', nothingWas: 'sent' });
		},
	);

/**
 * Returns the IDs of the tags that exist with the two names of an item. If the first one does not, a
 * hint says that nobody was passed over who had it. Items with the same name share the answer.
 */
export const findMarks = oncePerRun<AnyItem, [tag: string], Promise<Partial<Marks>>>(
	async (item) => {
		const tag = readTag(item)!;
		const names = await readTagNames(item);
		const sent = findIdByName('tag', names, tag);
		const sending = findIdByName('tag', names, tag + SENDING);
		if (sent === undefined)
			item.hint(
				`Send Once: there was no tag ${quoted(tag)} yet, so n8n passed over nobody who had it. In a first run that is right. Otherwise, the tag was renamed or deleted, or has another spelling, and contacts can get the message again.`,
			);
		return { sent, sending };
	},
);

const readTagNames = oncePerRun(async (item: AnyItem): Promise<Names> => {
	const { names } = await readExistingOnce(item, 'tag').catch(
		onApiError(isListMissing, ({ details: { status } }) => {
			throw refusedError(
				"This service can't list its tags, so n8n can't find out who has got the message.",
				'Remove the option Send Once.',
				{ status, nothingWas: 'sent' },
			);
		}),
	);
	return names;
});

/** Returns the IDs of the two tags of an item. Creates those that do not exist. */
export const ensureMarks = oncePerRun(async (item: AnyItem, folded: string): Promise<Marks> => {
	const { sent, sending } = await findMarks(item, folded);
	const tag = readTag(item)!;
	return {
		sent: sent ?? (await createTag(item, tag, [])),
		sending: sending ?? (await createTag(item, tag + SENDING, [])),
	};
});

const listedContacts = oncePerRun(readListedContacts);

const readOne = oncePerRun(
	async (item: AnyItem, identifier: string) =>
		await readRecord(item, contactApi.getContact, { params: { identifier } }),
);

/**
 * Reads the contact of an item with its tags, after other runs of this process that change them have
 * ended. The item names the contact by its ID from then on.
 */
export async function readTaggedContact(item: ContactItem): Promise<void> {
	const { identifier } = item.params;
	const listed = (await listedContacts(item)).get(identifier);
	const contact = Array.isArray(listed?.tags)
		? listed
		: await readOne(item, identifier).catch(errorBeforeChange('sent'));
	item.useContactId(contact.id);
	item.knownContacts.set(item.params.identifier, contact);
}

/** Where services cut lists: a contact with so many tags may have others that they do not show. */
const CUT_AT = [50, 100];

/**
 * Returns why a contact is passed over; undefined if it is not. Throws an `ApiError` if the service
 * does not show its tags, or may not show all of them.
 */
export function findPassOverReason(
	{ tags }: IDataObject,
	{ sent, sending }: Partial<Marks>,
): PassOverReason | undefined {
	const ids = objectsIn(tags).map(({ id }) => String(id));
	if (sending !== undefined && ids.includes(sending)) return 'unknown';
	if (sent !== undefined && ids.includes(sent)) return 'sentBefore';
	if (Array.isArray(tags) && !CUT_AT.includes(ids.length)) return undefined;
	const shown = Array.isArray(tags) ? `only ${ids.length} of the` : 'no';
	throw refusedError(
		`This service may show ${shown} tags of the contact, so n8n can't find out whether it has got the message.`,
		'Remove the option Send Once, or tags that the contact no longer needs.',
		{ nothingWas: 'sent' },
	);
}

const changes = { add: contactApi.addContactTags, remove: contactApi.removeContactTags };

/**
 * Changes tags of a contact, or of several in one request. Returns those that the request has
 * changed. Throws an `ApiError`.
 */
export async function changeMarks<Member extends { item: ContactItem }>(
	sender: Sender,
	change: keyof typeof changes,
	members: Member[],
	marks: NamedTag[],
): Promise<Member[]> {
	const endpoint = changes[change];
	if (members.length > 1) {
		const idOf = ({ item }: Member) => item.params.identifier.replace('id:', '');
		const contactIds = members.map(idOf);
		const tags = marks.map(({ name }) => name);
		const unchanged = await changeTogether(sender, endpoint, contactIds, { tags });
		return members.filter((member) => !unchanged.has(idOf(member)));
	}
	const tagIds = marks.map(({ id }) => id);
	for (const { item } of members) {
		const { params } = item;
		await sender.request({ ...endpoint, isUndone: true }, { params, body: { tagIds } });
	}
	return members;
}
