import type { IHttpRequestOptions } from 'n8n-workflow';
import type { ApiError } from '../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { upload } from '../../nodes/WorkspaceMessaging/transport/files';
import type { Context } from '../../nodes/WorkspaceMessaging/transport/http';
import { runNode } from '../support/engine/engine';
import { ownServer } from '../support/engine/record';

/*
 * A file of contacts goes to an address that the service names, which can be anybody's: without the
 * token, and no further.
 */

const accessToken = 'token-of-these-tests';
const content = 'phone\n+4915112345678\n';
const files = [
	{
		data: {
			data: Buffer.from(content).toString('base64'),
			fileName: 'people.csv',
			mimeType: 'text/csv',
		},
	},
];
const parameters = {
	resource: 'contact',
	operation: 'import',
	source: 'input',
	channel: 'whatsapp',
	inboxId: { __rl: true, mode: 'id', value: '7' },
	waitForCompletion: false,
};

/** A service that wants files to be put to an address of its choice. */
const serviceThatNames = async (presignedPostUrl: string) =>
	await ownServer((response, { url = '' }) => {
		const answers: Record<string, [number, unknown]> = {
			'upload-url': [201, { fileId: '4711', presignedPostUrl }],
			headers: [200, { headers: ['phone'], suggestedColumnMap: { phoneNumber: 'phone' } }],
			import: [201, { importId: '4712' }],
		};
		const [status, json] = answers[url.split('/').at(-1)!] ?? [404, {}];
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
	});

/** Imports a file with a service that names this address. */
async function importTo(address: string, credential = {}) {
	const service = await serviceThatNames(address);
	const result = await runNode({
		parameters: { ...parameters, requestOptions: { maxRetries: 1 } },
		files,
		credential: { baseUrl: `http://127.0.0.1:${service.port}`, accessToken, ...credential },
	});
	expect(result.kept).not.toContain(accessToken);
	const started = service.arrived.filter(({ url }) => url.endsWith('/contacts/import'));
	return { ...result, service, started };
}

test('An upload sends the file unchanged and nothing of the credential', async () => {
	const storage = await ownServer((response) => response.end());
	const { error, started } = await importTo(`http://127.0.0.1:${storage.port}/put?signature=x`);
	expect(error?.message).toBeUndefined();
	expect(storage.arrived).toEqual([
		expect.objectContaining({
			method: 'PUT',
			url: '/put?signature=x',
			authorization: undefined,
			body: content,
		}),
	]);
	expect(started).toHaveLength(1);
});

test('An upload to an address of the service itself sends no token', async () => {
	const service = await ownServer((response, { url = '' }) => {
		const presignedPostUrl = `http://127.0.0.1:${service.port}/put`;
		response.writeHead(url === '/put' ? 403 : 201, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ fileId: '4711', presignedPostUrl }));
	});
	const credential = { baseUrl: `http://127.0.0.1:${service.port}`, accessToken };
	await runNode({ parameters, files, credential });
	const put = service.arrived.filter(({ url }) => url === '/put');
	expect(put.map(({ authorization }) => authorization)).toEqual([undefined]);
});

test.each([301, 302, 303, 307, 308])(
	'An upload does not follow a redirect (%d)',
	async (status) => {
		const other = await ownServer((response) => response.end());
		const storage = await ownServer((response) => {
			response.writeHead(status, { location: `http://127.0.0.1:${other.port}/` }).end();
		});
		const { error, started } = await importTo(`http://127.0.0.1:${storage.port}/put`);
		expect(error?.message).toBe(
			`The file couldn't be uploaded to 127.0.0.1:${storage.port}: it answered with status ${status}. Nothing was changed. [item 0]`,
		);
		expect(other.arrived).toEqual([]);
		expect(started).toEqual([]);
	},
);

test.each([
	'ftp://127.0.0.1/put',
	'file:///etc/passwd',
	'javascript:alert(1)',
	'/put',
	'',
	'http://user:password@127.0.0.1:9/put',
	'https://user@127.0.0.1:9/put',
])('An upload refuses the address %p', async (address) => {
	const { error, started } = await importTo(address);
	expect(error?.message).toMatch(
		/unsafe address for the file|form that this operation doesn't understand/,
	);
	expect(started).toEqual([]);
});

