import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { downloadMessageFiles } from '../../../../conversations/attachments';
import { getMessageTime, isByMember, readMessages } from '../../../../conversations/messages';
import { simplifyMessage } from '../../../../conversations/simplify';
import type { Requester } from '../../../../transport/request';
import type { ChatQuestion } from './chatQuestion';
import {
	findTypedAnswers,
	joinTexts,
	type ReadStoredForm,
	type TypedAnswer,
} from './understandAnswers';
import { idsOf } from '../../../../transport/guards';

/* What the messages of a contact say about a question. */

/** What messages say about a question. */
export interface Reply {
	/** What the workflow goes on with; undefined if there is nothing. */
	output?: IDataObject;
	/** The files of the output. */
	binary?: IBinaryKeyData;
	/** The IDs of the messages that are the answer. */
	answers: string[];
	/** The IDs of what the contact has written that is no answer, oldest first. */
	others: string[];
	/** A message whose files have to be read first. */
	unread?: IDataObject;
}

/** A message, and its files that could be downloaded. */
type MessageWithFiles = Awaited<ReturnType<typeof downloadMessageFiles>>;

/** What reads messages. */
export interface ReplyReader {
	/** The messages whose files were downloaded, by their IDs. */
	files: Map<string, MessageWithFiles>;
	readStoredForm: ReadStoredForm;
}

/**
 * Whether a contact has typed a message: it is no comment below a post, and not what a link brings
 * along.
 */
const isTyped = ({ messageType, type, contentType }: IDataObject) =>
	messageType === 'incoming' && type !== 'comment' && contentType !== 'refLink';

/**
 * Returns the newest messages of a contact: their time, and their IDs. What comes later may be the
 * answer. Also returns when members wrote, as the newest page of messages shows it.
 */
export async function readNewestMessages(
	client: Requester,
	contactId: string,
): Promise<{ before: ChatQuestion['before']; personWrote: number[] }> {
	const messages = await readMessages(client, `id:${contactId}`, { pages: 1 });
	const at = Math.max(0, ...messages.map(getMessageTime));
	const newest = messages.filter((message) => getMessageTime(message) === at);
	const personWrote = messages.filter(isByMember).map(getMessageTime);
	return { before: { at, ids: idsOf(newest) }, personWrote };
}

/**
 * Reads all messages since the newest one before a question, oldest first, which is one request
 * unless they fill a page.
 */
export const readMessagesSince = async (client: Requester, { contactId, before }: ChatQuestion) =>
	await readMessages(client, `id:${contactId}`, {
		// Others may have come in the same millisecond.
		after: before.at - 1,
		isChosen: ({ id }) => !before.ids.includes(String(id)),
	});

/**
 * Finds out what messages say about a question. The first one that is understood is the answer; a
 * text is made of all of them.
 *
 * @param messages all since the newest one before the question, oldest first
 * @param noted the IDs of those that n8n has noted as the answer
 * @param isTimeUp whether the wait is over
 */
export function findReply(
	question: ChatQuestion,
	messages: IDataObject[],
	{ files, readStoredForm }: ReplyReader,
	noted: string[] | undefined,
	isTimeUp: boolean,
): Reply {
	const replies = noted
		? messages.filter(({ id }) => noted.includes(String(id)))
		: filterReplies(messages, question);
	const { form, goesOnIfNotUnderstood } = question;
	const typed = findTypedAnswers(form, replies, readStoredForm);
	for (const { message, values } of typed) {
		const used = form.type === 'text' ? replies : [message];
		if (form.type !== 'file') return describeReply(question, used, values);
		const withFiles = files.get(String(message.id));
		if (!withFiles) return { answers: [], others: [], unread: message };
		const [file] = Object.entries(withFiles.binary);
		// A contact may send a file again, for example a smaller one.
		if (!file) continue;
		const [binary, { fileName, mimeType }] = file;
		const own = { file: { binary, fileName, mimeType } };
		return describeReply(question, used, own, withFiles);
	}
	const takesAnyText = noted ?? (goesOnIfNotUnderstood || isTimeUp);
	if (takesAnyText && replies.length > 0) return describeReply(question, replies);
	return { answers: [], others: findOthers(messages, typed) };
}

/** Returns the IDs of what the contact has written, but that is no answer. */
function findOthers(messages: IDataObject[], typed: TypedAnswer[]) {
	const used = typed.map(({ message }) => message);
	const incoming = messages.filter(({ messageType }) => messageType === 'incoming');
	const others = incoming.filter((message) => !used.includes(message));
	return idsOf(others);
}

/** Describes messages; without values, n8n does not understand them. */
function describeReply(
	{ contact }: ChatQuestion,
	messages: IDataObject[],
	values?: IDataObject,
	withFiles?: MessageWithFiles,
): Reply {
	const last = messages[messages.length - 1];
	const answer = joinTexts(messages);
	const understood = values !== undefined;
	const data = { answer, ...values, understood, respondedAt: last.createdAt };
	const message = withFiles?.json ?? simplifyMessage(last);
	const output = { ...contact, data, message };
	return { output, binary: withFiles?.binary, answers: idsOf(messages), others: [] };
}

/**
 * Returns what the contact typed in reply to a question, oldest first: only messages that came after
 * the question, on its channel. If the service does not show the question, nobody knows when it was
 * sent. Sending can take long, and the contact may answer before n8n knows that it was sent, so then
 * all messages are replies that came after the newest one before the question, on the chosen
 * channel; without one, on any channel.
 *
 * @param after all messages since the newest one before the question, oldest first
 */
function filterReplies(
	after: IDataObject[],
	{ before, contactInboxIds, text }: ChatQuestion,
): IDataObject[] {
	const asked = after.find(
		(message) => message.messageType === 'outgoing' && String(message.text).trim() === text.trim(),
	);
	const askedAt = asked ? getMessageTime(asked) : before.at;
	const channels = asked?.contactInboxId ? [String(asked.contactInboxId)] : contactInboxIds;
	return after.filter((message) => {
		if (!isTyped(message) || getMessageTime(message) < askedAt) return false;
		const { contactInboxId } = message;
		return !channels || !contactInboxId || channels.includes(String(contactInboxId));
	});
}
