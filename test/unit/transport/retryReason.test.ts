import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import type { Endpoint } from '../../../nodes/WorkspaceMessaging/contract/endpoint';
import { templateApi } from '../../../nodes/WorkspaceMessaging/contract/template';
import { getSharedWorkspace } from '../../../nodes/WorkspaceMessaging/transport/sharedWorkspaces';
import { findRetryReason } from '../../../nodes/WorkspaceMessaging/transport/retry/retryReason';
import type { HttpResult } from '../../../nodes/WorkspaceMessaging/transport/http';
import type { RetrySettings, Tries } from '../../../nodes/WorkspaceMessaging/transport/retry/retry';

const answer = (status: number, body: unknown = {}): HttpResult => ({
	status,
	headers: {},
	body,
	isText: false,
});

const broken: HttpResult = {
	status: undefined,
	kind: 'broken',
	isTransient: true,
	message: 'socket hang up',
};

/** Why a request is sent again, which failed first a second ago. */
async function reasonFor(
	endpoint: Endpoint,
	result: HttpResult,
	tries: Partial<Tries> = {},
	{ recognizes = false, ...retry }: Partial<RetrySettings> & { recognizes?: boolean } = {},
) {
	const workspace = getSharedWorkspace({
		baseUrl: 'https://service.example',
		token: 'retry-reason',
		requestsPerMinute: 100,
	} as Parameters<typeof getSharedWorkspace>[0]);
	const request = { endpoint, body: { clientId: '1' }, idempotencyKey: 'key' } as Tries['request'];
	const failed = {
		request,
		startedAt: performance.now() - 1000,
		retries: 0,
		lostAnswers: 0,
		failures: 0,
		...tries,
	} as Tries;
	return await findRetryReason(
		failed,
		result,
		{ askedMs: 0, delayMs: 250 },
		{
			workspace,
			retry: { maxRetries: 8, giveUpAfterMs: 300_000, ...retry },
			recognition: {
				isKnown: () => recognizes,
				note: () => {},
				find: async () => recognizes,
				askAgain: async () => recognizes,
			},
			recognizesRetries: async () => recognizes,
		},
	);
}

const { listContacts, sendMessage } = contactApi;
const { sendTemplate } = templateApi;

describe('A request that failed', () => {
	test.each<[string, Endpoint, HttpResult, Partial<Tries>, string | undefined]>([
		['because of too many requests', listContacts, answer(429), {}, 'rateLimited'],
		['on reading', listContacts, answer(500), {}, 'mayPass'],
		['on its last try but one', listContacts, answer(500), { retries: 7 }, 'neededAfterOutage'],
		['on its last try', listContacts, answer(500), { retries: 8 }, undefined],
		['because it is wrong', listContacts, answer(422), {}, undefined],
		['and may have sent a message', sendMessage, broken, { lostAnswers: 1 }, 'neededAfterOutage'],
		['and may have sent it twice', sendMessage, broken, { lostAnswers: 2 }, undefined],
	])('%s has its reason to be sent again, or none', async (_, endpoint, result, tries, reason) => {
		expect(await reasonFor(endpoint, result, tries)).toBe(reason);
	});

	test('has no time left to be sent again', async () => {
		expect(await reasonFor(listContacts, answer(500), {}, { giveUpAfterMs: 1200 })).toBeUndefined();
		expect(await reasonFor(listContacts, answer(500), {}, { giveUpAfterMs: 1400 })).toBe('mayPass');
	});
});

describe('A message that may have arrived twice', () => {
	const twice = { lostAnswers: 2 };

	test('is sent again to a service that recognizes it', async () => {
		const reason = await reasonFor(sendMessage, broken, twice, { recognizes: true });
		expect(reason).toBe('mayPass');
	});

	test.each([
		['Send', sendMessage],
		['Send Template', sendTemplate],
	])('is not sent again by %s after two errors of 500, which keep no key', async (_, endpoint) => {
		const failedTwice = { lostAnswers: 2, failures: 2 };
		const reason = await reasonFor(endpoint, answer(500), failedTwice, { recognizes: true });
		expect(reason).toBeUndefined();
	});

	test.each([
		['Send', sendMessage],
		['Send Template', sendTemplate],
	])('is sent once more by %s after one error of 500', async (_, endpoint) => {
		const failedOnce = { lostAnswers: 2, failures: 1 };
		const reason = await reasonFor(endpoint, answer(500), failedOnce, { recognizes: true });
		expect(reason).toBe('neededAfterOutage');
	});
});
