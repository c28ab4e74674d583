import { findFaults, runHistory, runTimedHistory } from '../../../support/fakes/messageHistory';

/* A few of the random histories of `messageHistory`; the load suite runs more. */

const HISTORIES = 60;
const GROUPS = 2;

const numbersOf = (group: number) =>
	Array.from({ length: Math.ceil(HISTORIES / GROUPS) }, (_, index) => index * GROUPS + group);

afterEach(() => jest.restoreAllMocks());

describe.each(Array.from({ length: GROUPS }, (_, group) => group))('Part %i', (group) => {
	test('Message Received emits each message once and in order, in random histories', async () => {
		expect(await findFaults(runHistory, numbersOf(group))).toEqual([]);
	}, 400_000);

	test('Message Received emits each message once although some come late and some conversations fail', async () => {
		expect(await findFaults(runTimedHistory, numbersOf(group))).toEqual([]);
	}, 400_000);
});
