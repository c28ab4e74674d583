import { Backoff } from '../../../nodes/WorkspaceMessaging/resources/contact/import/backoff';
import { waitForEnd } from '../../../nodes/WorkspaceMessaging/resources/contact/import/wait';
import type { Item } from '../../../nodes/WorkspaceMessaging/execution/item';

test.each([
	[undefined, 'The service does not say how many contacts were imported before that.', 'unknown'],
	[null, 'The service does not say how many contacts were imported before that.', 'unknown'],
	[0, 'Before that, 0 contacts were imported.', 'refused'],
	[1, 'Before that, 1 contact was imported.', 'unknown'],
	[1234, 'Before that, 1,234 contacts were imported.', 'unknown'],
])('an import that has failed with a successCount of %p', async (successCount, told, outcome) => {
	const record = { id: '7', status: 'failed', errorMessage: 'Broken', successCount };
	const item = { run: {}, request: async () => await Promise.resolve(record) } as unknown as Item;
	const patience = new Backoff({ forEnd: true, forOthers: false, maxMinutes: 1 });
	await expect(waitForEnd(item, '7', patience)).rejects.toMatchObject({
		message: `The import 7 has failed: Broken. ${told}`,
		details: { outcome },
	});
});
