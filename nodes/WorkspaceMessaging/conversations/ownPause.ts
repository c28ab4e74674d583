import type { IDataObject } from 'n8n-workflow';
import type { NotedPause } from '../contacts/customFields/questionNote';
import { isObject } from '../transport/guards';
import { parseTime } from '../values/dates';

/* A question in the chat pauses the bot. Who is in charge of the conversation then? */

/**
 * Returns whom a conversation is assigned to, as assigning names it; undefined if it does not show
 * that.
 */
export function getAssignee(conversation: IDataObject): string | undefined {
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
function isOther<T>(before: T | undefined, now: T | undefined): boolean | undefined {
	if (before === undefined || now === undefined) return undefined;
	return before !== now;
}
