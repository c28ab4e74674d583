import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import type { Endpoint } from '../../../nodes/WorkspaceMessaging/contract/endpoint';
import { templateApi } from '../../../nodes/WorkspaceMessaging/contract/template';
import { getSharedWorkspace } from '../../../nodes/WorkspaceMessaging/transport/sharedWorkspaces';
import { findRetryReason } from '../../../nodes/WorkspaceMessaging/transport/retry/retryReason';
import type { HttpResult } from '../../../nodes/WorkspaceMessaging/transport/http';
import type {
	RetrySettings,
	Tries,
} from '../../../nodes/WorkspaceMessaging/transport/retry/settings';

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
		{ waitMs: 0, delayMs: 250 },
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
	test.each<[string, string | undefined, Endpoint, HttpResult, Partial<Tries>]>([
		[
			'as one too many is sent again when the limiter lets it',
			'rateLimited',
			listContacts,
			answer(429),
			{},
		],
		['on reading is sent again because that may pass', 'mayPass', listContacts, answer(500), {}],
		[
			'before its last try waits for the end of an outage',
			'afterOutage',
			listContacts,
			answer(500),
			{ retries: 7 },
		],
		['on its last try is not sent again', undefined, listContacts, answer(500), { retries: 8 }],
		['because it is wrong is not sent again', undefined, listContacts, answer(422), {}],
		[
			'and may have sent a message waits for the end of an outage',
			'afterOutage',
			sendMessage,
			broken,
			{ lostAnswers: 1 },
		],
		[
			'and may have sent a message twice is not sent again',
			undefined,
			sendMessage,
			broken,
			{ lostAnswers: 2 },
		],
	])('%s', async (_, reason, endpoint, result, tries) => {
		expect(await reasonFor(endpoint, result, tries)).toBe(reason);
	});

	test('is sent again only while there is time', async () => {
		expect(await reasonFor(listContacts, answer(500), {}, { giveUpAfterMs: 1200 })).toBeUndefined();
		expect(await reasonFor(listContacts, answer(500), {}, { giveUpAfterMs: 1400 })).toBe('mayPass');
	});
});

test('A message that may have arrived twice is sent again to a service that recognizes it', async () => {
	const reason = await reasonFor(sendMessage, broken, { lostAnswers: 2 }, { recognizes: true });
	expect(reason).toBe('mayPass');
});

test.each([
	['Send', sendMessage],
	['Send Template', sendTemplate],
])(
	'%s sends a message once more after one error of 500, and not after two, as services keep no key then',
	async (_, endpoint) => {
		const reasonAfter = async (failures: number) =>
			await reasonFor(endpoint, answer(500), { lostAnswers: 2, failures }, { recognizes: true });
		expect(await reasonAfter(1)).toBe('afterOutage');
		expect(await reasonAfter(2)).toBeUndefined();
	},
);
