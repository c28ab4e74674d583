import type { IDataObject } from 'n8n-workflow';
import { Duration } from 'luxon';
import { getInboxes, getInboxId } from '../../../../channels/channel';
import {
	customFieldDefinitions,
	readCustomFieldDefinitions,
} from '../../../../contacts/customFields/definitions';
import { findQuestionFieldId } from '../../../../contacts/customFields/questionField';
import {
	getQuestionNote,
	isQuestionOpen,
	makeQuestionId,
	writeNote,
	type NotedPause,
	type QuestionNote,
} from '../../../../contacts/customFields/questionNote';
import { lookUpContactOf } from '../../../../contacts/findByIdentifier';
import { describeContact } from '../../../../contacts/output';
import { contactApi } from '../../../../contract/contact';
import { customFieldApi, QUESTION_FIELD } from '../../../../contract/customField';
import { noConversationError } from '../../../../conversations/find';
import {
	beginPause,
	enableBot,
	isOwnPause,
	readConversation,
	returnBot,
} from '../../../../conversations/ownPause';
import type { AnyItem } from '../../../../run/item';
import { lacksError, listTraits } from '../../../../service/capabilities';
import {
	ApiError,
	errorBeforeChange,
	isListMissing,
	isUnsupported,
	mayHaveChanged,
	onApiError,
	refusedError,
} from '../../../../transport/errors/ApiError';
import { joinSentences } from '../../../../transport/errors/sentences';
import { toObject, idsOf } from '../../../../transport/guards';
import { unitMs } from '../../../../values/dates';
import { createOrFind } from '../../../shared/createOrFind';
import { sendText } from '../../delivery/sendText';
import type { QuestionItem } from '../questionFields';
import { waitUntil } from '../waitTime';
import type { ChatQuestion } from './chatQuestion';
import { readNewestMessages } from './replies';
import { makeForm, makeText } from './understandAnswers';

/*
 * Asks a question in the chat: notes it, pauses the workspace's own bot, which would answer what the
 * contact types, and sends the question. `questionNote.ts` says what the note is for.
 */

/** Sends a question. All that comes before is undone if it cannot be sent; it throws an `ApiError`. */
export async function ask(item: QuestionItem): Promise<ChatQuestion> {
	const contact = await lookUpContactOf(item);
	const { body } = item;
	const contactId = String(contact.id);
	const until = waitUntil(item, body).getTime();
	const newest = await readNewestMessages(item, contactId).catch(explainNoMessages);
	const { fieldId, note } = await prepareNote(item, contact);
	const { id } = toObject(contact.conversation);
	const conversationId = id === undefined ? undefined : String(id);
	const pause =
		conversationId && fieldId
			? await pauseBot(item, conversationId, note.pause, newest)
			: undefined;
	const question: ChatQuestion = {
		id: makeQuestionId(),
		contactId,
		fieldId,
		pausedConversationId: pause && conversationId,
		contact: describeContact(item),
		text: makeText(body),
		form: makeForm(body),
		goesOnIfNotUnderstood: body.ifNotUnderstood === 'continue',
		before: newest.before,
		contactInboxIds: findAccounts(contact, body.inboxId),
		askedAt: Date.now(),
		until,
	};
	await sendNoted(item, question, note, pause);
	return { ...question, askedAt: Date.now() };
}

/** Notes a question, and sends it. */
async function sendNoted(
	item: QuestionItem,
	question: ChatQuestion,
	earlier: QuestionNote,
	pause: NotedPause | undefined,
) {
	const { id, until, before, contactId, pausedConversationId } = question;
	const askedAfter = before.ids.length > 0 ? before.at : undefined;
	const { answers } = earlier;
	const open = { until, question: id, askedAfter, pause, others: [], answers };
	let isNoted = false;
	const send = async () => {
		await writeNote(item, question, open).catch(errorBeforeChange('sent'));
		isNoted = true;
		await sendText(item, question.text);
	};
	await send().catch(async (error: unknown) => {
		if (isNoted || (error instanceof ApiError && mayHaveChanged(error)))
			await writeNote(item, question, earlier).catch(() => hintOpenNote(item, contactId));
		if (pause) await returnBot(item, pausedConversationId!, pause);
		throw error;
	});
}

/** Shows a hint that the note of a question says that it is open, although it is over. */
export function hintOpenNote(item: AnyItem, contactId: string) {
	item.hint(
		`n8n could not note that the question to contact ${contactId} is over. Until its end, messages of the contact can start workflows up to 60 minutes late. To end that, use Message → Cancel Question.`,
	);
}

/**
 * Pauses the bot. Returns undefined if a person is in charge already, or with a hint if the service
 * has no such pause. A pause of an earlier question that has not ended goes on as that of this one.
 */
