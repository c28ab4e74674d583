import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import type { Endpoint } from '../../../nodes/WorkspaceMessaging/contract/endpoint';
import { templateApi } from '../../../nodes/WorkspaceMessaging/contract/template';
import { ApiClient } from '../../../nodes/WorkspaceMessaging/transport/client';
import { ApiError } from '../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import type { Context, HttpResult } from '../../../nodes/WorkspaceMessaging/transport/http';
import { apiRequest } from '../../../nodes/WorkspaceMessaging/transport/request';
import { findNextTry } from '../../../nodes/WorkspaceMessaging/transport/retry/nextTry';
import type { Tries } from '../../../nodes/WorkspaceMessaging/transport/retry/settings';
import { getSharedWorkspace } from '../../../nodes/WorkspaceMessaging/transport/sharedWorkspaces';

const answer = (status: number, code?: string): HttpResult => ({
	status,
	headers: {},
	body: { code },
	isText: false,
});
const noAnswerOf = (kind: 'notSent' | 'broken' | 'cancelled', isTransient = true): HttpResult => ({
	status: undefined,
	kind,
	isTransient,
	message: '',
});

/** How the last try ended. */
const results = {
	refused: answer(422),
	taken: answer(500, 'phoneExists'),
	cancelled: noAnswerOf('cancelled', false),
	tooLarge: noAnswerOf('broken', false),
	'429': answer(429),
	busy: answer(409, 'idempotencyKeyConflict'),
	notSent: noAnswerOf('notSent'),
	'500': answer(500),
	'502': answer(502),
	'503': answer(503),
	'504': answer(504),
	broken: noAnswerOf('broken'),
};
type Result = keyof typeof results;

/** What is sent. */
const requests = {
	read: { endpoint: contactApi.listContacts },
	update: { endpoint: contactApi.updateContact },
	message: { endpoint: contactApi.sendMessage, body: { clientId: '1' } },
	template: { endpoint: templateApi.sendTemplate },
	flow: { endpoint: contactApi.triggerFlow },
	lookedFor: { endpoint: contactApi.createContact, isLookedFor: true },
};
type Sent = keyof typeof requests;

const users = ['messages', 'always', 'never'] as const;

/** Whether the service recognizes a request that it gets again: it is known, or it says so if asked. */
const services = ['unable', 'able', 'knownAsAble'] as const;

/** How many tries may have gone through, and how many of these have ended with an error of 500. */
const pasts = ['0/0', '1/0', '1/1', '2/0', '2/1', '2/2'] as const;

interface Case {
	result: Result;
	sent: Sent;
	user: (typeof users)[number];
	service: (typeof services)[number];
	past: (typeof pasts)[number];
}

const lost: Result[] = ['500', '502', '503', '504', 'broken'];
const mayPass: Result[] = [...lost, 'notSent'];
const messages: Sent[] = ['message', 'template'];
const things: Sent[] = ['flow', 'lookedFor'];
const changes: Sent[] = [...messages, ...things];
type Cases = { [Name in keyof Case]?: Array<Case[Name]> };

/** What may become of a message that may have arrived, unless the user has chosen something. */
const maybeArrived = { user: ['messages' as const], result: mayPass };

