import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v4';
import { inboxesOf, inboxIdOf } from '../../contacts/list/channels';
import { simpleContact } from '../../contacts/simplify';
import { contactApi } from '../../contract/contact';
import { numericId, oneOf } from '../../contract/values';
import type { Field } from '../../execution/operation';
import { conditionFields } from '../../resources/shared/contactFilters';
import { optional, simplify } from '../../resources/shared/fields';
import { ApiError, recover } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import { readRecord } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { ConversationPoll } from '../conversations';
import type { ConversationMemory } from '../conversations';
import { groupMessages } from '../grouping';
import { contactTimeOf, isGone, readConversations, readIncoming, timeOf } from '../readConversations';
import type { PollHost, Settings, TriggerEvent, Watcher } from '../types';
import { withFiles } from './attachments';
import { ContactItems } from './contacts';
import { inboxOf, inChargeOf, itemOf } from './messageItems';
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
	description: 'Whether the bot or a person must be answering the conversation at the time of the poll',
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
			'How many seconds to wait for more messages. All messages that a contact writes until then become one item.',
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
	watch: (client, settings, host) => new MessageWatcher(client, settings, host),
};

export const messageEvents = [messageReceived];

/** The newest conversations to search for a sample. */
const SAMPLE_CONVERSATIONS = 10;

/** Messages that become one item. */
interface Found {
	/** The contact. */
	record: IDataObject;
	conversation: IDataObject;
	/** Oldest first. */
	messages: IDataObject[];
}

/** Watches for messages of contacts. The reference shows none; services list conversations and their messages. */
class MessageWatcher implements Watcher {
	private readonly contacts: ContactItems;

	/** How long a contact is quiet at the end of a group. */
	private readonly quietMs: number;

	constructor(
		private readonly client: Requester,
		private readonly settings: MessageSettings,
		private readonly host: PollHost,
	) {
		this.contacts = new ContactItems(client, settings);
		this.quietMs = settings.parameters.options.groupMessages * 1000;
	}

	async poll(last: ConversationMemory | undefined) {
		const { client, host, quietMs } = this;
		const found: Found[] = [];
		let skipped = 0;
		const conversations = new ConversationPoll(client, last, host.hasTime);
		const memory = await conversations.run(async ({ conversation, messages }, seenAt) => {
			const { groups, heldSince } = groupMessages(messages, quietMs, Date.now(), seenAt);
			if (!this.isInCharge(conversation)) skipped += groups.length;
			else if (groups.length > 0) found.push(...(await this.keepOnChannel(conversation, groups)));
			return { count: groups.flat().length, heldSince };
		});
		const [failure] = conversations.failures;
		if (failure)
			host.warn(`Some conversations could not be read; the next poll tries again. ${failure.message}`);
		found.sort((a, b) => timeOf(a.messages[0].createdAt) - timeOf(b.messages[0].createdAt));
		const { items, mustSave } = await this.makeItems(found);
		return { items, memory, mustSave: mustSave || skipped > 0 };
	}

	/** Finds the last message, or group of messages, of one of the newest conversations. */
	async sample() {
		const { value } = await readConversations(this.client).next();
		const written = (value?.rows ?? []).filter((row) => contactTimeOf(row) > 0 && this.isInCharge(row));
		for (const conversation of written.slice(0, SAMPLE_CONVERSATIONS)) {
			const newest = await readIncoming(this.client, conversation, 0, 1);
			if (newest.length > 0) {
				const { groups } = groupMessages(newest, this.quietMs, Infinity);
				const found = await this.keepOnChannel(conversation, groups);
				const { items } = await this.makeItems(found.slice(-1));
				if (items.length > 0) return items[0];
			}
			if (!this.host.hasTime()) break;
		}
		return undefined;
	}

	private isInCharge(conversation: IDataObject): boolean {
		const { inCharge } = this.settings.parameters;
		return inCharge === 'anyone' || inCharge === inChargeOf(conversation);
	}

	/** Returns the groups of messages with their contact, without messages on channels that the user did not choose. */
	private async keepOnChannel(conversation: IDataObject, groups: IDataObject[][]): Promise<Found[]> {
		const { inboxIds } = this.settings.parameters;
		const record = await this.readContact(conversation);
		// A channel can be new since the list was read.
		const listed = inboxesOf(conversation);
		const isNew = (inbox: IDataObject) => listed.every(({ id }) => String(id) !== String(inbox.id));
		const contactInboxes = [...listed, ...inboxesOf(record).filter(isNew)];
		if (inboxIds.length > 0 && contactInboxes.length === 0) throw noChannels();
		const found = { record, conversation: { ...conversation, contactInboxes } };
		const isChosen = (message: IDataObject) =>
			inboxIds.length === 0 || inboxIds.includes(inboxIdOf(inboxOf(found.conversation, message)) ?? '');
		return groups
			.map((group) => ({ ...found, messages: group.filter(isChosen) }))
			.filter(({ messages }) => messages.length > 0);
	}

	private async readContact({ contactId, contact }: IDataObject): Promise<IDataObject> {
		const params = { identifier: `id:${String(contactId)}` };
		// Who was deleted since has still written.
		const fromConversation = () => ({ ...(isObject(contact) && contact), id: String(contactId) });
		return await readRecord(this.client, contactApi.getContact, { params }).catch(
			recover(isGone, fromConversation),
		);
	}

	/** Makes items of the messages whose contacts meet the conditions. */
	private async makeItems(found: Found[]) {
		const { settings, host } = this;
		const { items, mustSave } = await this.contacts.make(found, ({ conversation, messages }, contact) => [
			itemOf(conversation, messages, contact, settings),
		]);
		if (!settings.parameters.options.downloadAttachments) return { items, mustSave };
		const complete: INodeExecutionData[] = [];
		for (const item of items) complete.push(await withFiles(item, host));
		return { items: complete, mustSave };
	}
}

const noChannels = () =>
	new ApiError('This service lists conversations without their channels.', {
		outcome: 'refused',
		advice: 'Leave Channel Names or IDs empty.',
	});
