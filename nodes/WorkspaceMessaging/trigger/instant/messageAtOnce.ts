import type {
	IDataObject,
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { parseConditions } from '../../contacts/conditions/parse';
import { readQuestionFieldId } from '../../contacts/customFields/questionField';
import { getQuestionNote, isQuestionOpen } from '../../contacts/customFields/questionNote';
import { contactApi } from '../../contract/contact';
import type { FileSaver } from '../../conversations/attachments';
import { readRecord } from '../../service/lists/records';
import { toObject } from '../../transport/guards';
import type { Requester } from '../../transport/request';
import { pause } from '../../transport/retry/delays';
import { conditionFields } from '../../panel/contactFilters';
import { optional, simplify } from '../../panel/fields';
import { ContactItems } from '../contactItems';
import { inboxIds, inboxIdsField } from '../eventFields';
import { addContact, makeMessageItems } from '../messages/foundMessages';
import { messageReceived } from '../messages/messageReceived';
import { readIncomingMessages } from '../messages/readConversations';
import { downloadAttachmentsField, messageReceivedParameters } from '../messages/settings';
import { getReadFrom, takeNew } from './returnedMessages';

/* The event whose call says only that a contact has written: the trigger reads the message itself. */

/** The service can store a message a little after its call. */
export const LOOK_AGAIN_FOR_MS = 3000;
const LOOK_AGAIN_EVERY_MS = 500;

/** The fields of the event besides the name that the flow's step sends. */
export const messageAtOnceFields = [
	inboxIdsField,
	...conditionFields,
	optional('options', [downloadAttachmentsField]),
	simplify,
];

/** Their values; the event's items are those of the polling trigger without its options. */
export const messageAtOnceParameters = {
	inboxIds,
	options: z.object({ downloadAttachments: z.boolean().default(false) }).prefault({}),
};

/** What an item has besides the fields of all instant events. */
export const messageAtOnceOutput = {
	...messageReceived.output.shape,
	conversation: messageReceived.output.shape.conversation.nullable(),
	messageRead: z.boolean(),
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

/** A call for the event, and what reads its messages. */
export interface MessageCall {
	context: IWebhookFunctions;
	client: Requester;
	contactId: string;
	parameters: IDataObject;
	saver: FileSaver;
	/** Ends the waiting for messages that are late. */
	signal: AbortSignal;
}

/**
 * Reads the messages that a contact has written since the last call, and makes an item of each.
 * Returns nothing if there is none, if the contact does not meet the conditions, or while a question
 * to the contact is open: its answer must start nothing.
 */
export async function readMessagesAtOnce(
	call: MessageCall,
): Promise<Array<IDataObject | INodeExecutionData>> {
	const { client, contactId, saver } = call;
	const params = { identifier: `id:${contactId}` };
	const record = await readRecord(client, contactApi.getContact, { params });
	const settings = await readMessageSettings(call);
	const contacts = new ContactItems(client, settings);
	const [matching] = await contacts.match([{ record }]);
	if (!matching) return [];
	const { readDefinitions } = contacts;
	if (settings.simplify) await readDefinitions();
	const fieldId = await readQuestionFieldId(client, [record], readDefinitions);
	const note = getQuestionNote(record, fieldId);
	if (isQuestionOpen(note)) return [];
	const isAnswer = ({ id }: IDataObject) => note.answers.includes(String(id));
	const messages = await waitForMessages(call);
	const groups = messages.filter((message) => !isAnswer(message)).map((message) => [message]);
	const conversation = { ...toObject(record.conversation), contactId };
	const found = addContact(settings.parameters.inboxIds, record, conversation, groups);
	return await makeMessageItems(found, contacts, settings, saver);
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

/** Reads the conditions that the contact must meet; undefined if there are none. */
export async function readConditions(
	context: IHookFunctions | IWebhookFunctions,
	client: Requester,
) {
	const definitions = new ContactItems(client, { parameters: {}, filters: {}, simplify: false });
	return await parseConditions(
		(name, fallback) => context.getNodeParameter(name, fallback),
		{ timezone: context.getTimezone(), now: Date.now() },
		definitions.readDefinitions,
		client,
	);
}

/** Takes the messages that are new, and waits for them if the call came first. */
async function waitForMessages({
	context,
	client,
	contactId,
	signal,
}: MessageCall): Promise<IDataObject[]> {
	const key = [context.getMode(), context.getWorkflow().id, context.getNode().id, contactId].join();
	const until = performance.now() + LOOK_AGAIN_FOR_MS;
	for (;;) {
		const messages = await readIncomingMessages(client, { contactId }, getReadFrom(key));
		const fresh = takeNew(key, messages);
		if (fresh.length > 0 || performance.now() >= until) return fresh;
		await pause(LOOK_AGAIN_EVERY_MS, signal);
	}
}
