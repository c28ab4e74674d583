import type { IDataObject } from 'n8n-workflow';
import type { Requester } from '../../../../nodes/WorkspaceMessaging/transport/request';
import { Service } from '../../../../nodes/WorkspaceMessaging/transport/request';
import type { Condition } from '../../../../nodes/WorkspaceMessaging/contacts/conditions/condition';
import {
	createContactFilter,
	withServerFilter,
} from '../../../../nodes/WorkspaceMessaging/contacts/conditions/filterContacts';

/*
 * Records that show channels, but not what is compared of them: nobody can say who is on none of
 * some channels.
 */

/** A service with one channel, of which it does not say what type it is. */
const service = (): Requester => ({
	service: new Service(),
	request: async () => ({ data: [{ id: '7', name: 'Shop' }] }),
});

const kept = async (field: 'inboxes' | 'channels', values: string[], inbox: IDataObject) =>
	await keptOf({ field, type: 'list', operator: 'notIn', values }, { contactInboxes: [inbox] });

async function keptOf(condition: Condition, contact: IDataObject) {
	const clock = { now: 0, timezone: 'UTC' };
	const keep = await createContactFilter(service(), {
		match: 'all',
		conditions: [condition],
		clock,
	});
	return await keep([{ id: '1', ...contact }]);
}

const message = "This service doesn't show which channels a contact is on";

test('createContactFilter fails if it compares channels that have no IDs', async () => {
	await expect(kept('inboxes', ['7'], { channel: 'whatsapp' })).rejects.toThrow(message);
	expect(await kept('inboxes', ['7'], { inbox: { id: '8' } })).toHaveLength(1);
});

test('createContactFilter fails if it compares channels that have no types', async () => {
	await expect(kept('channels', ['whatsapp'], { inboxId: '7' })).rejects.toThrow(message);
	expect(await kept('channels', ['whatsapp'], { inboxId: '7', channel: 'email' })).toHaveLength(1);
});

test('createContactFilter knows the email channel by both of its names', async () => {
	for (const channel of ['email', 'smtp'])
		expect(await kept('channels', ['smtp'], { inboxId: '7', channel })).toEqual([]);
});

const noTag: Condition = { field: 'tags', type: 'list', operator: 'notIn', values: ['7'] };
const noPlan: Condition = {
	field: { customFieldId: '7' },
	type: 'text',
	operator: 'isEmpty',
	values: [],
};

test.each<[IDataObject, Condition, string]>([
	[{ tags: [{ name: 'VIP' }] }, noTag, 'IDs in "tags"'],
	[{ tags: ['VIP'] }, { ...noTag, operator: 'isEmpty', values: [] }, 'IDs in "tags"'],
	[{ tags: 'VIP' }, noTag, '"tags"'],
	[
		{ contactCustomFields: [{ name: 'Plan', value: 'pro' }] },
		noPlan,
		'IDs in "contactCustomFields"',
	],
	[{ contactCustomFields: { 7: 'pro' } }, noPlan, '"contactCustomFields"'],
])('createContactFilter cannot compare %j', async (contact, condition, key) => {
	const message = `This service lists contacts without ${key}, so n8n can't check the conditions on it`;
	await expect(keptOf(condition, contact)).rejects.toThrow(message);
});

test.each<[IDataObject, Condition]>([
	[{ tags: [{ id: 8 }] }, noTag],
	[{ tags: null }, noTag],
	[{ contactCustomFields: [{ customFieldId: '8', value: 'pro' }] }, noPlan],
	[{ contactCustomFields: null }, noPlan],
])('createContactFilter compares %j', async (contact, condition) => {
	expect(await keptOf(condition, contact)).toHaveLength(1);
});

const idsInFilter = async (count: number) => {
	const values = Array.from({ length: count }, (_, index) => String(1001 + index));
	const condition: Condition = { field: 'tags', type: 'list', operator: 'in', values };
	const fields = { staticFields: [{ field: 'tags', operators: ['in'] }] };
	const client: Requester = {
		service: new Service(),
		request: async ({ path }) => (path.endsWith('filter-fields') ? fields : { data: [] }),
	};
	const clock = { now: 0, timezone: 'UTC' };
	return await withServerFilter(client, { match: 'all', conditions: [condition], clock }, {});
};

test('withServerFilter narrows by a filter that a URL can hold, and not by a longer one', async () => {
	expect(await idsInFilter(200)).toHaveProperty('contactFilter');
	expect(await idsInFilter(1000)).toEqual({});
});
