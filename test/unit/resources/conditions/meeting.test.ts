import type { IDataObject } from 'n8n-workflow';
import type { Requester } from '../../../../nodes/WorkspaceMessaging/api/request';
import { Service } from '../../../../nodes/WorkspaceMessaging/api/service';
import type { Condition } from '../../../../nodes/WorkspaceMessaging/resources/contact/conditions/condition';
import { keeperOf } from '../../../../nodes/WorkspaceMessaging/resources/contact/conditions/meeting';

/* Records that show channels, but not what is compared of them: nobody can say who is on none of some channels. */

/** A service with one channel, of which it does not say what type it is. */
const service = (): Requester => ({
	service: new Service(),
	request: async () => ({ data: [{ id: '7', name: 'Shop' }] }),
});

async function kept(field: 'inboxes' | 'channels', values: string[], inbox: IDataObject) {
	const condition: Condition = { field, type: 'list', operator: 'notIn', values };
	const segment = {
		conditions: { match: 'all' as const, conditions: [condition] },
		clock: { now: 0, timezone: 'UTC' },
	};
	const keep = await keeperOf(service(), segment);
	return await keep([{ id: '1', contactInboxes: [inbox] }]);
}

const message = 'This service does not show on which channels a contact is';

test('channels without IDs, where these are compared, are an error', async () => {
	await expect(kept('inboxes', ['7'], { channel: 'whatsapp' })).rejects.toThrow(message);
	expect(await kept('inboxes', ['7'], { inbox: { id: '8' } })).toHaveLength(1);
});

test('channels whose types nobody says, where these are compared, are an error', async () => {
	await expect(kept('channels', ['whatsapp'], { inboxId: '7' })).rejects.toThrow(message);
	expect(await kept('channels', ['whatsapp'], { inboxId: '7', channel: 'email' })).toHaveLength(1);
});
