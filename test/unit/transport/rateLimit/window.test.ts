import { SlidingWindow } from '../../../../nodes/WorkspaceMessaging/transport/rateLimit/bookkeeping';

test('The window counts a request from its start until a minute after its end', () => {
	const window = new SlidingWindow();
	window.start();
	expect(window.count(0)).toBe(1);
	expect(window.freesInMs(0)).toBe(Infinity);
	window.end(5000);
	expect(window.freesInMs(5000)).toBe(60_000);
	expect(window.count(64_999)).toBe(1);
	expect(window.count(65_000)).toBe(0);
});

test('The window never counts a request for less time, however exactly it stores the end', () => {
	const window = new SlidingWindow();
	for (const end of [1, 2, 39.5]) {
		window.start();
		window.end(end);
	}
	expect(window.count(60_019)).toBe(3);
	expect(window.count(60_039)).toBe(1);
	expect(window.count(60_040)).toBe(0);
});
