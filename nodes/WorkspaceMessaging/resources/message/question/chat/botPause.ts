import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { lookUpContactOf } from '../../../../contacts/findByIdentifier';
import type { NotedPause } from '../../../../contacts/customFields/questionNote';
import { readMessages } from '../../../../conversations/messages';
import { getAssignee, isOwnPause } from '../../../../conversations/ownPause';
import { conversationApi } from '../../../../contract/conversation';
import { limits } from '../../../../contract/limits';
import type { AnyItem, Item } from '../../../../run/item';
import {
	isAnswer,
	isUnsupported,
	mayHaveChanged,
	onApiError,
} from '../../../../transport/errors/ApiError';
import { toObject } from '../../../../transport/guards';
import { readRecord } from '../../../../service/lists/records';
import type { Requester } from '../../../../transport/request';
import { parseTime, unitMs } from '../../../../values/dates';

/*
 * The workspace's own bot answers what a contact types. So the conversation is handed over to a
 * person while a question is open, and back to the bot afterwards, unless a person is in charge.
 */

/** A pause of the bot that n8n began. */
export const pausedBot = z.object({
	conversationId: z.string(),
	/** When n8n asked for it, in milliseconds since 1970. */
	pausedAt: z.number(),
	/** When the service brings the bot back by itself, as it says; another time is another pause. */
	resumesAt: z.string().nullable(),
	/** Whom the conversation was assigned to; undefined if unknown. */
	assignee: z.string().optional(),
});

export type PausedBot = z.output<typeof pausedBot>;

/** The service ends a pause after so long. */
const BOT_PAUSE_MS = limits.botPauseHours * unitMs.hours;

/** n8n may look an hour late. */
const RENEW_AFTER_MS = BOT_PAUSE_MS - unitMs.hours - 30 * unitMs.minutes;

/** What is known of the conversation before a question. */
export interface BeforeQuestion {
	/** The pause that an earlier question has begun. */
	earlierPause: NotedPause | undefined;
	/** When members wrote last, in milliseconds since 1970. */
	personWrote: number[];
}

/**
 * Pauses the bot in the conversation with an item's contact. Returns undefined if a person is in
 * charge already, or with a hint if the service has no such pause. A pause of an earlier question
 * that has not ended goes on as that of this one.
 */
export async function pauseBot(
	item: Item<{ identifier: string }, object>,
	before: BeforeQuestion,
): Promise<PausedBot | undefined> {
	const { conversation } = await lookUpContactOf(item);
	const { id } = toObject(conversation);
	if (id === undefined) return undefined;
	return await pauseIfActive(item, String(id), before).catch(
		onApiError(isUnsupported, () => {
			item.hint("This service can't pause its bot, so the bot may answer what the contact types.");
			return undefined;
		}),
	);
}

async function pauseIfActive(
	client: Requester,
	conversationId: string,
	before: BeforeQuestion,
): Promise<PausedBot | undefined> {
	const conversation = await readConversation(client, conversationId);
	if (conversation.botEnabled === false) return goOnWithPause(conversation, conversationId, before);
	return await pauseBotOf(client, conversationId).catch(
		onApiError(mayHaveChanged, async (error): Promise<never> => {
			const params = { conversationId };
			await client.request(conversationApi.enableBot, { params }).catch(() => undefined);
			throw error;
		}),
	);
}

/** Returns the pause of an earlier question if it is the reason why the bot is off. */
function goOnWithPause(
	conversation: IDataObject,
	conversationId: string,
	{ earlierPause, personWrote }: BeforeQuestion,
): PausedBot | undefined {
	if (earlierPause?.resumesAt === undefined) return undefined;
	if (isOwnPause(conversation, earlierPause, personWrote) !== true) return undefined;
	const { resumesAt, assignee } = earlierPause;
	const pausedAt = resumesAt - BOT_PAUSE_MS;
	return { conversationId, pausedAt, resumesAt: new Date(resumesAt).toISOString(), assignee };
}

async function pauseBotOf(client: Requester, conversationId: string): Promise<PausedBot> {
	const params = { conversationId };
	await client.request(conversationApi.disableBot, { params });
	const after = await readConversation(client, conversationId).catch((): IDataObject => ({}));
	const { botResumeAt } = after;
	const resumesAt = typeof botResumeAt === 'string' ? botResumeAt : null;
	const pausedAt = Date.now();
	const assignee = getAssignee(after);
	return { conversationId, pausedAt, resumesAt, ...(assignee !== undefined && { assignee }) };
}