async function pauseBot(
	item: QuestionItem,
	conversationId: string,
	earlier: NotedPause | undefined,
	{ before: { at: since }, personWrote }: Awaited<ReturnType<typeof readNewestMessages>>,
) {
	const { pauseBot: isWanted } = item.body;
	if (!isWanted && !earlier) return undefined;
	const goOnOrBegin = async () => {
		const conversation = await readConversation(item, conversationId);
		const isOff = conversation.botEnabled === false;
		if (!isOff) return isWanted ? await beginPause(item, conversationId, since) : undefined;
		if (earlier?.resumesAt === undefined) return undefined;
		const isOwn = isOwnPause(conversation, earlier, personWrote) === true;
		return isOwn ? { ...earlier, since } : undefined;
	};
	return await goOnOrBegin().catch(async (error: unknown) => {
		if (error instanceof ApiError && mayHaveChanged(error))
			await enableBot(item, conversationId).catch(() => undefined);
		if (!isUnsupported(error)) throw error;
		hintNoPause(item);
		return undefined;
	});
}

const hintNoPause = (item: AnyItem) =>
	item.hint("This service can't pause its bot, so the bot may answer what the contact types.");

/**
 * Returns where to note a question, and what is noted; makes the custom field if the workspace has
 * none. Throws an `ApiError` if the contact has an open question, or if the field cannot be made. If
 * an older service does not show whether it has the field, there is none, and hints say so.
 */
async function prepareNote(item: QuestionItem, contact: IDataObject) {
	const definitions = await customFieldDefinitions(item).catch(errorBeforeChange('sent'));
	const fieldId = findQuestionFieldId(definitions);
	const note = getQuestionNote(contact, fieldId);
	refuseSecondQuestion(note);
	if (fieldId !== undefined) return { fieldId, note };
	const { cutAt } = listTraits(item, customFieldApi.listCustomFields);
	if (cutAt === undefined) return { fieldId: await makeField(item), note };
	item.hint(
		`This service shows only some of its custom fields, so n8n cannot use the one named "${QUESTION_FIELD}". The answer can start a workflow with Message Received, too.`,
	);
	// Without a note, nobody would know who has paused the bot.
	if (item.body.pauseBot) hintNoPause(item);
	return { fieldId, note };
}

function refuseSecondQuestion(note: QuestionNote) {
	if (!isQuestionOpen(note)) return;
	const minutes = Math.max(1, Math.ceil((note.until! - Date.now()) / unitMs.minutes));
	const left = Duration.fromObject({ minutes }, { locale: 'en' }).rescale();
	throw refusedError(
		`This contact has an open question in the chat, for another ${left.toHuman({ listStyle: 'long' })}.`,
		'Ask again when it is answered. If you have stopped its workflow, use Message → Cancel Question.',
		{ endpoint: contactApi.sendMessage },
	);
}

/** Makes the custom field, and returns its ID. */
async function makeField(item: AnyItem): Promise<string> {
	const body = { name: QUESTION_FIELD, type: 'longText' as const };
	const find = () => findField(item);
	const create = async () => {
		await item.request(customFieldApi.createCustomField, { body, isLookedFor: true });
		// Two questions may have made one at the same moment: both use the first.
		return await find();
	};
	const fail = onApiError(() => true, failToMakeField);
	const { record: id } = await createOrFind(item, { create, find }).catch(fail);
	if (id !== undefined) return id;
	throw refusedError(`The service does not show the custom field "${QUESTION_FIELD}".`, undefined, {
		endpoint: contactApi.sendMessage,
	});
}

const findField = async (item: AnyItem) =>
	findQuestionFieldId(await readCustomFieldDefinitions(item));

function failToMakeField({ what, details }: ApiError): never {
	throw new ApiError(
		`n8n notes open questions in a custom field named "${QUESTION_FIELD}", but could not make it.`,
		{ ...details, cause: joinSentences(what, details.cause), nothingWas: 'sent' },
	);
}

/** Returns the contact's accounts on the channel that the user chose; undefined for any. */
function findAccounts(contact: IDataObject, inboxId: string | undefined) {
	const isOn = (account: IDataObject) =>
		account.id !== undefined && getInboxId(account) === inboxId;
	const ids = idsOf(getInboxes(contact).filter(isOn));
	return inboxId !== undefined && ids.length > 0 ? ids : undefined;
}

const explainNoMessages = onApiError(isListMissing, ({ details: { reason, status } }): never => {
	if (reason === 'noConversation') throw noConversationError();
	const what = `let n8n read what a contact types (${status})`;
	const failed = { endpoint: contactApi.sendMessage, status };
	throw lacksError(what, 'Choose By Link under Answer.', failed);
});
