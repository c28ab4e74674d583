import { z } from 'zod/v4';
import { simpleContact } from '../../contacts/simplify';
import type { PollingEvent } from '../types';
import { messageReceivedFields, messageReceivedParameters } from './settings';
import { MessageWatcher } from './watchMessages';
import { boolean, dateTime, number, string, stringOrNull } from '../../contract/values';

export const messageReceived: PollingEvent<typeof messageReceivedParameters> = {
	name: 'Message Received',
	value: 'messageReceived',
	description: 'When a contact writes a message, on any channel',
	fields: messageReceivedFields,
	parameters: messageReceivedParameters,
	output: z.object({
		contact: simpleContact,
		text: string,
		channel: z.object({ id: string, name: string, type: string }).nullable(),
		messageId: string,
		type: string,
		contentType: string,
		attachments: z.array(
			z.object({ name: string, mimeType: string, size: number, url: string }).partial(),
		),
		receivedAt: dateTime,
		chatInput: string,
		sessionId: string,
		conversation: z.object({
			id: string,
			contactId: string,
			answeredBy: z.enum(['bot', 'person']),
			assignedTo: stringOrNull,
			archived: boolean,
		}),
	}),
	ifNoSample: 'Write to a channel, as a contact would, or remove conditions.',
	watch: (client, settings, host) => new MessageWatcher(client, settings, host),
};
