import { nextMark } from '../../../../nodes/WorkspaceMessaging/trigger/messages/mark';
import type {
	Mark,
	ReadMessages,
} from '../../../../nodes/WorkspaceMessaging/trigger/messages/mark';

/* Each arrow between the states of a conversation in `docs/way-of-a-poll.md`. */

const WEEK = 7 * 24 * 3_600_000;
const MINUTE = 60_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');

const known = { from: NOW - 10 * MINUTE, ids: ['before'] };
const at = NOW - MINUTE;

const marks = {
	unread: { state: 'unread', ...known },
	recent: { state: 'recent', ...known, at, again: [0, NOW + MINUTE] },
	read: { state: 'read', ...known, at },
	held: { state: 'held', ...known, at, heldSince: NOW - 10_000 },
	missing: { state: 'missing', ...known, at, heldSince: NOW - 10_000 },
	failed: { state: 'failed', ...known, contactId: '1', since: NOW - MINUTE, triedAt: NOW },
} satisfies Record<string, Mark>;

const message = (time: number) => ({ id: '1', createdAt: new Date(time).toISOString() });

/** What a poll reads whose messages have all started the workflow. */
const messages = (time: number, begunAt = NOW): ReadMessages => ({
	result: 'messages',
	at: time,
	begunAt,
	now: begunAt + 1000,
	messages: [message(time)],
	waiting: [],
});

/** What a poll reads whose messages wait. */
const waiting = (time: number) => {
	const reading = messages(time);
	return { ...reading, waiting: reading.messages, heldSince: NOW };
};

const failure = (now: number) => ({ result: 'failure', contactId: '1', at: NOW, now }) as const;
const missing = { result: 'missing' } as const;

test.each([
	['unread', 'recent', messages(at)],
	['unread', 'held', waiting(at)],
	['unread', 'failed', failure(NOW)],
	['recent', 'recent', messages(at)],
	['recent', 'recent', messages(NOW, NOW + 2 * MINUTE)],
	['recent', 'read', messages(at, NOW + 2 * MINUTE)],
	['recent', 'held', waiting(NOW)],
	['recent', 'failed', failure(NOW)],
	['read', 'recent', messages(NOW)],
	['read', 'read', messages(at)],
	['read', 'held', waiting(NOW)],
	['read', 'failed', failure(NOW)],
	['held', 'recent', messages(at)],
	['held', 'read', messages(at, NOW + 2 * MINUTE)],
	['held', 'held', waiting(at)],
	['held', 'missing', missing],
	['held', 'failed', failure(NOW)],
	['missing', 'recent', messages(at)],
	['missing', 'held', waiting(at)],
	['missing', 'unread', missing],
	['missing', 'failed', failure(NOW)],
	['failed', 'recent', messages(at)],
	['failed', 'held', waiting(at)],
	['failed', 'failed', failure(NOW)],
	['failed', 'read', failure(NOW + WEEK)],
] as const)('%s becomes %s', (before, after, reading) => {
	expect(nextMark(marks[before], reading).state).toBe(after);
});

test('a message in the last minute before the newest one is known by its key, an older one by its time', () => {
	const times = [NOW - 5 * MINUTE, NOW - 30_000, NOW];
	const mark = nextMark(marks.unread, { ...messages(NOW), messages: times.map(message) });
	expect(mark).toMatchObject({ from: NOW - MINUTE, at: NOW });
	expect(mark.ids).toHaveLength(2);
});

test('all that is older than the first message that waits counts as found', () => {
	const [first, second] = [message(NOW - 5 * MINUTE), message(NOW)];
	const mark = nextMark(marks.unread, {
		...messages(NOW),
		messages: [first, second],
		waiting: [second],
		heldSince: NOW,
	});
	expect(mark).toMatchObject({ state: 'held', from: NOW - 6 * MINUTE, heldSince: NOW });
});

test('a conversation that failed for a week counts as found up to its time', () => {
	expect(nextMark(marks.failed, failure(NOW + WEEK))).toEqual({
		state: 'read',
		at: NOW,
		from: NOW,
		ids: ['before'],
	});
});

test('a new failure keeps the time of the first one', () => {
	const mark = nextMark(marks.failed, failure(NOW + MINUTE));
	expect(mark).toMatchObject({ since: NOW - MINUTE, triedAt: NOW + MINUTE });
});
