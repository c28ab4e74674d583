import type { IDataObject } from 'n8n-workflow';
import { customFieldDefinitions } from '../../contacts/customFields/definitions';
import { findQuestionFieldId } from '../../contacts/customFields/questionField';
import {
	isQuestionOpen,
	makeQuestionId,
	readNote,
	writeNote,
	type NotePlace,
	type NotedPause,
} from '../../contacts/customFields/questionNote';
import { lookUpContactOf } from '../../contacts/findByIdentifier';
import { contactOutput, describeContact } from '../../contacts/output';
import { findConversationByContact } from '../../conversations/find';
import { isByMember, readMessages } from '../../conversations/messages';
import { hintPaused, returnBot } from '../../conversations/ownPause';
import { conversationApi } from '../../contract/conversation';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import type { AnyItem } from '../../run/item';
import { errorBeforeChange } from '../../transport/errors/ApiError';
import { toObject } from '../../transport/guards';
import { boolean } from '../../contract/values';

/**
 * Ends the question that a contact has not answered in the chat: its workflow goes on with the next
 * look as if nobody had answered.
 */
export const cancelQuestion = defineOperation({
	name: 'Cancel Question',
	value: 'cancelQuestion',
	action: 'Cancel question',
	description: 'End the question in the chat that a contact has not answered, and return the bot',
	endpoint: findConversationByContact(conversationApi.enableBot),
	fields: [contactLocator],
	output: contactOutput.extend({
		/** False if no question was open. */
		cancelled: boolean,
	}),

	async run(item) {
		const contact = await lookUpContactOf(item);
		const definitions = await customFieldDefinitions(item).catch(errorBeforeChange('changed'));
		const place = { contactId: String(contact.id), fieldId: findQuestionFieldId(definitions) };
		const note = await cancelNote(item, place);
		if (note) {
			await returnBotOf(item, contact, note.pause);
			// A look may have written what it had read before.
			await cancelNote(item, place, note.question);
		}
		return [{ success: true, ...describeContact(item), cancelled: note !== undefined }];
	},
});

/**
 * Notes that the open question of a contact is over. Its looks end then, because they find the ID of
 * another question. Returns the note as it was; undefined if no question is open.
 *
 * @param question the ID of the only one to cancel
 */
async function cancelNote(item: AnyItem, place: NotePlace, question?: string) {
	const note = await readNote(item, place);
	const isOther = question !== undefined && question !== note.question;
	if (!isQuestionOpen(note) || isOther) return undefined;
	const { pause, answers } = note;
	await writeNote(item, place, { question: makeQuestionId(), pause, others: [], answers });
	return note;
}

/** Returns the bot, unless a member has written. Never throws, but shows a hint. */
async function returnBotOf(item: AnyItem, contact: IDataObject, pause: NotedPause | undefined) {
	const { id } = toObject(contact.conversation);
	if (!pause || id === undefined) return;
	const conversationId = String(id);
	const after = pause.since;
	const messages = await readMessages(item, `id:${String(contact.id)}`, { after }).catch(() => {
		hintPaused(item, conversationId);
	});
	if (messages?.some(isByMember) === false) await returnBot(item, conversationId, pause);
}
