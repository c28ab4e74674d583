import type { Faults } from '../../../sandbox/options';
import { wrongShapes } from '../../../sandbox/options';
import { pairs, shareOf } from '../../support/cases';
import { once, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { newerOperations, everyOperation, nameOf } from '../../support/operations';

const unknown = 'This may or may not have gone through';

const names = newerOperations.map(nameOf);

/** Runs operations on a newer service with these faults, each in a workspace of its own. */
async function failingOnes(faults: Faults, these = names) {
	return await Promise.all(
		these.map(async (name) => {
			const { workspace, run } = await testWorkspace({ contacts: 2, service: 'newer' });
			const parameters = everyOperation(await workspace.state(), newerOperations)[name];
			await workspace.faults(faults);
			const result = await run({ ...parameters, ...once });
			const isSent = (await received(workspace)).some(({ method }) => method === 'POST');
			return { name, result, isSent };
		}),
	);
}

/** The operations that write. */
const writing = [
	'conversation.assign',
	'conversation.changeState',
	'conversation.handOver',
	'contact.addNote',
	'contact.addToSequences',
	'contact.block',
	'contact.unblock',
];

/** The requests that change conversations. */
const writes = { method: 'POST' };

describe('Every operation that only newer services have', () => {
	test.each(pairs(writing, [400, 401, 403, 409, 422]))(
		'that writes reports after a failure that nothing was changed: %s, %d',
		async (name, status) => {
			const [{ result }] = await failingOnes({ fail: [{ status, match: writes }] }, [name]);
			expect(shownOf(result)).toContain(`(${status})`);
			expect(shownOf(result)).toContain('Nothing was changed.');
		},
	);

	test('reports after a failure of the service that the outcome is unknown if it writes', async () => {
		const outcomes = await failingOnes({ fail: [{ status: 500, match: writes }] });
		const written = outcomes.filter(({ isSent }) => isSent);
		expect(written.map(({ name }) => name)).toEqual(writing);
		expect(written.filter(({ result }) => !shownOf(result).includes(unknown))).toEqual([]);
	});

	const shapes = wrongShapes.map((shape, index) => [shape, shareOf(names, index, 2)] as const);
	test.each(shapes)(
		'ends with a plain error or output if all answers are of the shape %s',
		async (shape, some) => {
			const { workspace, run } = await testWorkspace({ contacts: 2, service: 'newer' });
			const parameters = everyOperation(await workspace.state(), newerOperations);
			await workspace.faults({ hostile: [{ mode: 'wrongShape', shape }] });
			const outcomes = await Promise.all(
				some.map(async (name) => ({ name, result: await run({ ...parameters[name], ...once }) })),
			);
			const unclear = outcomes
				.filter(({ result }) => result.error)
				.map(({ name, result }) => ({ name, shown: shownOf(result) }))
				.filter(
					({ shown }) =>
						!/doesn't understand|has no conversation|doesn't have conversations|has no member/.test(
							shown,
						),
				);
			expect(unclear).toEqual([]);
		},
	);

	const scopes: Record<string, string> = {
		conversation: 'inbox',
		contact: 'contacts',
		message: 'contacts',
		template: 'broadcasts',
	};

	test.each(newerOperations)(
		'names the scope that the token lacks: $resource.$operation',
		async (one) => {
			const scope = scopes[one.resource];
			const others = Object.values(scopes).filter((other) => other !== scope);
			const token = { scopes: others };
			const { workspace, run } = await testWorkspace({ contacts: 1, service: 'newer', token });
			const parameters = everyOperation(await workspace.state(), [one])[nameOf(one)];
			expect((await run(parameters)).error?.message).toContain(
				`is missing the scope "${scope}" (403).`,
			);
		},
	);
});
