import {
	adviseUnreachable,
	describeUnreachable,
	explainAskingProxy,
} from '../../../nodes/WorkspaceMessaging/transport/errors/connectionErrors';
import { findUnreachableProxy } from '../../../nodes/WorkspaceMessaging/transport/proxy';

/* Proxies that the environment of n8n sets: only the error of the network shows them. */

/** An error as n8n wraps it. */
const wrapped = (inner: object) => ({ message: 'It failed', cause: { code: 'X', cause: inner } });
const refusedAt = (address: string, port: number) => wrapped({ address, port, syscall: 'connect' });
const unknownHost = (hostname: string) => wrapped({ hostname, syscall: 'getaddrinfo' });

test.each([
	['another port', 'https://chat.example.com', refusedAt('10.0.0.7', 3128), '10.0.0.7:3128'],
	['another port', 'http://127.0.0.1:4010', refusedAt('127.0.0.1', 9), '127.0.0.1:9'],
	[
		'another host',
		'https://chat.example.com',
		unknownHost('proxy.example.com'),
		'proxy.example.com',
	],
	[
		'one of several addresses',
		'https://chat.example.com',
		wrapped({ errors: [{ address: '::1', port: 3128 }] }),
		'::1:3128',
	],
])('The proxy is what can not be reached if it has %s than %s', (_, baseUrl, error, host) => {
	const proxy = findUnreachableProxy(error, 'ECONNREFUSED', undefined, baseUrl);
	expect(proxy).toEqual({ host, isOfNode: false, hasUser: false });
	expect(describeUnreachable(baseUrl, 'ECONNREFUSED', proxy)).toBe(
		`The proxy at ${host} can't be reached: it refuses connections.`,
	);
	expect(adviseUnreachable(proxy)).toBe(
		'Check the proxy of n8n (HTTP_PROXY and HTTPS_PROXY in its environment), and that the proxy is running.',
	);
});

test.each([
	['https://chat.example.com', 'ECONNREFUSED', refusedAt('10.0.0.7', 443)],
	['http://chat.example.com', 'ECONNREFUSED', refusedAt('10.0.0.7', 80)],
	['http://127.0.0.1:4010', 'ECONNREFUSED', refusedAt('127.0.0.1', 4010)],
	['https://Chat.example.com', 'ENOTFOUND', unknownHost('chat.example.com')],
	['https://chat.example.com', 'ECONNREFUSED', new Error('It failed')],
	['https://chat.example.com', 'CERT_HAS_EXPIRED', refusedAt('10.0.0.7', 3128)],
	['https://chat.example.com', 'EMFILE', refusedAt('10.0.0.7', 3128)],
])('The service %s is what can not be reached (%s, case %#)', (baseUrl, code, error) => {
	expect(findUnreachableProxy(error, code, undefined, baseUrl)).toBeUndefined();
});

test('A proxy of n8n that wants a password is named with its place', () => {
	const { what, advice } = explainAskingProxy();
	expect(`${what} ${advice}`).toBe(
		'The proxy asks for a user and a password (407). Enter both in the proxy of n8n (HTTP_PROXY and HTTPS_PROXY in its environment), such as http://user:password@myproxy:3128.',
	);
});
