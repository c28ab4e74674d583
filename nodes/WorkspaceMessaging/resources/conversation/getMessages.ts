import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contactOutput, describeContact } from '../../contacts/output';
import { dateRule, readFilterTime } from '../../conversations/filterTime';
import { noConversationError } from '../../conversations/find';
import { readMessages } from '../../conversations/messages';
import { readUserNames } from '../../conversations/people';
import { simpleMessage, simplifyMessage } from '../../conversations/simplify';
import { fitTranscriptLines, toTranscriptLine } from '../../conversations/transcript';
import { contactApi } from '../../contract/contact';
import { conversationApi } from '../../contract/conversation';
import { boolean, dateTimeOrNull, number, oneOf, string } from '../../contract/values';
import { inQuery, optional, returnAllOrLimit, simplify, toNamedOptions } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { withToolDefault } from '../../panel/toolFields';
import type { AnyItem, Item } from '../../run/item';
import { defineOperation, type Field } from '../../run/operation';
import { hasReason, onApiError } from '../../transport/errors/ApiError';
import { readRecord } from '../../service/lists/records';

const [returnAll, limit] = returnAllOrLimit;

/** Whether messages come as items or as one text, which is what an agent needs. */
const messageFormat: Field<'items' | 'transcript'> = {
	displayName: 'Return',
	name: 'messageFormat',
	type: 'options',
	options: [
		{ name: 'Items', value: 'items', description: 'One item for each message' },
		{ name: 'Transcript', value: 'transcript', description: 'One item with all messages as text' },
	],
	default: 'items',
	rule: oneOf(['items', 'transcript']).default('items'),
};

const since: Field<string | undefined> = {
	displayName: 'Since',
	name: 'since',
	type: 'dateTime',
	default: '',
	description: 'Only messages from this time on',
	rule: dateRule,
};

const order: Field<'newestFirst' | 'oldestFirst'> = {
	displayName: 'Order',
	name: 'order',
	type: 'options',
	options: toNamedOptions({ newestFirst: 'Newest First', oldestFirst: 'Oldest First' }),
	default: 'oldestFirst',
	rule: oneOf(['newestFirst', 'oldestFirst']).default('newestFirst'),
	description:
		'Limit keeps the newest messages in either order. A transcript begins with the oldest.',
};

type MessagesItem = Item<{ identifier: string }, { messageType?: string }>;

const transcript = z.object({
	transcript: string,
	messages: number,
	hasOlder: boolean,
	oldestAt: dateTimeOrNull,
	newestAt: dateTimeOrNull,
});

export const getMessages = defineOperation({
	name: 'Get Messages',
	value: 'getMessages',
	action: 'Get messages of conversation',
	description:
		'Get the latest messages between a contact and the workspace, as items or as one transcript',
	endpoint: conversationApi.listContactMessages,
	fields: [
		contactLocator,
		withToolDefault(messageFormat, 'transcript'),
		returnAll,
		// An agent needs fewer.
		withToolDefault(limit, 20),
		simplify,
		optional('filters', [
			inQuery({
				displayName: 'Direction',
				name: 'messageType',
				type: 'options',
				options: toNamedOptions({ incoming: 'From the Contact', outgoing: 'To the Contact' }),
				default: 'incoming',
			}),
			since,
		]),
		optional('options', [order]),
	],
	schema: { query: z.strictObject({ messageType: oneOf(['incoming', 'outgoing']).optional() }) },
	// One item has a message or a transcript.
	output: contactOutput
		.pick({ contact: true })
		.extend(simpleMessage.shape)
		.extend(transcript.shape)
		.extend(contactOutput.omit({ success: true }).shape)
		.partial(),

	async run(item) {
		if (item.value(messageFormat) === 'transcript') return [await makeTranscript(item)];
		const messages = await readFiltered(item, item.limit);
		// The last page can have more than the limit.
		const newest = messages.slice(-(item.limit ?? Infinity));
		if (item.value(order) === 'newestFirst') newest.reverse();
		const contact = item.params.identifier;
		return newest.map((message) => {
			const shown = item.isSimplified ? simplifyMessage(message) : message;
			return { contact, ...shown };
		});
	},
});

/** The time of the filter Since, in milliseconds since 1970. */
const readSince = (item: AnyItem) => readFilterTime(item, since) ?? -Infinity;

/** Reads the messages that the user wants, oldest first. */
async function readFiltered(item: MessagesItem, limit?: number) {
	const { identifier } = item.params;
	const { messageType } = item.query;
	const isChosen = (message: IDataObject) =>
		messageType === undefined || message.messageType === messageType;
	// A message of that very moment is wanted, too.
	const after = readSince(item) - 1;
	const explainNone = onApiError(hasReason('noConversation'), () =>
		Promise.reject(noConversationError()),
	);
	return await readMessages(item, identifier, { after, isChosen, limit }).catch(explainNone);
}

async function makeTranscript(item: MessagesItem): Promise<IDataObject> {
	const settings = item.readToolAnswerSettings();
	const limit = settings?.limit ?? item.limit ?? Infinity;
	// One more shows that there are older ones.
	const messages = await readFiltered(item, limit + 1);
	const shown = messages.slice(-limit);
	const contact = await readNameForTranscript(item);
	const users = await readUserNames(item);
	const lines = shown.map((message) => toTranscriptLine(message, { contact, users }));
	const { contact: chosen, ...who } = describeContact(item);
	const toRecord = (text: string, count: number) => {
		const oldest = shown.at(-count);
		const newest = shown.at(-1);
		return {
			contact: chosen,
			transcript: text,
			...who,
			messages: count,
			hasOlder: count < messages.length,
			oldestAt: oldest?.createdAt ?? null,
			newestAt: newest?.createdAt ?? null,
		};
	};
	// An agent gets a whole record or none.
	const frame = item.output([toRecord('', shown.length)]);
	const frameLength = JSON.stringify(frame).length;
	const { length = Infinity } = settings ?? {};
	const { text, count } = fitTranscriptLines(lines, length - frameLength);
	return toRecord(text, count);
}

/**
 * Returns how a transcript calls the contact; without a name in the input, from the contact's
 * record.
 */
async function readNameForTranscript(item: MessagesItem) {
	const known = describeContact(item).fullName;
	if (known !== undefined) return known;
	const { identifier } = item.params;
	const contact = await readRecord(item, contactApi.getContact, { params: { identifier } });
	item.knownContacts.set(identifier, contact);
	return describeContact(item).fullName ?? 'Contact';
}
