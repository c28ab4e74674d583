import dns from 'node:dns';
import type { IExecuteFunctions, INodeType, IRequestOptions } from 'n8n-workflow';
import { CREDENTIAL, runNode } from '../support/engine/engine';
import { testWorkspace } from '../support/engine/workspace';
import { sandbox } from '../support/sandbox';
import { ownServer } from '../support/engine/record';

const accessToken = 'token-of-these-tests';

/**
 * What the HTTP Request node does with a credential of another node ("Custom API Call"): a request
 * in n8n's older form.
 */
const httpRequestNode = (
	request: IRequestOptions & { url?: string; followAllRedirects?: boolean },
) => ({
	name: 'test.httpRequest',
	type: {
		description: {
			displayName: 'HTTP Request',
			name: 'httpRequest',
			group: ['output'],
			version: 1,
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: CREDENTIAL, required: true }],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			const { requestWithAuthentication } = this.helpers;
			const { statusCode } = await requestWithAuthentication.call(this, CREDENTIAL, request);
			return [[{ json: { statusCode } }]];
		},
	} as unknown as INodeType,
});

const viaHttpRequest = async (baseUrl: string, request: Parameters<typeof httpRequestNode>[0]) =>
	await runNode({
		parameters: {},
		credential: { baseUrl, accessToken },
		node: httpRequestNode({ resolveWithFullResponse: true, ...request }),
	});

const answering = async () => await ownServer((response) => response.end('{}'));

/** Follows redirects as the HTTP Request node does when it is told to send credentials along. */
const following = {
	followRedirect: true,
	followAllRedirects: true,
	sendCredentialsOnCrossOriginRedirect: true,
};

describe('Another node with this credential', () => {
	test('reaches the service with the token', async () => {
		const own = await answering();
		const base = `http://127.0.0.1:${own.port}`;
		for (const request of [
			{ uri: `${base}/other` },
			{ url: `${base}/other` },
			{ uri: '/other', baseURL: base },
		]) {
			await viaHttpRequest(`${base}/api/v1`, request as IRequestOptions);
		}
		expect(own.arrived.map(({ url, authorization }) => [url, authorization])).toEqual(
			Array(3).fill(['/other', `Bearer ${accessToken}`]),
		);
	});

	test.each<Partial<IRequestOptions> & { url?: string }>([
		{ uri: 'http://{other}/' },
		{ url: 'http://{other}/' },
		{ uri: 'http://chat.example.com@{other}/' },
		{ uri: '//{other}/' },
		{ uri: '\\\\{other}\\' },
		{ uri: 'http:\\\\{other}/' },
		{ uri: ' http://{other}/' },
		{ uri: '/x', baseURL: 'http://{other}' },
		{ uri: 'http://{other}/', baseURL: 'http://chat.example.com' },
		{ uri: 'http://{other}/', url: 'http://chat.example.com/' },
		{ url: 'http://{other}/', uri: 'http://chat.example.com/' },
		{ baseURL: 'http://{other}' },
	])('reaches no other origin with %j', async (addresses) => {
		const other = await answering();
		const at = `127.0.0.1:${other.port}`;
		const request = Object.fromEntries(
			Object.entries(addresses).map(([key, url]) => [key, String(url).replace('{other}', at)]),
		);
		const { error, kept } = await viaHttpRequest(
			'http://chat.example.com',
			request as unknown as IRequestOptions,
		);
		expect(`${error?.message} ${error?.description}`).toContain(
			'This credential is only for http://chat.example.com.',
		);
		expect(kept).not.toContain(accessToken);
		expect(other.arrived).toEqual([]);
	});

	test('cannot reach the same host over another scheme', async () => {
		const { error } = await viaHttpRequest('https://127.0.0.1:1', { uri: 'http://127.0.0.1:1/' });
		expect(`${error?.message} ${error?.description}`).toContain(
			"n8n doesn't send its access token to",
		);
	});

	test.each([301, 302, 303, 307, 308])(
		'does not send the token after a redirect (%d) to another port',
		async (status) => {
			const other = await answering();
			const own = await ownServer((response) => {
				response.writeHead(status, { location: `http://127.0.0.1:${other.port}/` }).end();
			});
			const base = `http://127.0.0.1:${own.port}`;
			await viaHttpRequest(base, { uri: `${base}/`, ...following });
			expect(own.arrived).toHaveLength(1);
			expect(other.arrived.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
		},
	);

	test.each(['evil.chat.localhost', 'evil.localhost'])(
		'does not send the token after a redirect to the host %s',
		async (host) => {
			const lookUp = dns.lookup;
			const toThisMachine = ((_name: string, ...rest: unknown[]) =>
				(lookUp as (...parts: unknown[]) => void)('127.0.0.1', ...rest)) as typeof dns.lookup;
			const mock = jest.spyOn(dns, 'lookup').mockImplementation(toThisMachine);
			const own = await ownServer((response, { headers }) => {
				const isHome = headers.host?.startsWith('chat.localhost');
				if (isHome) response.writeHead(307, { location: `http://${host}:${own.port}/` });
				response.end('{}');
			});
			const base = `http://chat.localhost:${own.port}`;
			await viaHttpRequest(base, { uri: `${base}/`, ...following });
			mock.mockRestore();
			expect(own.arrived[0]).toMatchObject({ authorization: `Bearer ${accessToken}` });
			expect(
				own.arrived.slice(1).filter(({ authorization }) => authorization !== undefined),
			).toEqual([]);
		},
	);
});

describe('The node follows no redirect of the service', () => {
	test.each([
		['another port', ({ otherUrl }: typeof sandbox) => otherUrl],
		['another scheme', (_: typeof sandbox, port: number) => `https://127.0.0.1:${port}/`],
		['another name of the host', (_: typeof sandbox, port: number) => `http://localhost:${port}/`],
		['a user in the address', (_: typeof sandbox, port: number) => `http://a:b@127.0.0.1:${port}/`],
		['no host', () => '//'],
		['no address', () => 'http://['],
		['a file', () => 'file:///etc/passwd'],
		['a program', () => 'javascript:alert(1)'],
		['itself', (_: typeof sandbox, port: number) => `http://127.0.0.1:${port}/api/v1/teams`],
	])('to %s', async (_, locationOf) => {
		await sandbox.clearUnknownRequests();
		const own = await ownServer((response) => {
			response.writeHead(302, { location: locationOf(sandbox, own.port) }).end();
		});
		const { error } = await runNode({
			parameters: { resource: 'team', operation: 'getAll' },
			credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken },
		});
		expect(error?.message).toContain('The service redirects to ');
		expect(own.arrived).toHaveLength(1);
		expect(
			(await sandbox.unknownRequests()).filter(({ listener }) => listener === 'other'),
		).toEqual([]);
	});
});

