import {
	addMessages,
	beginBurst,
	endBurst,
	isBurstOver,
	joinBurst,
} from '../../../../nodes/WorkspaceMessaging/trigger/instant/bursts';

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 10, 1) }));
afterEach(() => jest.useRealTimers());

const second = (count: number) => jest.advanceTimersByTime(count * 1000);
const written = (secondsAgo: number) => ({
	createdAt: new Date(Date.now() - secondsAgo * 1000).toISOString(),
});

test('a call without seconds waits for nothing, and no other call joins it', () => {
	expect(isBurstOver(beginBurst('none', 0))).toBe(true);
	expect(joinBurst('none')).toBe(false);
});

test('a burst is over when the contact has been quiet for so many seconds after the last call', () => {
	const burst = beginBurst('quiet', 5);
	second(4);
	expect(joinBurst('quiet')).toBe(true);
	expect(joinBurst('somebody else')).toBe(false);
	second(4);
	expect(isBurstOver(burst)).toBe(false);
	second(1);
	expect(isBurstOver(burst)).toBe(true);
	endBurst('quiet', burst);
	expect(joinBurst('quiet')).toBe(false);
});

test('ten times the seconds end a burst although the contact goes on writing', () => {
	const burst = beginBurst('long', 5);
	for (let call = 2; call < 14; call++) {
		second(4);
		joinBurst('long');
		expect(isBurstOver(burst)).toBe(false);
	}
	second(2);
	expect(isBurstOver(burst)).toBe(true);
	endBurst('long', burst);
});

test('twenty messages end a burst at once', () => {
	const burst = beginBurst('many', 30);
	for (let call = 2; call < 20; call++) joinBurst('many');
	expect(isBurstOver(burst)).toBe(false);
	joinBurst('many');
	expect(isBurstOver(burst)).toBe(true);
	endBurst('many', burst);
});

test('50 calls wait at once, and the next ones do not', () => {
	const bursts = Array.from({ length: 50 }, (_, index) => beginBurst(`contact ${index}`, 5));
	expect(isBurstOver(beginBurst('one more', 5))).toBe(true);
	expect(joinBurst('one more')).toBe(false);
	endBurst('contact 7', bursts[7]);
	const next = beginBurst('next', 5);
	expect(isBurstOver(next)).toBe(false);
	endBurst('next', next);
	bursts.forEach((burst, index) => endBurst(`contact ${index}`, burst));
});

test('a message without a call here makes the burst longer, one with a call does not, whatever its time', () => {
	const burst = beginBurst('two', 5);
	second(5);
	addMessages(burst, [written(-3600)]);
	expect(isBurstOver(burst)).toBe(true);
	addMessages(burst, [written(5), written(2)]);
	expect(isBurstOver(burst)).toBe(false);
	second(3);
	expect(isBurstOver(burst)).toBe(true);
	addMessages(burst, [written(8), written(-3600)]);
	expect(isBurstOver(burst)).toBe(false);
	second(5);
	expect(isBurstOver(burst)).toBe(true);
	endBurst('two', burst);
});
