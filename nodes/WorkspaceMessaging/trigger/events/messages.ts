import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v4';
import { inboxIdOf } from '../../contacts/list/channels';
import { simpleContact } from '../../contacts/simplify';
import { contactApi } from '../../contract/contact';
import { numericId, oneOf } from '../../contract/values';
import type { Field } from '../../execution/operation';
import { conditionFields } from '../../resources/shared/contactFilters';
import { optional, simplify } from '../../resources/shared/fields';
import { ApiError, isNotFound, isUnsupported, recover } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import { readRecord } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { ConversationPoll, readConversations, readIncoming, timeOf } from '../conversations';
import type { ConversationMemory } from '../conversations';
import { groupMessages } from '../grouping';
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
	watch: (client, settings, host) => new MessageWatcher(client, settings, host),
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
class MessageWatcher implements Watcher {
	private readonly contacts: ContactItems;

	constructor(
		private readonly client: Requester,
		private readonly settings: MessageSettings,
		private readonly host: PollHost,
	) {
		this.contacts = new ContactItems(client, settings);
	}

	async poll(last: ConversationMemory | undefined) {
		return await this.findNew(last).catch(explainUnreadable);
	}

	async sample() {
		return await this.findSample().catch(explainUnreadable);
	}

	private async findNew(last: ConversationMemory | undefined) {
		const { client, host, settings } = this;
		const quietMs = settings.parameters.options.groupMessages * 1000;
		const found: Found[] = [];
		let skipped = 0;
		const memory = await new ConversationPoll(client, last, host.hasTime).run(
			async ({ conversation, messages }, seenAt) => {
				const { groups, heldSince } = groupMessages(messages, quietMs, Date.now(), seenAt);
				const matching = groups
					.map((group) => this.keepOnChannel(conversation, group))
					.filter((group) => group.length > 0);
				if (!this.isInCharge(conversation)) skipped += matching.length;
				else if (matching.length > 0) {
					const record = await this.readContact(conversation);
					found.push(...matching.map((group) => ({ record, conversation, messages: group })));
				}
				return { count: groups.flat().length, heldSince };
			},
		);
		found.sort((a, b) => timeOf(a.messages[0].createdAt) - timeOf(b.messages[0].createdAt));
		const { items, mustSave } = await this.makeItems(found);
		return { items, memory, mustSave: mustSave || skipped > 0 };
	}

	/** Finds the last message of one of the newest conversations. */
	private async findSample() {
		const { value } = await readConversations(this.client).next();
		for (const conversation of value?.rows ?? []) {
			if (!conversation.contactRepliedAt || !this.isInCharge(conversation)) continue;
			const newest = await readIncoming(this.client, conversation, 0, 1);
			const message = this.keepOnChannel(conversation, newest).at(-1);
			if (!message) continue;
			const record = await this.readContact(conversation);
			const { items } = await this.makeItems([{ record, conversation, messages: [message] }]);
			if (items.length > 0) return items[0];
		}
		return undefined;
	}

	private isInCharge(conversation: IDataObject): boolean {
		const { inCharge } = this.settings.parameters;
		return inCharge === 'anyone' || inCharge === inChargeOf(conversation);
	}

	private keepOnChannel(conversation: IDataObject, messages: IDataObject[]): IDataObject[] {
		const { inboxIds } = this.settings.parameters;
		const channelOf = (message: IDataObject) => inboxIdOf(inboxOf(conversation, message)) ?? '';
		return inboxIds.length === 0
			? messages
			: messages.filter((message) => inboxIds.includes(channelOf(message)));
	}

	private async readContact({ contactId, contact }: IDataObject): Promise<IDataObject> {
		const params = { identifier: `id:${String(contactId)}` };
		// Who was deleted since has still written.
		const fromConversation = () => ({ ...(isObject(contact) && contact), id: String(contactId) });
		return await readRecord(this.client, contactApi.getContact, { params }).catch(
			recover(isNotFound, fromConversation),
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

const explainUnreadable = recover(
	(error) => error.details.reason === 'forPeopleOnly' || isUnsupported(error),
	(): never => {
		throw new ApiError("This service doesn't let access tokens read conversations.", {
			outcome: 'refused',
			advice: 'So n8n cannot see the messages of contacts there. Newer versions of the service allow it.',
		});
	},
);
