import { z } from 'zod/v4';
import { pagedList, type Endpoint } from './endpoint';
import { choices, anyChannel } from './limits';
import { string, stringOrNull, timestamps } from './values';

/*
 * The error log of a workspace: what channels and connected programs have refused. The reference
 * does not have it.
 */

/** An entry of the error log. */
const errorLogEntry = z.looseObject({
	id: string,
	contactId: stringOrNull,
	/** The type of the channel, or the name of a connected program. */
	action: string,
	/** What the channel or program said. */
	detail: string,
	httpCode: stringOrNull,
	...timestamps,
});

/** The calls for the error log. */
export const errorLogApi = {
	/** Newest first; services keep entries for 30 days. */
	listErrorLogs: {
		...pagedList('/api/v1/error-logs', errorLogEntry, {}),
		undocumented: {},
	},
} satisfies Record<string, Endpoint>;

/**
 * The types of channels whose entries are about messages. Mail is left out: its entries are also
 * about the workspace's own mails.
 */
export const messageChannels: readonly string[] = choices.contactChannels.filter(
	(type) => type !== anyChannel && type !== 'smtp',
);

const tooMany =
	'Too many messages were sent in a short time. Send fewer at once, and send this one again later.';

/** Why WhatsApp did not deliver a message, and what to do, by the code in its text. */
export const failureReasons: Record<string, string> = {
	80007: tooMany,
	130429: tooMany,
	131048:
		'WhatsApp limits this number because people blocked it or reported its messages. Send fewer messages, and only to people who want them.',
	131056: 'Too many messages were sent to this contact in a short time. Send it again later.',
	130472:
		'The contact takes part in an experiment of WhatsApp and gets no marketing messages. Reach the contact in another way.',
	131026:
		'WhatsApp cannot deliver to this number: it may not be on WhatsApp, or its app may be too old. Reach the contact in another way.',
	131047: 'The contact last wrote more than 24 hours ago. Use Send Template instead.',
	131049:
		'WhatsApp held the message back so that the contact does not get too much marketing. Wait for at least a day before you send it again.',
	131062:
		'The contact hides the phone number on WhatsApp, and this kind of message needs it. Ask the contact for the number.',
};
