import type { Outcome, Run } from '../../nodes/WorkspaceMessaging/routing/run';
import { ranges, summary } from '../../nodes/WorkspaceMessaging/routing/summary';

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

const runOf = (size: number, outcomes: Record<number, Outcome>) =>
	({
		size,
		outcomes: new Map(Object.entries(outcomes).map(([item, outcome]) => [Number(item), outcome])),
	}) as Run;

test('says what became of each item', () => {
	const run = runOf(6, { 0: 'done', 1: 'done', 2: 'refused', 4: 'unknown', 5: 'notSent' });
	expect(summary(run)).toBe(
		'Of 6 items, 2 were carried out (0–1), 1 was refused (2), 1 was sent with unknown outcome (4), 2 were not sent (3, 5).',
	);
});

test('says nothing of a single item', () => {
	expect(summary(runOf(1, { 0: 'refused' }))).toBe('');
});
