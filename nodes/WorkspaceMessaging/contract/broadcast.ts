/*
 * Broadcasts: what the service itself sends to many contacts. The reference only reads them (part
 * 4.5); the newest services also write them.
 */

/**
 * The kinds of broadcasts (`subaction`): the channels that have them, what they send, and whether
 * to all contacts of the channel or to `active` ones, who wrote within `limits.activeHours`.
 */
export const broadcastKinds = {
	allContacts: {
		channels: ['omnichannel', 'webchat', 'zalo', 'smtp'],
		content: 'flow',
		reaches: 'all',
	},
	telegramAllContacts: { channels: ['telegram'], content: 'flow', reaches: 'all' },
	whatsappTemplateMessage: { channels: ['whatsapp'], content: 'template', reaches: 'all' },
	whatsappWithin24Hours: { channels: ['whatsapp'], content: 'flow', reaches: 'active' },
	messengerTemplateMessage: { channels: ['messenger'], content: 'template', reaches: 'all' },
	messengerActiveContacts: { channels: ['messenger'], content: 'flow', reaches: 'active' },
	instagramActiveContacts: { channels: ['instagram'], content: 'flow', reaches: 'active' },
	tiktokActiveContacts: { channels: ['tiktok'], content: 'flow', reaches: 'active' },
} as const;

/** The status in which a broadcast has to be for a step; any other status is refused. */
export const broadcastStatusFor = {
	schedule: 'draft',
	moveToDraft: 'scheduled',
	stop: 'sending',
	delete: 'draft',
} as const;

/** What can have happened to a recipient: the parts of the list of recipients (`eventType`). */
export const recipientEvents = [
	'message:sent',
	'message:delivered',
	'message:seen',
	'message:failed',
	'flow:clicked',
] as const;
