import type { RequestActivity } from '../../../nodes/WorkspaceMessaging/transport/client';
import { describeProgress, reportProgress } from '../../../nodes/WorkspaceMessaging/execution/progress';
import type { Run } from '../../../nodes/WorkspaceMessaging/execution/run';

const idle: RequestActivity = { waiting: 0, repeating: 0, pausedForMs: 0 };
const position = { count: 1000, ended: 340, perMinute: 2040, isLimited: true };

test.each<[string, Partial<RequestActivity>, string]>([
	['the limit', { waiting: 600 }, 'for the requests per minute that the workspace allows'],
	[
		'the service',
		{ waiting: 600, pausedForMs: 12_345 },
		'because the service has asked to wait, for 13 s more',
	],
	['a failure', { repeating: 3 }, 'for answers, 3 requests are about to be repeated'],
	['answers', {}, 'for answers'],
])('says that a run waits for %s', (_, activity, reason) => {
	expect(describeProgress(position, { ...idle, ...activity })).toBe(
		`340 of 1,000 items have ended, 660 are waiting ${reason}. 2,040 items a minute.`,
	);
});

test('says that one item has ended, and what it waits for before the first request', () => {
	expect(describeProgress({ count: 2, ended: 1, perMinute: 6, isLimited: false })).toBe(
		'1 of 2 items has ended, 1 is waiting to be sent. 6 items a minute.',
	);
});

test('says what the service does that a run waits for', () => {
	const waitsFor = 'the import 4711 (40 of 120 rows)';
	expect(describeProgress({ count: 3, ended: 0, perMinute: 0, isLimited: true, waitsFor }, idle)).toBe(
		'0 of 3 items have ended, 3 are waiting for the import 4711 (40 of 120 rows). 0 items a minute.',
	);
});

describe('the lines in the log', () => {
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

	function runOf(count: number) {
		const lines: string[] = [];
		const context = {
			getNode: () => ({ name: 'Send' }),
			logger: { info: (line: string) => lines.push(line) },
		};
		const client = { stats: { waitedMs: 0 }, activity: { ...idle } };
		const run = { context, client, items: Array(count).fill({}), endedItems: 0 };
		return { lines, run };
	}

	test('come every ten seconds until the run ends, with the rate of the last ones', () => {
		const { next, made } = timers();
		const { lines, run } = runOf(100);
		const progress = reportProgress(run as unknown as Run);
		expect(progress.hasReported).toBe(false);
		run.endedItems = 20;
		run.client.activity.waiting = 80;
		run.client.stats.waitedMs = 9000;
		next();
		expect(progress.hasReported).toBe(true);
		run.endedItems = 50;
		next();
		next();
		progress.end();
		next();
		expect(made).toHaveLength(4);
		expect(lines).toEqual([
			'Send: 20 of 100 items have ended, 80 are waiting for the requests per minute that the workspace allows. 120 items a minute.',
			// Nothing more was waited for since.
			'Send: 50 of 100 items have ended, 50 are waiting for answers. 180 items a minute.',
			// Nothing has ended at all, although something waits to be sent.
			'Send: 50 of 100 items have ended, 50 are waiting for the requests per minute that the workspace allows. 0 items a minute.',
		]);
	});
});