describe('An upload with a recorded request', () => {
	const sent: IHttpRequestOptions[] = [];
	const context = {
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				sent.push(options);
				return { statusCode: 200, body: [] };
			},
		},
	} as unknown as Context;
	const put = async (baseUrl: string, address: string) =>
		await upload(
			context,
			{ address, content: Buffer.from(content), contentType: 'text/csv' },
			{ baseUrl, transport: {}, retry: { giveUpAfterMs: 0 } },
		);
	beforeEach(() => void sent.splice(0));

	test.each([
		[
			'http://169.254.169.254/latest?signature=secret',
			'It must not be a link-local or reserved address',
		],
		['http://192.0.0.192/opc?signature=secret', 'It must not be a link-local or reserved address'],
		[
			'http://metadata.google.internal/?signature=secret',
			'It must not be a link-local or reserved address',
		],
		[
			'http://127.0.0.1:5678/rest?signature=secret',
			'It must not be on the machine that n8n runs on',
		],
	])('sends no file to %s, and the error does not show the address', async (address, problem) => {
		const error: unknown = await put('http://chat.example.com', address).catch(
			(thrown: unknown) => thrown,
		);
		expect(String(error)).toContain(
			`The service returned an unsafe address for the file. Nothing was changed. ${problem}`,
		);
		expect(JSON.stringify(error)).not.toContain('secret');
		expect(sent).toEqual([]);
	});

	test('sends no file over http if the Base URL is https', async () => {
		await expect(put('https://chat.example.com', 'http://storage.example.com/put')).rejects.toThrow(
			'The service returned an unsafe address for the file. Nothing was changed. It must begin with https://',
		);
		expect(sent).toEqual([]);
	});

	test.each([
		['https://chat.example.com', 'https://storage.example.com/put'],
		['http://chat.example.com', 'http://storage.example.com/put'],
		['http://chat.example.com', 'https://storage.example.com/put'],
	])('lets a service at %s name %s', async (baseUrl, address) => {
		await put(baseUrl, address);
		expect(sent).toMatchObject([
			{ method: 'PUT', url: address, headers: { 'Content-Type': 'text/csv' } },
		]);
	});
});

test('An error of n8n about an upload does not show the address', async () => {
	const address = 'https://storage.example.com/put/a b?signature=secret';
	for (const shown of [address, new URL(address).href]) {
		const httpRequest = async () => await Promise.reject(new Error(`Cannot reach ${shown} now`));
		const sending = upload(
			{ helpers: { httpRequest } } as unknown as Context,
			{ address, content: Buffer.from(content), contentType: 'text/csv' },
			{ baseUrl: 'https://chat.example.com', transport: {}, retry: { giveUpAfterMs: 0 } },
		);
		await expect(sending).rejects.toThrow(
			"The file couldn't be uploaded to storage.example.com: Cannot reach storage.example.com now.",
		);
	}
});

