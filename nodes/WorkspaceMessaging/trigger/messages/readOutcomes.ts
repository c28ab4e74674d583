import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import type { ApiError } from '../../transport/errors/ApiError';
import { hashContactId } from '../changes/fingerprints';
import type { PollHost } from '../types';
import type { FoundMessages } from './foundMessages';
import type { Mark } from './mark';

/* What comes of reading conversations. */

/** What came of reading a conversation. */
export interface ReadOutcome {
	row: IDataObject;
	/** What to remember; without it, the service's limit kept the conversation from being read. */
	mark?: Mark;
	found: FoundMessages[];
	/**
	 * Whether messages were skipped, because somebody else is in charge, or has just written, or
	 * because the contact does not meet the conditions.
	 */
	isSkipped: boolean;
	/** Why it could not be read. */
	error?: ApiError;
}

/** Whether messages of the contact start the workflow with this poll. */
export const startsWorkflow = ({ found }: ReadOutcome) => found.length > 0;

export const hasFailed = ({ error }: ReadOutcome) => error !== undefined;

/** Whether the service's limit kept a conversation from being read. */
export const hitLimit = ({ mark }: ReadOutcome) => mark === undefined;

const getStart = ({ messages: [first] }: FoundMessages) => getMessageTime(first);

/**
 * Throws what kept the conversations from being read: the service's limit, or the first of several
 * failures.
 */
export function throwIfNoneIsRead(outcomes: ReadOutcome[]): void {
	if (!outcomes.every(hasFailed)) return;
	const limited = outcomes.find(hitLimit);
	if (limited) throw limited.error!;
	const [first, ...others] = outcomes;
	if (others.length > 0) throw first.error!;
}

/** Returns the messages that were found in all conversations, oldest first. */
export function collectFound(outcomes: ReadOutcome[]): FoundMessages[] {
	const all = outcomes.flatMap(({ found }) => found);
	return all.sort((a, b) => getStart(a) - getStart(b));
}

/** Returns the new marks by the keys of the contacts. */
export function getMarks(outcomes: ReadOutcome[]): Map<string, Mark> {
	const marks = new Map<string, Mark>();
	for (const { row, mark } of outcomes) {
		if (mark) marks.set(hashContactId(row), mark);
	}
	return marks;
}

/** Writes to n8n's log whose messages could not be read. */
export function warnOfFailures(outcomes: ReadOutcome[], host: Pick<PollHost, 'warn'>): void {
	const failures = outcomes.filter(({ error, mark }) => error && mark);
	const warn = (these: ReadOutcome[], consequence: string) => {
		const [first] = these;
		if (!first) return;
		const others = these.length > 1 ? ` (and of ${these.length - 1} more)` : '';
		const who = `the contact ${String(first.row.contactId)}${others}`;
		host.warn(`n8n could not read the messages of ${who}. ${consequence} ${first.error?.message}`);
	};
	warn(
		failures.filter(({ mark }) => mark?.is === 'failed'),
		'Later polls try again.',
	);
	warn(
		failures.filter(({ mark }) => mark?.is !== 'failed'),
		'After a week of tries, the trigger skips them.',
	);
}
