import { RunTries } from '../../../nodes/WorkspaceMessaging/run/tries';

/** Ends the time for which the last run is remembered. */
let endTime: () => void;

beforeEach(() => {
	endTime = () => undefined;
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		expect(ms).toBe(60_000);
		const controller = new AbortController();
		endTime = () => controller.abort();
		return controller.signal;
	});
});
afterEach(() => jest.restoreAllMocks());

let runs = 0;
const newName = () => `run ${runs++}`;

/** Runs one try of a run with one item, which is done if it has an output. */
function tryOnce(name: string, json?: object) {
	const tries = RunTries.begin(name);
	const outputs = json && [{ json: { ...json } }];
	if (outputs) tries.ofItem(0).succeed(outputs);
	tries.end(outputs);
}

const isRemembered = (name: string) => RunTries.begin(name).before > 0;

test.each([
	['throws', undefined],
	['returns an error first, although all items are done', { error: 'as the row says' }],
	['returns null as the error, which n8n 1 takes for one', { error: null }],
])('A run is remembered for a minute if the node %s', (_, json) => {
	const [early, late] = [newName(), newName()];
	tryOnce(early, json);
	expect(isRemembered(early)).toBe(true);
	tryOnce(late, json);
	endTime();
	expect(isRemembered(late)).toBe(false);
});

test('A run is forgotten at once if all items are done and the first has no error', () => {
	const name = newName();
	tryOnce(name, { success: true });
	expect(AbortSignal.timeout).not.toHaveBeenCalled();
	expect(isRemembered(name)).toBe(false);
});

test('A run is not forgotten while a try takes longer than a minute', () => {
	const name = newName();
	tryOnce(name);
	const second = RunTries.begin(name);
	endTime();
	second.end(undefined);
	expect(isRemembered(name)).toBe(true);
});
