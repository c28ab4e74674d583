import { RateLimiter } from '../../../../nodes/WorkspaceMessaging/transport/rateLimit/limiter';

// Its pauses are to take the time of this file.
jest.unmock('n8n-workflow');

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
const sleep = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const now = () => performance.now();

const MINUTE_MS = 60_000;
const WINDOW_MS = 10_000;

/** Minutes in which somebody else uses up the limit: when they begin, and how many there are. */
type BusyTimes = ReadonlyArray<readonly [begin: number, minutes: number]>;

/**
 * A shop with few messages, whose workspace allows far more than it needs. In busy times, the service
 * accepts few of its requests in ten seconds, because the others take the rest.
 */
class Shop {
	private readonly limiter = new RateLimiter(10_000);
	private window = -1;
	private accepted = 0;
	private readonly startedAt = now();

	constructor(
		private readonly busyTimes: BusyTimes,
		private readonly service: { inBusyTime: number; tells: boolean },
	) {}

	/** Sends requests one after the other. */
	async send(execution: object, requests: number) {
		for (let nth = 0; nth < requests; nth++) await this.sendOne(execution, false);
	}

	/** A poll: reads the conversations, and then two things of each contact. Returns its seconds. */
	async poll(contacts: number) {
		const execution = {};
		return await this.measure(async () => {
			await this.send(execution, 1);
			await this.sendEach(execution, contacts, 2);
		});
	}

	/** Sends a message to each of so many contacts. Returns its seconds. */
	async sendMessages(contacts: number) {
		return await this.measure(async () => await this.sendEach({}, contacts, 1));
	}

	/** The instant trigger gets a message, and reads what belongs to it. Returns its seconds. */
	async getMessage() {
		return await this.measure(async () => await this.send({}, 5));
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
		const isAccepted = this.accept();
		await sleep(20);
		if (isAccepted) {
			permit.accepted();
			return;
		}
		const opensMs = WINDOW_MS - (now() % WINDOW_MS);
		permit.refused(this.service.tells ? Math.ceil(opensMs / 1000) * 1000 : undefined);
		await this.sendOne(execution, true);
	}

	private accept() {
		const window = Math.floor(now() / WINDOW_MS);
		if (window !== this.window) this.accepted = 0;
		this.window = window;
		const minute = (now() - this.startedAt) / MINUTE_MS;
		const isBusy = this.busyTimes.some(([begin, all]) => minute >= begin && minute < begin + all);
		return ++this.accepted <= (isBusy ? this.service.inBusyTime : 1600);
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

describe.each([
	{ inBusyTime: 3, tells: true },
	{ inBusyTime: 3, tells: false },
	{ inBusyTime: 40, tells: true },
])('After others used up the limit and left %o in ten seconds', (service) => {
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
			const shop = new Shop(busy, service);
			await eachMinute(until, async () => await shop.poll(2));
			expect(await seconds(shop.poll(20))).toBeLessThan(2);
			expect(await seconds(shop.sendMessages(200))).toBeLessThan(2);
		},
	);

	test.each<[string, BusyTimes, number]>([
		[
			'four times in an hour',
			[
				[5, 1],
				[20, 1],
				[35, 1],
				[50, 1],
			],
			52,
		],
		[
			'four times in ten minutes',
			[
				[5, 1],
				[8, 1],
				[11, 1],
				[14, 1],
			],
			16,
		],
	])(
		'the instant trigger reads each of 60 messages in less than 2 s after %s',
		async (__, busy, until) => {
			const shop = new Shop(busy, service);
			await eachMinute(until, async () => await shop.getMessage());
			for (let message = 0; message < 60; message++) {
				expect(await seconds(shop.getMessage())).toBeLessThan(2);
				await pass(1000);
			}
		},
	);
});

test('After ten minutes in which the service accepted hardly anything, the next poll is quick', async () => {
	const shop = new Shop([[5, 10]], { inBusyTime: 3, tells: true });
	await eachMinute(16, async () => await shop.poll(10));
	expect(await seconds(shop.poll(20))).toBeLessThan(2);
});