describe('A proxy between n8n and the storage', () => {
	const address = 'https://storage.example.com/put?signature=secret';

	/** Uploads a file through a proxy that answers like this, and returns the error. */
	async function failThrough(
		httpRequest: () => Promise<unknown>,
		proxy?: IHttpRequestOptions['proxy'],
	): Promise<ApiError> {
		const settings = { transport: { proxy }, retry: { giveUpAfterMs: 0 } };
		return await upload(
			{ helpers: { httpRequest } } as unknown as Context,
			{ address, content: Buffer.from(content), contentType: 'text/csv' },
			{ baseUrl: 'https://chat.example.com', ...settings },
		).then(
			() => {
				throw new Error('The upload should have failed');
			},
			(error: ApiError) => error,
		);
	}

	const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
		...{ code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 9 },
	});

	test.each([
		[
			'the node',
			{ host: '127.0.0.1', port: 9, protocol: 'http' },
			'Proxy under Request Options in the settings of the node',
		],
		[
			'the environment of n8n',
			undefined,
			'the proxy of n8n (HTTP_PROXY and HTTPS_PROXY in its environment)',
		],
	])('is named in the error if it is down and %s sets it', async (_, proxy, place) => {
		const { what, details } = await failThrough(async () => await Promise.reject(refused), proxy);
		expect(what).toBe("The proxy at 127.0.0.1:9 can't be reached: it refuses connections.");
		expect(details).toMatchObject({
			advice: `Check ${place}, and that the proxy is running.`,
			nothingWas: 'changed',
		});
	});

	test('is used again after it was down for a moment', async () => {
		let tries = 0;
		const httpRequest = async () => {
			if (tries++ === 0) throw refused;
			return await Promise.resolve({ statusCode: 200, headers: {}, body: '' });
		};
		await upload(
			{ helpers: { httpRequest } } as unknown as Context,
			{ address, content: Buffer.from(content), contentType: 'text/csv' },
			{ baseUrl: 'https://chat.example.com', transport: {}, retry: { giveUpAfterMs: 30_000 } },
		);
		expect(tries).toBe(2);
	});

	test('is named in the error if it wants a user and a password', async () => {
		const { what, details } = await failThrough(
			async () => await Promise.resolve({ statusCode: 407, headers: {}, body: '' }),
			{ host: '127.0.0.1', port: 9, protocol: 'http' },
		);
		expect(what).toBe('The proxy at 127.0.0.1:9 asks for a user and a password (407).');
		expect(details.advice).toContain('Enter both in Proxy under Request Options');
	});
});

describe('The domain restriction of the credential', () => {
	const restricted = (allowedDomains: string) => ({
		allowedHttpRequestDomains: 'domains',
		allowedDomains,
	});

	test('applies to uploads', async () => {
		const storage = await ownServer((response) => response.end());
		const address = `http://localhost:${storage.port}/put`;
		const refused = await importTo(address, restricted('127.0.0.1'));
		expect(refused.error?.message).toBe(
			`The file couldn't be uploaded to localhost:${storage.port}: it is not among the credential's Allowed Domains. Nothing was changed. [item 0]`,
		);
		expect(storage.arrived).toEqual([]);
	});

	test('lets uploads reach a host that it names', async () => {
		const storage = await ownServer((response) => response.end());
		const address = `http://127.0.0.1:${storage.port}/put`;
		expect((await importTo(address, restricted('127.0.0.1'))).error?.message).toBeUndefined();
	});
});

describe('The storage of uploads', () => {
	test.each([408, 425, 429, 503])('gets another try after it fails with %d', async (status) => {
		let tries = 0;
		const storage = await ownServer((response) => {
			response.writeHead(tries++ === 0 ? status : 200).end();
		});
		const { error } = await importTo(`http://127.0.0.1:${storage.port}/put`);
		expect(error?.message).toBeUndefined();
		expect(storage.arrived.map(({ body }) => body)).toEqual([content, content]);
	});

	test.each([
		['refuses', 403, 1],
		['goes on failing', 500, 2],
	])('ends the import before it begins if it %s', async (_, status, tries) => {
		const storage = await ownServer((response) => response.writeHead(status).end('<Error/>'));
		const { error, started } = await importTo(
			`http://127.0.0.1:${storage.port}/put?signature=secret`,
		);
		expect(error?.message).toContain(`it answered with status ${status}. Nothing was changed.`);
		expect(JSON.stringify(error)).not.toContain('secret');
		expect(storage.arrived).toHaveLength(tries);
		expect(started).toEqual([]);
	});

	test('is cut off if its answer has no end', async () => {
		const chunk = Buffer.alloc(65_536, 'x');
		const storage = await ownServer((response) => {
			response.writeHead(200);
			const go = () => {
				while (!response.destroyed && response.write(chunk));
			};
			response.on('drain', go);
			go();
		});
		const started = Date.now();
		const { error } = await importTo(`http://127.0.0.1:${storage.port}/put`);
		expect(error?.message).toBeUndefined();
		expect(Date.now() - started).toBeLessThan(30_000);
	});

	test("appears in the error if it can't be reached", async () => {
		const { error } = await importTo('http://127.0.0.1:9/put');
		expect(error?.message).toMatch(
			/^The file couldn't be uploaded to 127\.0\.0\.1:9: .*ECONNREFUSED/,
		);
	});
});
