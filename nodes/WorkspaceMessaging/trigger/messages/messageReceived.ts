import { z } from 'zod/v4';
import { simpleContact } from '../../contacts/simplify';
import type { PollingEvent } from '../types';
import { messageReceivedFields, messageReceivedParameters } from './settings';
import { MessageWatcher } from './watchMessages';

export const messageReceived: PollingEvent<typeof messageReceivedParameters> = {
	name: 'Message Received',
	value: 'messageReceived',
	description: 'When a contact writes a message, on any channel',
	fields: messageReceivedFields,
	parameters: messageReceivedParameters,
	output: z.object({
		contact: simpleContact,
		text: z.string(),
		channel: z.object({ id: z.string(), name: z.string(), type: z.string() }).nullable(),
		messageId: z.string(),
		type: z.string(),
		contentType: z.string(),
		attachments: z.array(
			z
				.object({ name: z.string(), mimeType: z.string(), size: z.number(), url: z.string() })
				.partial(),
		),
		receivedAt: z.iso.datetime(),
		chatInput: z.string(),
		sessionId: z.string(),
		conversation: z.object({
			id: z.string(),
			contactId: z.string(),
			answeredBy: z.enum(['bot', 'person']),
			assignedTo: z.string().nullable(),
			archived: z.boolean(),
		}),
	}),
	ifNoSample: 'Write to a channel, as a contact would, or remove conditions.',
	watch: (client, settings, host) => new MessageWatcher(client, settings, host),
};