/** Each row of the table, with the cases that it is about. */
const rows: Array<[statement: string, cases: Cases[], next: string]> = [
	[
		'What the service has decided, and what would fail in the same way, is not sent again',
		[{ result: ['refused', 'taken', 'cancelled', 'tooLarge'] }],
		'stop',
	],
	['One request too many is sent again in its turn', [{ result: ['429'] }], 'inTurn'],
	[
		'A request that the service still works on is sent again when that has ended',
		[{ result: ['busy'] }],
		'whenDone',
	],
	[
		'What does the same twice is sent again',
		[{ sent: ['read', 'update'], result: mayPass }],
		'again',
	],
	[
		'With Always, everything is sent again',
		[{ sent: changes, user: ['always'], result: mayPass }],
		'again',
	],
	[
		'With Never, nothing that may have gone through is sent again',
		[{ sent: changes, user: ['never'], result: lost }],
		'stop',
	],
	[
		'What has never reached the service is sent again',
		[
			{ user: ['messages'], sent: messages, result: ['notSent'], past: ['0/0'] },
			{ user: ['messages'], sent: things, result: ['notSent'] },
			{ user: ['never'], sent: changes, result: ['notSent'] },
		],
		'again',
	],
	[
		'What makes something is sent again after a broken connection if the service recognizes it',
		[{ sent: ['flow'], user: ['messages'], result: ['broken'], service: ['able', 'knownAsAble'] }],
		'afterOutage',
	],
	[
		'What makes something is not sent again if the service does not recognize it, or has forgotten it',
		[
			{ sent: ['flow'], user: ['messages'], result: ['broken'], service: ['unable'] },
			{ sent: ['flow'], user: ['messages'], result: ['500', '502', '503', '504'] },
		],
		'stop',
	],
	[
		'What its caller looks for is not sent again before that',
		[{ sent: ['lookedFor'], user: ['messages'], result: lost }],
		'stop',
	],
	[
		'A message is sent again if the service recognizes it, and has ended no try with an error',
		[
			{ sent: ['message'], past: ['1/0', '2/0'], service: ['knownAsAble'], ...maybeArrived },
			{ sent: ['template'], past: ['1/0', '2/0'], ...maybeArrived },
		],
		'again',
	],
	[
		'A message that may have arrived is sent once more when the outage is over',
		[
			{ sent: ['message'], past: ['1/0'], service: ['unable', 'able'], ...maybeArrived },
			{ sent: messages, past: ['1/1'], ...maybeArrived },
		],
		'afterOutage',
	],
	[
		'A message that may have arrived twice is sent once more if the service recognizes it, also after one error',
		[
			{ sent: ['message'], past: ['2/0'], service: ['able'], ...maybeArrived },
			{ sent: ['message'], past: ['2/1'], service: ['able', 'knownAsAble'], ...maybeArrived },
			{ sent: ['template'], past: ['2/1'], ...maybeArrived },
		],
		'afterOutage',
	],
	[
		'A message that may have arrived twice is not sent again to a service that does not recognize it, or has ended both tries with an error',
		[
			{ sent: ['message'], past: ['2/0', '2/1'], service: ['unable'], ...maybeArrived },
			{ sent: messages, past: ['2/2'], ...maybeArrived },
		],
		'stop',
	],
];

const all: Case[] = (Object.keys(results) as Result[]).flatMap((result) =>
	(Object.keys(requests) as Sent[]).flatMap((sent) =>
		users.flatMap((user) =>
			services.flatMap((service) => pasts.map((past) => ({ result, sent, user, service, past }))),
		),
	),
);

/**
 * Whether a case can happen. With Never, and if something is made, a lost answer ends the tries,
 * unless the service has recognized the request.
 */
function isPossible({ result, sent, user, service, past }: Case): boolean {
	const [lostTries, errors] = past.split('/').map(Number);
	// The last try counts.
	const lostBefore = lostTries - Number(lost.includes(result) || result === 'busy');
	const errorsBefore = errors - Number(result === '500');
	if (lostBefore < 0 || errorsBefore < 0 || errorsBefore > lostBefore) return false;
	if (user === 'always' || !changes.includes(sent)) return true;
	if (user === 'never')
		return errorsBefore === 0 && (lostBefore === 0 || service === 'knownAsAble');
	return errorsBefore === 0 || messages.includes(sent);
}

const possible = all.filter(isPossible);

const isIn = (each: Case, cases: Cases) =>
	Object.entries(cases).every(([name, values]) =>
		(values as string[]).includes(each[name as keyof Case]),
	);

const recognitionBy = (service: Case['service']) => ({
	isKnown: () => service === 'knownAsAble',
	find: async () => service !== 'unable',
	note: () => undefined,
	askAgain: async () => undefined,
});

const client = { service: {}, request: async () => undefined } as never;

