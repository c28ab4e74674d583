import { SlidingWindow } from '../../../../nodes/WorkspaceMessaging/transport/rateLimit/window';

test('a request counts from its start until a minute after its end', () => {
	const window = new SlidingWindow();
	window.start();
	expect(window.count(0)).toBe(1);
	expect(window.freesInMs(0)).toBe(Infinity);
	window.end(5000, true);
	expect(window.freesInMs(5000)).toBe(60_000);
	expect(window.count(64_999)).toBe(1);
	expect(window.count(65_000)).toBe(0);
});

test('it never counts for less, however exactly its end is remembered', () => {
	const window = new SlidingWindow();
	for (const end of [1, 2, 39.5]) {
		window.start();
		window.end(end, true);
	}
	expect(window.count(60_019)).toBe(3);
	expect(window.count(60_039)).toBe(1);
	expect(window.count(60_040)).toBe(0);
});

describe('what was accepted', () => {
	const window = new SlidingWindow();
	for (let request = 0; request < 100; request++) {
		window.start();
		// One long before, the others in one second, every other one without success.
		window.end(request === 0 ? 1000 : 20_000 + request * 10, request % 2 === 0);
	}

	test('is told by the second, of the time that gives the most', () => {
		const { accepted, perSecond } = window.acceptedSince(0, 30_000);
		expect(accepted).toBe(50);
		expect(perSecond).toBeCloseTo(49 / 10, 0);
	});

	test('is counted from the given time on', () => {
		expect(window.acceptedSince(20_500, 30_000).accepted).toBeGreaterThan(20);
		expect(window.acceptedSince(20_500, 30_000).accepted).toBeLessThan(30);
		expect(window.acceptedSince(29_000, 30_000)).toEqual({ accepted: 0, perSecond: 0 });
	});
});
