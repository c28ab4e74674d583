import {
	PAUSED_TOO_LONG,
	RateLimiter,
} from '../../../../nodes/WorkspaceMessaging/transport/rateLimit/limiter';

type Permit = Awaited<ReturnType<RateLimiter['acquire']>>;

// Its pauses are to take the time of this file.
jest.unmock('n8n-workflow');

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
const now = () => performance.now();

/** Asks for so many permits and notes when each is given; each request takes `tookMs`. */
function send(
	limiter: RateLimiter,
	count: number,
	{ execution = {}, tookMs = 10, begun = false } = {},
) {
	const left: number[] = [];
	const cancelled: Error[] = [];
	for (let request = 0; request < count; request++) {
		limiter.acquire(execution, { hasWritten: begun }).then(
			(permit) => {
				left.push(now());
				setTimeout(() => permit.accepted(), tookMs);
			},
			(error: Error) => cancelled.push(error),
		);
	}
	return { left, cancelled, execution };
}

/**
 * The most requests that any minute can have seen, if they arrived when they left or when they
 * ended.
 */
function mostInAMinute(left: number[], tookMs: number) {
	const most = (times: number[]) =>
		Math.max(
			...times.map(
				(start) => times.filter((time) => time >= start && time < start + 60_000).length,
			),
		);
	return Math.max(
		most(left),
		most(left.map((time, index) => time + (index % 2 === 0 ? 0 : tookMs))),
	);
}

describe('The requests per minute', () => {
	test.each([1, 7, 100])('never exceed %d in any minute', async (limit) => {
		const limiter = new RateLimiter(limit);
		const { left } = send(limiter, limit * 3, { tookMs: 400 });
		await pass(1000);
		expect(left).toHaveLength(limit);
		await pass(300_000);
		expect(left).toHaveLength(limit * 3);
		expect(mostInAMinute(left, 400)).toBeLessThanOrEqual(limit);
	});

	test('are counted from the end of a request, not from its start', async () => {
		const limiter = new RateLimiter(1);
		const { left } = send(limiter, 2, { tookMs: 5000 });
		await pass(64_900);
		expect(left).toHaveLength(1);
		await pass(700);
		expect(left).toHaveLength(2);
	});

	test('can change while requests wait', async () => {
		const limiter = new RateLimiter(1);
		const { left } = send(limiter, 5);
		await pass(100);
		expect(left).toHaveLength(1);
		limiter.setLimit(5);
		await pass(1000);
		expect(left).toHaveLength(5);
	});
});

describe('The concurrency', () => {
	test('starts at 64, and grows by one for every second accepted request', async () => {
		const limiter = new RateLimiter(1_000_000);
		const { left } = send(limiter, 1000, { tookMs: 1000 });
		await pass(900);
		expect(left).toHaveLength(64);
		await pass(1000);
		expect(left).toHaveLength(64 + 96);
		await pass(1000);
		expect(left).toHaveLength(64 + 96 + 144);
	});

	test('never exceeds 1,000', async () => {
		const limiter = new RateLimiter(1_000_000);
		const { left } = send(limiter, 6000, { tookMs: 1000 });
		await pass(300_000);
		expect(left).toHaveLength(6000);
		const atOnce = [...new Set(left)].map(
			(time) => left.filter((other) => other > time - 1000 && other <= time).length,
		);
		expect(Math.max(...atOnce)).toBe(1000);
	});

	test('continues in the next execution where the last one ended', async () => {
		const limiter = new RateLimiter(1_000_000);
		send(limiter, 64 + 96, { tookMs: 1000 });
		await pass(10_000);
		const { left } = send(limiter, 1000, { tookMs: 1000 });
		await pass(0);
		expect(left.length).toBeGreaterThanOrEqual(96);
		expect(left.length).toBeLessThanOrEqual(150);
	});

	test('does not grow if each request waits for the one before', async () => {
		const limiter = new RateLimiter(1_000_000);
		for (let request = 0; request < 500; request++) {
			send(limiter, 1);
			await pass(10);
		}
		const { left } = send(limiter, 1000, { tookMs: 1000 });
		await pass(900);
		expect(left).toHaveLength(64);
	});

	test('does not grow while the requests per minute are the limit', async () => {
		const limiter = new RateLimiter(100);
		const { left } = send(limiter, 1000, { tookMs: 1000 });
		await pass(50_000);
		expect(left).toHaveLength(100);
		limiter.setLimit(1_000_000);
		await pass(900);
		// 64 were full, and allowed half as many more; the other 36 were not.
		expect(left).toHaveLength(100 + 96);
	});

	test('does not grow after requests without an answer', async () => {
		const limiter = new RateLimiter(1_000_000);
		const permits = await Promise.all(
			Array.from({ length: 64 }, async () => await limiter.acquire({})),
		);
		const { left } = send(limiter, 1000, { tookMs: 1000 });
		for (const permit of permits) permit.failed();
		await pass(900);
		expect(left).toHaveLength(64);
	});

	test('does not block all requests if no answer arrives', async () => {
		const limiter = new RateLimiter(1_000_000);
		const { left } = send(limiter, 72, { tookMs: 300_000 });
		await pass(1900);
		expect(left).toHaveLength(64);
		await pass(10_000);
		expect(left).toHaveLength(69);
	});
});

