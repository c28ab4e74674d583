import type { IDataObject } from 'n8n-workflow';
import { undocumentedApi } from '../../../nodes/WorkspaceMessaging/contract/undocumented';
import type { Item } from '../../../nodes/WorkspaceMessaging/run/item';
import { runImport } from '../../../nodes/WorkspaceMessaging/resources/contact/import/runImport';

/** An item whose import ends with this record. */
const itemWith = (record: IDataObject) => {
	const parameters: IDataObject = { waitForCompletion: true };
	return {
		run: { context: { getExecutionCancelSignal: () => undefined } },
		parameter: (name: string) => parameters[name],
		// The longest wait, in minutes.
		value: () => 1,
		request: async (endpoint: object) =>
			await Promise.resolve(endpoint === undocumentedApi.getImport ? record : { importId: '7' }),
	} as unknown as Item;
};

describe('runImport', () => {
	test.each([
		[0, '0 contacts', 'refused'],
		[1, '1 contact', 'partlyDone'],
		[1234, '1,234 contacts', 'partlyDone'],
	])(
		'reports that a failed import with the successCount %p created %s',
		async (successCount, done, outcome) => {
			const item = itemWith({ id: '7', status: 'failed', errorMessage: 'Broken', successCount });
			await expect(runImport(item, { fileId: '1' })).rejects.toMatchObject({
				message: `The import 7 failed: Broken. Before that it created ${done}.`,
				details: { outcome },
			});
		},
	);

	test('reports a failed import for which the service gives no reason', async () => {
		const item = itemWith({ id: '7', status: 'failed', errorMessage: null, successCount: 0 });
		await expect(runImport(item, { fileId: '1' })).rejects.toThrow(
			/^The import 7 failed\. Before that/,
		);
	});
});
