import type { NodeExecutionHint, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { executeItems } from '../../../nodes/WorkspaceMessaging/execution/execute';
import { Item } from '../../../nodes/WorkspaceMessaging/execution/item';
import type { Operation } from '../../../nodes/WorkspaceMessaging/execution/operation';
import { Run } from '../../../nodes/WorkspaceMessaging/execution/run';

/** Runs an operation without any requests for so many items; gives the hints at the output. */
async function hintsOf(run: NonNullable<Operation['run']>, count: number, isToolCall = false) {
	const shown: NodeExecutionHint[] = [];
	const context = {
		getNode: () => ({ name: 'Node', type: 'workspaceMessaging', parameters: {} }),
		getNodeParameter: (_name: string, _index: number, fallback: unknown) => fallback,
		getExecutionCancelSignal: () => undefined,
		getCredentials: async () => ({ baseUrl: 'http://127.0.0.1:1', accessToken: 'token' }),
		continueOnFail: () => false,
		addExecutionHints: (...hints: NodeExecutionHint[]) => shown.push(...hints),
		logger: { info: () => {} },
	} as unknown as IExecuteFunctions;
	const operation: Operation = {
		name: 'Test',
		value: 'test',
		action: 'Test',
		description: 'Test',
		endpoint: { method: 'GET', path: '/api/v1/test' },
		fields: [],
		output: z.object({}),
		run,
	};
	const ofRun = new Run(context, [], isToolCall);
	const items = Array.from({ length: count }, (_, index) => new Item(ofRun, index, { json: {} }));
	await executeItems(ofRun, operation, items);
	return shown;
}

test('a hint that all items give stands at the output once', async () => {
	const hints = await hintsOf(async ({ run, index }) => {
		run.hint('The same for all.');
		if (index === 2) run.hint('For one of them.');
		return [];
	}, 3);
	expect(hints).toEqual([
		{ message: 'The same for all.', location: 'outputPane' },
		{ message: 'For one of them.', location: 'outputPane' },
	]);
});

test('without hints there are none', async () => {
	expect(await hintsOf(async () => [], 3)).toEqual([]);
});

test('an agent gets no hints', async () => {
	const hint: Operation['run'] = async ({ run }) => {
		run.hint('For people.');
		return [];
	};
	expect(await hintsOf(hint, 1, true)).toEqual([]);
});
