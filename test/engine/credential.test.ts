import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, ICredentialsDecrypted } from 'n8n-workflow';
import type { Faults, WorkspaceOptions } from '../../sandbox/options';
import {
	additionalDataOf,
	CREDENTIAL,
	compiledNode,
	runNode,
	type Credential,
} from '../support/engine/engine';
import { received } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';
import { sandbox } from '../support/sandbox';

const { testCredential } = compiledNode.methods?.credentialTest ?? {};

/** What n8n shows when the credential is saved. */
async function tested(
	baseUrl: string,
	accessToken: string,
	more: ICredentialDataDecryptedObject = {},
) {
	const context = new CredentialTestContext(additionalDataOf({ baseUrl, accessToken }));
	const credential: ICredentialsDecrypted = {
		id: '1',
		name: 'Workspace',
		type: CREDENTIAL,
		data: { baseUrl, accessToken, requestsPerMinute: 10_000, ...more },
	};
	const result = await testCredential.call(context, credential);
	if (accessToken.trim() !== '') expect(result.message).not.toContain(accessToken);
	return result;
}

describe('test of the credential', () => {
	test('all is well', async () => {
		const { workspace } = await testWorkspace();
		expect(await tested(workspace.url, workspace.token)).toEqual({
			status: 'OK',
			message: 'Connection successful',
		});
		expect(await received(workspace)).toEqual([
			{ method: 'GET', path: '/api/v1/token' },
			{ method: 'GET', path: '/api/v1/channels?perPage=1' },
		]);
	});

	test('a server without the call that gives the workspace is all right', async () => {
		const { workspace } = await testWorkspace({ faults: { missing: { getWorkspace: 404 } } });
		expect(await tested(workspace.url, workspace.token)).toMatchObject({ status: 'OK' });
	});

	test('blanks around the token do not matter', async () => {
		const { workspace } = await testWorkspace();
		expect(await tested(`${workspace.url}/`, ` ${workspace.token}\n`)).toMatchObject({
			status: 'OK',
		});
	});

	test('the token is wrong', async () => {
		expect(await tested(sandbox.url, 'wrong')).toEqual({
			status: 'Error',
			message: 'The service rejected the access token. Copy it again from the workspace settings.',
		});
	});

	test('the token is missing', async () => {
		expect(await tested(sandbox.url, ' ')).toEqual({
			status: 'Error',
			message: 'The API Access Token is empty.',
		});
	});

	test.each([
		['DE', false],
		['+12345', false],
		['+49', true],
		['0049', true],
		['49', true],
		['', true],
	])('the Default Country Code "%s"', async (defaultCountryCode, isValid) => {
		const { workspace } = await testWorkspace();
		const { message } = await tested(workspace.url, workspace.token, { defaultCountryCode });
		expect(message).toContain(
			isValid
				? 'Connection successful'
				: `Default Country Code must be + followed by 1 to 4 digits, but is "${defaultCountryCode}"`,
		);
	});

	test("the host doesn't exist", async () => {
		const { status, message } = await tested('https://workspace.invalid', 'my-secret');
		expect(status).toBe('Error');
		expect(message).toContain('workspace.invalid');
		expect(message).toContain('Base URL');
	});

	test('nothing listens there', async () => {
		const server = createTcpServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		await new Promise((resolve) => server.close(resolve));
		expect(await tested(`http://127.0.0.1:${port}`, 'my-secret')).toEqual({
			status: 'Error',
			message: `The service at 127.0.0.1:${port} can't be reached: it refuses connections. Check the Base URL, and that the service is running.`,
		});
	});

	test.each([
		['answers', 401, true],
		['redirects', 301, false],
	])('the host %s over http only', async (_, status, isHinted) => {
		const tokens: unknown[] = [];
		const server = createServer(({ headers }, response) => {
			tokens.push(headers.authorization);
			response.writeHead(status, { location: 'https://127.0.0.1/' }).end();
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		try {
			const hint = `The service only answers http, which is not encrypted. If you trust the network, enter http://127.0.0.1:${port} as Base URL.`;
			for (const address of [`127.0.0.1:${port}`, `https://127.0.0.1:${port}`]) {
				const { status: outcome, message } = await tested(address, 'my-secret');
				expect(outcome).toBe('Error');
				expect(message).toContain(
					isHinted
						? hint
						: "can't be reached: no secure connection could be made; perhaps it only answers http.",
				);
			}
			expect(tokens).toEqual([undefined, undefined]);
		} finally {
			server.close();
		}
	});

	test.each([
		['a page of a website', 200, 'text/html', '<!DOCTYPE html><h1>Welcome</h1>'],
		['another API', 200, 'application/json', '{"hello":"world"}'],
		['a page that is not there', 404, 'text/html', '<h1>Not found</h1>'],
	])('the address is that of something else: %s', async (_, status, type, body) => {
		const server = createServer((_request, response) => {
			response.writeHead(status, { 'content-type': type }).end(body);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		try {
			const { message } = await tested(`http://127.0.0.1:${port}`, 'my-secret');
			expect(message).toContain(
				`A server answers at the Base URL, but it isn't the API (${status}).`,
			);
		} finally {
			server.close();
		}
	});

	test.each<[string, Faults, string]>([
		['not allowed', { fail: [{ status: 403 }] }, "isn't allowed to read this workspace"],
		['too many requests', { fail: [{ status: 429 }] }, 'Rate limit reached (429)'],
		['a failing service', { fail: [{ status: 500 }] }, 'failed (500)'],
	])('%s', async (_, faults, words) => {
		const { workspace } = await testWorkspace({ faults });
		const { status, message } = await tested(workspace.url, workspace.token);
		expect(status).toBe('Error');
		expect(message).toContain(words);
		expect(message).not.toContain('<');
	});

	test.each(['same', 'other'] as const)(
		'a redirect to the %s origin is not followed',
		async (to) => {
			const { workspace } = await testWorkspace({ faults: { redirect: { status: 302, to } } });
			await sandbox.clearUnknownRequests();
			const { message } = await tested(workspace.url, workspace.token);
			expect(message).toContain('The service redirects to ');
			expect(await received(workspace)).toHaveLength(1);
			expect(
				(await sandbox.unknownRequests()).filter(({ listener }) => listener === 'other'),
			).toEqual([]);
		},
	);

	test.each([
		['', 'is empty'],
		['ftp://chat.example.com', 'must start with https:// or http://'],
		['https://user:secret@chat.example.com', "can't contain a user name or password"],
		['https://chat.example.com/?x=1', "can't contain a query"],
	])('the address "%s" is no Base URL', async (baseUrl, words) => {
		const { status, message } = await tested(baseUrl, 'my-secret');
		expect(status).toBe('Error');
		expect(message).toContain(words);
	});
});

describe('test of the credential on services that differ from the reference (difference 3)', () => {
	const full = 'Connection successful';
	const readOnly = 'The token is read-only, so operations that write will fail.';

	test.each<[string, WorkspaceOptions, number, string]>([
		['newer', { service: 'newer' }, 1, full],
		['older', { service: 'older' }, 3, full],
		[
			'newer, read-only token',
			{ service: 'newer', token: { readOnly: true } },
			1,
			`${full}. ${readOnly}`,
		],
		[
			'newer, some scopes',
			{ service: 'newer', token: { scopes: ['contacts', 'inbox'] } },
			1,
			`${full}. Its scopes are contacts, inbox; operations that need others will fail.`,
		],
		[
			'newer, without the scope to ask for the scopes',
			{ service: 'newer', token: { scopes: ['inbox'] } },
			1,
			`${full}. The token is missing the scope "contacts", so operations that need it will fail.`,
		],
		['newer, trial expired', { service: 'newer', plan: 'trialExpired' }, 1, full],
		['older, trial expired', { service: 'older', plan: 'trialExpired' }, 3, full],
	])('%s', async (_, options, requests, message) => {
		const { workspace } = await testWorkspace(options);
		expect(await tested(workspace.url, workspace.token)).toEqual({ status: 'OK', message });
		expect(await received(workspace)).toHaveLength(requests);
	});

	test.each(['newer', 'older'] as const)(
		'%s refuses the token, whatever the status',
		async (service) => {
			const { workspace } = await testWorkspace({ service, token: { refused: true } });
			expect(await tested(workspace.url, workspace.token)).toEqual({
				status: 'Error',
				message:
					'The service rejected the access token. Copy it again from the workspace settings.',
			});
		},
	);

	test('the workspace is going to be deleted', async () => {
		const { workspace } = await testWorkspace({ service: 'newer', plan: 'deletionScheduled' });
		const { status, message } = await tested(workspace.url, workspace.token);
		expect(status).toBe('Error');
		expect(message).toContain('is scheduled for deletion');
	});
});

test('a token that was pasted with "Bearer" is taken without it', async () => {
	const { workspace } = await testWorkspace();
	const accessToken = ` Bearer ${workspace.token}\n`;
	expect((await tested(workspace.url, accessToken)).status).toBe('OK');
	const { error } = await runNode({
		parameters: { resource: 'team', operation: 'getAll' },
		credential: { baseUrl: workspace.url, accessToken },
	});
	expect(error).toBeUndefined();
});

describe('forms of the Base URL', () => {
	test.each(['', '/', '//', '/api', '/api/', '/api/v1', '/api/v1/'])(
		'"%s" behind the host',
		async (suffix) => {
			const { workspace } = await testWorkspace();
			const { error } = await runNode({
				parameters: { resource: 'team', operation: 'getAll' },
				credential: { baseUrl: ` ${workspace.url}${suffix} `, accessToken: workspace.token },
			});
			expect(error).toBeUndefined();
			expect(await received(workspace)).toEqual([{ method: 'GET', path: '/api/v1/teams' }]);
		},
	);

	test('the path of an instance that has one is kept', async () => {
		const paths: Array<string | undefined> = [];
		const server = createServer((request, response) => {
			paths.push(request.url);
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		try {
			for (const suffix of ['/chat', '/chat/', '/chat/api', '/chat/api/v1/', '/api/chat']) {
				await runNode({
					parameters: { resource: 'team', operation: 'getAll' },
					credential: { baseUrl: `http://127.0.0.1:${port}${suffix}`, accessToken: 'token' },
				});
			}
		} finally {
			server.close();
		}
		expect(paths).toEqual([
			'/chat/api/v1/teams',
			'/chat/api/v1/teams',
			'/chat/api/v1/teams',
			'/chat/api/v1/teams',
			'/api/chat/api/v1/teams',
		]);
	});

	test.each([
		'',
		'ftp://chat.example.com',
		'https://chat.example.com#a',
		'https://chat example.com',
	])('"%s" is refused before anything is sent', async (baseUrl) => {
		const { error } = await runNode({
			parameters: { resource: 'team', operation: 'getAll' },
			credential: { baseUrl, accessToken: 'token' },
		});
		expect(error?.message).toContain('The Base URL in the credential');
		expect(error?.message).not.toContain('[item');
	});
});

describe('where requests may go', () => {
	const parameters = { resource: 'team', operation: 'getAll' };

	test.each([
		['127.0.0.1', 1],
		['*.example.com', 0],
	])('domains that the credential allows: %s', async (allowedDomains, count) => {
		const { workspace } = await testWorkspace();
		const credential = { allowedHttpRequestDomains: 'domains', allowedDomains };
		const { error } = await runNode({
			parameters,
			credential: {
				...credential,
				baseUrl: workspace.url,
				accessToken: workspace.token,
			} as Credential,
		});
		expect(await received(workspace)).toHaveLength(count);
		expect(error === undefined).toBe(count === 1);
		if (error) expect(error.message).toMatch(/domain/i);
	});

	test.each([
		'no proxy',
		'myproxy:3128',
		'localhost:3128',
		'socks5://127.0.0.1:3128',
		'http://ann:1%@127.0.0.1:3128',
	])('a proxy that is none: %s', async (proxy) => {
		const { workspace, run } = await testWorkspace();
		const { error } = await run({ ...parameters, requestOptions: { proxy } });
		expect(error?.message).toBe('Proxy must be a valid URL, such as http://myproxy:3128');
		expect(await received(workspace)).toEqual([]);
	});
});
