import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import { isRateLimited, type ApiError } from '../../transport/errors/ApiError';
import { hashContactId } from '../changes/fingerprints';
import type { PollHost } from '../types';
import type { PolledConversations } from './conversationMemory';
import type { FoundMessages } from './foundMessages';
import { markAfterFailure, type Mark } from './mark';

/* What comes of reading conversations. */

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

const getStart = ({ messages: [first] }: FoundMessages) => getMessageTime(first);

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
	return all.sort((a, b) => getStart(a) - getStart(b));
}

/** Returns the new marks of conversations by the keys of their contacts. */
export const getMarks = (outcomes: ReadOutcome[]): Map<string, Mark> =>
	new Map(outcomes.map(({ row, mark }) => [hashContactId(row), mark]));

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
