import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { readQuestionFieldId } from '../../contacts/customFields/questionField';
import {
	getQuestionNote,
	isNotedAnswer,
	isQuestionOpen,
} from '../../contacts/customFields/questionNote';
import { contactApi } from '../../contract/contact';
import type { FileSaver } from '../../conversations/attachments';
import { readRecord } from '../../service/lists/records';
import { toObject } from '../../transport/guards';
import type { Requester } from '../../transport/request';
import { pause } from '../../transport/retry/delays';
import { conditionFields } from '../../panel/contactFilters';
import { optional, simplify } from '../../panel/fields';
import { ContactItems, readConditions } from '../contactItems';
import { inboxIds, inboxIdsField } from '../eventFields';
import { addContact, makeMessageItems } from '../messages/foundMessages';
import { messageReceived } from '../messages/messageReceived';
import { readIncomingMessages } from '../messages/readConversations';
import { groupMessages } from '../messages/groupMessages';
import {
	downloadAttachmentsField,
	groupMessagesField,
	messageReceivedParameters,
} from '../messages/settings';
import { addMessages, endBurst, isBurstOver, LOOK_AGAIN_EVERY_MS, type Burst } from './bursts';
import {
	countHeldCalls,
	findNew,
	getReadFrom,
	giveBack,
	holdBack,
	rememberReturned,
} from './returnedMessages';
import { boolean, wholeNumber } from '../../contract/values';

/* The event whose call says only that a contact has written: the trigger reads the message itself. */

/** The service can store a message a little after its call. */
export const LOOK_AGAIN_FOR_MS = 3000;

/** The longest time for which messages wait for others, in seconds. */
const MAX_QUIET_SECONDS = 30;

/** The fields of the event besides the name that the flow's step sends. */
export const messageAtOnceFields = [
	inboxIdsField,
	...conditionFields,
	optional('options', [downloadAttachmentsField, groupMessagesField(MAX_QUIET_SECONDS, 5)]),
	simplify,
];

/** Their values; the event's items are those of the polling trigger without its options. */
export const messageAtOnceParameters = {
	inboxIds,
	options: z
		.object({
			downloadAttachments: boolean.default(false),
			groupMessages: wholeNumber(0, MAX_QUIET_SECONDS).default(0),
		})
		.prefault({}),
};

/** What an item has besides the fields of all instant events. */
export const messageAtOnceOutput = {
	...messageReceived.output.shape,
	conversation: messageReceived.output.shape.conversation.nullable(),
	messageRead: boolean,
};

/** What is in the item of a call whose message could not be read. */
export const unreadMessage = (contactId: string): IDataObject => ({
	text: '',
	channel: null,
	messageId: '',
	type: '',
	contentType: '',
	attachments: [],
	chatInput: '',
	sessionId: contactId,
	conversation: null,
	messageRead: false,
});

/** What a call starts the workflow with. */
export type Items = Array<IDataObject | INodeExecutionData>;

/** A call for the event, and what reads its messages. */
export interface MessageCall {
	context: IWebhookFunctions;
	client: Requester;
	contactId: string;
	/** Names the trigger and the contact. */
	key: string;
	/** The call, with those that joined it. */
	burst: Burst;
	parameters: IDataObject;
	saver: FileSaver;
	/** Ends the waiting for messages that are late. */
	signal: AbortSignal;
}

/**
 * Reads the messages that a contact has written since the last call, and makes an item of each.
 * With Group Messages, it is one item for all of them. Returns nothing if there is none, if the contact
 * does not meet the conditions, or while a question to the contact is open: its answer must start
 * nothing.
 */
export async function readMessagesAtOnce(call: MessageCall): Promise<Items | 'stillWriting'> {
	const { client, contactId, key, burst, saver } = call;
	const record = await readCalledContact(client, contactId);
	const settings = await readMessageSettings(call);
	const contacts = new ContactItems(client, settings);
	const [matching] = await contacts.match([{ record }]);
	if (!matching) return [];
	const { readDefinitions } = contacts;
	const fieldId = await readQuestionFieldId(client, [record], readDefinitions);
	const note = getQuestionNote(record, fieldId);
	if (isQuestionOpen(note)) {
		holdBack(key, burst.calls, note.askedAfter);
		return [];
	}
	const messages = await takeMessages(call);
	if (messages === 'stillWriting') return messages;
	const free = messages.filter((message) => !isNotedAnswer(note, message));
	const { inboxIds, options } = settings.parameters;
	// What came together stays together, whatever the service's clock says.
	const { groups } = groupMessages(free, options.groupMessages > 0 ? Infinity : 0, Infinity);
	const conversation = { ...toObject(record.conversation), contactId };
	const found = addContact(inboxIds, record, conversation, groups);
	return await makeMessageItems(found, contacts, settings, saver).catch((error) => {
		giveBack(key, messages);
		throw error;
	});
}

/** Reads the contact that a call is about. */
export async function readCalledContact(client: Requester, id: string): Promise<IDataObject> {
	const params = { identifier: `id:${id}` };
	return await readRecord(client, contactApi.getContact, { params });
}

/** Reads what the user entered, in the form of the polling trigger's settings. */
async function readMessageSettings({ context, client, parameters }: MessageCall) {
	return {
		parameters: messageReceivedParameters.parse(parameters),
		filters: {},
		conditionSet: await readConditions(context, client),
		simplify: context.getNodeParameter('simplify', true) !== false,
	};
}

/**
 * Takes the messages that are new, and waits for them if the call came first, but takes none if the
 * contact is still writing.
 */
async function takeMessages(call: MessageCall): Promise<IDataObject[] | 'stillWriting'> {
	const { client, contactId, key, burst, signal } = call;
	const begunAt = performance.now();
	for (;;) {
		const messages = await readIncomingMessages(client, { contactId }, getReadFrom(key));
		const fresh = findNew(key, messages);
		addMessages(burst, fresh);
		if (!isBurstOver(burst)) return 'stillWriting';
		// More calls can join one that has waited for long enough.
		const waitsSince = Math.min(begunAt, burst.lastAt);
		const isLate = performance.now() - waitsSince >= LOOK_AGAIN_FOR_MS;
		if (isLate || fresh.length >= burst.calls + countHeldCalls(key)) {
			endBurst(key, burst);
			if (fresh.length > 0) rememberReturned(key, messages);
			return fresh;
		}
		await pause(LOOK_AGAIN_EVERY_MS, signal);
	}
}
