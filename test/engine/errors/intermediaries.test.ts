import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import {
	additionalDataOf,
	compiledNode,
	CREDENTIAL,
	NODE_NAME,
	runNode,
	workflowOf,
} from '../../support/engine/engine';
import { by, once, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/* Firewalls, proxies and web servers between n8n and the service, with what real ones answer. */

type Sample = [name: string, status: number, headers: OutgoingHttpHeaders, body?: string];

const nginx = (title: string) =>
	`<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.24.0</center>\r\n</body>\r\n</html>\r\n`;
const page = (title: string) => `<!DOCTYPE html><html lang="en"><head><title>${title}</title>`;
const html = (server: string, more = {}) => ({ server, 'content-type': 'text/html', ...more });

const refusing: Sample[] = [
	[
		'Cloudflare, with a check for browsers',
		403,
		html('cloudflare', { 'cf-mitigated': 'challenge', 'cf-ray': '99f85b0ef9c5d67f-FRA' }),
		page('Just a moment...'),
	],
	['Cloudflare, with a block', 403, html('cloudflare'), page('Attention Required! | Cloudflare')],
	[
		'Cloudflare, in JSON',
		403,
		{ server: 'cloudflare', 'content-type': 'application/json' },
		JSON.stringify({ status: 403, title: 'Error 1020: Access denied', cloudflare_error: true }),
	],
	['CloudFront', 403, html('CloudFront'), page('ERROR: The request could not be satisfied')],
	['AWS WAF, with a check', 202, { 'x-amzn-waf-action': 'challenge' }],
	['AWS WAF, with a captcha', 405, { 'x-amzn-waf-action': 'captcha' }],
	['a load balancer of AWS', 403, html('awselb/2.0'), page('403 Forbidden')],
	['nginx', 403, html('nginx/1.24.0'), nginx('403 Forbidden')],
	['HAProxy', 403, {}, '<html><body><h1>403 Forbidden</h1>\nRequest forbidden by rules.\n</body>'],
	['ModSecurity', 406, html('Apache'), page('Not Acceptable!')],
	['nginx, for a port of TLS', 400, html('nginx'), nginx('400 The plain HTTP request')],
	['Vercel', 403, { server: 'Vercel', 'x-vercel-mitigated': 'deny' }, 'Forbidden'],
	[
		'Cloudflare, with a check in place of a failure',
		503,
		html('cloudflare', { 'cf-mitigated': 'challenge' }),
		page('Just a moment...'),
	],
	[
		'Identity-Aware Proxy',
		401,
		{ 'x-goog-iap-generated-response': 'true' },
		'Invalid IAP credentials: Unable to parse JWT',
	],
	[
		'Squid',
		403,
		html('squid/5.7', { 'x-squid-error': 'ERR_ACCESS_DENIED 0' }),
		page('ERROR: The requested URL could not be retrieved'),
	],
];

const asking: Sample[] = [
	[
		'nginx',
		401,
		html('nginx', { 'www-authenticate': 'Basic realm="Restricted"' }),
		nginx('401 Authorization Required'),
	],
	['Caddy', 401, { server: 'Caddy', 'www-authenticate': 'Basic realm="restricted"' }],
	['Traefik', 401, { 'www-authenticate': 'Basic realm="traefik"' }, '401 Unauthorized\n'],
	[
		'Kong',
		401,
		{ 'www-authenticate': 'Basic realm="service"', 'content-type': 'application/json' },
		'{"message":"Unauthorized"}',
	],
	['IIS', 401, html('Microsoft-IIS/10.0', { 'www-authenticate': 'Negotiate' }), page('401')],
	[
		'IIS, with several ways to log in',
		401,
		html('Microsoft-IIS/10.0', { 'www-authenticate': ['Bearer', 'Basic realm="x"'] }),
		page('401'),
	],
	['a captive portal', 511, html('portal'), page('Network Authentication Required')],
];

const unclear: Sample[] = [
	['CloudFront', 403, { server: 'CloudFront', 'x-amz-cf-id': 'Za2OfgOz==' }],
	['Caddy', 403, { server: 'Caddy' }],
	['Traefik', 403, {}, 'Forbidden'],
	['a login', 401, {}, '401 Unauthorized'],
	['an empty 401', 401, {}],
	['nginx, with its page in place of the answer', 401, html('nginx'), nginx('401')],
];

const unavailable: Sample[] = [
	['nginx', 502, html('nginx/1.24.0'), nginx('502 Bad Gateway')],
	['HAProxy', 503, {}, '<html><body><h1>503 Service Unavailable</h1>\nNo server is available'],
	['Cloudflare', 522, html('cloudflare'), page('chat.example.com | 522: Connection timed out')],
	['Squid', 504, html('squid', { 'x-squid-error': 'ERR_CONNECT_FAIL 113' }), page('ERROR')],
	['Cloudflare, for an old product', 527, html('cloudflare'), page('527: Railgun Error')],
];

const mayBeUnavailable: Sample[] = [
	['Traefik', 503, { 'content-type': 'text/plain' }, 'no available server'],
	['Envoy', 504, { server: 'envoy' }, 'upstream request timeout'],
	['Cloudflare', 530, { server: 'cloudflare' }, 'error code: 1016'],
	['a load balancer without words', 502, { server: 'awselb/2.0' }],
	['something without a name', 503, {}],
];

const json = { 'content-type': 'application/json', server: 'cloudflare', 'cf-ray': '1-FRA' };

/** What the service says itself, and what its error begins with. */
const ofService: Array<[...Sample, string]> = [
	['403 in JSON', 403, json, '{"message":"No"}', "The access token isn't allowed to do this (403)"],
	[
		'401 in JSON',
		401,
		{ ...json, 'www-authenticate': 'Bearer' },
		'{"message":"Unauthorized"}',
		'The service rejected the access token (401).',
	],
	[
		'a missing scope',
		403,
		json,
		`{"message":"Token is not authorized for the 'contacts' scope"}`,
		'The access token is missing the scope "contacts" (403).',
	],
	['a missing path', 404, {}, 'Not found', "This service doesn't offer this operation (404)."],
	['a missing page', 404, html('nginx'), nginx('404 Not Found'), "This service doesn't offer"],
	['422 in JSON', 422, json, '{"message":"Wrong"}', 'The service rejected the request (422)'],
	[
		'503 in JSON as a page',
		503,
		html('nginx'),
		'{"message":"Oops"}',
		'The service failed (503): Oops.',
	],
	['an empty 500', 500, {}, '', 'The service failed (500).'],
	['500 in JSON', 500, json, '{"message":"Oops"}', 'The service failed (500): Oops.'],
	['502 in JSON', 502, json, '{"message":"Oops"}', 'The service failed (502): Oops.'],
	['a limit', 429, html('nginx'), nginx('429 Too Many Requests'), 'Rate limit reached (429).'],
];

const servers: Server[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) server.close();
});

