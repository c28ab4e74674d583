import { SlidingWindow } from '../../../../nodes/WorkspaceMessaging/transport/rateLimit/bookkeeping';

test('The window counts a request from its start until a minute after its end', () => {
	const window = new SlidingWindow();
	window.start();
	expect(window.count(0)).toBe(1);
	expect(window.freesInMs(0)).toBe(Infinity);
	window.end(5000, true);
	expect(window.freesInMs(5000)).toBe(60_000);
	expect(window.count(64_999)).toBe(1);
	expect(window.count(65_000)).toBe(0);
});

test('The window never counts a request for less time, however exactly it stores the end', () => {
	const window = new SlidingWindow();
	for (const end of [1, 2, 39.5]) {
		window.start();
		window.end(end, true);
	}
	expect(window.count(60_019)).toBe(3);
	expect(window.count(60_039)).toBe(1);
	expect(window.count(60_040)).toBe(0);
});

describe('The accepted requests of the window', () => {
	const window = new SlidingWindow();
	for (let request = 0; request < 100; request++) {
		window.start();
		// One long before, the others in one second, every other one without success.
		window.end(request === 0 ? 1000 : 20_000 + request * 10, request % 2 === 0);
	}

	test('are a rate per second over the time with the highest rate', () => {
		const { accepted, perSecond } = window.acceptedSince(0, 30_000);
		expect(accepted).toBe(50);
		expect(perSecond).toBeCloseTo(49 / 10, 0);
	});

	test('count from the given time', () => {
		expect(window.acceptedSince(20_500, 30_000).accepted).toBeGreaterThan(20);
		expect(window.acceptedSince(20_500, 30_000).accepted).toBeLessThan(30);
		expect(window.acceptedSince(29_000, 30_000)).toEqual({ accepted: 0, perSecond: 0 });
	});
});
