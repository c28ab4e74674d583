import { z } from 'zod/v4';
import { pagedList, type Endpoint } from './endpoint';
import { choices, limits } from './limits';
import {
	anyText,
	dateTime,
	number,
	numericId,
	oneOf,
	someText,
	string,
	stringOrNull,
	strings,
	text,
	kinds,
	wholeNumber,
} from './values';

/*
 * Broadcasts: what the service itself sends to many contacts. The reference only reads them (part
 * 4.5); the newest services also write them.
 */

/**
 * The kinds of broadcasts (`subaction`): the channels that have them, what they send, and whether
 * to all contacts of the channel or to `active` ones, who wrote within `limits.activeHours`.
 */
export const broadcastKinds = {
	allContacts: { channels: ['omnichannel', 'zalo'], content: 'flow', reaches: 'all' },
	telegramAllContacts: { channels: ['telegram'], content: 'flow', reaches: 'all' },
	whatsappTemplateMessage: { channels: ['whatsapp'], content: 'template', reaches: 'all' },
	whatsappWithin24Hours: { channels: ['whatsapp'], content: 'flow', reaches: 'active' },
	messengerTemplateMessage: { channels: ['messenger'], content: 'template', reaches: 'all' },
	messengerActiveContacts: { channels: ['messenger'], content: 'flow', reaches: 'active' },
	instagramActiveContacts: { channels: ['instagram'], content: 'flow', reaches: 'active' },
	tiktokActiveContacts: { channels: ['tiktok'], content: 'flow', reaches: 'active' },
} as const;

/** The status in which a broadcast has to be for a step; any other status is refused. */
export const statusNeededTo = {
	schedule: 'draft',
	moveToDraft: 'scheduled',
	stop: 'sending',
} as const;

/** What can have happened to a recipient: the parts of the list of recipients (`eventType`). */
export const recipientEvents = [
	'message:sent',
	'message:delivered',
	'message:seen',
	'message:failed',
	'flow:clicked',
] as const;

const { messagesPerMinute, broadcastName } = limits;
/** How fast a broadcast is sent. */
export const mostPerMinute = wholeNumber(messagesPerMinute.min, messagesPerMinute.max);
const ofBroadcast = z.strictObject({ broadcastId: numericId });
const subaction = oneOf(Object.keys(broadcastKinds));
const contactFilter = z.looseObject({}).optional();
const reference = z.looseObject({ id: string });

/** What a broadcast is called. */
export const broadcastTitle = text(broadcastName.min, broadcastName.max).register(kinds, {
	kind: 'name',
});

/** When a broadcast is sent, and how fast. The service cuts the time to the minute. */
const schedule = {
	schedulesType: z.enum(['now', 'future']),
	schedulesAt: dateTime.nullable(),
	sendRatePerMinute: mostPerMinute.optional(),
};

/** What happened to a recipient. */
const recipient = z.looseObject({
	contactId: string,
	fullName: stringOrNull.optional(),
	channel: string.nullable(),
	/** What the provider said, if it failed. */
	errorContent: stringOrNull,
	occurredAt: dateTime,
});

/** The fields of a recipient that people use most. */
export const simpleRecipient = recipient.pick({
	contactId: true,
	fullName: true,
	occurredAt: true,
	errorContent: true,
});

/**
 * The calls that write broadcasts, and list who got them. A step from one status to another can be
 * sent twice: the second time, the status is another one already, and the service refuses it.
 */
export const broadcastApi = {
	/** Nobody gets a draft. The service names it; the ID of a number on WhatsApp goes with a template. */
	createBroadcast: {
		method: 'POST',
		path: '/api/v1/broadcasts',
		body: z.strictObject({
			channel: oneOf(choices.contactChannels),
			subaction,
			flowId: numericId.optional(),
			templateId: someText.optional(),
			integrationWhatsappId: someText.optional(),
			templateParams: z.record(string, anyText).optional(),
			templateData: z.looseObject({}).optional(),
			contactFilter,
			...schedule,
			saveAsDraft: z.literal(true),
		}),
		status: 201,
		response: reference,
		verifyHint: 'for a draft',
		undocumented: { instead: 'create it in the workspace' },
	},

	/**
	 * Counts whom a broadcast would reach now: a contact on two channels counts twice. Without
	 * `channels`, inboxes or a number it counts nobody.
	 */
	previewAudience: {
		method: 'POST',
		path: '/api/v1/broadcasts/audience/preview',
		body: z.strictObject({
			channels: strings,
			subaction: string,
			inboxIds: strings.optional(),
			integrationWhatsappId: someText.optional(),
			integrationMessengerId: someText.optional(),
			contactFilter,
			audienceRangeStart: number.optional(),
			audienceRangeEnd: number.optional(),
			perPage: number,
		}),
		response: z.looseObject({ total: number }),
		idempotent: true,
		isRead: true,
		undocumented: {},
	},

	renameBroadcast: {
		method: 'PUT',
		path: '/api/v1/broadcasts/{broadcastId}',
		params: ofBroadcast,
		body: z.strictObject({ name: broadcastTitle }),
		undocumented: {},
	},

	scheduleBroadcast: {
		method: 'POST',
		path: '/api/v1/broadcasts/{broadcastId}/schedule',
		params: ofBroadcast,
		body: z.strictObject(schedule),
		response: reference,
		idempotent: true,
		undocumented: { instead: 'schedule it in the workspace' },
	},

	moveBroadcastToDraft: {
		method: 'POST',
		path: '/api/v1/broadcasts/{broadcastId}/move-to-draft',
		params: ofBroadcast,
		response: reference,
		idempotent: true,
		undocumented: { instead: 'stop it in the workspace' },
	},

	stopBroadcast: {
		method: 'POST',
		path: '/api/v1/broadcasts/{broadcastId}/stop',
		params: ofBroadcast,
		response: reference,
		idempotent: true,
		undocumented: { instead: 'stop it in the workspace' },
	},

	/** Services delete any broadcast that is not being sent. */
	deleteBroadcast: {
		method: 'DELETE',
		path: '/api/v1/broadcasts/{broadcastId}',
		params: ofBroadcast,
		isDelete: true,
		undocumented: { instead: 'delete it in the workspace' },
	},

	listBroadcastContacts: {
		...pagedList('/api/v1/broadcasts/{broadcastId}/contacts', recipient, {
			eventType: oneOf(recipientEvents),
		}),
		params: ofBroadcast,
		undocumented: { instead: 'look at the broadcast in the workspace' },
	},
} satisfies Record<string, Endpoint>;