/**
 * Returns a pause of the bot as the note of a question says it.
 *
 * @param since when the last message before the question was written, by the service's clock
 */
export function toNotedPause(paused: PausedBot | undefined, since: number): NotedPause | undefined {
	if (!paused) return undefined;
	const { resumesAt, assignee } = paused;
	return {
		since,
		...(resumesAt !== null && { resumesAt: parseTime(resumesAt) }),
		...(assignee !== undefined && { assignee }),
	};
}

/**
 * Returns the bot to the conversation, if it is still n8n that paused it. Returns false if the
 * service failed and n8n can try again, or if nobody knows whether a person is in charge. Never
 * throws, but shows a hint if the service refuses it.
 *
 * @param hasPersonWritten since the question; undefined if nobody knows
 * @param client sends the requests
 */
export async function endPause(
	item: AnyItem,
	paused: PausedBot | undefined,
	hasPersonWritten: boolean | undefined,
	client: Requester = item,
): Promise<boolean> {
	if (!paused || hasPersonWritten) return true;
	if (hasPersonWritten === undefined) return false;
	const { conversationId } = paused;
	try {
		if ((await readState(client, paused)) !== 'paused') return true;
		await client.request(conversationApi.enableBot, { params: { conversationId } });
	} catch (error) {
		if (!isAnswer(error)) return false;
		hintPaused(item, paused);
	}
	return true;
}

/**
 * Returns the bot to the conversation with a contact, if it is still the noted pause that keeps it
 * quiet, and no member has written. Never throws, but shows a hint.
 */
export async function endNotedPause(
	item: AnyItem,
	contact: IDataObject,
	pause: NotedPause | undefined,
): Promise<void> {
	const { id } = toObject(contact.conversation);
	if (!pause || id === undefined) return;
	const { resumesAt, since, assignee } = pause;
	const paused: PausedBot = {
		conversationId: String(id),
		pausedAt: since,
		resumesAt: resumesAt === undefined ? null : new Date(resumesAt).toISOString(),
		assignee,
	};
	const identifier = `id:${String(contact.id)}`;
	const hasPersonWritten = await readMessages(item, identifier, { after: since })
		.then((messages) => messages.some(({ senderType }) => senderType === 'user'))
		.catch(() => undefined);
	const isBotBack = await endPause(item, paused, hasPersonWritten);
	if (!isBotBack) hintPaused(item, paused);
}

/** Shows a hint that the bot is still paused. */
export function hintPaused(item: AnyItem, { conversationId }: PausedBot) {
	item.hint(
		`The bot is still paused in conversation ${conversationId}, for up to 24 hours: the service did not return it. To end that, use Conversation → Hand Over.`,
	);
}

/**
 * Renews a pause before the service ends it. Returns the pause as it is now; undefined if a person
 * has taken over or has returned the bot. Never throws: a later look tries again.
 *
 * @param hasPersonWritten since the question; undefined if nobody knows
 */
export async function renewPause(
	client: Requester,
	paused: PausedBot | undefined,
	hasPersonWritten: boolean | undefined,
): Promise<PausedBot | undefined> {
	if (!paused || Date.now() - paused.pausedAt < RENEW_AFTER_MS) return paused;
	if (hasPersonWritten === undefined) return paused;
	if (hasPersonWritten) return undefined;
	try {
		const state = await readState(client, paused);
		if (state === 'changed') return undefined;
		return await pauseBotOf(client, paused.conversationId);
	} catch {
		return paused;
	}
}

/**
 * Whether a conversation is still in the pause that n8n began, or the service has ended that, or
 * somebody has changed who is in charge.
 */
async function readState(
	client: Requester,
	paused: PausedBot,
): Promise<'paused' | 'ended' | 'changed'> {
	const { conversationId, resumesAt } = paused;
	const conversation = await readConversation(client, conversationId);
	if (conversation.botEnabled === false) {
		// Without an end, or without an assignee, the rest says it.
		const isOurs = isOwnPause(conversation, toNotedPause(paused, 0)!, []) ?? true;
		return isOurs ? 'paused' : 'changed';
	}
	return resumesAt !== null && Date.parse(resumesAt) <= Date.now() ? 'ended' : 'changed';
}

const readConversation = async (client: Requester, conversationId: string) =>
	await readRecord(client, conversationApi.getConversation, { params: { conversationId } });
