import type { WorkspaceOptions } from '../../../sandbox/options';
import { shareOf } from '../../support/cases';
import { received, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { everyOperation, nameOf, operations } from '../../support/operations';

/**
 * What a user sees who may not do something, whatever the operation. Repetitions are as they are
 * unless set.
 */
async function refused(options: WorkspaceOptions, names: string[]) {
	return await Promise.all(
		names.map(async (name) => {
			const { workspace, run } = await testWorkspace({ contacts: 3, ...options });
			const result = await run(everyOperation(await workspace.state())[name]);
			const requests = await received(workspace);
			const lines = requests.map((request) => JSON.stringify(request));
			return {
				name,
				message: result.error?.message ?? '',
				shown: result.error && shownOf(result),
				methods: requests.map(({ method }) => method),
				// Several requests can belong to one operation, but none of them goes out twice.
				hasRepetition: new Set(lines).size < lines.length,
			};
		}),
	);
}

/** Of these alone are those refused that a plan does not include. */
const WRITES = ['POST', 'PUT', 'PATCH'];

const NOT_OFFERED = "This service doesn't offer this operation (404)";

const cases: Array<[string, WorkspaceOptions, RegExp, string[]]> = [
	[
		'newer refuse the token',
		{ service: 'newer', token: { refused: true } },
		/^The service rejected the access token \(401\)\. .*Copy a valid token into the credential/,
		['GET', ...WRITES, 'DELETE'],
	],
	[
		'older refuse the token, with a status of failures',
		{ service: 'older', token: { refused: true } },
		/^The service rejected the access token \(500\)\. .*Copy a valid token into the credential/,
		['GET', ...WRITES, 'DELETE'],
	],
	[
		'the token lacks all scopes',
		{ service: 'newer', token: { scopes: [] } },
		/^The access token is missing the scope "\w+" \(403\)\. /,
		['GET', ...WRITES, 'DELETE'],
	],
	[
		'the token may only read',
		{ service: 'newer', token: { readOnly: true } },
		/^The access token is read-only \(403\)\. Nothing was (changed|sent)\. Use one with write access\.$/,
		[...WRITES, 'DELETE'],
	],
	[
		'the trial has ended',
		{ service: 'newer', plan: 'trialExpired' },
		/^The workspace's trial has ended, so it is read-only \(403\)\. Nothing was (changed|sent)\. /,
		WRITES,
	],
	[
		'the plan includes no more contacts',
		{ service: 'older', plan: 'macLimitReached' },
		/^The workspace has reached its plan's monthly limit of active contacts \(403\)\. /,
		WRITES,
	],
	[
		'the workspace is going to be deleted',
		{ service: 'newer', plan: 'deletionScheduled' },
		/^The workspace is scheduled for deletion, so the service rejects all requests \(403\)\. /,
		['GET', ...WRITES, 'DELETE'],
	],
];

const names = operations.map(nameOf);

/** All operations meet a refused token on both kinds of services; they share the other errors. */
const tried = cases.map(([label, ...rest], index) => {
	const some = rest[0].token?.refused ? names : shareOf(names, index, 3);
	return [label, some, ...rest] as const;
});

describe.each(tried)('After an error (%s)', (_, some, options, sentence, concerned) => {
	test('every operation explains the error in one sentence and sends nothing again', async () => {
		const results = await refused(options, some);
		// What a service of this kind does not have, it says before it looks at the token.
		const affected = results.filter(
			({ message, methods }) =>
				!message.startsWith(NOT_OFFERED) && methods.some((method) => concerned.includes(method)),
		);
		expect(affected.filter(({ message }) => !sentence.test(message))).toEqual([]);
		expect(affected.filter(({ hasRepetition }) => hasRepetition)).toEqual([]);
		// The service's own words would say the same a second time.
		expect(affected.filter(({ message, shown }) => shown !== message)).toEqual([]);
		const told = results.filter(({ message }) => sentence.test(message));
		const least = concerned.includes('GET') ? 15 : 10;
		expect(told.length).toBeGreaterThan((least * some.length) / names.length);
	});
});
