import { z } from 'zod/v4';
import { notFound } from '../http/problems';
import { changeConversation, conversationOf } from '../services/newer/conversations/conversation';
import {
	letTimePass,
	personsReply,
	replyAsPerson,
	storeMessage,
	writeAsContact,
	writtenMessage,
} from '../services/newer/conversations/write';
import { logError, refusedCall } from '../services/newer/errorLog';
import { answerAsBot } from '../services/newer/flows';
import { noteText, storeNote } from '../services/newer/notes';
import type { Message } from '../services/newer/conversations/messageStore';
import { about, ofWorkspace, workspaceOf } from './base';

const ofContact = ofWorkspace.extend({ identifier: z.string() });
const ofMessage = ofWorkspace.extend({ id: z.string() });
const changes = z.record(z.string(), z.unknown());

/** How contacts write, how people answer, and how tests look at both. */
export const conversationControl = {
	write: about('POST', '/contacts/{identifier}/messages')
		.input(z.object({ params: ofContact, body: writtenMessage }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const { storage } = context;
			const contact = workspace.contactOf(params.identifier);
			const message = writeAsContact({ workspace, storage }, contact, body);
			answerAsBot(workspace, contact, body.text?.trim() ?? '', body.inboxId ?? contact.inboxIds[0]);
			return message;
		}),
	messages: about('GET', '/contacts/{identifier}/messages')
		.input(z.object({ params: ofContact }))
		.handler(({ context, input: { params } }) => {
			const workspace = workspaceOf(context, params.token);
			return workspace.messages.of(workspace.contactOf(params.identifier).id);
		}),
	reply: about('POST', '/contacts/{identifier}/replies')
		.input(z.object({ params: ofContact, body: personsReply }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			return replyAsPerson(workspace, workspace.contactOf(params.identifier), body);
		}),
	note: about('POST', '/contacts/{identifier}/notes')
		.input(z.object({ params: ofContact, body: z.strictObject({ text: z.string() }) }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const line = {
				messageType: 'activity',
				senderType: 'system',
				inboxId: undefined,
				...body,
			} as const;
			return storeMessage(workspace, workspace.contactOf(params.identifier), line);
		}),
	colleagueNote: about('POST', '/contacts/{identifier}/colleague-notes')
		.input(z.object({ params: ofContact, body: noteText }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const [colleague] = workspace.tables.members.values();
			return storeNote(
				workspace,
				workspace.contactOf(params.identifier),
				body.text,
				colleague?.userId,
			);
		}),

	logError: about('POST', '/contacts/{identifier}/errors')
		.input(z.object({ params: ofContact, body: refusedCall }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			return logError(workspace, workspace.contactOf(params.identifier), body);
		}),

	letTimePass: about('POST', '/contacts/{identifier}/time')
		.input(z.object({ params: ofContact, body: z.strictObject({ hours: z.number().positive() }) }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const contact = workspace.contactOf(params.identifier);
			letTimePass(workspace, contact, body.hours);
			return conversationOf(contact);
		}),

	changeMessage: about('PATCH', '/messages/{id}')
		.input(z.object({ params: ofMessage, body: changes }))
		.handler(({ context, input: { params, body } }): Message => {
			const { messages } = workspaceOf(context, params.token);
			const message = messages.find(params.id);
			if (!message) throw notFound('Message');
			return Object.assign(message, { updatedAt: messages.nextTime() }, body);
		}),
	removeMessage: about('DELETE', '/messages/{id}')
		.input(z.object({ params: ofMessage }))
		.handler(({ context, input: { params } }) => {
			const { messages } = workspaceOf(context, params.token);
			const message = messages.find(params.id);
			if (!message) throw notFound('Message');
			messages.remove(message);
		}),

	changeConversation: about('PATCH', '/contacts/{identifier}/conversation')
		.input(z.object({ params: ofContact, body: changes }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const contact = workspace.contactOf(params.identifier);
			if (!contact.conversation) throw notFound('Conversation');
			changeConversation(workspace, contact, body);
			return conversationOf(contact);
		}),
};
