import type { Outcome } from '../../../nodes/WorkspaceMessaging/execution/run';
import { describeOutcomes, describeStats, ranges } from '../../../nodes/WorkspaceMessaging/execution/report';

test.each([
	[[], ''],
	[[4], '4'],
	[[0, 1, 2], '0–2'],
	[[0, 1, 3, 5, 6], '0–1, 3, 5–6'],
])('%p is written as "%s"', (numbers, text) => {
	expect(ranges(numbers)).toBe(text);
});

test('ranges do not grow without end', () => {
	const everySecond = Array.from({ length: 5000 }, (_, index) => index * 2);
	expect(ranges(everySecond).length).toBeLessThan(200);
	expect(ranges(everySecond)).toMatch(/ and more$/);
});

const itemsOf = (...outcomes: Outcome[]) => outcomes.map((outcome, index) => ({ outcome, index }));

test('says what became of each item', () => {
	const items = itemsOf('done', 'done', 'refused', 'notSent', 'unknown', 'notSent');
	expect(describeOutcomes(items)).toBe(
		'Of 6 items, 2 were carried out (0–1), 1 was refused (2), 1 was sent with unknown outcome (4), 2 were not sent (3, 5).',
	);
});

test('says nothing of a single item', () => {
	expect(describeOutcomes(itemsOf('refused'))).toBe('');
});

test('speaks of messages as sent, and writes large numbers as people do', () => {
	const items = itemsOf(...Array<Outcome>(1200).fill('done'), 'notSent');
	expect(describeOutcomes(items, 'sent')).toBe(
		'Of 1,201 items, 1,200 were sent (0–1199), 1 was not sent (1200).',
	);
});

test('names as many ranges as are asked for', () => {
	const items = itemsOf(
		...Array.from({ length: 100 }, (_, index): Outcome => (index % 2 ? 'done' : 'notSent')),
	);
	expect(describeOutcomes(items)).toContain(' and more)');
	expect(describeOutcomes(items, 'sent', 50)).not.toContain(' and more)');
});

test.each([
	[{ retries: 0, tooManyRequests: 0, waitedMs: 999 }, ''],
	[{ retries: 1, tooManyRequests: 0, waitedMs: 0 }, 'This run repeated 1 request that had failed.'],
	[
		{ retries: 1200, tooManyRequests: 2, waitedMs: 40_400 },
		'This run waited 40 s in all to keep within the requests that the workspace allows, repeated 1,200 requests that had failed and was asked 2 times by the service to slow down.',
	],
])('%j: "%s"', (stats, text) => {
	expect(describeStats(stats)).toBe(text);
});
