import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Happening } from '../../sandbox/services/newer/webhooks/events';
import { service } from './service';

interface Call {
	path: string;
	headers: IncomingHttpHeaders;
	body: { event: string };
}

const stops: Array<() => void> = [];
afterEach(() => {
	for (const stop of stops.splice(0)) stop();
});

/** A program that webhooks call; it answers with a status, or never. */
async function receiver(status: number | 'never' = 200) {
	const calls: Call[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request
			.on('data', (chunk: Buffer) => chunks.push(chunk))
			.on('end', () => {
				const body = JSON.parse(Buffer.concat(chunks).toString()) as Call['body'];
				calls.push({ path: request.url ?? '', headers: request.headers, body });
				if (status !== 'never') response.writeHead(status).end();
			});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	stops.push(() => {
		server.close();
		server.closeAllConnections();
	});
	return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const newer = async () => await service('newer', { allowPrivateUrls: true });
const publicUrl = 'https://n8n.example.org/webhook/abc';
const plain = [{ type: 'newContact' }];
const time = expect.stringMatching(/^\d{4}-.*Z$/);

/** Waits until the only run of a flow has taken a branch. */
async function finishedRun({ workspace }: Awaited<ReturnType<typeof newer>>) {
	for (;;) {
		const [run] = (await workspace.journal()).flowRuns;
		if (run?.branch) return run;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

describe('Webhooks of the newer kind', () => {
	test('are registered, listed without their conditions, and deleted', async () => {
		const { client, state } = await service('newer');
		const body = { name: ' n8n ', url: publicUrl, conditions: plain };
		const created = await client.send('POST', 'webhooks', body);
		const times = { createdAt: time, updatedAt: time };
		const row = {
			id: expect.any(String),
			name: 'n8n',
			active: true,
			folderId: null,
			url: publicUrl,
			...times,
		};
		expect([created.status, created.json]).toEqual([
			201,
			{ ...row, workspaceId: state.workspace.id },
		]);
		// The same once more is a second webhook.
		expect((await client.send('POST', 'webhooks', body)).status).toBe(201);
		expect((await client.get('webhooks')).json).toEqual({ data: [row, row], pageCount: 1 });
		expect((await client.get('webhooks?perPage=1&page=2')).json).toMatchObject({
			data: [row],
			pageCount: 2,
		});
		expect((await client.get('webhooks?perPage=51')).status).toBe(422);
		const path = `webhooks/${created.json.id}`;
		expect((await client.get(path)).text).toBe('Not found');
		expect((await client.send('DELETE', path)).status).toBe(204);
		const { status, json } = await client.send('DELETE', path);
		expect([status, json.code, json.message]).toEqual([404, 'notFound', 'Webhook not found']);
	});

	test('can be read with their conditions from the newest builds', async () => {
		const { client, state } = await service('newer', { additionalOperations: ['getWebhook'] });
		const conditions = [{ type: 'tagApplied', sourceId: state.tags[0].id }];
		const { json } = await client.send('POST', 'webhooks', {
			name: 'n8n',
			url: publicUrl,
			conditions,
		});
		expect((await client.get(`webhooks/${json.id}`)).json).toMatchObject({
			url: publicUrl,
			conditions: [{ ...conditions[0], id: expect.any(String), operator: null, value: null }],
		});
	});

	test.each([
		['no condition', { conditions: [] }],
		['an empty name', { name: '' }],
		['an address that is none', { url: 'webhook' }],
		['an address of more than 1000 characters', { url: `${publicUrl}/${'x'.repeat(1000)}` }],
		['no tag', { conditions: [{ type: 'tagApplied' }] }],
		['no operator', { conditions: [{ type: 'customFieldValueChanged', sourceId: '1' }] }],
		['an unknown source', { conditions: [{ type: 'contactInfoUpdated', sourceId: 'name' }] }],
		['an unknown type', { conditions: [{ type: 'messageReceived' }] }],
	])('are refused with %s', async (_, wrong) => {
		const { client } = await service('newer');
		const body = { name: 'n8n', url: publicUrl, conditions: plain, ...wrong };
		const { status, json } = await client.send('POST', 'webhooks', body);
		expect([status, json.code, json.data.issues.length > 0]).toEqual([
			422,
			'invalidRequestData',
			true,
		]);
	});

	test.each([
		'http://localhost:5678/webhook/a',
		'http://n8n:5678/webhook/a',
		'https://n8n.local/a',
		'http://127.0.0.1/a',
		'http://192.168.1.2/a',
		'http://0x7f000001/a',
		'http://[::1]/a',
		'http://[fd00::1]/a',
		'http://[::ffff:8.8.8.8]/a',
		'ftp://n8n.example.org/a',
	])('cannot have the address %s', async (url) => {
		const { client } = await service('newer');
		const { status, json } = await client.send('POST', 'webhooks', {
			name: 'n8n',
			url,
			conditions: plain,
		});
		expect([status, json.code, json.data]).toEqual([422, 'invalidRequestData', undefined]);
		expect(json.message).toBe(`[ssrf-guard] Webhook URL is not allowed: ${url}`);
		const external = await client.send('POST', 'external-webhooks', { url, event: 'a' });
		expect([external.status, external.json.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
	});

	test('number at most 100', async () => {
		const { client } = await service('newer');
		const create = async () =>
			await client.send('POST', 'webhooks', {
				name: 'n8n',
				url: 'https://1.1.1.1',
				conditions: plain,
			});
		for (let count = 0; count < 100; count++) await create();
		const { status, json } = await create();
		expect([status, json.code]).toEqual([400, 'webhookLimitReached']);
	});

	test.each([
		['connections', 'webhooks', true],
		['connections', 'external-webhooks', true],
		['integrations', 'webhooks', false],
		['integrations', 'external-webhooks', false],
	])('need the scope "%s" for %s (one of the newest builds: %s)', async (scope, path, newest) => {
		const token = { scopes: ['contacts', 'inbox'] };
		const { client } = await service('newer', { newest, token });
		expect((await client.get(path)).json.message).toBe(
			`Token is not authorized for the '${scope}' scope`,
		);
	});
});

test('The older service lists no webhooks', async () => {
	const { client } = await service('older');
	expect((await client.get('webhooks')).json).toEqual({ data: [] });
});

test.each([
	['POST', 'webhooks'],
	['DELETE', 'webhooks/1'],
	['GET', 'external-webhooks'],
	['POST', 'external-webhooks'],
])('The older service lacks %s /%s', async (method, path) => {
	const { client } = await service('older');
	expect((await client.send(method, path)).text).toBe('Not found');
});

describe('Calls of webhooks', () => {
	/** A service with one webhook that waits for some conditions. */
	async function listening(conditions: object[], status: number | 'never' = 200) {
		const made = await newer();
		const { calls, url } = await receiver(status);
		const reply = await made.client.send('POST', 'webhooks', { name: 'n8n', url, conditions });
		expect(reply.status).toBe(201);
		return { ...made, calls, url, identifier: `id:${made.contact.id}` };
	}

	test('tell what happened on a channel, and the contact changes', async () => {
		const made = await service('newer', { allowPrivateUrls: true });
		const { tags, sequences, customFields } = made.state;
		const text = customFields.find(({ type }) => type === 'shortText') ?? customFields[0];
		const { calls, url } = await receiver();
		const conditions = [
			{ type: 'tagApplied', sourceId: tags[0].id },
			{ type: 'subscribedToSequence', sourceId: sequences[0].id },
			{ type: 'customFieldValueChanged', sourceId: text.id, operator: '' },
			{ type: 'contactInfoUpdated', sourceId: 'email' },
			{ type: 'archived' },
			{ type: 'followUp' },
			{ type: 'conversationTransferredToHuman' },
		];
		await made.client.send('POST', 'webhooks', { name: 'n8n', url, conditions });
		const identifier = `id:${made.contact.id}`;
		const { id: conversation_id } = await made.workspace.changeConversation(identifier, {});
		const cases: Array<
			[Omit<Happening, 'identifier'>, { event: string; [field: string]: unknown }]
		> = [
			[
				{ type: 'tagApplied', sourceId: tags[0].id },
				{ event: 'tag_applied', tag: tags[0].name },
			],
			[
				{ type: 'subscribedToSequence', sourceId: sequences[0].id },
				{
					event: 'subscribed_to_sequence',
					sequence_id: sequences[0].id,
					sequence_name: sequences[0].name,
				},
			],
			[
				{ type: 'customFieldValueChanged', sourceId: text.id, value: 'pro' },
				{
					event: 'custom_field_changed',
					custom_field: { name: text.name, old_value: expect.anything(), new_value: 'pro' },
				},
			],
			[
				{ type: 'contactInfoUpdated', sourceId: 'email', value: 'new@example.com' },
				{
					event: 'contact_info_updated',
					info_type: 'email',
					old_value: made.contact.email,
					new_value: 'new@example.com',
				},
			],
			[
				{ type: 'archived' },
				{ event: 'conversation_archived', conversation_id, archived_by: 'system' },
			],
			[{ type: 'followUp' }, { event: 'marked_as_follow_up', conversation_id }],
			[
				{ type: 'conversationTransferredToHuman' },
				{ event: 'conversation_transferred_to_human', conversation_id, transferred_by: 'bot' },
			],
		];
		for (const [happened, body] of cases) {
			const sent = { ...body, contact_id: made.contact.id, timestamp: time };
			expect(await made.workspace.happen({ ...happened, identifier })).toEqual([
				{
					at: expect.any(Number),
					url,
					event: sent.event,
					status: 200,
					ms: expect.any(Number),
					body: sent,
				},
			]);
			expect(calls.pop()?.body).toEqual(sent);
		}
		expect(await made.workspace.contact(identifier)).toMatchObject({
			email: 'new@example.com',
			conversation: { botEnabled: false, followed: true, archivedAt: time },
		});
		expect((await made.workspace.journal()).webhookCalls).toHaveLength(cases.length);
	});

	test('are plain JSON with a name of the caller and no token', async () => {
		const { calls, workspace } = await listening(plain);
		const { contact, deliveries } = await workspace.arrive({ firstName: 'Ann', lastName: 'Lee' });
		expect(deliveries).toMatchObject([{ event: 'new_contact', status: 200 }]);
		const [{ headers, body }] = calls;
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'user-agent': 'WorkspaceMessaging-Webhook/1.0',
		});
		expect(headers).not.toHaveProperty('authorization');
		expect(body).toEqual({
			event: 'new_contact',
			contact_id: contact.id,
			timestamp: time,
			name: 'Ann Lee',
			first_name: 'Ann',
			last_name: 'Lee',
			phone: null,
			email: null,
			custom_fields: {},
		});
	});

	test('go only to those who wait for this tag and this value', async () => {
		const { state } = await newer();
		const [vip, other] = state.tags;
		const [field] = state.customFields;
		const { workspace, identifier } = await listening([
			{ type: 'tagApplied', sourceId: vip.id },
			{ type: 'customFieldValueChanged', sourceId: field.id, operator: 'eq', value: 'pro' },
		]);
		const statuses = async (happened: Omit<Happening, 'identifier'>) =>
			(await workspace.happen({ ...happened, identifier })).map(({ status }) => status);
		expect(await statuses({ type: 'tagApplied', sourceId: other.id })).toEqual([]);
		expect(await statuses({ type: 'tagRemoved', sourceId: vip.id })).toEqual([]);
		expect(await statuses({ type: 'tagApplied', sourceId: vip.id })).toEqual([200]);
		expect(
			await statuses({ type: 'customFieldValueChanged', sourceId: field.id, value: 'free' }),
		).toEqual([]);
		expect(
			await statuses({ type: 'customFieldValueChanged', sourceId: field.id, value: 'pro' }),
		).toEqual([200]);
	});

	test('do not come of changes by the API, nor of a message', async () => {
		const { client, workspace, identifier, state, calls } = await listening([
			...plain,
			{ type: 'archived' },
			{ type: 'contactInfoUpdated', sourceId: 'email' },
		]);
		await client.send('PATCH', `contacts/${identifier}`, { email: 'new@example.com' });
		const inboxId = state.channels.find(({ channel }) => channel === 'webchat')?.id;
		const body = { email: '', gender: 'male', channel: 'webchat', inboxId };
		expect((await client.send('POST', 'contacts', body)).status).toBe(200);
		await workspace.write(identifier, 'Hi');
		await workspace.changeConversation(identifier, { archivedAt: new Date().toISOString() });
		expect(calls).toEqual([]);
	});

	test.each([
		[500, 500],
		['never', null],
	] as const)('that get the answer %s are not repeated', async (answer, status) => {
		const { workspace, calls } = await listening(plain, answer);
		await workspace.faults({ webhookTimeoutMs: 200 });
		const { deliveries } = await workspace.arrive({ firstName: 'Ann' });
		expect(deliveries).toMatchObject([{ status }]);
		expect(calls).toHaveLength(1);
	});
});

describe('External webhooks of the newer kind', () => {
	test('are registered once for each event and address', async () => {
		const { client } = await service('newer');
		const body = { url: publicUrl, event: 'order_paid', provider: 'n8n' };
		const created = await client.send('POST', 'external-webhooks', body);
		expect([created.status, created.json]).toEqual([201, { id: expect.any(String), ...body }]);
		const again = await client.send('POST', 'external-webhooks', { ...body, provider: 'make' });
		expect([again.status, again.json]).toEqual([201, created.json]);
		expect((await client.get('external-webhooks')).json).toEqual({ data: [created.json] });
		const path = `external-webhooks/${created.json.id}`;
		expect((await client.send('DELETE', path)).status).toBe(204);
		expect((await client.send('DELETE', path)).json.message).toBe('External webhook not found');
		for (let count = 0; count < 50; count++) {
			await client.send('POST', 'external-webhooks', { url: publicUrl, event: `e${count}` });
		}
		const { status, json } = await client.send('POST', 'external-webhooks', body);
		expect([status, json.code]).toEqual([400, 'externalWebhookLimitReached']);
	});

	test('are called by the step of a flow, with the contact and its data', async () => {
		const made = await newer();
		const { client, workspace, contact, state } = made;
		const { calls, url } = await receiver();
		const [flow] = state.flows;
		await workspace.flowCalls(flow.id, ['order_paid', 'other']);
		await client.send('POST', 'external-webhooks', { url, event: 'order_paid', provider: 'n8n' });
		await client.send('POST', 'external-webhooks', { url, event: 'Order_paid', provider: 'n8n' });
		await client.send('POST', `contacts/id:${contact.id}/flows`, { flowId: flow.id });
		const run = await finishedRun(made);
		expect(run).toMatchObject({
			branch: 'success',
			deliveries: [{ event: 'order_paid', status: 200 }],
		});
		expect(calls).toHaveLength(1);
		const shown = (await client.get(`contacts/id:${contact.id}`)).json;
		expect(calls[0].body).toEqual({
			event: 'order_paid',
			contact: (await client.get('contacts')).json.data.find(
				({ id }: { id: string }) => id === contact.id,
			),
			custom_fields: [{ name: 'My shortText', value: shown.contactCustomFields[0].value }],
			tags: [{ name: state.tags[0].name }],
			contact_sequences: [],
		});
		await workspace.clearJournal();
		await client.send('POST', `contacts/id:${contact.id}/messages`, { flowId: flow.id });
		expect(await finishedRun(made)).toMatchObject({ branch: 'success' });
	});

	test.each([[404], ['never']] as const)(
		'that answer %s lead the flow to its error branch',
		async (answer) => {
			const made = await newer();
			const { client, workspace, contact, state } = made;
			const { url } = await receiver(answer);
			await workspace.faults({ webhookTimeoutMs: 200 });
			await workspace.flowCalls(state.flows[0].id, ['order_paid']);
			await client.send('POST', 'external-webhooks', { url, event: 'order_paid' });
			const started = await client.send('POST', `contacts/id:${contact.id}/auto-replies`, {
				keyword: 'Welcome',
			});
			expect(started.status).toBe(204);
			expect((await finishedRun(made)).branch).toBe('error');
		},
	);
});
