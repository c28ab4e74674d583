import type { IDataObject } from 'n8n-workflow';
import type { NotedPause } from '../contacts/customFields/questionNote';
import { conversationApi } from '../contract/conversation';
import type { AnyItem } from '../run/item';
import { readRecord } from '../service/lists/records';
import { isObject } from '../transport/guards';
import type { Requester } from '../transport/request';
import { parseTime } from '../values/dates';

/*
 * A question in the chat pauses the bot, which would answer what the contact types: it hands the
 * conversation over to a person, and then back. Who is in charge of the conversation meanwhile?
 */

/**
 * Returns whom a conversation is assigned to, as assigning names it; undefined if it does not show
 * that.
 */
function getAssignee(conversation: IDataObject) {
	const { assignedUser, assignedInboxTeam } = conversation;
	if (assignedUser === undefined && assignedInboxTeam === undefined) return undefined;
	if (isObject(assignedUser)) return `u_${String(assignedUser.id)}`;
	if (isObject(assignedInboxTeam)) return `t_${String(assignedInboxTeam.id)}`;
	return 'unassigned';
}

/**
 * Whether the bot of a conversation is quiet only because n8n has paused it: the service names the
 * end of that pause, the conversation is assigned to whom it was, and no member has written since.
 * Undefined if nobody knows.
 *
 * @param conversation whose bot is off
 * @param personWrote when members wrote, in milliseconds since 1970
 */
export function isOwnPause(
	conversation: IDataObject,
	{ resumesAt, since, assignee }: NotedPause,
	personWrote: number[],
): boolean | undefined {
	if (personWrote.some((at) => at > since)) return false;
	const assigneeNow = getAssignee(conversation);
	const { botResumeAt } = conversation;
	const hasOtherAssignee = isOther(assignee, assigneeNow);
	const hasOtherEnd =
		botResumeAt === undefined ? undefined : isOther(resumesAt, parseTime(botResumeAt));
	if (hasOtherEnd || hasOtherAssignee) return false;
	const isKnown = hasOtherEnd === false && hasOtherAssignee === false;
	return isKnown ? true : undefined;
}

/** Whether two values differ; undefined if one of them is unknown. */
function isOther<T>(before: T | undefined, now: T | undefined) {
	if (before === undefined || now === undefined) return undefined;
	return before !== now;
}

/**
 * Pauses the bot, and returns the pause as the note says it. Throws an `ApiError`.
 *
 * @param since no member has written since then, by the service's clock
 */
export async function beginPause(
	client: Requester,
	conversationId: string,
	since: number,
): Promise<NotedPause> {
	await client.request(conversationApi.disableBot, { params: { conversationId } });
	const after = await readConversation(client, conversationId).catch((): IDataObject => ({}));
	const resumesAt = parseTime(after.botResumeAt) || undefined;
	return { begunAt: Date.now(), resumesAt, since, assignee: getAssignee(after) };
}

/** Reads a conversation, with who is in charge. Throws an `ApiError`. */
export const readConversation = async (client: Requester, conversationId: string) =>
	await readRecord(client, conversationApi.getConversation, { params: { conversationId } });

/** Hands a conversation over to the bot. Throws an `ApiError`. */
export const enableBot = async (client: Requester, conversationId: string) =>
	await client.request(conversationApi.enableBot, { params: { conversationId } });

/**
 * Returns the bot to a conversation, if it is still the noted pause that keeps it quiet. Never throws,
 * but shows a hint.
 */
export async function returnBot(item: AnyItem, conversationId: string, pause: NotedPause) {
	try {
		const conversation = await readConversation(item, conversationId);
		const state = readPauseState(conversation, pause, Date.now());
		if (state === 'paused') await enableBot(item, conversationId);
	} catch {
		hintPaused(item, conversationId);
	}
}

/** Shows a hint that the bot is still paused. */
export function hintPaused(item: AnyItem, conversationId: string) {
	item.hint(
		`The bot is still paused in conversation ${conversationId}, for up to 24 hours: the service did not return it. To end that, use Conversation → Hand Over.`,
	);
}

/**
 * Whether a conversation is still in the pause that n8n began, or the service has ended that, or
 * somebody has changed who is in charge.
 */
export function readPauseState(
	conversation: IDataObject,
	pause: NotedPause,
	now: number,
): 'paused' | 'ended' | 'changed' {
	if (conversation.botEnabled === false) {
		// Without an end, or without an assignee, the rest says it.
		const isOurs = isOwnPause(conversation, pause, []) ?? true;
		return isOurs ? 'paused' : 'changed';
	}
	return pause.resumesAt !== undefined && pause.resumesAt <= now ? 'ended' : 'changed';
}
