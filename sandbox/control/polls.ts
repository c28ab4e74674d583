import type { Entry } from '../journal';

/** What the triggers read that wait for messages, or for those that do not arrive. */
const POLLED: readonly unknown[] = ['listConversations', 'listErrorLogs'];

const MINUTE = 60_000;

type Read = Pick<Entry, 'at' | 'operation'>;

/**
 * How many minutes are between two polls of a workflow, which n8n starts always at the same second;
 * 0 for other reads.
 */
function minutesBetween(earlier: Read, later: Read): number {
	const passed = (later.at - earlier.at) / MINUTE;
	const minutes = Math.round(passed);
	const isSameSecond = Math.abs(passed - minutes) < 0.05;
	return earlier.operation === later.operation && isSameSecond ? minutes : 0;
}

/**
 * Returns when n8n looks for messages next, in milliseconds since 1970; undefined if it does not.
 * The last two polls of a workflow say how long it waits; after its first one it is a minute, as
 * n8n proposes.
 */
export function nextPollAt(entries: readonly Read[], now: number): number | undefined {
	const reads = entries.filter(({ operation }) => POLLED.includes(operation));
	const next = reads.map((read, place) => {
		const before = reads.slice(0, place).findLast((each) => minutesBetween(each, read) > 0);
		return read.at + (before ? minutesBetween(before, read) : 1) * MINUTE;
	});
	const coming = next.filter((at) => at > now);
	return coming.length > 0 ? Math.min(...coming) : undefined;
}
