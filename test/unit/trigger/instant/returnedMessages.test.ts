import type { IDataObject } from 'n8n-workflow';
import {
	countHeldCalls,
	findNew,
	getReadFrom,
	giveBack,
	holdBack,
	rememberReturned,
} from '../../../../nodes/WorkspaceMessaging/trigger/instant/returnedMessages';
import { sequenceOf } from '../../../../sandbox/faults/random';
import { caseCount } from '../../../support/cases';

/*
 * Random histories of one contact: messages close together, some stored up to three seconds late,
 * calls that come twice or whose reading fails, readings side by side, and items that cannot be made.
 * To run one again, add `-t 'history 17'`.
 */

const minute = 60_000;

/** Takes the messages that are new, as one call does. */
function takeNew(key: string, messages: IDataObject[]): IDataObject[] {
	const fresh = findNew(key, messages);
	if (fresh.length > 0) rememberReturned(key, messages);
	return fresh;
}

const idsOf = (messages: IDataObject[]) => messages.map(({ id }) => String(id));

afterEach(() => jest.useRealTimers());

const numbers = Array.from({ length: caseCount({ few: 30, many: 200 }) }, (_, index) => index);

test.each(numbers)(
	'history %i: no message comes twice, and each comes with a later call',
	(number) => {
		const random = sequenceOf(number * 17 + 3);
		let now = Date.UTC(2026, 10, 1);
		jest.useFakeTimers({ now, doNotFake: ['nextTick', 'setImmediate'] });
		const key = `history ${number}`;
		const stored: Array<{ message: IDataObject; from: number }> = [];
		const returned: string[] = [];
		const write = () => {
			const message = { id: String(stored.length), createdAt: new Date(now).toISOString() };
			stored.push({ message, from: now + (random() < 0.2 ? random() * 3000 : 0) });
		};
		/** Reads what the service shows now. */
		const read = () => {
			const after = getReadFrom(key);
			const shown = stored.filter(
				({ message, from }) => from <= now && Date.parse(String(message.createdAt)) > after,
			);
			return shown.map(({ message }) => message);
		};
		const take = (messages: IDataObject[], canFail = true) => {
			const fresh = takeNew(key, messages);
			if (canFail && random() < 0.1) giveBack(key, fresh);
			else returned.push(...idsOf(fresh));
		};
		const letPass = (ms: number) => jest.setSystemTime((now += ms));

		write();
		// Of the first message, only a question or a failure may be known.
		if (random() < 0.5) holdBack(key, 1);
		else {
			letPass(3000);
			take(read());
		}
		for (let round = 0; round < 40; round++) {
			letPass(random() < 0.7 ? random() * 5000 : random() * 90 * minute);
			write();
			const readings = [read()];
			if (random() < 0.3) {
				letPass(random() * 1000);
				readings.push(read());
			}
			if (random() < 0.1) continue;
			for (const messages of readings) take(messages);
		}
		letPass(3000);
		take(read(), false);
		expect(returned).toHaveLength(new Set(returned).size);
		expect(returned.toSorted()).toEqual(stored.map(({ message }) => message.id).toSorted());
	},
);

/** Messages that a contact wrote so many seconds after the first one. */
const start = Date.UTC(2026, 10, 1);
const writtenAt = (seconds: number) => ({
	id: `after ${seconds} s`,
	createdAt: new Date(start + seconds * 1000).toISOString(),
});

test('a message that shows up late brings back none that was returned before it', () => {
	const [early, late, last] = [0, 20, 70].map(writtenAt);
	expect(takeNew('late', [early])).toEqual([early]);
	expect(takeNew('late', [early, last])).toEqual([last]);
	// Another call has read it before the last one was there.
	expect(takeNew('late', [late])).toEqual([late]);
	expect(takeNew('late', [early, late, last])).toEqual([]);
});

test('messages that could not be returned come with the next call, however old they are, and only these', () => {
	const [first, second, third] = [0, 200, 900].map(writtenAt);
	giveBack('back', takeNew('back', [first, second]).slice(1));
	expect(getReadFrom('back')).toBeLessThan(Date.parse(second.createdAt));
	expect(takeNew('back', [first, second, third])).toEqual([second, third]);
	expect(takeNew('back', [second, third])).toEqual([]);
});

test('what is held back counts from the first time on, also before what a question says, and once', () => {
	const messages = [0, 1000, 10_000].map(writtenAt);
	expect(findNew('held', messages)).toEqual(messages.slice(2));
	holdBack('held', 2, start + 500_000);
	holdBack('held', 1, start + 5_000_000);
	expect(getReadFrom('held')).toBe(start + 500_000);
	expect(countHeldCalls('held')).toBe(3);
	expect(takeNew('held', messages)).toEqual(messages.slice(1));
	expect(countHeldCalls('held')).toBe(0);
	holdBack('held', 1, start);
	expect(takeNew('held', messages)).toEqual([]);
});

test('what was remembered of a contact is forgotten after 10,000 others', () => {
	const written = [{ id: '1', createdAt: new Date().toISOString() }];
	expect(takeNew('first', written)).toHaveLength(1);
	for (let other = 0; other < 9_999; other++) takeNew(`other ${other}`, written);
	expect(takeNew('first', written)).toHaveLength(0);
	// It was not used, so it is the oldest.
	takeNew('one more', written);
	expect(takeNew('first', written)).toHaveLength(1);
});

test('what a test event returned does not come again with the first message after publishing', () => {
	const [tested, other, first, later] = [0, 20, 70, 80].map(writtenAt);
	expect(takeNew('manual,7,9,1', [tested])).toEqual([tested]);
	// Nobody listened when the other one came.
	expect(takeNew('trigger,7,9,1', [tested, other, first])).toEqual([other, first]);
	expect(takeNew('trigger,7,9,1', [tested, other, first, later])).toEqual([later]);
	expect(takeNew('trigger,7,8,1', [tested, other])).toEqual([tested, other]);
});

test('a published workflow also gets the messages that somebody tests it with', () => {
	const [first, second] = [0, 40].map(writtenAt);
	takeNew('manual,7,9,2', [first, second]);
	expect(takeNew('trigger,7,9,2', [first, second])).toEqual([first, second]);
});