describe('The order of requests', () => {
	test('alternates between executions', async () => {
		const limiter = new RateLimiter(6);
		const first = send(limiter, 100);
		const second = send(limiter, 100);
		await pass(1000);
		// Three were gone before the second came.
		expect(first.left.length + second.left.length).toBe(6);
		await pass(60_000);
		expect(first.left.length + second.left.length).toBe(12);
		expect(second.left.length).toBeGreaterThanOrEqual(3);
		await pass(120_000);
		expect(Math.abs(first.left.length - second.left.length)).toBeLessThanOrEqual(6);
	});

	test('starts with requests that continue an unfinished task', async () => {
		const limiter = new RateLimiter(1);
		const execution = {};
		send(limiter, 1, { execution });
		const fresh = send(limiter, 1, { execution });
		const begun = send(limiter, 1, { execution, begun: true });
		await pass(61_000);
		expect([fresh.left.length, begun.left.length]).toEqual([0, 1]);
		await pass(61_000);
		expect([fresh.left.length, begun.left.length]).toEqual([1, 1]);
	});
});

describe('Cancelling an execution', () => {
	test('ends its waiting at once', async () => {
		const limiter = new RateLimiter(1);
		const gone = send(limiter, 3);
		const other = send(limiter, 1);
		await pass(100);
		limiter.cancel(gone.execution, new Error('Stopped'), 'all');
		await pass(0);
		expect(gone.cancelled.map(({ message }) => message)).toEqual(['Stopped', 'Stopped']);
		await pass(61_000);
		expect(gone.left).toHaveLength(1);
		expect(other.left).toHaveLength(1);
	});

	test('can let started tasks finish', async () => {
		const limiter = new RateLimiter(1);
		const execution = {};
		send(limiter, 1, { execution });
		const fresh = send(limiter, 2, { execution });
		const begun = send(limiter, 1, { execution, begun: true });
		await pass(100);
		limiter.cancel(execution, new Error('Stopped'), 'unwritten');
		await pass(61_000);
		expect(fresh.cancelled).toHaveLength(2);
		expect(begun.left).toHaveLength(1);
	});

	test('does nothing if it does not wait', () => {
		expect(() => new RateLimiter(1).cancel({}, new Error('Stopped'), 'all')).not.toThrow();
	});
});

