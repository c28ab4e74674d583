import type { Outcome } from '../../../nodes/WorkspaceMessaging/execution/run';
import { describeOutcomes, ranges } from '../../../nodes/WorkspaceMessaging/execution/report';

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