const TOKEN = 'token-of-ann';

/** A server that gives every request this answer. */
async function answering(...[, status, headers, body]: Sample) {
	const server = createServer((request, response) => {
		request.resume();
		response.writeHead(status, headers).end(body);
	});
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const credential = {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		accessToken: TOKEN,
	};
	const { testCredential } = compiledNode.methods!.credentialTest!;
	return {
		run: async (parameters: object) =>
			await runNode({ parameters: { ...once, ...parameters }, credential }),
		/** What the editor shows when the credential is saved. */
		test: async () => {
			const context = new CredentialTestContext(additionalDataOf(credential));
			const saved = { id: '1', name: 'Workspace', type: CREDENTIAL, data: credential };
			return (await testCredential.call(context, saved)).message;
		},
		/** What the editor shows in place of a list. */
		list: async () => {
			const workflow = workflowOf({ parameters: {} });
			const additionalData = {
				...additionalDataOf(credential),
				currentNodeParameters: { requestOptions: { maxRetries: 0 } },
			};
			const node = workflow.getNode(NODE_NAME)!;
			const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.tagId');
			const list = compiledNode.methods!.listSearch!.searchTags.call(context);
			return await list.then(String, (error: Error & { description?: string }) =>
				[error.message, error.description].join(' '),
			);
		},
	};
}

const read = { resource: 'tag', operation: 'getAll' };
const send = { resource: 'message', operation: 'send', identifier: by('id', '7'), text: 'Hi' };

/** The error of a message, of the test of the credential, and of a list in the editor. */
async function shownFor(sample: Sample) {
	const { run, test, list } = await answering(...sample);
	const message = await run(send);
	expect(message.json).toEqual([]);
	const texts = { send: shownOf(message), test: await test(), list: await list() };
	for (const text of Object.values(texts)) {
		expect(text).not.toMatch(/[<>]|undefined/);
		expect(text).not.toContain(TOKEN);
	}
	return texts;
}

const NOT_THE_TOKEN = "The access token isn't the reason.";

test.each(refusing)('%s refuses, and the token is not blamed (%d)', async (...sample) => {
	const [, status] = sample;
	const headline = `A firewall or proxy between n8n and the service refused this request (${status}).`;
	const texts = await shownFor(sample);
	for (const text of Object.values(texts)) {
		expect(text).toContain(headline);
		expect(text).toContain(NOT_THE_TOKEN);
		expect(text).toContain('by its IP address');
		expect(text).toContain('N8N_ENFORCE_GLOBAL_USER_AGENT');
	}
	expect(texts.send).toContain('Nothing was sent.');
});

test.each(asking)('%s asks for a password, which the token is not', async (...sample) => {
	const [, status] = sample;
	for (const text of Object.values(await shownFor(sample))) {
		expect(text).toContain(
			`A proxy or web server in front of the service asks for a user and a password (${status}).`,
		);
		expect(text).toContain('ask for no password on paths under /api/v1');
	}
});

