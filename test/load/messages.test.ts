import { findFaults, runHistory, runTimedHistory } from '../support/fakes/messageHistory';
import { findLost } from '../support/engine/chatHistory';
import { engines } from '../support/engine/triggerHost';

/* Random histories of conversations: many against a fake service, some with real requests. */

const HISTORIES = 400;
const SEEDS = Array.from({ length: 5 }, (_, index) => index + 100);

const numbers = Array.from({ length: HISTORIES }, (_, number) => number);

afterEach(() => jest.restoreAllMocks());

test('Message Received emits each message once and in order, in random histories', async () => {
	expect(await findFaults(runHistory, numbers)).toEqual([]);
}, 900_000);

test('Message Received emits each message once although some come late and some conversations fail', async () => {
	expect(await findFaults(runTimedHistory, numbers)).toEqual([]);
}, 900_000);

test.each(engines)(
	'Message Received loses and repeats nothing on a real connection (%s)',
	async (engine) => {
		for (const seed of SEEDS) {
			const { lost, twice, mixed } = await findLost(engine, seed);
			const none: string[] = [];
			expect({ seed, lost, twice, mixed }).toEqual({ seed, lost: none, twice: none, mixed: none });
		}
	},
	900_000,
);
