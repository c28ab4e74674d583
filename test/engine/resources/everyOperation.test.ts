import { everyOperation, nameOf, operations } from '../../support/operations';
import type { Faults } from '../../../sandbox/options';
import { pairs } from '../../support/cases';
import { once, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const unknown = 'This may or may not have gone through';

/** Reads the list of tags first, and says that nothing was changed if that fails. */
const READS_FIRST = 'contact.addTags';

/** Runs an operation on a service with these faults. */
async function failing(name: string, faults: Faults) {
	const { workspace, run } = await testWorkspace({ contacts: 3 });
	const parameters = everyOperation(await workspace.state())[name];
	await workspace.faults(faults);
	const result = await run({ ...parameters, ...once });
	const requests = await received(workspace);
	const writes = requests.some(({ method }) => method !== 'GET');
	return { shown: shownOf(result), httpCode: result.error?.httpCode, requests, writes };
}

const names = operations.map(nameOf);

describe('Every operation', () => {
	test.each([...pairs(names, [404]), ...pairs(names, [400, 401, 403, 405, 409, 422])])(
		'%s reports after a status of %d that nothing was changed',
		async (name, status) => {
			const { shown, httpCode, writes } = await failing(name, { fail: [{ status }] });
			// That something doesn't exist is said without a number.
			if (status !== 404) expect(shown).toContain(`(${status})`);
			expect(httpCode).toBe(String(status));
			// What is wrong with the token has nothing to do with the item.
			const isAboutItem = status !== 401 && status !== 403;
			expect(shown.endsWith(' [item 0]')).toBe(isAboutItem);
			expect(shown).not.toContain(unknown);
			const unchanged = name.startsWith('message.') ? 'Nothing was sent.' : 'Nothing was changed.';
			expect(shown.includes(unchanged)).toBe(writes || name === READS_FIRST);
		},
	);

	test.each(pairs(names, [500, 502, 503]))(
		'%s reports after a status of %d that the outcome is unknown if it writes',
		async (name, status) => {
			const { shown, writes } = await failing(name, { fail: [{ status, body: 'html' }] });
			expect(shown).toContain(`(${status})`);
			expect(shown.includes(unknown)).toBe(writes);
			expect(/Nothing was (changed|sent)/.test(shown)).toBe(name === READS_FIRST);
		},
	);

	test.each(names)(
		'%s reports a connection that breaks, and sends nothing again if Max Retries is 0',
		async (name) => {
			const { shown, requests, writes } = await failing(name, { dropAfter: {} });
			expect(shown).toContain('broke before the answer');
			expect(shown.includes(unknown)).toBe(writes);
			const sent = requests.filter(({ method }) => !writes || method !== 'GET');
			// Two pages of a list may be asked for side by side.
			const expected = new Set(sent.map(({ path }) => path)).size;
			expect(sent).toHaveLength(expected);
			if (writes) expect(expected).toBe(1);
			expect(expected).not.toBe(0);
		},
	);
});
