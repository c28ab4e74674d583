import { retryAfterMs } from '../../../nodes/WorkspaceMessaging/api/retry';

const now = Date.UTC(2026, 0, 1);

test.each([
	['nothing said', {}, undefined],
	['seconds', { 'retry-after': '7' }, 7000],
	['no time at all', { 'retry-after': '0' }, 0],
	['a fraction', { 'retry-after': '0.5' }, 500],
	['a date', { 'retry-after': new Date(now + 9000).toUTCString() }, 9000],
	['a date that is over', { 'retry-after': new Date(now - 9000).toUTCString() }, 0],
	['nonsense', { 'retry-after': 'soon' }, undefined],
	['an empty text', { 'retry-after': '' }, undefined],
	['seconds until the reset', { 'ratelimit-reset': '12' }, 12_000],
	['seconds until the reset, the older way', { 'x-ratelimit-reset': '12' }, 12_000],
	['the second of the reset', { 'x-ratelimit-reset': String(now / 1000 + 5) }, 5000],
	['the millisecond of the reset', { 'x-ratelimit-reset': String(now + 5000) }, 5000],
	['a reset that is over', { 'x-ratelimit-reset': String(now / 1000 - 5) }, 0],
	['all in one header', { ratelimit: 'limit=100, remaining=0, t=8' }, 8000],
	['all in one header, the newer way', { ratelimit: '"default";r=0;t=8' }, 8000],
	['all in one header, with names', { ratelimit: 'limit=120, remaining=0, reset=7' }, 7000],
	['no reset that can be read', { 'ratelimit-reset': 'tomorrow' }, undefined],
	['both: the plainer one counts', { 'retry-after': '3', 'ratelimit-reset': '60' }, 3000],
])('%s', (_, headers, wait) => {
	expect(retryAfterMs(headers, now)).toBe(wait);
});
