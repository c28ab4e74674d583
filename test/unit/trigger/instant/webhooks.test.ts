import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../../../nodes/WorkspaceMessaging/contract/endpoint';
import { webhookApi } from '../../../../nodes/WorkspaceMessaging/contract/webhook';
import { ApiError } from '../../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { Service } from '../../../../nodes/WorkspaceMessaging/transport/request';
import type {
	Requester,
	RequestParts,
} from '../../../../nodes/WorkspaceMessaging/transport/request';
import { instantEvents } from '../../../../nodes/WorkspaceMessaging/trigger/instant/events';
import {
	makeKey,
	addKeyToAddress,
} from '../../../../nodes/WorkspaceMessaging/trigger/instant/addressKey';
import { Webhooks } from '../../../../nodes/WorkspaceMessaging/trigger/instant/webhooks';

const address = 'https://n8n.example.com/webhook/1a2b/webhook';
const secret = 'a'.repeat(32);
const url = addKeyToAddress(address, makeKey(secret, 'subject'));

const event = instantEvents.find(({ value }) => value === 'tagApplied')!;
const settings = { event, parameters: { tagId: '3' }, subject: 'subject' };
const conditions = [{ id: '1', type: 'tagApplied', sourceId: '3', operator: null, value: null }];

/** A service with these webhooks; `shown` are the conditions that it shows of each, if it does. */
function serviceWith(rows: IDataObject[], shown?: unknown) {
	const deleted: unknown[] = [];
	const client = {
		service: new Service(),
		async request(endpoint: Endpoint, parts?: RequestParts): Promise<unknown> {
			if (endpoint === webhookApi.listWebhooks) return { data: rows, pageCount: 1 };
			if (endpoint === webhookApi.deleteWebhook) return void deleted.push(parts?.params?.webhookId);
			if (shown !== undefined) return { ...rows[0], conditions: shown };
			throw new ApiError('Not found', { outcome: 'refused', status: 404 });
		},
	};
	return { webhooks: new Webhooks(client, address, settings), deleted };
}

const row = { id: '10', name: 'n8n', url, active: true };

test('A webhook is kept that has the key for what the node waits for', async () => {
	const { webhooks, deleted } = serviceWith([row]);
	expect(await webhooks.keepOne()).toBe(row);
	expect(deleted).toEqual([]);
});

test('The oldest of several webhooks is kept', async () => {
	const rows = [row, { ...row, id: '9' }, { ...row, id: '100' }];
	const { webhooks, deleted } = serviceWith(rows);
	expect(await webhooks.keepOne()).toMatchObject({ id: '9' });
	expect(deleted).toEqual(['10', '100']);
});

test('A webhook is kept whose conditions the service shows, with IDs of their own', async () => {
	const { webhooks, deleted } = serviceWith([row], conditions);
	expect(await webhooks.keepOne()).toBe(row);
	expect(deleted).toEqual([]);
});

test.each<[string, IDataObject, unknown]>([
	['is not active', { active: false }, undefined],
	['has no key', { url: address }, undefined],
	[
		'has the key for something else',
		{ url: addKeyToAddress(address, makeKey(secret, 'other')) },
		undefined,
	],
	[
		'has a key of another form',
		{ url: addKeyToAddress(address, makeKey('short', 'subject')) },
		undefined,
	],
	['is about another tag by now', {}, [{ ...conditions[0], sourceId: '4' }]],
	['has further conditions by now', {}, [...conditions, { id: '2', type: 'newContact' }]],
	['has no conditions any more', {}, []],
])('A webhook is deleted that %s', async (_, change, shown) => {
	const { webhooks, deleted } = serviceWith([{ ...row, ...change }], shown);
	expect(await webhooks.keepOne()).toBeUndefined();
	expect(deleted).toEqual(['10']);
});

/** The webhooks of a service that adds these fields to each. */
function serviceThatAdds(fields: IDataObject, rows: IDataObject[] = []) {
	const client: Requester = {
		service: new Service(),
		request: async (endpoint, { body, params = {} } = {}) => {
			await Promise.resolve();
			if (endpoint.method === 'POST')
				rows.push({ id: String(rows.length + 1), ...(body as IDataObject), ...fields });
			if (endpoint.method === 'DELETE')
				rows.splice(
					rows.findIndex(({ id }) => id === params.webhookId),
					1,
				);
			return endpoint.method === 'GET' ? { data: rows, pageCount: 1 } : {};
		},
	};
	return { rows, webhooks: new Webhooks(client, address, settings, secret) };
}

test('A webhook that n8n has just made stays, however the service shows its conditions', async () => {
	const { rows, webhooks } = serviceThatAdds({ conditions: [{ type: 'tag_applied' }] });
	await webhooks.create(secret, 'Test');

	expect(await webhooks.keepOne(true)).toMatchObject({ id: '1' });
	expect(rows).toHaveLength(1);
});

test('A webhook that n8n made under an address that it had before is deleted', async () => {
	const key = makeKey(secret, settings.subject);
	const { rows, webhooks } = serviceThatAdds({}, [
		{ id: '1', url: `http://old.example.com/webhook/1a2b/webhook?key=${key}` },
		{ id: '2', url: 'https://other.example.com/webhook/1a2b/webhook?key=of-a-copy' },
		{ id: '3', url: `https://n8n.example.com/webhook/2/webhook?key=${key}` },
	]);

	expect(await webhooks.keepOne()).toBeUndefined();
	expect(rows.map(({ id }) => id)).toEqual(['2', '3']);
});