describe('Too many requests', () => {
	const acquire = async (limiter: RateLimiter): Promise<Permit> => {
		const permit = limiter.acquire({});
		await pass(0);
		return await permit;
	};
	const refuse = (permit: Permit, retryAfterMs?: number) => permit.refused(retryAfterMs);

	test('stop all requests for as long as the service says', async () => {
		const limiter = new RateLimiter(10_000);
		expect(refuse(await acquire(limiter), 7000)).toBe(7000);
		const { left } = send(limiter, 3);
		await pass(6900);
		expect(left).toEqual([]);
		await pass(30_000);
		expect(left).toHaveLength(3);
	});

	test('lead to a new try after ten minutes, however long the service says', async () => {
		const limiter = new RateLimiter(10_000);
		expect(refuse(await acquire(limiter), 120_000)).toBe(120_000);
		await pass(120_000);
		expect(refuse(await acquire(limiter), 86_400_000)).toBe(600_000);
	});

	test('fail requests that cannot wait so long at once, and the rest waits', async () => {
		const limiter = new RateLimiter(10_000);
		refuse(await acquire(limiter), 1000);
		const ahead = limiter.acquire({});
		const impatient = limiter.acquire({}, { maxPauseMs: 5000 }).catch((error: unknown) => error);
		const patient = send(limiter, 1);
		await pass(1000);
		refuse(await ahead, 20_000);
		expect(await impatient).toBe(PAUSED_TOO_LONG);
		await expect(limiter.acquire({}, { maxPauseMs: 5000 })).rejects.toBe(PAUSED_TOO_LONG);
		await pass(19_000);
		expect(patient.left).toEqual([]);
		await pass(2000);
		expect(patient.left).toHaveLength(1);
	});

	test('let one request go first, even if earlier ones have no answer yet', async () => {
		const limiter = new RateLimiter(10_000);
		await acquire(limiter);
		refuse(await acquire(limiter), 1000);
		const { left } = send(limiter, 3, { tookMs: 100 });
		await pass(1050);
		expect(left).toHaveLength(1);
		await pass(100);
		expect(left).toHaveLength(3);
	});

	test('let only a few requests follow the first one', async () => {
		const limiter = new RateLimiter(10_000);
		refuse(await acquire(limiter), 1000);
		const { left } = send(limiter, 1000, { tookMs: 200 });
		await pass(1300);
		expect(left.length).toBeGreaterThan(2);
		expect(left.length).toBeLessThan(30);
		// At least at a quarter of the requests per minute.
		await pass(25_000);
		expect(left).toHaveLength(1000);
	});

	test('do not block the others if the first request gets no answer', async () => {
		const limiter = new RateLimiter(10_000);
		refuse(await acquire(limiter), 1000);
		const { left } = send(limiter, 3, { tookMs: 60_000 });
		await pass(4100);
		expect(left).toHaveLength(2);
	});

	test('send nothing between the refusal and the pause', async () => {
		const limiter = new RateLimiter(10_000);
		refuse(await acquire(limiter), 1000);
		const { left } = send(limiter, 3);
		await pass(1000);
		expect(left).toHaveLength(1);
	});

	test('keep the order of requests that n8n retries', async () => {
		const limiter = new RateLimiter(1);
		const execution = {};
		const running = await acquire(limiter);
		const order: number[] = [];
		for (const number of [1, 2, 3]) {
			void limiter.acquire(execution, { isRetry: number > 1 }).then((permit) => {
				order.push(number);
				permit.accepted();
			});
		}
		limiter.setLimit(100);
		running.accepted();
		await pass(1000);
		expect(order).toEqual([2, 3, 1]);
	});

	test('lower the rate to no less than a quarter if others used up the limit just before', async () => {
		const limiter = new RateLimiter(10_000);
		const permits = await Promise.all(
			Array.from({ length: 30 }, async () => await acquire(limiter)),
		);
		for (const permit of permits) refuse(permit, 5000);
		const { left } = send(limiter, 200, { tookMs: 50 });
		await pass(11_000);
		expect(left).toHaveLength(200);
	});

	test('lead to a pause even if the service says "at once" but refuses again', async () => {
		const limiter = new RateLimiter(10_000);
		expect(refuse(await acquire(limiter), 0)).toBe(1000);
	});

	test('lead to longer pauses until a request succeeds if the service says no time', async () => {
		const limiter = new RateLimiter(10_000);
		const waits: number[] = [];
		for (let time = 0; time < 8; time++) {
			const permit = await acquire(limiter);
			waits.push(refuse(permit));
			await pass(waits[time]);
		}
		expect(waits[0]).toBeGreaterThanOrEqual(1000);
		for (let time = 1; time < 8; time++)
			expect(waits[time]).toBeGreaterThanOrEqual(waits[time - 1]);
		expect(waits[7]).toBe(30_000);
	});

	test('count once if the service refuses all other requests as well', async () => {
		const limiter = new RateLimiter(10_000);
		const permits = await Promise.all(
			Array.from({ length: 30 }, async () => await acquire(limiter)),
		);
		await pass(10);
		const waits = permits.map((permit) => refuse(permit));
		expect(Math.max(...waits)).toBeLessThanOrEqual(2000);
	});

	test('do not extend the pause if the service refuses an earlier request later', async () => {
		const limiter = new RateLimiter(10_000);
		const permits = await Promise.all([acquire(limiter), acquire(limiter)]);
		expect(refuse(permits[0])).toBe(1000);
		await pass(600);
		expect(refuse(permits[1])).toBe(400);
	});

	test('extend the pause if the service says a longer time later', async () => {
		const limiter = new RateLimiter(10_000);
		const permits = await Promise.all([acquire(limiter), acquire(limiter)]);
		expect(refuse(permits[0], 2000)).toBe(2000);
		expect(refuse(permits[1], 5000)).toBe(5000);
	});

	test.each([
		['120 in 10 s', 120, 10_000],
		['10 in 1 s', 10, 1000],
		['300 in 1 min', 300, 60_000],
	])(
		'reveal the rate of a service that accepts %s, after few refusals',
		async (_, requests, windowMs) => {
			const limiter = new RateLimiter(10_000);
			const total = requests * 5;
			let windowStart = -Infinity;
			let inWindow = 0;
			let accepted = 0;
			let refused = 0;
			const sendOne = async (begun = false): Promise<void> => {
				const permit = await limiter.acquire(limiter, { hasWritten: begun });
				await new Promise((resolve) => setTimeout(resolve, 20));
				if (now() - windowStart >= windowMs) {
					windowStart = now();
					inWindow = 0;
				}
				const ok = ++inWindow <= requests;
				if (ok) {
					permit.accepted();
					accepted++;
				} else {
					permit.refused();
					refused++;
					await sendOne(true);
				}
			};
			for (let request = 0; request < total; request++) void sendOne();
			await pass(windowMs * 20);
			expect(accepted).toBe(total);
			// The first refusals come in one burst: as many as were on their way.
			expect(refused).toBeLessThan(300 + total / 2);
		},
	);
});

