import { everyOperation, nameOf, operations } from '../../support/operations';
import type { Faults } from '../../../sandbox/options';
import { once, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const unknown = 'This may or may not have gone through';

/** Reads the list of tags first, and says that nothing was changed if that fails. */
const READS_FIRST = 'contact.addTags';

/** Runs every operation on a service with these faults and gives what the user sees of each. */
async function failingOnes(faults: Faults) {
	return await Promise.all(
		operations.map(nameOf).map(async (name) => {
			const { workspace, run } = await testWorkspace({ contacts: 3 });
			const parameters = everyOperation(await workspace.state())[name];
			await workspace.faults(faults);
			const result = await run({ ...parameters, ...once });
			const requests = await received(workspace);
			const writes = requests.some(({ method }) => method !== 'GET');
			return { name, result, shown: shownOf(result), requests, writes };
		}),
	);
}

describe('Every operation', () => {
	test.each([400, 401, 403, 404, 405, 409, 422])(
		'reports after a status of %d that nothing was changed',
		async (status) => {
			for (const { name, result, writes } of await failingOnes({ fail: [{ status }] })) {
				const { message } = result.error!;
				// That something doesn't exist is said without a number.
				if (status !== 404)
					expect([name, message]).toEqual([name, expect.stringContaining(`(${status})`)]);
				expect([name, result.error?.httpCode]).toEqual([name, String(status)]);
				// What is wrong with the token has nothing to do with the item.
				const isAboutItem = status !== 401 && status !== 403;
				expect([name, message.endsWith(' [item 0]')]).toEqual([name, isAboutItem]);
				expect([name, message]).toEqual([name, expect.not.stringContaining(unknown)]);
				const unchanged = /^message\./.test(name) ? 'Nothing was sent.' : 'Nothing was changed.';
				expect([name, message.includes(unchanged)]).toEqual([name, writes || name === READS_FIRST]);
			}
		},
	);

	test.each([500, 502, 503])(
		'reports after a status of %d that the outcome is unknown if it writes',
		async (status) => {
			for (const { name, result, writes } of await failingOnes({
				fail: [{ status, body: 'html' }],
			})) {
				const { message } = result.error!;
				expect([name, message]).toEqual([name, expect.stringContaining(`(${status})`)]);
				expect([name, message.includes(unknown)]).toEqual([name, writes]);
				const saysUnchanged = /Nothing was (changed|sent)/.test(message);
				expect([name, saysUnchanged]).toEqual([name, name === READS_FIRST]);
			}
		},
	);
});

test('Every operation reports a connection that breaks, and sends nothing again if Max Retries is 0', async () => {
	for (const { name, result, requests, writes } of await failingOnes({ dropAfter: {} })) {
		expect([name, result.error?.message]).toEqual([
			name,
			expect.stringContaining('broke before the answer'),
		]);
		expect([name, result.error?.message.includes(unknown)]).toEqual([name, writes]);
		const sent = requests.filter(({ method }) => !writes || method !== 'GET');
		// Two pages of a list may be asked for side by side.
		const expected = new Set(sent.map(({ path }) => path)).size;
		expect([name, sent.length]).toEqual([name, expected]);
		if (writes) expect([name, expected]).toEqual([name, 1]);
		expect([name, expected]).not.toEqual([name, 0]);
	}
});
