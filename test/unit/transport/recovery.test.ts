import type { Context } from '../../../nodes/WorkspaceMessaging/transport/http';
import { Recovery } from '../../../nodes/WorkspaceMessaging/transport/retry/recovery';

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
const context = {} as Context;

/** A service that does not answer until `backAt`. */
function start(backAt: number, signal?: AbortSignal) {
	const asked: number[] = [];
	const recovery = new Recovery(async () => {
		asked.push(now());
		return now() >= backAt;
	}, signal);
	const ends: Array<{ recovered: string; at: number }> = [];
	const wait = ({ until = Infinity, mustFinish = true } = {}) =>
		void recovery
			.wait(context, until, mustFinish)
			.then((recovered) => ends.push({ recovered, at: now() }));
	return { recovery, wait, ends, asked };
}

test('A request waits for two answers a second apart, even if the service answers at once', async () => {
	const { wait, ends, asked } = start(0);
	const lostAt = now();
	wait();
	await pass(1000);
	expect(ends).toEqual([]);
	await pass(1000);
	expect(ends).toMatchObject([{ recovered: 'answering' }]);
	expect(ends[0].at - lostAt).toBeGreaterThan(1000);
	expect(asked).toHaveLength(2);
});

test('A request waits for the end of an outage, and soon goes on', async () => {
	const backAt = now() + 60_000;
	const { wait, ends } = start(backAt);
	wait();
	await pass(61_000);
	expect(ends).toEqual([]);
	await pass(3000);
	expect(ends).toMatchObject([{ recovered: 'back' }]);
});

test('All requests share one question', async () => {
	const { wait, ends, asked } = start(now() + 10_000);
	for (let request = 0; request < 200; request++) wait();
	await pass(14_000);
	expect(ends).toHaveLength(200);
	expect(asked.length).toBeLessThan(20);
});

test('Answers to other requests serve as well, so that nothing is asked', async () => {
	const { recovery, wait, ends, asked } = start(0);
	wait();
	for (let ms = 0; ms < 1300; ms += 50) {
		const sentAt = now();
		await pass(50);
		recovery.answered(sentAt);
	}
	expect(ends).toMatchObject([{ recovered: 'answering' }]);
	expect(asked).toEqual([]);
});

test('An answer to a request that was sent before the failure proves nothing', async () => {
	const { recovery, wait, ends } = start(Infinity);
	const sentAt = now();
	await pass(1);
	wait();
	recovery.answered(sentAt);
	await pass(1500);
	recovery.answered(sentAt);
	await pass(10_000);
	expect(ends).toEqual([]);
});

test('Answers to requests that were sent before the failure end no waiting if nothing else answers', async () => {
	const recovery = new Recovery(async () => await new Promise<boolean>(() => {}));
	const end = jest.fn();
	const sentAt = now();
	await pass(1);
	void recovery.wait(context, now() + 60_000, true).then(end);
	for (let answers = 0; answers < 5; answers++) {
		await pass(500);
		recovery.answered(sentAt);
	}
	expect(end).not.toHaveBeenCalled();
});

test('One answer between failures is not enough', async () => {
	let answers = 0;
	const recovery = new Recovery(async () => ++answers % 2 === 0);
	const end = jest.fn();
	void recovery.wait(context, now() + 30_000, true).then(end);
	await pass(29_000);
	expect(end).not.toHaveBeenCalled();
	await pass(3000);
	expect(end).toHaveBeenCalledWith('late');
});

test('A request gives up at its time', async () => {
	const { wait, ends } = start(Infinity);
	const lostAt = now();
	wait({ until: lostAt + 5000 });
	wait({ until: lostAt + 20_000 });
	await pass(30_000);
	expect(ends.map(({ recovered }) => recovered)).toEqual(['late', 'late']);
	expect(ends[0].at - lostAt).toBe(5000);
	expect(ends[1].at - lostAt).toBe(20_000);
});

test('Cancelling ends all waiting, and stopping only that of items that have written nothing', async () => {
	const controller = new AbortController();
	const { recovery, wait, ends } = start(Infinity, controller.signal);
	wait({ mustFinish: true });
	wait({ mustFinish: false });
	await pass(3000);
	recovery.stop();
	await pass(0);
	expect(ends).toHaveLength(1);
	controller.abort();
	await pass(0);
	expect(ends).toHaveLength(2);
});

test('The time of an outage counts, but not the time of a lost answer', async () => {
	const { recovery, wait } = start(0);
	wait();
	await pass(5000);
	expect(recovery.outageMs).toBe(0);
	const second = start(now() + 10_000);
	second.wait();
	await pass(20_000);
	expect(second.recovery.outageMs).toBeGreaterThan(10_000);
	expect(second.recovery.outageMs).toBeLessThan(14_000);
});
