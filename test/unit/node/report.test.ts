import {
	describeOutcomes,
	describeStats,
	reportProgress,
} from '../../../nodes/WorkspaceMessaging/node/report';
import type { Outcome, Run } from '../../../nodes/WorkspaceMessaging/run/run';
import type { ApiClient } from '../../../nodes/WorkspaceMessaging/transport/client';

type RequestActivity = ApiClient['activity'];

const itemsOf = (...outcomes: Outcome[]) => outcomes.map((outcome, index) => ({ outcome, index }));

describe('describeOutcomes', () => {
	const many = itemsOf(...Array<Outcome>(1200).fill('done'), 'notSent');

	test.each<[Outcome[], string]>([
		[['refused'], ''],
		[['refused', 'refused', 'refused'], 'All 3 items failed.'],
		[['done', 'refused'], '2 items: 1 done (item 0), 1 failed (item 1).'],
		[['partlyDone', 'done'], '2 items: 1 done (item 1), 1 partly done (item 0).'],
		[
			['done', 'done', 'refused', 'notSent', 'unknown', 'notSent'],
			'6 items: 2 done (items 0–1), 1 failed (item 2), 1 sent with unknown outcome (item 4), 2 not attempted (items 3, 5).',
		],
	])('says for %j "%s"', (outcomes, text) => {
		expect(describeOutcomes(itemsOf(...outcomes))).toBe(text);
	});

	test('says of messages that they were sent, and writes large numbers with commas', () => {
		expect(describeOutcomes(many, 'sent')).toBe(
			'1,201 items: 1,200 sent (items 0–1199), 1 not attempted (item 1200).',
		);
	});

	test.each([
		[undefined, true],
		[5000, false],
	])('names at most %p ranges of items', (maxRanges, isCut) => {
		const items = itemsOf(
			...Array.from({ length: 5000 }, (_, n): Outcome => (n % 2 ? 'done' : 'notSent')),
		);

		const text = describeOutcomes(items, 'done', maxRanges);

		expect(text.includes(' and more)')).toBe(isCut);
		expect(text.length < 400).toBe(isCut);
	});
});

describe('describeStats', () => {
	test.each([
		[{ retries: 0, tooManyRequests: 0, waitedMs: 999, maybeTwice: 0 }, ''],
		[{ retries: 1, tooManyRequests: 0, waitedMs: 0, maybeTwice: 0 }, '1 request was retried.'],
		[
			{ retries: 0, tooManyRequests: 0, waitedMs: 1000, maybeTwice: 0 },
			'This run waited 1 s because of the rate limit.',
		],
		[
			{ retries: 0, tooManyRequests: 1, waitedMs: 0, maybeTwice: 0 },
			'This run was slowed down 1 time because of the rate limit.',
		],
		[
			{ retries: 1200, tooManyRequests: 2, waitedMs: 40_400, maybeTwice: 0 },
			'This run waited 40 s because of the rate limit (slowed down 2 times). 1,200 requests were retried.',
		],
		[
			{ retries: 1, tooManyRequests: 0, waitedMs: 0, maybeTwice: 1 },
			'1 request was retried. 1 message may have arrived twice: it is not known whether this service recognizes a message that it gets again.',
		],
	])('says for %j "%s"', (stats, text) => {
		expect(describeStats(stats)).toBe(text);
	});

	test('says for how long the service did not answer, from one second on', () => {
		const stats = { retries: 3, tooManyRequests: 0, waitedMs: 0, maybeTwice: 0 };
		expect(describeStats(stats, 999)).toBe('3 requests were retried.');
		expect(describeStats(stats, 31_200)).toBe(
			'The service did not answer for about 31 s, and n8n waited. 3 requests were retried.',
		);
	});
});

describe('reportProgress', () => {
	const idle: RequestActivity = { waiting: 0, repeating: 0, pausedForMs: 0 };

	/** Timers of ten seconds that end when the test says so. */
	function timers() {
		const made: AbortController[] = [];
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			expect(ms).toBe(10_000);
			made.push(new AbortController());
			return made[made.length - 1].signal;
		});
		return { made, next: () => made[made.length - 1].abort() };
	}
	afterEach(() => jest.restoreAllMocks());

	function runOf(
		count: number,
		activity: RequestActivity | undefined = { ...idle },
		waitsFor?: string,
	) {
		const lines: string[] = [];
		const context = {
			getNode: () => ({ name: 'Send' }),
			logger: { info: (line: string) => lines.push(line) },
		};
		const client = activity && { stats: { waitedMs: 0, maybeTwice: 0 }, activity };
		const run = { context, client, items: Array(count).fill({}), endedItems: 0, waitsFor };
		return { lines, run };
	}

	/** The line after ten seconds in which `ended` items ended and requests waited for `waitedMs`. */
	function lineOf({ lines, run }: ReturnType<typeof runOf>, ended: number, waitedMs = 0) {
		const { next } = timers();
		const end = reportProgress(run as unknown as Run);
		run.endedItems = ended;
		if (run.client) run.client.stats.waitedMs = waitedMs;
		next();
		end();
		return lines;
	}

	test.each<[Partial<RequestActivity>, string]>([
		[{ waiting: 600 }, 'for the rate limit'],
		[{ waiting: 600, pausedForMs: 12_345 }, 'because the service asks to wait 13 s more'],
		[{ repeating: 3 }, 'for answers (3 requests will be retried)'],
		[{ repeating: 1 }, 'for answers (1 request will be retried)'],
		[{}, 'for answers'],
	])('says with the activity %j that items are waiting %s', (activity, reason) => {
		expect(lineOf(runOf(1000, { ...idle, ...activity }), 340, 9000)).toEqual([
			`Send: 340 of 1,000 items done, 660 waiting ${reason}. 2,040 items a minute.`,
		]);
	});

	test('says before the first request that items are waiting to be sent', () => {
		const { lines, run } = runOf(2);

		expect(lineOf({ lines, run: { ...run, client: undefined } as never }, 1)).toEqual([
			'Send: 1 of 2 items done, 1 waiting to be sent. 6 items a minute.',
		]);
	});

	test('says what the service does that the run waits for', () => {
		expect(lineOf(runOf(3, { ...idle }, 'the import 4711 (40 of 120 rows)'), 0)).toEqual([
			'Send: 0 of 3 items done, 3 waiting for the import 4711 (40 of 120 rows). 0 items a minute.',
		]);
	});

	test('logs every ten seconds until the run ends, with the rate since the last line', () => {
		const { next, made } = timers();
		const { lines, run } = runOf(100);
		const end = reportProgress(run as unknown as Run);
		run.endedItems = 20;
		run.client!.activity.waiting = 80;
		run.client!.stats.waitedMs = 9000;
		next();
		run.endedItems = 50;
		next();
		next();

		expect(end()).toBe(true);
		next();
		expect(made).toHaveLength(4);
		expect(lines).toEqual([
			'Send: 20 of 100 items done, 80 waiting for the rate limit. 120 items a minute.',
			// No request waited since the last line.
			'Send: 50 of 100 items done, 50 waiting for answers. 180 items a minute.',
			// No item ended, although requests wait.
			'Send: 50 of 100 items done, 50 waiting for the rate limit. 0 items a minute.',
		]);
	});

	test('returns that it logged nothing if the run was short', () => {
		timers();

		expect(reportProgress(runOf(1).run as unknown as Run)()).toBe(false);
	});
});
