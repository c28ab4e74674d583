import { RateLimiter } from '../../../../nodes/WorkspaceMessaging/transport/rateLimit/limiter';

// Its pauses are to take the time of this file.
jest.unmock('n8n-workflow');

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
const sleep = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const now = () => performance.now();

const MINUTE_MS = 60_000;
const WINDOW_MS = 10_000;

/** Minutes in which somebody else uses up the limit: when they begin, and how many there are. */
type BusyTimes = ReadonlyArray<readonly [begin: number, minutes: number]>;

/** A service that takes so many requests of this process in each ten seconds, by the minute. */
class Service {
	refused = 0;
	private window = -1;
	private accepted = 0;
	private readonly startedAt = now();

	constructor(
		private readonly left: (minute: number) => number,
		private readonly tells = true,
	) {}

	/** Returns 0 if it takes a request, or else how long to wait; undefined if it does not say. */
	take(): number | undefined {
		const ms = now() - this.startedAt;
		const window = Math.floor(ms / WINDOW_MS);
		if (window !== this.window) this.accepted = 0;
		this.window = window;
		if (++this.accepted <= this.left(ms / MINUTE_MS)) return 0;
		this.refused++;
		return this.tells ? Math.ceil((WINDOW_MS - (ms % WINDOW_MS)) / 1000) * 1000 : undefined;
	}
}

/** What uses the workspace in this process. */
class Shop {
	constructor(
		private readonly service: Service,
		private readonly limiter = new RateLimiter(10_000),
	) {}

	/** A poll: reads the conversations, and then two things of each contact. Returns its seconds. */
	readonly poll = async (contacts: number) => {
		const execution = {};
		return await this.measure(async () => {
			await this.send(execution, 1);
			await this.sendEach(execution, contacts, 2);
		});
	};

	/** Sends a message to each of so many contacts. Returns its seconds. */
	readonly sendMessages = async (contacts: number) =>
		await this.measure(async () => await this.sendEach({}, contacts, 1));

	/** The instant trigger gets a message, and reads what belongs to it. Returns its seconds. */
	readonly getMessage = async () => await this.measure(async () => await this.send({}, 5));

	/** Sends requests one after the other. */
	private async send(execution: object, requests: number) {
		for (let nth = 0; nth < requests; nth++) await this.sendOne(execution, false);
	}

	private async sendEach(execution: object, contacts: number, requests: number) {
		const all = Array.from({ length: contacts }, async () => await this.send(execution, requests));
		await Promise.all(all);
	}

	private async measure(work: () => Promise<void>) {
		const started = now();
		await work();
		return (now() - started) / 1000;
	}

	private async sendOne(execution: object, isRetry: boolean): Promise<void> {
		const permit = await this.limiter.acquire(execution, { isRetry });
		await sleep(20);
		const waitMs = this.service.take();
		await sleep(20);
		if (waitMs === 0) {
			permit.accepted();
			return;
		}
		permit.refused(waitMs);
		await this.sendOne(execution, true);
	}
}

/** Passes so many minutes, and does something in each, if it has ended what it did before. */
async function eachMinute(minutes: number, work: () => Promise<unknown>) {
	let isDone = true;
	for (let minute = 0; minute < minutes; minute++) {
		if (isDone) {
			isDone = false;
			void work().then(() => (isDone = true));
		}
		await pass(MINUTE_MS);
	}
}

/** Waits for seconds that are measured while time passes. */
async function seconds(work: Promise<number>) {
	let result: number | undefined;
	void work.then((value) => (result = value));
	while (result === undefined) await pass(100);
	return result;
}

/** A shop whose workspace allows far more than it needs, except in busy times. */
function shopWith(busyTimes: BusyTimes, inBusyTime: number, tells: boolean) {
	const isBusy = (minute: number) =>
		busyTimes.some(([begin, minutes]) => minute >= begin && minute < begin + minutes);
	const service = new Service((minute) => (isBusy(minute) ? inBusyTime : 1600), tells);
	return { service, shop: new Shop(service) };
}

/** So short that the service refuses one request. */
const ONCE = 1 / 60;

describe.each([
	{ inBusyTime: 0, tells: true, contacts: 2 },
	{ inBusyTime: 3, tells: true, contacts: 2 },
	{ inBusyTime: 3, tells: false, contacts: 2 },
	{ inBusyTime: 40, tells: true, contacts: 60 },
])('After others used up the limit for a shop that polls each minute, %o', (service) => {
	test.each<[string, BusyTimes, number]>([
		[
			'20 minutes after three single minutes',
			[
				[5, 1],
				[25, 1],
				[45, 1],
			],
			66,
		],
		['20 minutes after three minutes', [[5, 3]], 28],
		['20 minutes after ten minutes', [[5, 10]], 35],
		['10 minutes after three minutes', [[5, 3]], 18],
		['10 minutes after ten minutes', [[5, 10]], 25],
	])(
		'a poll with 20 contacts, and 200 messages, take less than 2 s %s',
		async (__, busy, until) => {
			const { inBusyTime, tells, contacts } = service;
			const { service: counted, shop } = shopWith(busy, inBusyTime, tells);
			await eachMinute(until, async () => await shop.poll(contacts));
			expect(counted.refused).toBeGreaterThan(0);
			expect(await seconds(shop.poll(20))).toBeLessThan(2);
			expect(await seconds(shop.sendMessages(200))).toBeLessThan(2);
		},
	);
});

