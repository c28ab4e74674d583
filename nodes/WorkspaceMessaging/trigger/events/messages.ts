import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v4';
import { channelTypeOf, inboxesOf, inboxIdOf } from '../../contacts/list/channels';
import { simpleContact } from '../../contacts/simplify';
import { contactApi } from '../../contract/contact';
import { numericId, oneOf } from '../../contract/values';
import type { Field } from '../../execution/operation';
import { conditionFields } from '../../resources/shared/contactFilters';
import { optional, simplify } from '../../resources/shared/fields';
import { ApiError, isNotFound, isUnsupported, recover } from '../../transport/errors/ApiError';
import { readRecord } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { ConversationPoll, readConversations, readIncoming, timeOf } from '../conversations';
import type { ConversationMemory } from '../conversations';
import { groupMessages } from '../grouping';
import type { PollHost, Settings, TriggerEvent, Watcher } from '../types';
import { attachmentsOf, withFiles } from './attachments';
import { ContactItems } from './contacts';
import { inboxIdsField } from './statuses';

const inChargeField: Field = {
	displayName: 'In Charge',
	name: 'inCharge',
	type: 'options',
	options: [
		{ name: 'Anyone', value: 'anyone' },
		{ name: 'Bot', value: 'bot' },
		{ name: 'Person', value: 'person' },
	],
	default: 'anyone',
	description: 'Who answers the conversation when the trigger reads the message',
};

/** The longest time for which messages wait for others, in seconds. */
const MAX_QUIET_SECONDS = 3600;

const optionsField = optional('options', [
	{
		displayName: 'Download Attachments',
		name: 'downloadAttachments',
		type: 'boolean',
		default: false,
		description: 'Whether to add the files of a message to the item as binary data',
	},
	{
		displayName: 'Group Messages',
		name: 'groupMessages',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_QUIET_SECONDS, numberPrecision: 0 },
		default: 10,
		description:
			'Seconds for which a contact must be quiet. Until then, all messages of the contact become one item.',
	},
]);

const secondsRule = `must be a whole number from 0 to ${MAX_QUIET_SECONDS}`;

const parameters = z.object({
	inboxIds: z.array(numericId, 'must be a list of channel IDs').default([]),
	inCharge: oneOf(['anyone', 'bot', 'person']).default('anyone'),
	options: z
		.object({
			downloadAttachments: z.boolean().default(false),
			groupMessages: z
				.number(secondsRule)
				.int(secondsRule)
				.min(0, secondsRule)
				.max(MAX_QUIET_SECONDS, secondsRule)
				.default(0),
		})
		.prefault({}),
});

type MessageSettings = Settings<z.infer<typeof parameters>>;

const simpleMessage = z.object({
	id: z.string(),
	text: z.string(),
	type: z.string(),
	contentType: z.string(),
	attachments: z.array(
		z.object({ name: z.string(), mimeType: z.string(), size: z.number(), url: z.string() }).partial(),
	),
	receivedAt: z.iso.datetime(),
});

const messageReceived: TriggerEvent<typeof parameters> = {
	name: 'Message Received',
	value: 'messageReceived',
	description: 'When a contact writes a message, on any channel',
	fields: [inboxIdsField, inChargeField, ...conditionFields, optionsField, simplify],
	parameters,
	output: simpleMessage.extend({
		chatInput: z.string(),
		sessionId: z.string(),
		contact: simpleContact,
		conversation: z.object({
			id: z.string(),
			inCharge: z.enum(['bot', 'person']),
			assignedTo: z.string().nullable(),
			archived: z.boolean(),
		}),
		channel: z.object({ id: z.string(), name: z.string(), type: z.string() }).nullable(),
	}),
	watch: watchMessages,
};

export const messageEvents = [messageReceived];

/** Messages that become one item. */
interface Found {
	/** The contact. */
	record: IDataObject;
	conversation: IDataObject;
	/** Oldest first. */
	messages: IDataObject[];
}

