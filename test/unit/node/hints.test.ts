import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	NodeExecutionHint,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { execute, executeToolCall } from '../../../nodes/WorkspaceMessaging/node/execute';
import type { Operation } from '../../../nodes/WorkspaceMessaging/run/operation';

/**
 * Runs an operation without any requests for so many items, and returns the hints at the output.
 */
async function hintsOf(run: NonNullable<Operation['run']>, count: number, isToolCall = false) {
	const shown: NodeExecutionHint[] = [];
	const context = {
		getNode: () => ({ name: 'Node', type: 'workspaceMessaging', parameters: {} }),
		getMode: () => 'trigger',
		getInputData: () => (isToolCall ? { json: {} } : Array(count).fill({ json: {} })),
		getItemIndex: () => 0,
		// The functions of a single item take no index.
		getNodeParameter: (...[, index, fallback]: unknown[]) => (isToolCall ? index : fallback),
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
	if (isToolCall)
		await executeToolCall(operation).call(context as unknown as IExecutePaginationFunctions);
	else await execute(operation).call(context);
	return shown;
}

describe('Hints at the output', () => {
	test('show a hint of several items once', async () => {
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

	test('that are alike become one line, but a single one of them does not', async () => {
		const group = { key: 'rows', summary: '{count} imports have failed rows.' };
		const other = { key: 'files', summary: '{count} files were read as Windows-1252.' };
		const hints = await hintsOf(async ({ run, index }) => {
			run.hint(`Import ${index} has failed rows.`, group);
			if (index === 0) run.hint('The file "a.csv" was read as Windows-1252.', other);
			return [];
		}, 2);
		expect(hints).toEqual([
			{ message: 'Import 0 has failed rows.', location: 'outputPane', group },
			{ message: 'The file "a.csv" was read as Windows-1252.', location: 'outputPane' },
			{ message: 'Import 1 has failed rows.', location: 'outputPane', group },
		]);
	});

	test('are absent if no item has a hint', async () => {
		expect(await hintsOf(async () => [], 3)).toEqual([]);
	});

	test('are absent if an agent calls the tool', async () => {
		const hint: Operation['run'] = async ({ run }) => {
			run.hint('For people.');
			return [];
		};
		expect(await hintsOf(hint, 1, true)).toEqual([]);
	});
});
