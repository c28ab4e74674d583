import { readNote, writeNote } from '../../../../contacts/customFields/questionNote';
import { toStoredForm } from '../../../../contacts/customFields/storedText';
import { downloadMessageFiles } from '../../../../conversations/attachments';
import {
	beginPause,
	enableBot,
	hintPaused,
	readConversation,
} from '../../../../conversations/ownPause';
import { simplifyMessage } from '../../../../conversations/simplify';
import type { AnyItem } from '../../../../run/item';
import {
	ApiError,
	isAboutToken,
	isAnswer,
	onApiError,
	partiallyDoneError,
} from '../../../../transport/errors/ApiError';
import type { Requester } from '../../../../transport/request';
import { unitMs } from '../../../../values/dates';
import { hintOpenNote } from './ask';
import type { ChatQuestion } from './chatQuestion';
import { readMessagesSince } from './replies';
import { step, type Known, type Step, type Todo } from './step';
import { startWaiting } from './waitingWorkflow';

/**
 * How long a look may take. As long as the node itself waits for looks, they are brief, and retry
 * nothing, but a service that takes two seconds for a request can still end one: five requests.
 */
const BRIEF_LOOK_MS = 12_000;
const LONG_LOOK_MS = 30_000;

/** For how long n8n tries to do what is left of a question that is over. */
const LEFT_MS = 10 * unitMs.minutes;

/**
 * Looks once what has become of a question, and does what follows. What cannot be done at the end of
 * the question is left to another execution. Throws an `ApiError` if the service refuses the token
 * while there is no answer.
 *
 * @param isHeld whether the node itself looks
 */
export async function look(item: AnyItem, question: ChatQuestion, isHeld = false): Promise<Step> {
	const now = Date.now();
	const isBrief = now < question.askedAt + unitMs.minutes;
	const found = await doAll({
		item,
		question,
		now,
		client: openLookClient(item, isBrief),
		known: {
			isHeld,
			files: new Map(),
			readStoredForm: (type, text) => tryStoredForm(item, type, text),
		},
	});
	if (!found.isOver || found.todo.length === 0) return found;
	const hint = () => hintLeft(item, question, found.todo);
	if (!question.answers) {
		const left = { ...question, until: now, answers: found.answers };
		const nothingWaits = { doNotWaitToFinish: true };
		await startWaiting(item, left, { json: {} }, nothingWaits).catch(hint);
		return found;
	}
	const isOver = now >= question.until + LEFT_MS;
	if (isOver) hint();
	return { ...found, isOver };
}

function openLookClient({ run: { client, context } }: AnyItem, isBrief: boolean) {
	if (isBrief) return client!.createBriefRequester(context, BRIEF_LOOK_MS, 0);
	return client!.createBriefRequester(context, LONG_LOOK_MS);
}

/** Shows hints about what is left to do. */
function hintLeft(item: AnyItem, { contactId, pausedConversationId }: ChatQuestion, todo: Todo[]) {
	if (todo.includes('readNote') || todo.includes('writeNote')) hintOpenNote(item, contactId);
	if (pausedConversationId !== undefined) hintPaused(item, pausedConversationId);
}

/** A look, and what it has found out so far. */
interface Look {
	item: AnyItem;
	question: ChatQuestion;
	now: number;
	client: Requester;
	known: Known;
}

/** Does what is to be done, and nothing twice except reading files. Returns what is left then. */
async function doAll(current: Look) {
	const { question, known, now } = current;
	const tried = new Set<Todo>();
	for (;;) {
		const next = step(question, known, now);
		const todo = next.todo.find((each) => !tried.has(each));
		if (!todo) return next;
		// Several messages can have files.
		if (todo !== 'readFiles') tried.add(todo);
		const found = await works[todo](current, next).catch((error: unknown): Partial<Known> => {
			if (todo === 'readMessages' && !question.answers) failIfAboutToken(error);
			tried.add(todo);
			const hasFailed = known.hasFailed === true || !isAnswer(error);
			// Nobody knows what the note says after that.
			return todo === 'writeNote' ? { hasFailed, note: undefined } : { hasFailed };
		});
		Object.assign(known, found);
	}
}

/** How each thing is done. They return what is known then. */
const works: Record<Todo, (current: Look, next: Step) => Promise<Partial<Known>>> = {
	readMessages: async ({ client, question }) => ({
		messages: await readMessagesSince(client, question),
	}),

	async readFiles({ item, known: { files } }, { unread = {} }) {
		const saver = { hasTimeForFiles: () => true, saveFile: item.saveFile.bind(item) };
		const withFiles = await downloadMessageFiles(simplifyMessage(unread), saver);
		return { files: new Map(files).set(String(unread.id), withFiles) };
	},

	readNote: async ({ client, question }) => ({ note: await readNote(client, question) }),

	/** Reads the note right before it writes: somebody may have cancelled the question meanwhile. */
	async writeNote({ item, client, question, known, now }) {
		const note = await readNote(client, question);
		const { note: changed } = step(question, { ...known, note }, now);
		if (!changed) return { note };
		const hint = () => {
			if (changed.until === undefined) hintOpenNote(item, question.contactId);
		};
		await writeNote(client, question, changed).catch(onApiError(isAnswer, hint));
		return { note: changed };
	},

	readConversation: async ({ client, question }) => ({
		conversation: await readConversation(client, question.pausedConversationId!),
	}),

	renewPause: async ({ client, question: { pausedConversationId, before } }) => ({
		renewed: await beginPause(client, pausedConversationId!, before.at),
	}),

	async returnBot({ client, question }) {
		await enableBot(client, question.pausedConversationId!);
		return { conversation: { botEnabled: true } };
	},
};

/** Throws an `ApiError` if the service refuses the token: it would do so in each look. */
function failIfAboutToken(error: unknown) {
	if (!(error instanceof ApiError && isAboutToken(error))) return;
	throw partiallyDoneError(error, 'The question was sent, but n8n can no longer read the answer.');
}

/** A contact may type anything instead of a phone number. */
function tryStoredForm(item: AnyItem, type: string, text: string) {
	try {
		return toStoredForm(item, type, text, 'The answer');
	} catch {
		return undefined;
	}
}