/**
 * A service that takes so many requests in each fixed window, those of others too, and answers after
 * 40 ms, a refusal as well.
 */
function fixedWindows(
	limiter: RateLimiter,
	requests: number,
	windowMs: number,
	othersPerSecond = 0,
) {
	let windowStart = -Infinity;
	let inWindow = 0;
	const count = { accepted: 0, refused: 0 };
	const sendOne = async (execution: object, isRetry = false): Promise<void> => {
		const permit = await limiter.acquire(execution, { isRetry });
		if (now() - windowStart >= windowMs) {
			windowStart = now();
			inWindow = 0;
		}
		const opensAt = windowStart + windowMs;
		const ofOthers = (othersPerSecond * (now() - windowStart)) / 1000;
		const isTaken = ++inWindow + ofOthers <= requests;
		const told = Math.ceil((opensAt - now()) / 1000) * 1000;
		await new Promise((resolve) => setTimeout(resolve, 40));
		if (isTaken) {
			permit.accepted();
			count.accepted++;
			return;
		}
		count.refused++;
		permit.refused(told);
		await sendOne(execution, true);
	};
	return {
		/** Sends so many in a new execution; how long it took, and how many were refused. */
		async run(total: number) {
			Object.assign(count, { accepted: 0, refused: 0 });
			const started = now();
			const execution = {};
			for (let request = 0; request < total; request++) void sendOne(execution);
			while (count.accepted < total) await pass(100);
			return { seconds: (now() - started) / 1000, refused: count.refused };
		},
	};
}