/** Watches for messages of contacts. The reference shows none; services list conversations and their messages. */
function watchMessages(client: Requester, settings: MessageSettings, host: PollHost): Watcher {
	const { inboxIds, inCharge, options } = settings.parameters;
	const contacts = new ContactItems(client, settings);
	const matches = (conversation: IDataObject) =>
		inCharge === 'anyone' || inCharge === inChargeOf(conversation);
	const isOnChannel = (conversation: IDataObject) => (message: IDataObject) =>
		inboxIds.length === 0 || inboxIds.includes(inboxIdOf(inboxOf(conversation, message)) ?? '');

	const readContact = async ({ contactId, contact }: IDataObject) => {
		const params = { identifier: `id:${String(contactId)}` };
		// Who was deleted since has still written.
		const fromConversation = () => ({ ...(contact as IDataObject | null), id: String(contactId) });
		return await readRecord(client, contactApi.getContact, { params }).catch(
			recover(isNotFound, fromConversation),
		);
	};
	const makeItems = async (found: Found[]) => {
		const { items, mustSave } = await contacts.make(found, ({ conversation, messages }, contact) => [
			itemOf(conversation, messages, contact, settings),
		]);
		const withBinary = async (item: IDataObject) =>
			options.downloadAttachments ? await withFiles(item, host) : item;
		const complete: Array<IDataObject | INodeExecutionData> = [];
		for (const item of items) complete.push(await withBinary(item));
		return { items: complete, mustSave };
	};

	const find = async (last: ConversationMemory | undefined) => {
		const found: Found[] = [];
		let skipped = 0;
		const memory = await new ConversationPoll(client, last, host.hasTime).run(
			async ({ conversation, messages }, seenAt) => {
				const quietMs = options.groupMessages * 1000;
				const { groups, heldSince } = groupMessages(messages, quietMs, Date.now(), seenAt);
				const released = groups
					.map((group) => group.filter(isOnChannel(conversation)))
					.filter((group) => group.length > 0);
				if (!matches(conversation)) skipped += released.length;
				else if (released.length > 0) {
					const record = await readContact(conversation);
					found.push(...released.map((group) => ({ record, conversation, messages: group })));
				}
				return { count: groups.flat().length, heldSince };
			},
		);
		found.sort((a, b) => timeOf(a.messages[0].createdAt) - timeOf(b.messages[0].createdAt));
		const { items, mustSave } = await makeItems(found);
		return { items, memory, mustSave: mustSave || skipped > 0 };
	};

	const sample = async () => {
		for await (const { rows } of readConversations(client)) {
			for (const conversation of rows.filter((row) => row.contactRepliedAt && matches(row))) {
				const messages = await readIncoming(client, conversation, 0, 1);
				const message = messages.filter(isOnChannel(conversation)).at(-1);
				if (!message) continue;
				const record = await readContact(conversation);
				const { items } = await makeItems([{ record, conversation, messages: [message] }]);
				if (items.length > 0) return items[0];
			}
			// Who looks for a sample does not wait for all conversations.
			break;
		}
		return undefined;
	};

	return {
		poll: async (last: ConversationMemory | undefined) => await find(last).catch(explainUnreadable),
		sample: async () => await sample().catch(explainUnreadable),
	};
}

const explainUnreadable = recover(
	(error) => error.details.reason === 'forPeopleOnly' || isUnsupported(error),
	(): never => {
		throw new ApiError("This service doesn't let access tokens read conversations.", {
			outcome: 'refused',
			advice: 'So n8n cannot see the messages of contacts there. Newer versions of the service allow it.',
		});
	},
);

const inChargeOf = ({ botEnabled }: IDataObject) => (botEnabled === false ? 'person' : 'bot');

/** Returns the channel of a message, as its conversation shows it. */
function inboxOf(conversation: IDataObject, { contactInboxId }: IDataObject) {
	const inboxes = inboxesOf(conversation);
	return inboxes.find(({ id }) => id === contactInboxId) ?? (inboxes.length === 1 ? inboxes[0] : {});
}

/** Makes an item of messages. `chatInput` and `sessionId` are what n8n's AI Agent and its memory read by themselves. */
function itemOf(
	conversation: IDataObject,
	messages: IDataObject[],
	contact: IDataObject,
	{ simplify: isSimplified, parameters: { options } }: MessageSettings,
): IDataObject {
	const last = messages[messages.length - 1];
	const text = messages
		.map(({ text: each }) => each)
		.filter(Boolean)
		.join('\n');
	const inbox = inboxOf(conversation, last);
	const channel = { id: inboxIdOf(inbox), name: inbox.inbox?.name ?? null, type: channelTypeOf(inbox) };
	const { id, assignedUser, archivedAt } = conversation;
	return {
		...(isSimplified ? simplifyMessage(last) : last),
		text,
		attachments: messages.flatMap(attachmentsOf),
		...(options.groupMessages > 0 && { messages: isSimplified ? messages.map(simplifyMessage) : messages }),
		chatInput: messages.map(chatInputOf).join('\n'),
		sessionId: String(contact.id),
		contact,
		conversation: isSimplified
			? {
					id,
					inCharge: inChargeOf(conversation),
					assignedTo: (assignedUser as IDataObject | null)?.name ?? null,
					archived: Boolean(archivedAt),
				}
			: conversation,
		channel: channel.id === undefined ? null : channel,
		receivedAt: last.createdAt,
	};
}

function simplifyMessage(message: IDataObject): IDataObject {
	const { id, text, type, contentType, createdAt } = message;
	return {
		id,
		text: text ?? '',
		type,
		contentType,
		attachments: attachmentsOf(message),
		receivedAt: createdAt,
	};
}

/** Says what a message is if it has no text: an agent needs one. */
function chatInputOf(message: IDataObject): string {
	if (message.text) return String(message.text);
	const names = attachmentsOf(message).map(({ name }) => name);
	if (names.length > 0) return `[attachments: ${names.join(', ')}]`;
	return `[${String(message.contentType)}]`;
}
