import { getSharedWorkspace } from '../../../../nodes/WorkspaceMessaging/transport/sharedWorkspaces';

// Its pauses are to take the time of this file.
jest.unmock('n8n-workflow');

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

const credential = { baseUrl: 'https://a.example', token: 'a', requestsPerMinute: 60, data: {} };

test('A rate limit belongs to a token and its Base URL', () => {
	const { limiter } = getSharedWorkspace(credential);
	const other = (change: object) => getSharedWorkspace({ ...credential, ...change }).limiter;
	expect(other({ requestsPerMinute: 50 })).toBe(limiter);
	expect(other({ token: 'b' })).not.toBe(limiter);
	expect(other({ baseUrl: 'https://b.example' })).not.toBe(limiter);
});

// Without a limit, 64 requests leave at once.
test.each([
	[1, 1],
	[2.9, 2],
	[63, 63],
	[10_000, 64],
	[1e12, 64],
	[Infinity, 64],
	[0.9, 64],
	[0, 64],
	[-5, 64],
	[NaN, 64],
])('With %d as Requests per Minute, %d of 100 requests leave at once', async (limit, most) => {
	const token = String(limit);
	const { limiter } = getSharedWorkspace({ ...credential, token, requestsPerMinute: limit });
	let left = 0;
	for (let request = 0; request < 100; request++) void limiter.acquire({}).then(() => left++);
	await jest.advanceTimersByTimeAsync(0);
	expect(left).toBe(most);
});