describe('The rate', () => {
	test('of a service that accepts 120 in fixed 10 s is found at once and stays for the next execution', async () => {
		const limiter = new RateLimiter(10_000);
		const service = fixedWindows(limiter, 120, 10_000);
		const first = await service.run(500);
		expect(first.refused).toBeLessThanOrEqual(130);
		expect(first.seconds).toBeLessThanOrEqual(1.4 * 40);
		const second = await service.run(500);
		expect(second.refused).toBeLessThanOrEqual(25);
		expect(second.seconds).toBeLessThanOrEqual(1.4 * 40);
	});

	test('of a service that accepts very little is found at the second refusal', async () => {
		const limiter = new RateLimiter(10_000);
		const service = fixedWindows(limiter, 5, 10_000);
		const { refused } = await service.run(60);
		// 59 of the first 64, and few in each of the 12 windows.
		expect(refused).toBeLessThan(59 + 30);
	});

	test('does not fall for the time without requests', async () => {
		const limiter = new RateLimiter(10_000);
		const service = fixedWindows(limiter, 120, 10_000);
		await service.run(1);
		await pass(50_000);
		const { seconds } = await service.run(500);
		expect(seconds).toBeLessThanOrEqual(1.4 * 40);
	});

	test('of a limit that others share is found again with one burst after ten quiet minutes', async () => {
		const limiter = new RateLimiter(10_000);
		const service = fixedWindows(limiter, 120, 10_000, 6);
		await service.run(300);
		await pass(660_000);
		expect((await service.run(300)).refused).toBeLessThanOrEqual(64);
		const next = await service.run(300);
		expect(next.refused).toBeLessThanOrEqual(5);
		expect(next.seconds).toBeLessThanOrEqual(1.4 * 50);
	});

	test('is corrected if the limiter took two windows for one', async () => {
		const limiter = new RateLimiter(10_000);
		const service = fixedWindows(limiter, 120, 10_000);
		// The window begins with the first request, and the next one in the middle of the burst.
		await service.run(1);
		await pass(9700);
		const first = await service.run(600);
		expect(first.seconds).toBeLessThanOrEqual(1.4 * 50);
		const second = await service.run(500);
		expect(second.refused).toBeLessThanOrEqual(25);
	});

	/** The pace that a limiter has now, as the time in which it lets 20 requests go. */
	const perSecond = async (limiter: RateLimiter) => {
		const { left } = send(limiter, 20, { tookMs: 1 });
		await pass(15_000);
		expect(left).toHaveLength(20);
		return 19_000 / (left[19] - left[0]);
	};

	/** Refuses a request while another one waits, because of a limit that holds for this moment. */
	const refuseOne = async (limiter: RateLimiter, perMinute: number, retryAfterMs?: number) => {
		const permit = limiter.acquire({});
		await pass(500);
		limiter.setLimit(1);
		send(limiter, 1);
		(await permit).refused(retryAfterMs);
		limiter.setLimit(perMinute);
	};

	/** A limiter that was refused after 100 requests in a second, and told to wait for 9 s more. */
	const refusedOnce = async (requestsPerMinute: number) => {
		const limiter = new RateLimiter(requestsPerMinute);
		for (let batch = 0; batch < 4; batch++) {
			send(limiter, 25);
			await pass(250);
		}
		await refuseOne(limiter, requestsPerMinute, 9000);
		await pass(9000);
		return limiter;
	};

	test.each([
		['nine tenths of what the service accepted before the pause ended', 1200, 8.6],
		['a quarter of what is allowed if the service accepted much less', 4800, 20],
	])('after a refusal is %s', async (_, requestsPerMinute, expected) => {
		const pace = await perSecond(await refusedOnce(requestsPerMinute));
		expect(pace).toBeGreaterThan(expected * 0.93);
		expect(pace).toBeLessThan(expected * 1.05);
	});

	test('grows after each accepted request', async () => {
		const limiter = await refusedOnce(1200);
		const before = await perSecond(limiter);
		const { left } = send(limiter, 500, { tookMs: 1 });
		await pass(45_000);
		expect(left).toHaveLength(500);
		const after = await perSecond(limiter);
		// A hundredth for each of them, and a little for the minute.
		expect(after - before).toBeGreaterThan(4.5);
		expect(after - before).toBeLessThan(7);
	});

	test('hardly grows in the first minute, then ever faster, and has no effect after ten minutes', async () => {
		const limiter = await refusedOnce(1200);
		const before = await perSecond(limiter);
		await pass(60_000);
		expect(await perSecond(limiter)).toBeLessThan(before * 1.2);
		await pass(180_000);
		expect(await perSecond(limiter)).toBeGreaterThan(before * 2);
		await pass(330_000);
		const { left } = send(limiter, 1000, { tookMs: 1000 });
		await pass(500);
		// As in the beginning.
		expect(left).toHaveLength(64);
	});

	test('stays if nothing waited when a request was refused', async () => {
		const limiter = new RateLimiter(1200);
		send(limiter, 100, { tookMs: 1000 });
		await pass(5000);
		(await limiter.acquire({})).refused(9000);
		await pass(10_000);
		const { left } = send(limiter, 50);
		await pass(500);
		expect(left).toHaveLength(50);
	});

	test('falls by a tenth to three quarters after another refusal', async () => {
		const limiter = await refusedOnce(1200);
		send(limiter, 85, { tookMs: 1 });
		await pass(9600);
		await refuseOne(limiter, 1200);
		await pass(1000);
		// 85 were accepted in 10 s, and the pause took one second more: nine tenths of 7.7.
		const lower = await perSecond(limiter);
		expect(lower).toBeGreaterThan(6.4);
		expect(lower).toBeLessThan(7.5);

		// Hardly anything was accepted then: others have used up the limit, and that says little.
		await pass(120_000);
		send(limiter, 2);
		await pass(2000);
		await refuseOne(limiter, 1200);
		await pass(1000);
		expect(await perSecond(limiter)).toBeGreaterThan(0.24 * lower);
	});

	test('has no effect once it reaches the requests per minute', async () => {
		const limiter = new RateLimiter(600);
		for (let batch = 0; batch < 4; batch++) {
			send(limiter, 25);
			await pass(250);
		}
		await refuseOne(limiter, 600, 9000);
		await pass(9000);
		send(limiter, 300, { tookMs: 1 });
		await pass(180_000);
		const { left } = send(limiter, 100, { tookMs: 1 });
		await pass(1000);
		expect(left).toHaveLength(100);
	});
});

