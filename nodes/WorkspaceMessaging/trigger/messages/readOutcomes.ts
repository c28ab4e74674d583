import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import { isRateLimited, type ApiError } from '../../transport/errors/ApiError';
import { unitMs } from '../../values/dates';
import { counted } from '../../values/labels';
import { hashContactId } from '../changes/fingerprints';
import type { PollHost } from '../types';
import type { PolledConversations } from './conversationMemory';
import type { FoundMessages } from './foundMessages';
import { markAfterFailure, type Mark } from './mark';
import { MAX_EXECUTIONS } from './settings';
import { ascendingBy } from '../../values/numbers';

/* What comes of reading conversations. */

/** So long, polls may leave conversations to the next ones before n8n's log says so. */
const PATIENCE_MS = 600_000;

const INSTANT = 'use the Workspace Messaging Instant Trigger';

/** What came of reading a conversation. */
export interface ReadOutcome {
	row: IDataObject;
	/** What to remember. */
	mark: Mark;
	found: FoundMessages[];
	/**
	 * Whether messages were skipped, because somebody else is in charge, or has just written, or
	 * because the contact does not meet the conditions.
	 */
	isSkipped: boolean;
	/** Why it could not be read. */
	error?: ApiError;
}

/** Returns what comes of a conversation that could not be read. */
export function failedOutcome(
	polled: PolledConversations,
	row: IDataObject,
	error: ApiError,
): ReadOutcome {
	const mark = polled.getMark(row);
	const outcome = { row, mark, found: [], isSkipped: false, error };
	// Nobody knows whether it can be read.
	if (isRateLimited(error)) return outcome;
	const at = polled.getContactRepliedAt(row);
	const failed = markAfterFailure(mark, String(row.contactId), at, Date.now());
	return { ...outcome, mark: failed };
}

/** Whether messages of the contact start the workflow with this poll. */
export const startsWorkflow = ({ found }: ReadOutcome) => found.length > 0;

export const hasFailed = ({ error }: ReadOutcome) => error !== undefined;

/** Whether the service's limit kept a conversation from being read. */
export const hitLimit = ({ error }: ReadOutcome) => error !== undefined && isRateLimited(error);

const getFirstTime = ({ messages: [first] }: FoundMessages) => getMessageTime(first);

/**
 * Throws what kept the conversations from being read: the service's limit, or the first of several
 * failures. A single one that fails may be the only one with news.
 */
export function throwIfNoneIsRead(outcomes: ReadOutcome[]): void {
	const errors = outcomes.flatMap(({ error }) => error ?? []);
	if (errors.length < outcomes.length) return;
	const limit = errors.find(isRateLimited);
	if (limit) throw limit;
	if (errors.length > 1) throw errors[0];
}

/** Returns the messages that were found in all conversations, oldest first. */
export function collectFound(outcomes: ReadOutcome[]): FoundMessages[] {
	const all = outcomes.flatMap(({ found }) => found);
	return all.sort(ascendingBy(getFirstTime));
}

/** Returns the new marks of the conversations that were tried, by the keys of their contacts. */
export function getMarks(outcomes: ReadOutcome[]): Map<string, Mark> {
	const tried = outcomes.filter((outcome) => !hitLimit(outcome));
	return new Map(tried.map(({ row, mark }) => [hashContactId(row), mark]));
}

/** Writes to n8n's log whose messages could not be read. */
export function warnOfFailures(outcomes: ReadOutcome[], host: Pick<PollHost, 'warn'>): void {
	const failures = outcomes.filter((outcome) => hasFailed(outcome) && !hitLimit(outcome));
	const warn = (these: ReadOutcome[], consequence: string) => {
		const [first] = these;
		if (!first) return;
		const others = these.length > 1 ? ` (and of ${these.length - 1} more)` : '';
		const who = `the contact ${String(first.row.contactId)}${others}`;
		host.warn(`n8n could not read the messages of ${who}. ${consequence} ${first.error?.message}`);
	};
	warn(
		failures.filter(({ mark }) => mark.failed),
		'Later polls try again.',
	);
	warn(
		failures.filter(({ mark }) => !mark.failed),
		'After a week of tries, the trigger skips them.',
	);
}

/**
 * Writes to n8n's log, once an hour, that the trigger does not keep up, and what to do.
 *
 * @param since since when polls leave conversations to the next ones, in milliseconds since 1970
 * @param most the most executions of this poll, if that kept it from reading more
 */
export function warnIfBehind(since: number, most: number | undefined, host: PollHost): void {
	const behindMs = Date.now() - since;
	if (behindMs < PATIENCE_MS) return;
	const minutes = Math.floor(behindMs / unitMs.minutes);
	const reason = explainDelay(most, host.mostExecutions === 1);
	host.warnHourly(`This trigger has been behind for ${minutes} minutes: ${reason}`);
}

function explainDelay(most: number | undefined, isDurable: boolean): string {
	if (most === undefined)
		return `its polls have no time for all conversations. Poll more often, or ${INSTANT}.`;
	const others = `turn off One Execution per Contact, or ${INSTANT}.`;
	if (isDurable)
		return `with durable cursors, n8n starts one execution with each poll. Poll more often, ${others}`;
	const raise = most < MAX_EXECUTIONS ? 'Raise Executions per Poll, poll' : 'Poll';
	return `each poll starts ${counted(most, 'execution')} at most. ${raise} more often, ${others}`;
}
