import type { IDataObject } from 'n8n-workflow';
import {
	getReadFrom,
	takeNew,
} from '../../../../nodes/WorkspaceMessaging/trigger/instant/returnedMessages';
import { sequenceOf } from '../../../../sandbox/faults/random';
import { caseCount } from '../../../support/cases';

/*
 * Random histories of one contact: messages close together, some stored up to three seconds late,
 * calls that come twice or whose reading fails, and readings side by side. To run one again, add
 * `-t 'history 17'`.
 */

const minute = 60_000;

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
		const take = (messages: IDataObject[]) =>
			returned.push(...takeNew(key, messages).map(({ id }) => String(id)));
		const letPass = (ms: number) => jest.setSystemTime((now += ms));

		write();
		letPass(3000);
		take(read());
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
		take(read());
		expect(returned).toHaveLength(new Set(returned).size);
		expect(returned.toSorted()).toEqual(stored.map(({ message }) => message.id).toSorted());
	},
);

test('what was remembered of a contact is forgotten after 10,000 others', () => {
	const written = [{ id: '1', createdAt: new Date().toISOString() }];
	expect(takeNew('first', written)).toHaveLength(1);
	for (let other = 0; other < 9_999; other++) takeNew(`other ${other}`, written);
	expect(takeNew('first', written)).toHaveLength(0);
	// It was not used, so it is the oldest.
	takeNew('one more', written);
	expect(takeNew('first', written)).toHaveLength(1);
});
