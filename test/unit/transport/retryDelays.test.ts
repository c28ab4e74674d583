import {
	readRetryAfter,
	retryDelayMs,
} from '../../../nodes/WorkspaceMessaging/transport/retry/delays';

const now = Date.UTC(2026, 0, 1);

describe('The wait in the headers of an answer', () => {
	test.each([
		['nothing said', {}, undefined],
		['seconds', { 'retry-after': '7' }, 7000],
		['no time at all', { 'retry-after': '0' }, 0],
		['a fraction', { 'retry-after': '0.5' }, 500],
		['a date', { 'retry-after': new Date(now + 9000).toUTCString() }, 9000],
		['a date that is over', { 'retry-after': new Date(now - 9000).toUTCString() }, 0],
		['nonsense', { 'retry-after': 'soon' }, undefined],
		['an empty text', { 'retry-after': '' }, undefined],
		['other headers', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9' }, undefined],
	])('is read from: %s', (_, headers, wait) => {
		expect(readRetryAfter(headers, undefined, now)).toBe(wait);
	});
});

describe('The wait in the text of an answer', () => {
	test.each([
		['Too many requests. Retry after 7s.', 7000],
		['Too many requests. Retry after 10s.', 10_000],
		['Too many requests. Retry after 0s.', 0],
		['retry after 1.5 seconds', 1500],
		['Slow down, please try again in 30 sec', 30_000],
		['Too many requests', undefined],
		['Retry after lunch', undefined],
		['Retry after 7 steps', undefined],
		['Do not retry after 7', undefined],
		['', undefined],
	])('is read from: %s', (message, wait) => {
		expect(readRetryAfter({}, message, now)).toBe(wait);
	});

	test('yields to a header', () => {
		expect(readRetryAfter({ 'retry-after': '3' }, 'Retry after 7s.', now)).toBe(3000);
		expect(readRetryAfter({ 'retry-after': 'soon' }, 'Retry after 7s.', now)).toBe(7000);
	});
});

describe('The delay before a retry', () => {
	test.each([
		[0, 125, 250],
		[1, 250, 500],
		[4, 2000, 4000],
		[5, 4000, 8000],
		[20, 4000, 8000],
	])('after %d others is %d to %d ms', (tries, least, most) => {
		const delays = Array.from({ length: 200 }, () => retryDelayMs(tries));
		expect(Math.min(...delays)).toBeGreaterThanOrEqual(least);
		expect(Math.max(...delays)).toBeLessThanOrEqual(most);
		expect(new Set(delays).size).toBeGreaterThan(1);
	});
});
