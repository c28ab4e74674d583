import type { IDataObject } from 'n8n-workflow';
import { describeContact } from '../../../contacts/output';
import type { AnyItem } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import type { ItemTries } from '../../../run/tries';
import { ApiError, onApiError } from '../../../transport/errors/ApiError';
import { joinSentences } from '../../../transport/errors/sentences';
import { counted, quoted } from '../../../values/labels';
import { foldName } from '../../../values/names';
import {
	findMarks,
	findPassOverReason,
	nothingSent,
	readTaggedContact,
	type ContactItem,
	type Marks,
} from './marks';
import { sendMarked, type Messages, type ContactState } from './markedMessages';
import { SENDING, readTag, type PassOverReason } from './option';
import { waitForOtherRuns } from './tagsInUse';

/*
 * A message that nobody gets twice, whatever breaks. Before n8n sends it, the contact gets two tags
 * in one request: "<tag>" and "<tag> (sending)". n8n removes the second one after success, and both if
 * nothing was sent. So a contact with both may or may not have got the message, and no run sends it
 * again.
 */

/** What a run knows of the contacts who get one tag. */
class Contacts {
	/** The latest messages to each, by its ID as an identifier. */
	readonly messages = new Map<string, Messages>();
	/** How many items were passed over. */
	sentBefore = 0;
	unknown = 0;
}

const contactsOf = oncePerRun<AnyItem, [tag: string], Contacts>((item) => {
	const contacts = new Contacts();
	const tag = quoted(readTag(item)!);
	const sending = quoted(readTag(item) + SENDING);
	item.hint(() => {
		const { sentBefore, unknown, messages } = contacts;
		const states = [...messages.values()].map(({ state }) => state);
		const stillSending = states.filter((state) => state === 'stillSending').length;
		const sentences = [
			sentBefore > 0 &&
				`Send Once passed over ${counted(sentBefore, 'item')} whose contact had the tag ${tag}.`,
			unknown > 0 &&
				`Send Once passed over ${counted(unknown, 'item')} whose contact had the tag ${sending}, because the contact may or may not have got the message. If not, remove both tags, and run this again.`,
			stillSending > 0 &&
				`${counted(stillSending, 'contact')} got the message, but n8n could not remove the tag ${sending}. Remove it yourself.`,
		];
		return sentences.filter(Boolean).join(' ');
	});
	return contacts;
});

/** The tries of items that are done in part: these items have set the two tags themselves. */
const doneInPart = new WeakSet<ItemTries>();

const isDoneInPart = ({ tries }: ContactItem) => tries !== undefined && doneInPart.has(tries);

/** Runs a function that sends the messages of an item, and returns its result. */
export type Send = <T>(send: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs an operation for an item, or passes the item over if its contact has
 * got the message, or may have; see the option Send Once.
 *
 * @param run runs the operation; it must send its messages, and only these, by the `send` that it gets
 */
export function sendOnce<OwnItem extends ContactItem>(
	run: (item: OwnItem, send: Send) => Promise<IDataObject[]>,
): (item: OwnItem) => Promise<IDataObject[]> {
	return async (item) => {
		const name = readTag(item);
		if (name === undefined) {
			const justSend: Send = async (send) => await send();
			return await run(item, justSend);
		}
		const tag = foldName(name);
		await waitForOtherRuns(item);
		const marks = await findMarks(item, tag).catch(nothingSent());
		await readTaggedContact(item);
		const { identifier } = item.params;
		const queue = `send once: ${tag} ${identifier}`;
		return await item.run.runExclusive([queue], async () => {
			const reason = whyPassOver(item, tag, marks);
			if (reason) {
				// Before the contact, because n8n's table of the output is narrow.
				return [{ success: true, skipped: true, reason, ...describeContact(item) }];
			}
			const send: Send = async (work) => await sendForItem(item, tag, work);
			return await run(item, send);
		});
	};
}

/** Why later items of a contact are passed over. */
const passOverReasons: Partial<Record<ContactState, PassOverReason>> = {
	maybeMarked: 'unknown',
	marked: 'unknown',
	inDoubt: 'unknown',
	stillSending: 'sentBefore',
	sent: 'sentBefore',
};

/** Returns why an item is passed over, and counts it; undefined if it is not. */
function whyPassOver(item: ContactItem, tag: string, marks: Partial<Marks>) {
	// An earlier try of n8n has set the tags and sent a part: the rest has to go out.
	if (isDoneInPart(item)) return undefined;
	const contacts = contactsOf(item, tag);
	const { identifier } = item.params;
	const contact = item.knownContacts.get(identifier)!;
	const { state = 'unmarked' } = contacts.messages.get(identifier) ?? {};
	// What this run has done counts first, because the contact was read before that.
	const reason = passOverReasons[state] ?? findPassOverReason(contact, marks);
	if (reason) contacts[reason]++;
	return reason;
}

const KEEPS_MARKS = 'The contact keeps both tags of Send Once, so the next run passes it over.';
const REMOVE_MARKS =
	'If the contact has the two tags of Send Once now, remove them: the next run passes it over.';

/** Sends the messages of an item, and notes what the contact has then. */
async function sendForItem<T>(item: ContactItem, tag: string, send: () => Promise<T>): Promise<T> {
	let result!: T;
	const messages: Messages = {
		item,
		send: async () => {
			result = await send();
		},
		state: isDoneInPart(item) ? 'inDoubt' : 'unmarked',
	};
	contactsOf(item, tag).messages.set(item.params.identifier, messages);
	const explain = onApiError(
		() => messages.state !== 'unmarked',
		({ what, details }): never => {
			if (details.outcome === 'partlyDone' && item.tries) doneInPart.add(item.tries);
			const hint = messages.state === 'inDoubt' ? KEEPS_MARKS : REMOVE_MARKS;
			throw new ApiError(what, { ...details, advice: joinSentences(details.advice, hint) });
		},
	);
	await sendMarked(messages, tag).catch(explain);
	return result;
}