describe('The domain restriction of the credential', () => {
	const team = { resource: 'team', operation: 'getAll' };
	const restrictedTo = (
		baseUrl: string,
		allowedHttpRequestDomains: string,
		allowedDomains?: string,
	) => ({
		credential: { baseUrl, accessToken, allowedHttpRequestDomains, allowedDomains },
	});

	test.each([
		['all', undefined],
		// It is about the HTTP Request node; the credential's own node goes on.
		['none', undefined],
		['domains', '127.0.0.1'],
		['domains', 'chat.example.com, 127.0.0.1'],
	])('lets the node reach the service if it is "%s" (%s)', async (mode, domains) => {
		const { workspace, run } = await testWorkspace();
		const { error, json } = await run(team, [{}], {
			credential: {
				...restrictedTo(workspace.url, mode, domains).credential,
				accessToken: workspace.token,
			},
		});
		expect(error).toBeUndefined();
		expect(json).not.toEqual([]);
	});

	test.each(['chat.example.com', '*.example.com', '127.0.0.1.example.com'])(
		'stops the node if the domains exclude the service ("domains", %s), and n8n sends nothing',
		async (domains) => {
			const own = await answering();
			const { error, kept } = await runNode({
				parameters: team,
				...restrictedTo(`http://127.0.0.1:${own.port}`, 'domains', domains),
			});
			expect(error?.message).toContain('Domain not allowed');
			expect(kept).not.toContain(accessToken);
			expect(own.arrived).toEqual([]);
		},
	);

	test.each(['', ' '])(
		'stops the node if it allows "domains" and names none ("%s")',
		async (none) => {
			const own = await answering();
			const { error } = await runNode({
				parameters: team,
				...restrictedTo(`http://127.0.0.1:${own.port}`, 'domains', none),
			});
			expect(error?.message).toMatch(
				/^The credential only allows specific domains, but lists none: .*\.$/,
			);
			expect(own.arrived).toEqual([]);
		},
	);
});