test.each(unclear)('%s may be the service or not, and the error names both', async (...sample) => {
	const [, status, , body] = sample;
	for (const text of Object.values(await shownFor(sample))) {
		const said = body?.startsWith('<') === false ? `: ${body}.` : ' without a reason.';
		expect(text).toContain(
			`The service, or a firewall or proxy in front of it, refused this request (${status})${said}`,
		);
		expect(text).toContain(status === 401 ? 'Copy a valid token' : 'Use a token with more rights');
		expect(text).toContain("let n8n's server through");
	}
});

test.each(unavailable)('%s answers in place of a service that is gone', async (...sample) => {
	const [, status] = sample;
	const texts = await shownFor(sample);
	for (const text of Object.values(texts))
		expect(text).toContain(
			`The service isn't available: a proxy or web server in front of it answered in its place (${status}).`,
		);
	expect(texts.send).toContain('This may or may not have gone through');
});

test.each(mayBeUnavailable)('%s or the service says that it is down', async (...sample) => {
	const [, status, , body] = sample;
	for (const text of Object.values(await shownFor(sample))) {
		expect(text).toContain(
			`The service, or a proxy or web server in front of it, isn't available (${status})${body ? `: ${body}` : ''}.`,
		);
		expect(text).toContain('Check that the service is running.');
	}
});

test.each(ofService)('The service keeps its own words: %s', async (...sample) => {
	const [name, status, headers, body, words] = sample;
	const { run } = await answering(name, status, headers, body);
	expect(shownOf(await run(read)).startsWith(words)).toBe(true);
});

test.each([
	[
		'server, number and title',
		0,
		'"cloudflare" (cf-ray 99f85b0ef9c5d67f-FRA) with the title "Just a moment..."',
	],
	['server and title of JSON', 2, '"cloudflare" with the title "Error 1020: Access denied"'],
	['server', 11, '"Vercel"'],
])('The error says who answered: %s', async (_, index, words) => {
	const { send: text } = await shownFor(refusing[index]);
	expect(text).toContain(`The answer came from ${words}.`);
});

test('A title has no markup, no line break and no end in sight', async () => {
	const title = `Stop\n\t"here" ${'x'.repeat(500)}`;
	const { send: text } = await shownFor(['', 403, {}, `<html><title>${title}</title>`]);
	expect(text).toContain('The answer came with the title "Stop here x');
	expect(text.length).toBeLessThan(700);
});

test('A page with status 200 is named, and may be that of a firewall', async () => {
	for (const text of Object.values(
		await shownFor(['', 200, html('Incapsula'), page('Checking')]),
	)) {
		expect(text).toContain('from "Incapsula" with the title "Checking"');
		expect(text).toContain('A firewall or a login may have answered in place of the service.');
	}
});

test('No title repeats the access token', async () => {
	for (const status of [200, 403]) await shownFor(['', status, {}, page(`No ${TOKEN}`)]);
});

test.each([
	['https://team.cloudflareaccess.com/cdn-cgi/access/login/chat', true],
	['https://auth.example.com/?rd=https://chat.example.com', true],
	['/oauth2/start?rd=%2Fapi%2Fv1%2Ftags', true],
	['/login', true],
	['/users/sign_in', true],
	['https://idp.example.com/saml2?SAMLRequest=x', true],
	['https://chat.example.com/_oauth?redirect_uri=x', true],
	['https://www.example.com/api/v1/tags?from=/login', false],
	['https://authors.example.com/', false],
])('A redirect to %s is known to be a login: %s', async (location, isLogin) => {
	for (const text of Object.values(await shownFor(['', 302, { location }]))) {
		expect(text).toContain('The service redirects to ');
		expect(text.includes('If that is a page to log in')).toBe(isLogin);
	}
});

describe('A proxy that the node sets', () => {
	test.each(['http://chat.example.com', 'https://chat.example.com'])(
		'is named if it may be what refuses, before %s',
		async (baseUrl) => {
			const refusal = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\n<p>x';
			const server = createServer((_, response) => response.writeHead(403).end('<p>x'));
			server.on('connect', (_, client) => client.end(refusal));
			servers.push(server);
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
			const proxy = `http://ann:secret@${address}`;
			const parameters = { ...read, requestOptions: { maxRetries: 0, proxy } };
			const text = shownOf(
				await runNode({ parameters, credential: { baseUrl, accessToken: TOKEN } }),
			);
			expect(text).toContain('A firewall or proxy between n8n and the service refused');
			expect(text).toContain(`Or it is the proxy at ${address}, which you set as Proxy`);
			expect(text).not.toContain('secret');
		},
	);
});

test('A firewall tells nothing about the age of a service: with a captcha, n8n asks again', async () => {
	const { workspace, run } = await testWorkspace({
		service: 'newer',
		faults: { fail: [{ status: 405, body: 'empty', headers: { 'x-amzn-waf-action': 'captcha' } }] },
	});
	const list = { resource: 'channel', operation: 'getAll' };
	expect((await run(list)).error?.message).toContain('A firewall or proxy');
	await workspace.faults({ fail: null });
	const { error } = await run(list);
	expect(error).toBeUndefined();
	expect((await received(workspace)).at(-1)?.path).toContain('/inboxes');
});
