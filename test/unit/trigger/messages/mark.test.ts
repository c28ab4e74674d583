import { nextMark } from '../../../../nodes/WorkspaceMessaging/trigger/messages/mark';
import type {
	Mark,
	ReadMessages,
} from '../../../../nodes/WorkspaceMessaging/trigger/messages/mark';

/* Each arrow between the states of a conversation in `docs/internals/way-of-a-poll.md`. */

const WEEK = 7 * 24 * 3_600_000;
const MINUTE = 60_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');

const known = { from: NOW - 10 * MINUTE, ids: ['before'] };
const at = NOW - MINUTE;

const marks = {
	unread: { is: 'unread', ...known },
	new: { is: 'new', ...known, at, again: NOW + MINUTE },
	late: { is: 'late', ...known, at, again: NOW + MINUTE },
	read: { is: 'read', ...known, at },
	held: { is: 'held', ...known, at, heldSince: NOW - 10_000 },
	missing: { is: 'missing', ...known, at, heldSince: NOW - 10_000 },
	failed: { is: 'failed', ...known, contactId: '1', since: NOW - MINUTE, triedAt: NOW },
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
	['unread', 'new', messages(at)],
	['new', 'new', messages(NOW)],
	['new', 'late', messages(at)],
	['new', 'read', messages(at, NOW + 2 * MINUTE)],
	['new', 'held', waiting(NOW)],
	['new', 'failed', failure(NOW)],
	['unread', 'held', waiting(at)],
	['unread', 'failed', failure(NOW)],
	['late', 'late', messages(at)],
	['late', 'new', messages(NOW, NOW + 2 * MINUTE)],
	['late', 'read', messages(at, NOW + 2 * MINUTE)],
	['late', 'held', waiting(NOW)],
	['late', 'failed', failure(NOW)],
	['read', 'new', messages(NOW)],
	['read', 'read', messages(at)],
	['read', 'held', waiting(NOW)],
	['read', 'failed', failure(NOW)],
	['held', 'late', messages(at)],
	['held', 'new', messages(NOW)],
	['held', 'read', messages(at, NOW + 2 * MINUTE)],
	['held', 'held', waiting(at)],
	['held', 'missing', missing],
	['held', 'failed', failure(NOW)],
	['missing', 'late', messages(at)],
	['missing', 'held', waiting(at)],
	['missing', 'unread', missing],
	['missing', 'failed', failure(NOW)],
	['failed', 'new', messages(at)],
	['failed', 'held', waiting(at)],
	['failed', 'failed', failure(NOW)],
	['failed', 'read', failure(NOW + WEEK)],
] as const)('%s becomes %s', (before, after, reading) => {
	expect(nextMark(marks[before], reading).is).toBe(after);
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
	expect(mark).toMatchObject({ is: 'held', from: NOW - 6 * MINUTE, heldSince: NOW });
});

test('a conversation that failed for a week counts as found up to its time', () => {
	expect(nextMark(marks.failed, failure(NOW + WEEK))).toEqual({
		is: 'read',
		at: NOW,
		from: NOW,
		ids: ['before'],
	});
});

test('a new failure keeps the time of the first one', () => {
	const mark = nextMark(marks.failed, failure(NOW + MINUTE));
	expect(mark).toMatchObject({ since: NOW - MINUTE, triedAt: NOW + MINUTE });
});