describe('An unknown limit of 120 requests in ten seconds', () => {
	/**
	 * Sends 500 requests, whose answers take so many milliseconds and are noticed at multiples of
	 * `everyMs`. The service says how many seconds to wait. Returns how many it refuses.
	 */
	const countRefused = async (least: number, most: number, everyMs: number, perMinute: number) => {
		const limiter = new RateLimiter(perMinute);
		const execution = {};
		let refused = 0;
		let done = 0;
		let openedAt = -Infinity;
		let accepted = 0;
		const mustWaitMs = () => {
			if (now() - openedAt >= 10_000) {
				openedAt = now();
				accepted = 0;
			}
			if (accepted++ < 120) return 0;
			return Math.ceil((openedAt + 10_000 - now()) / 1000) * 1000;
		};
		const sendOne = async (nth: number, isRetry = false): Promise<void> => {
			const permit = await limiter.acquire(execution, { isRetry });
			const halfMs = (least + (most - least) * ((nth * 0.618) % 1)) / 2;
			await new Promise((resolve) => setTimeout(resolve, halfMs));
			const waitMs = mustWaitMs();
			await new Promise((resolve) => setTimeout(resolve, Math.ceil(halfMs / everyMs) * everyMs));
			if (waitMs === 0) {
				permit.accepted();
				done++;
				return;
			}
			refused++;
			permit.refused(waitMs);
			await sendOne(nth, true);
		};
		for (let nth = 0; nth < 500; nth++) void sendOne(nth);
		await pass(70_000);
		expect(done).toBe(500);
		return refused;
	};

	// 124 can be in flight when the first one is refused.
	test.each([
		[5, 5, 1],
		[40, 100, 50],
		[40, 100, 250],
		[100, 300, 250],
		[500, 1500, 50],
	])('refuses few if answers take %d to %d ms, noticed every %d ms', async (least, most, every) => {
		expect(await countRefused(least, most, every, 10_000)).toBeLessThanOrEqual(160);
		expect(await countRefused(least, most, every, 1_000_000)).toBeLessThanOrEqual(160);
	});
});

describe('The limiter', () => {
	test('is idle if nothing waits or counts', async () => {
		const limiter = new RateLimiter(10);
		expect(limiter.isIdle).toBe(true);
		send(limiter, 1);
		expect(limiter.isIdle).toBe(false);
		await pass(1000);
		expect(limiter.isIdle).toBe(false);
		await pass(61_000);
		expect(limiter.isIdle).toBe(true);
	});

	test('counts a request once, even if its end is reported several times', async () => {
		const limiter = new RateLimiter(2);
		const permit = limiter.acquire({});
		await pass(0);
		(await permit).accepted();
		(await permit).accepted();
		const { left } = send(limiter, 2);
		await pass(1000);
		expect(left).toHaveLength(1);
	});

	test('reports how long the limit delayed a request', async () => {
		const limiter = new RateLimiter(1);
		send(limiter, 1);
		const permit = limiter.acquire({});
		await pass(61_000);
		expect((await permit).waitedMs).toBeGreaterThan(55_000);
	});
});
