import { Backoff } from '../../../nodes/WorkspaceMessaging/resources/contact/import/backoff';
import { waitForEnd } from '../../../nodes/WorkspaceMessaging/resources/contact/import/wait';
import type { Item } from '../../../nodes/WorkspaceMessaging/execution/item';

test.each([
	[0, '0 contacts', 'refused'],
	[1, '1 contact', 'unknown'],
	[1234, '1,234 contacts', 'unknown'],
])('a failed import with a successCount of %p reports %s', async (successCount, done, outcome) => {
	const record = { id: '7', status: 'failed', errorMessage: 'Broken', successCount };
	const item = { run: {}, request: async () => await Promise.resolve(record) } as unknown as Item;
	const patience = new Backoff({ forEnd: true, forOthers: false, maxMinutes: 1 });
	await expect(waitForEnd(item, '7', patience)).rejects.toMatchObject({
		message: `The import 7 failed: Broken. Before that it created ${done}.`,
		details: { outcome },
	});
});
