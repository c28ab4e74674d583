import {
	hasNews,
	markAfterFailure,
	markAfterReading,
} from '../../../../nodes/WorkspaceMessaging/trigger/messages/mark';
import type {
	Mark,
	ReadMessages,
} from '../../../../nodes/WorkspaceMessaging/trigger/messages/mark';
import { hashMessageId } from '../../../../nodes/WorkspaceMessaging/trigger/changes/fingerprints';

/* Why a poll reads a conversation again, as `docs/internals/way-of-a-poll.md` says. */

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
const NOW = Date.parse('2026-03-01T12:00:00Z');

const unread: Mark = { from: NOW - 10 * MINUTE, ids: [] };

const message = (id: string, time: number) => ({ id, createdAt: new Date(time).toISOString() });
const first = message('1', NOW - 5 * MINUTE);
const second = message('2', NOW - 30_000);

/** What a poll reads at a time whose messages are all done. */
const reading = (begunAt: number, more: Partial<ReadMessages> = {}): ReadMessages => ({
	contactId: '7',
	at: NOW - 30_000,
	begunAt,
	now: begunAt + 1000,
	messages: [first, second],
	waiting: [],
	...more,
});

const written = NOW - 30_000;

test('a conversation that was read is read again for a minute, once after it, and then only if the contact writes', () => {
	let mark = markAfterReading(unread, reading(NOW));
	expect(hasNews(mark, written)).toBe(true);
	mark = markAfterReading(mark, reading(NOW + MINUTE));
	expect(hasNews(mark, written)).toBe(true);
	mark = markAfterReading(mark, reading(NOW + 2 * MINUTE));
	expect(hasNews(mark, written)).toBe(false);
	expect(hasNews(mark, written + 1)).toBe(true);
});

test('a message in the last minute before the newest one is known by its key, an older one by its time', () => {
	const mark = markAfterReading(unread, reading(NOW));
	expect(mark).toMatchObject({ from: NOW - 90_000, ids: [hashMessageId(second)] });
});

test('while messages wait, each poll reads the conversation, and each message keeps the time when n8n first saw it', () => {
	const one = markAfterReading(unread, reading(NOW, { messages: [first], waiting: [first] }));
	const both = reading(NOW + 10 * MINUTE, { waiting: [first, second] });
	const two = markAfterReading(one, both);
	expect(hasNews(two, written)).toBe(true);
	expect(two).toMatchObject({
		from: unread.from,
		ids: [],
		waiting: { [hashMessageId(first)]: NOW + 1000, [hashMessageId(second)]: both.now },
		contactId: '7',
	});
	const done = markAfterReading(two, reading(NOW + 20 * MINUTE));
	expect(done.waiting).toBeUndefined();
	expect(hasNews(done, written)).toBe(false);
});

test('what is older than the first message that waits counts as done', () => {
	const mark = markAfterReading(unread, reading(NOW, { waiting: [second] }));
	expect(mark).toMatchObject({ from: NOW - 6 * MINUTE, ids: [hashMessageId(first)] });
});

test('a conversation that failed keeps what is known of it, and has its own turn', () => {
	const before = markAfterReading(unread, reading(NOW, { waiting: [second] }));
	const once = markAfterFailure(before, '7', written, NOW + MINUTE);
	const twice = markAfterFailure(once, '7', written, NOW + 2 * MINUTE);
	const failed = { since: NOW + MINUTE, triedAt: NOW + 2 * MINUTE };
	expect(twice).toEqual({ ...before, failed });
	expect(hasNews(twice, written + 1)).toBe(false);
});

test('after a week of failures, the messages until then count as done', () => {
	const failed = markAfterFailure(unread, '7', written, NOW);
	const mark = markAfterFailure(failed, '7', written, NOW + WEEK);
	expect(mark).toEqual({ from: written, ids: [], at: written });
});
