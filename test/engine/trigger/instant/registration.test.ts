import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../../sandbox/client';
import type { WorkspaceOptions } from '../../../../sandbox/options';
import { InstantHost } from '../../../support/engine/instantHost';
import { testWorkspace } from '../../../support/engine/workspace';

const newContact: INodeParameters = { event: 'newContact' };
const flow: INodeParameters = { event: 'flowSendsData', eventName: ' order_paid ' };

/** Sends a request of the API as another program does. */
async function api(
	workspace: SandboxWorkspace,
	method: string,
	path: string,
	body?: object,
): Promise<unknown> {
	const response = await fetch(`${workspace.url}/api/v1/${path}`, {
		method,
		headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(text);
	return text === '' ? undefined : JSON.parse(text);
}

/** All webhooks of the workspace: those for events, and those that flows call. */
async function webhooksOf(workspace: SandboxWorkspace): Promise<IDataObject[]> {
	const lists = [];
	for (const path of ['webhooks?perPage=50', 'webhooks?perPage=50&page=2', 'external-webhooks'])
		lists.push(((await api(workspace, 'GET', path)) as { data: IDataObject[] }).data);
	return lists.flat();
}

const urlsOf = async (workspace: SandboxWorkspace) =>
	(await webhooksOf(workspace)).map(({ url }) => String(url));

/** A workspace, and an n8n with a workflow that is not published yet. */
async function unpublished(parameters: INodeParameters, options: WorkspaceOptions = {}) {
	const { workspace } = await testWorkspace({
		service: 'newer',
		contacts: 0,
		allowPrivateUrls: true,
		...options,
	});
	const host = new InstantHost(
		{ baseUrl: workspace.url, accessToken: workspace.token },
		parameters,
	);
	return { workspace, host };
}

const secretOf = ({ database, name }: InstantHost) =>
	(database.staticData[`node:${name}`] as { secret?: string } | undefined)?.secret;

describe.each([
	['an event of the service', newContact, 'webhooks'],
	['a flow', flow, 'external-webhooks'],
])('A trigger for %s', (_, parameters, path) => {
	/** What another program registers. */
	const bodyOf = (url: string) =>
		path === 'webhooks'
			? { name: 'Other', url, conditions: [{ type: 'newContact' }] }
			: { url, event: 'order_paid', provider: 'n8n' };

	test('registers one webhook when it is published, with a key in its address, and removes it when unpublished', async () => {
		const { workspace, host } = await unpublished(parameters);
		await host.publish();
		const [url, ...others] = await urlsOf(workspace);
		expect(others).toEqual([]);
		expect(url.startsWith(`${host.address}?key=${secretOf(host)}.`)).toBe(true);
		expect(secretOf(host)).toMatch(/^[0-9a-f]{32}$/);
		await host.unpublish();
		expect(await webhooksOf(workspace)).toEqual([]);
	});

	test('keeps its webhook when n8n starts again, and asks for it once only', async () => {
		const { workspace, host } = await unpublished(parameters);
		await host.publish();
		const before = await webhooksOf(workspace);
		await host.publish('init');
		expect(await webhooksOf(workspace)).toEqual(before);
	});

	test('has one webhook even if n8n registers it five times', async () => {
		const { workspace, host } = await unpublished(parameters);
		for (let time = 0; time < 5; time++) await host.hook('create');
		expect(await webhooksOf(workspace)).toHaveLength(1);
	});

	test('has one webhook if the answer to its registration is lost, and n8n tries again (difference 23)', async () => {
		const { workspace, host } = await unpublished(parameters);
		await workspace.faults({ dropAfter: { match: { method: 'POST' }, times: 1 } });
		await host.publish().catch(async () => await host.publish());
		expect(await webhooksOf(workspace)).toHaveLength(1);
		expect((await urlsOf(workspace))[0]).toContain(secretOf(host));
	});

	test('has one webhook, with the key that n8n knows, if two main processes register it at once', async () => {
		const { workspace, host } = await unpublished(parameters);
		const other = host.sibling();
		await Promise.all([host.publish(), other.publish()]);
		const urls = await urlsOf(workspace);
		expect(urls).toHaveLength(1);
		for (const main of [host, other]) expect(urls[0]).toContain(secretOf(main));
	});

	test('has one webhook after n8n lost its key or was stopped half-way, and calls with the old key are refused', async () => {
		const { workspace, host } = await unpublished(parameters);
		await api(workspace, 'POST', path, bodyOf(`${host.address}?key=old`));
		await api(workspace, 'POST', path, bodyOf(host.address));
		await host.publish();
		const urls = await urlsOf(workspace);
		expect(urls).toHaveLength(1);
		expect(urls[0]).toContain(secretOf(host));
	});

	test('finds its webhook again without a second one if n8n lost its key', async () => {
		const { workspace, host } = await unpublished(parameters);
		await host.publish();
		const before = await webhooksOf(workspace);
		const secret = secretOf(host);
		host.database.staticData = {};
		await host.publish();
		expect(await webhooksOf(workspace)).toEqual(before);
		expect(secretOf(host)).toBe(secret);
	});

	test('leaves the webhooks of others alone', async () => {
		const { workspace, host } = await unpublished(parameters);
		const others = [
			'https://example.com/hook',
			host.address.replace('/webhook/', '/webhook-test/'),
			`${host.address}/more`,
			host.address.replace('127.0.0.1', 'localhost'),
		];
		for (const url of others) await api(workspace, 'POST', path, bodyOf(url));
		await host.publish();
		await host.unpublish();
		expect((await urlsOf(workspace)).sort()).toEqual(others.sort());
	});

	test('registers a test of the trigger under another address, apart from the published one', async () => {
		const { workspace, host } = await unpublished(parameters);
		await host.publish();
		const [published] = await urlsOf(workspace);
		await host.hook('create', 'manual', true);
		const urls = await urlsOf(workspace);
		expect(urls).toHaveLength(2);
		expect(urls).toContain(published);
		await host.hook('delete', 'update', true);
		expect(await urlsOf(workspace)).toEqual([published]);
	});

	test('counts a webhook that is gone as deleted', async () => {
		const { workspace, host } = await unpublished(parameters);
		await host.publish();
		await workspace.faults({ dropAfter: { match: { method: 'DELETE' }, times: 1 } });
		await host.unpublish();
		await host.unpublish();
		expect(await webhooksOf(workspace)).toEqual([]);
	});

	test('fails if its webhook cannot be deleted', async () => {
		const { workspace, host } = await unpublished(parameters);
		await host.publish();
		await workspace.faults({ fail: [{ match: { method: 'DELETE' }, status: 400 }] });
		await expect(host.unpublish()).rejects.toThrow('(400)');
		expect(await webhooksOf(workspace)).toHaveLength(1);
	});

	test('keeps its webhook if the service cannot be reached while n8n starts, but not when the user publishes', async () => {
		const { workspace, host } = await unpublished(parameters);
		await host.publish();
		await workspace.faults({ fail: [{ status: 503 }] });
		expect(await host.hook('checkExists', 'init')).toBe(true);
		await expect(host.hook('checkExists', 'activate')).rejects.toThrow('(503)');
		await workspace.faults({ fail: [{ status: 403, body: 'html' }] });
		expect(await host.hook('checkExists', 'init')).toBe(true);
		await workspace.faults({ fail: [{ status: 401 }] });
		await expect(host.hook('checkExists', 'init')).rejects.toThrow('access token');
	});

	test('registers again if the service has lost its webhook and the user publishes again', async () => {
		const { workspace, host } = await unpublished(parameters);
		await host.publish();
		const [{ id }] = await webhooksOf(workspace);
		await api(workspace, 'DELETE', `${path}/${String(id)}`);
		await host.publish('update');
		expect(await webhooksOf(workspace)).toHaveLength(1);
	});
});

describe('A webhook for events of the service', () => {
	test('has the name of the workflow, cut to 255 characters', async () => {
		const { workspace, host } = await unpublished(newContact);
		await host.publish();
		expect(await webhooksOf(workspace)).toMatchObject([{ name: 'n8n: My workflow' }]);
		await host.unpublish();
		host.workflowName = `x${'😀'.repeat(200)}`;
		await host.publish();
		const [{ name }] = await webhooksOf(workspace);
		expect(String(name)).toMatch(/^n8n: x(😀)+$/u);
		expect(String(name).length).toBeLessThanOrEqual(255);
	});

	test('is made anew for another event', async () => {
		const { workspace, host } = await unpublished({ event: 'archived' });
		await host.publish();
		const [before] = await webhooksOf(workspace);
		host.parameters = { event: 'followUp' };
		await host.publish('update');
		const [after, ...others] = await webhooksOf(workspace);
		expect(others).toEqual([]);
		expect(after.id).not.toBe(before.id);
	});

	test.each([
		[newContact, flow],
		[flow, newContact],
	])(
		'leaves nothing behind for another kind of event, although n8n could not delete it',
		async (one, other) => {
			const { workspace, host } = await unpublished(one);
			await host.publish();
			host.parameters = other;
			await host.publish('update');
			expect(await webhooksOf(workspace)).toHaveLength(1);
		},
	);

	test('is found among a hundred others', async () => {
		const { workspace, host } = await unpublished(newContact);
		for (let number = 0; number < 60; number++) {
			const url = `https://example.com/${number}`;
			await api(workspace, 'POST', 'webhooks', {
				name: 'Other',
				url,
				conditions: [{ type: 'newContact' }],
			});
		}
		await host.publish();
		await host.publish('update');
		await host.unpublish();
		expect((await urlsOf(workspace)).filter((url) => url.startsWith(host.address))).toEqual([]);
		expect(await webhooksOf(workspace)).toHaveLength(60);
	});
});

/** What n8n shows if the workflow cannot be published: the message only. */
const problemOf = async (host: InstantHost): Promise<string> =>
	await host.publish().then(
		() => 'published',
		({ message }: Error) => message,
	);

describe('If the service refuses the webhook, one sentence says why, and what to do', () => {
	const fill = async (workspace: SandboxWorkspace, path: string, count: number) => {
		for (let number = 0; number < count; number++) {
			const url = `https://example.com/${number}`;
			const body = { name: 'Other', url, conditions: [{ type: 'newContact' }] };
			await api(workspace, 'POST', path, path === 'webhooks' ? body : { url, event: 'x' });
		}
	};

	test('when the workspace has 100 webhooks', async () => {
		const { workspace, host } = await unpublished(newContact);
		await fill(workspace, 'webhooks', 100);
		expect(await problemOf(host)).toBe(
			'The workspace already has 100 webhooks, the most it can have: delete one in the workspace settings, or use the trigger Workspace Messaging with Contact Created instead.',
		);
	});

	test('when flows have 50 addresses', async () => {
		const { workspace, host } = await unpublished(flow);
		await fill(workspace, 'external-webhooks', 50);
		expect(await problemOf(host)).toBe(
			'The workspace already has 50 addresses that flows send data to, the most it can have: unpublish a workflow that starts with Flow Sends Data, or at once with Message Received.',
		);
	});

	test.each<[string, INodeParameters, string]>([
		[
			'an event that the polling trigger has too',
			newContact,
			"The service can't call n8n at http://127.0.0.1:5678, because this address isn't public: set N8N_WEBHOOK_URL to the public address of n8n, or use the trigger Workspace Messaging with Contact Created instead.",
		],
		[
			'an event that it lacks',
			{ event: 'archived' },
			"The service can't call n8n at http://127.0.0.1:5678, because this address isn't public: set N8N_WEBHOOK_URL to the public address of n8n.",
		],
		[
			'a flow, about which the service only says that it failed',
			flow,
			"The service failed (500), maybe because n8n's address http://127.0.0.1:5678 isn't public: set N8N_WEBHOOK_URL to the public address of n8n.",
		],
	])('when the address of n8n is private, for %s', async (_, parameters, message) => {
		const { host } = await unpublished(parameters, { allowPrivateUrls: false });
		expect(await problemOf(host)).toBe(message);
	});

	test.each([
		['connections', true],
		['integrations', false],
	])('when the token lacks the scope, which the service names "%s"', async (scope, newest) => {
		const { host } = await unpublished(newContact, { newest, token: { scopes: ['contacts'] } });
		expect(await problemOf(host)).toBe(
			`The access token is missing the scope "${scope}" (403), which webhooks need: add it in the workspace settings, or use the trigger Workspace Messaging with Contact Created instead.`,
		);
	});

	test('when the token is read-only', async () => {
		const { host } = await unpublished({ event: 'archived' }, { token: { readOnly: true } });
		expect(await problemOf(host)).toBe(
			"The access token is read-only (403), so n8n can't register the webhook: use a token with write access.",
		);
	});

	test.each(['older', 'reference'] as const)(
		'when a service such as the %s one has no webhooks',
		async (service) => {
			const event = await unpublished(newContact, { service, allowPrivateUrls: undefined });
			expect(await problemOf(event.host)).toBe(
				"This service doesn't offer webhooks for this event, or the Base URL in the credential is wrong (404): use the trigger Workspace Messaging with Contact Created instead.",
			);
			const step = await unpublished(flow, { service, allowPrivateUrls: undefined });
			expect(await problemOf(step.host)).toBe(
				"This service doesn't offer webhooks for this event, or the Base URL in the credential is wrong (404): let the flow add a tag, and use the trigger Workspace Messaging with Tag Added to Contact.",
			);
		},
	);

	test('when the address of n8n is too long', async () => {
		const { workspace, host } = await unpublished(newContact);
		host.moveTo(`https://n8n.example.com/${'a'.repeat(1000)}`);
		expect(await problemOf(host)).toMatch(
			/^The service accepts webhook addresses of up to 1,000 characters, but n8n's address for this trigger has 1,\d\d\d: give n8n a shorter address\.$/,
		);
		expect(await webhooksOf(workspace)).toEqual([]);
	});

	test('and never with the key, the token, or the word by which n8n 1 gives up', async () => {
		const { workspace, host } = await unpublished(newContact);
		const message = `Authorization failed for ${host.address}?key=0123 and again`;
		await workspace.faults({
			fail: [{ match: { method: 'POST' }, status: 400, message, echoToken: true }],
		});
		const problem = await problemOf(host);
		expect(problem).toContain('authorization failed');
		expect(problem).not.toMatch(/Authorization|0123/);
		expect(problem).not.toContain(workspace.token);
	});
});

test.each<[INodeParameters, string]>([
	[{ event: 'flowSendsData', eventName: ' ' }, 'Event Name'],
	[{ event: 'flowSendsData', eventName: 'x'.repeat(101) }, 'Event Name'],
	[{ event: 'tagApplied', tagId: { __rl: true, mode: 'list', value: '' } }, 'Tag'],
	[{ event: 'customFieldValueChanged', customFieldId: 'Plan' }, 'Custom Field'],
	[{ event: 'nothing' }, 'Trigger On'],
])(
	'A trigger with %j is not published, and the error names the field',
	async (parameters, label) => {
		const { host } = await unpublished(parameters);
		expect(await problemOf(host)).toContain(label);
	},
);
