import { caseCount } from '../../../support/cases';
import { findFaults, runHistory, runTimedHistory } from '../../../support/fakes/messageHistory';

/* A few of the random histories of `messageHistory`; the load suite runs more. */

const numbers = Array.from({ length: caseCount({ few: 10, many: 60 }) }, (_, number) => number);

afterEach(() => jest.restoreAllMocks());

test('Message Received emits each message once and in order, in random histories', async () => {
	expect(await findFaults(runHistory, numbers)).toEqual([]);
}, 400_000);

test('Message Received emits each message once although some come late and some conversations fail', async () => {
	expect(await findFaults(runTimedHistory, numbers)).toEqual([]);
}, 400_000);
