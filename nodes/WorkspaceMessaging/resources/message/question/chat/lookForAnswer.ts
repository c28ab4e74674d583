import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { toStoredForm } from '../../../../contacts/customFields/storedText';
import { downloadMessageFiles } from '../../../../conversations/attachments';
import { getMessageTime, readMessages } from '../../../../conversations/messages';
import { simplifyMessage } from '../../../../conversations/simplify';
import type { AnyItem } from '../../../../run/item';
import {
	ApiError,
	isAboutToken,
	isAnswer,
	partiallyDoneError,
} from '../../../../transport/errors/ApiError';
import { isObject } from '../../../../transport/guards';
import type { Requester } from '../../../../transport/request';
import type { ChatQuestion } from './chatQuestion';
import {
	findTypedAnswers,
	joinTexts,
	type ReadStoredForm,
	type TypedAnswer,
} from './understandAnswers';

/** What a look shows. */
interface Look {
	/** What the contact has written since the question, oldest first. */
	messages: IDataObject[];
	/** What can be the answer, oldest first. */
	answers: TypedAnswer[];
	/** The IDs of what the contact has written since then, but that is no answer, oldest first. */
	others: string[];
	/** Whether a person has written to the contact since the question. */
	hasPersonWritten: boolean;
}

/** What a look has found out about a question. */
export interface LookOutcome {
	/** Whether the workflow goes on. */
	isOver: boolean;
	/** The output; without one, the workflow goes on with its input. */
	output?: IDataObject;
	/** The files of the output. */
	binary?: IBinaryKeyData;
	/** The IDs of the messages that the output is made of. */
	answers?: string[];
	/** The IDs of the messages that are no answer. */
	others?: string[];
	/** Whether a person has written to the contact since the question; undefined if unknown. */
	hasPersonWritten?: boolean;
	/** Whether the service failed, so that the next look can see more. */
	hasFailed?: boolean;
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
	const times = messages.map(getMessageTime);
	const at = Math.max(0, ...times);
	const newest = messages.filter((message) => getMessageTime(message) === at);
	const ids = newest.map(({ id }) => String(id));
	const personWrote = messages.filter(isByMember).map(getMessageTime);
	return { before: { at, ids }, personWrote };
}

const isByMember = ({ senderType }: IDataObject) => senderType === 'user';

/**
 * Looks once whether the contact has answered: reads what was written since the question, which is
 * one request unless it fills a page.
 */
async function lookForAnswer(
	client: Requester,
	question: ChatQuestion,
	readStoredForm: ReadStoredForm,
): Promise<Look> {
	const { contactId, before, form } = question;
	const after = await readMessages(client, `id:${contactId}`, {
		// Others may have come in the same millisecond.
		after: before.at - 1,
		isChosen: ({ id }) => !before.ids.includes(String(id)),
	});
	const messages = filterReplies(after, question);
	const answers = findTypedAnswers(form, messages, readStoredForm);
	// A text is made of all messages; any other answer is in one of them.
	const used = form.type === 'text' ? messages : answers.map(({ message }) => message);
	const incoming = after.filter(({ messageType }) => messageType === 'incoming');
	const others = idsOf(incoming.filter((message) => !used.includes(message)));
	return { messages, answers, others, hasPersonWritten: after.some(isByMember) };
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

/**
 * Looks whether a question is over. A look that fails is one without an answer. Only a token that
 * is refused is an error, because it would be refused in each look.
 *
 * @param client what reads the messages
 */
export async function findOutcome(
	item: AnyItem,
	question: ChatQuestion,
	client: Requester,
): Promise<LookOutcome> {
	const isTimeOver = Date.now() >= question.until;
	return await look(item, question, isTimeOver, client).catch((error: unknown): LookOutcome => {
		failIfAboutToken(error);
		return { isOver: isTimeOver, hasFailed: !isAnswer(error) };
	});
}

/** Throws an `ApiError` if the service refuses the token. */
export function failIfAboutToken(error: unknown): void {
	if (!(error instanceof ApiError && isAboutToken(error))) return;
	throw partiallyDoneError(error, 'The question was sent, but n8n can no longer read the answer.');
}

async function look(
	item: AnyItem,
	question: ChatQuestion,
	isTimeOver: boolean,
	client: Requester,
): Promise<LookOutcome> {
	const readStoredForm = (type: string, text: string) => tryStoredForm(item, type, text);
	const found = await lookForAnswer(client, question, readStoredForm);
	const { messages, others, hasPersonWritten } = found;
	for (const answer of found.answers) {
		const described = await describeAnswer(item, question, answer);
		// A contact may send a file again, for example a smaller one.
		if (!described) continue;
		const isText = question.form.type === 'text';
		const answers = idsOf(isText ? messages : [answer.message]);
		return { isOver: true, ...described, answers, hasPersonWritten };
	}
	const endsWithAnyText = isTimeOver || question.goesOnIfNotUnderstood;
	const last = messages.at(-1);
	if (!endsWithAnyText || !last) return { isOver: isTimeOver, others, hasPersonWritten };
	const text = joinTexts(messages);
	const data = { answer: text, understood: false, respondedAt: last.createdAt };
	const message = simplifyMessage(last);
	const output = { ...question.contact, data, message };
	return { isOver: true, output, answers: idsOf(messages), hasPersonWritten };
}

const idsOf = (messages: IDataObject[]) => messages.map(({ id }) => String(id));

/** A contact may type anything instead of a phone number. */
function tryStoredForm(item: AnyItem, type: string, text: string): string | undefined {
	try {
		return toStoredForm(item, type, text, 'The answer');
	} catch {
		return undefined;
	}
}

/** Returns the output for an answer; undefined if its file cannot be downloaded. */
async function describeAnswer(
	item: AnyItem,
	{ contact, form }: ChatQuestion,
	{ values, text, message }: TypedAnswer,
): Promise<Pick<LookOutcome, 'output' | 'binary'> | undefined> {
	const describe = (own: IDataObject, shown: IDataObject) => ({
		...contact,
		data: { answer: text, ...own, understood: true, respondedAt: message.createdAt },
		message: shown,
	});
	const simple = simplifyMessage(message);
	if (form.type !== 'file') return { output: describe(values, simple) };
	const saveFile = item.saveFile.bind(item);
	const { json, binary } = await downloadMessageFiles(simple, {
		hasTimeForFiles: () => true,
		saveFile,
	});
	const [file] = Object.keys(binary);
	if (file === undefined) return undefined;
	const { fileName, mimeType } = binary[file];
	const shown = isObject(json) ? (json as IDataObject) : simple;
	const own = { file: { binary: file, fileName, mimeType } };
	return { output: describe(own, shown), binary };
}