/** What follows after a failed try, after a number of retries. */
async function nextAfter({ result, sent, user, service, past }: Case, retries = 0) {
	const [lostAnswers, failures] = past.split('/').map(Number);
	const request = { ...requests[sent], path: '', idempotencyKey: 'key' };
	const tries = { request, retries, lostAnswers, failures } as never as Tries;
	const settings = {
		retry: { giveUpAfterMs: 300_000, retryWhenOutcomeUnknown: user },
		recognition: recognitionBy(service),
	};
	return await findNextTry(tries, results[result], 8, settings, client);
}

test('Each case is in one row of the table', () => {
	const odd = possible.filter((each) => {
		const fitting = rows.filter(([, cases]) => cases.some((those) => isIn(each, those)));
		return fitting.length !== 1;
	});
	expect(odd).toEqual([]);
	expect(possible.length).toBeGreaterThan(1000);
});

test.each(rows)('%s', async (_, cases, next) => {
	const those = possible.filter((each) => cases.some((some) => isIn(each, some)));
	expect(those).not.toEqual([]);
	const wrong: object[] = [];
	for (const each of those) {
		const actual = await nextAfter(each);
		if (actual !== next) wrong.push({ ...each, actual });
	}
	expect(wrong).toEqual([]);
});

test.each([
	[7, 'again', 'afterOutage'],
	[8, 'again', 'stop'],
	[8, 'inTurn', 'inTurn'],
	[8, 'whenDone', 'whenDone'],
])('After %d retries of 8, %s becomes %s', async (retries, usual, next) => {
	const results = { again: '500', inTurn: '429', whenDone: 'busy' } as const;
	const result = results[usual as keyof typeof results];
	const each: Case = { result, sent: 'read', user: 'messages', service: 'unable', past: '1/0' };
	expect(await nextAfter(each)).toBe(usual);
	expect(await nextAfter(each, retries)).toBe(next);
});

const senderOf = (user: Case['user'], service: Case['service'], maxRetries?: number) => {
	const credential = { baseUrl: 'https://a.example', token: 'a', requestsPerMinute: 60, data: {} };
	return new ApiClient(credential, getSharedWorkspace(credential), {
		transport: {},
		retry: { giveUpAfterMs: 300_000, retryWhenOutcomeUnknown: user, maxRetries },
		recognition: recognitionBy(service),
	});
};

const losses = ['serviceDown', 'proxyTimeout', 'noAnswer', 'failure'] as const;

/** What lets something be made once more that is not there, after each loss. */
const onceMore: Array<[Case['user'], Case['service'], allowed: Array<(typeof losses)[number]>]> = [
	['always', 'unable', [...losses]],
	['never', 'knownAsAble', []],
	['messages', 'unable', ['serviceDown']],
	['messages', 'able', ['serviceDown', 'proxyTimeout', 'noAnswer']],
	['messages', 'knownAsAble', ['serviceDown', 'proxyTimeout', 'noAnswer']],
];

describe.each(onceMore)('With %s, on a service that is %s', (user, service, allowed) => {
	test.each(losses)('what is not there after "%s" is made once more, or not', async (loss) => {
		const error = new ApiError('It failed.', { outcome: 'unknown', loss });
		const mayRepeat = async (effect: 'state' | 'notThere', maxRetries?: number) =>
			await senderOf(user, service, maxRetries).mayRepeat({} as Context, error, effect);
		expect(await mayRepeat('notThere')).toBe(allowed.includes(loss));
		expect(await mayRepeat('state')).toBe(true);
		expect(await mayRepeat('state', 0)).toBe(false);
	});
});

test.each<[string, Endpoint, object, Array<Case['user']>]>([
	['an update', contactApi.updateContact, {}, [...users]],
	['a message', contactApi.sendMessage, { clientId: '1' }, ['always']],
	['a new contact', contactApi.createContact, {}, ['always']],
])(
	'Retry On Fail sends %s again whose outcome is unknown only if that is accepted',
	(_, endpoint, body, accepting) => {
		const mayTryAgain = (user: Case['user']) =>
			senderOf(user, 'knownAsAble').mayTryAgain(apiRequest(endpoint, { body }));
		expect(users.filter(mayTryAgain)).toEqual(accepting);
	},
);