describe.each([
	{ inBusyTime: 0, tells: true },
	{ inBusyTime: 3, tells: true },
	{ inBusyTime: 3, tells: false },
])('After others used up the limit for the instant trigger alone, %o', ({ inBusyTime, tells }) => {
	const fourTimes = (every: number, minutes: number) =>
		Array.from({ length: 4 }, (_, nth) => [5 + nth * every, minutes] as const);
	test.each<[string, BusyTimes, number]>([
		['one refusal four times in an hour', fourTimes(15, ONCE), 52],
		['a minute four times in an hour', fourTimes(15, 1), 52],
		['a minute four times in ten minutes', fourTimes(3, 1), 16],
	])('it reads each of 60 messages in less than 2 s after %s', async (__, busy, until) => {
		const { service, shop } = shopWith(busy, inBusyTime, tells);
		await eachMinute(until, shop.getMessage);
		expect(service.refused).toBeGreaterThanOrEqual(4);
		for (let message = 0; message < 60; message++) {
			expect(await seconds(shop.getMessage())).toBeLessThan(2);
			await pass(1000);
		}
	});
});

test.each<[string, BusyTimes, number]>([
	['a night in which the service refused everything', [[5, 480]], 495],
	[
		'a day with one refusal an hour',
		Array.from({ length: 24 }, (_, hour) => [hour * 60 + 5, ONCE] as const),
		1395,
	],
])('Ten minutes after %s, a poll and messages take less than 2 s', async (_, busy, until) => {
	const { service, shop } = shopWith(busy, 0, false);
	await eachMinute(until, async () => await shop.sendMessages(1));
	expect(service.refused).toBeGreaterThanOrEqual(24);
	expect(await seconds(shop.poll(20))).toBeLessThan(2);
	expect(await seconds(shop.sendMessages(200))).toBeLessThan(2);
});

test('After ten minutes in which the service accepted hardly anything, the next poll is quick', async () => {
	const { shop } = shopWith([[5, 10]], 3, true);
	await eachMinute(16, async () => await shop.poll(10));
	expect(await seconds(shop.poll(20))).toBeLessThan(2);
});

describe('A limit of 120 requests in ten seconds', () => {
	/** Sends 300 messages every two minutes; how many seconds each time took, and what was refused. */
	const rounds = async (count: number, service: Service, shop: Shop) => {
		const result: Array<{ seconds: number; refused: number }> = [];
		for (let round = 0; round < count; round++) {
			const refused = service.refused;
			const took = await seconds(shop.sendMessages(300));
			result.push({ seconds: took, refused: service.refused - refused });
			await pass(2 * MINUTE_MS - took * 1000);
		}
		return result;
	};

	test('that was far higher until noon is found with one burst, and when it rises again, within six minutes', async () => {
		const service = new Service((minute) => (minute >= 10 && minute < 40 ? 120 : 1600));
		const all = await rounds(24, service, new Shop(service));
		// As many as were in flight, of the 300.
		expect(all[5].refused).toBeLessThanOrEqual(190);
		for (const { seconds: took, refused } of all.slice(6, 20)) {
			expect(refused).toBeLessThanOrEqual(5);
			expect(took).toBeLessThanOrEqual(1.4 * 20);
		}
		const last = all.at(-1)!;
		expect(last.seconds).toBeLessThan(1);
	});

	test('of which another process takes half all day is used to its end, with few refusals', async () => {
		const service = new Service(() => 60);
		const [first, ...others] = await rounds(12, service, new Shop(service));
		expect(first.refused).toBeLessThanOrEqual(64);
		for (const { seconds: took, refused } of others) {
			expect(refused).toBeLessThanOrEqual(5);
			expect(took).toBeLessThanOrEqual(1.4 * 50);
		}
	});

	test('is shared by the credentials of one workspace, with few refusals', async () => {
		const service = new Service(() => 120);
		const shops = [new Shop(service), new Shop(service)];
		const both = async () =>
			Math.max(...(await Promise.all(shops.map(async (shop) => await shop.sendMessages(300)))));
		expect(await seconds(both())).toBeLessThanOrEqual(1.4 * 50);
		const first = service.refused;
		expect(first).toBeLessThanOrEqual(2 * 64);
		await pass(30_000);
		expect(await seconds(both())).toBeLessThanOrEqual(1.4 * 50);
		expect(service.refused - first).toBeLessThanOrEqual(10);
	});
});

describe('A pause', () => {
	/** A limiter that may send nothing for five seconds, and when a waiting request leaves. */
	const paused = async () => {
		const limiter = new RateLimiter(10_000);
		(await limiter.acquire({})).refused(5000);
		const left: number[] = [];
		void limiter.acquire({}).then(() => left.push(now()));
		await pass(1000);
		return left;
	};

	test.each([-86_400_000, 86_400_000])(
		'is as long as the service asks if the clock is set by %d ms meanwhile',
		async (ms) => {
			const left = await paused();
			jest.setSystemTime(Date.now() + ms);
			await pass(3900);
			expect(left).toHaveLength(0);
			await pass(200);
			expect(left).toHaveLength(1);
		},
	);

	test('is over when a computer wakes up after an hour', async () => {
		const left = await paused();
		const clock = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => clock() + 3_600_000);
		await pass(500);
		expect(left).toHaveLength(1);
	});
});
