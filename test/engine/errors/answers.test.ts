import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeParameters } from 'n8n-workflow';
import { openClient } from '../../../nodes/WorkspaceMessaging/service/client';
import type { Context } from '../../../nodes/WorkspaceMessaging/transport/http';
import { runNode } from '../../support/engine/engine';
import { by, shownOf } from '../../support/engine/helpers';

/* Answers with the status of a success that no reference shows. */

const servers: Server[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) server.close();
});

/** A service that answers every request with the status 200 and this text. */
async function answering(text: string) {
	const methods: string[] = [];
	const server = createServer((request, response) => {
		methods.push(request.method!);
		request.resume();
		response.writeHead(200, { 'content-type': 'application/json' }).end(text);
	});
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const baseUrl = `http://127.0.0.1:${port}`;
	const run = async (parameters: INodeParameters) =>
		await runNode({ parameters, credential: { baseUrl, accessToken: 'a-token' } });
	return { run, methods, baseUrl };
}

const readTags = { resource: 'tag', operation: 'getAll' };
const createTag = { resource: 'tag', operation: 'create', name: 'VIP' };
const block = { resource: 'contact', operation: 'block', identifier: by('id', '7') };
const send = { resource: 'message', operation: 'send', identifier: by('id', '7'), text: 'Hi' };
const UNKNOWN = 'This may or may not have gone through';

describe('JSON with a byte order mark', () => {
	test('is read in a list', async () => {
		const { run } = await answering('\ufeff{"data":[{"id":"1","name":"VIP"}],"pageCount":1}');
		const { json, error } = await run(readTags);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: '1', name: 'VIP' }]);
	});

	test('is read in the answer to a message', async () => {
		const { run } = await answering('\ufeff{"id":"9"}');
		expect((await run(send)).json).toMatchObject([{ messageId: '9' }]);
	});
});

describe('The ID of a message', () => {
	test.each(['{}', '{"queued":true}', '{"id":null}', '{"id":""}', '{"id":{}}', '[]', 'null', ''])(
		'is left out of the output if the service answers %j',
		async (text) => {
			const { run } = await answering(text);
			const { json, error } = await run(send);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ success: true, queued: true }]);
			expect(json[0]).not.toHaveProperty('messageId');
		},
	);

	test.each(['{"id":"9"}', '{"id":9}'])('is text if the service answers %j', async (text) => {
		const { run } = await answering(text);
		expect((await run(send)).json).toMatchObject([{ messageId: '9' }]);
	});
});

describe('A failure with the status 200', () => {
	const unclear = [
		['{"success":false}', 'The service reports a failure (200).'],
		[
			'{"success":false,"message":"Provider timeout"}',
			'The service reports a failure (200): Provider timeout.',
		],
		['{"error":"Database is busy"}', 'The service reports a failure (200): Database is busy.'],
		[
			'{"error":{"message":"Database is busy"}}',
			'The service reports a failure (200): Database is busy.',
		],
	];

	test.each(unclear)('%s leaves open whether a message was sent', async (text, sentence) => {
		const { run, methods } = await answering(text);
		const result = await run(send);
		expect(result.json).toEqual([]);
		expect(shownOf(result)).toContain(sentence);
		expect(shownOf(result)).toContain(UNKNOWN);
		expect(methods).toEqual(['POST']);
	});

	test.each([
		['creates', createTag],
		['has no answer', block],
	])('leaves open what was changed by a request that %s', async (_, parameters) => {
		const { run, methods } = await answering('{"success":false,"message":"Provider timeout"}');
		const result = await run(parameters);
		expect(shownOf(result)).toContain('The service reports a failure (200): Provider timeout.');
		expect(shownOf(result)).toContain(UNKNOWN);
		expect(methods).toEqual(['POST']);
	});

	test.each([
		'{"success":false,"message":"Invalid phone number"}',
		'{"error":"Text is required"}',
		'{"error":"This contact does not exist, so it is not allowed"}',
		'{"success":false,"data":{"issues":[{"path":["text"],"message":"Zu kurz"}]}}',
	])('%s says that a message was not sent', async (text) => {
		const { run, methods } = await answering(text);
		const result = await run(send);
		expect(shownOf(result)).toContain('Nothing was sent.');
		expect(shownOf(result)).not.toContain(UNKNOWN);
		expect(methods).toEqual(['POST']);
	});

	test('has the words of its reason', async () => {
		const { run } = await answering('{"success":false,"code":"INVALID_CHATBOT_TOKEN"}');
		const result = await run(send);
		expect(shownOf(result)).toContain('The service rejected the access token (200).');
		expect(shownOf(result)).toContain('Nothing was sent.');
	});

	test('of a request that reads is an error, and n8n does not ask again', async () => {
		const { run, methods } = await answering('{"success":false,"message":"Database is busy"}');
		const result = await run(readTags);
		expect(shownOf(result)).toContain('The service reports a failure (200): Database is busy.');
		expect(shownOf(result)).not.toContain(UNKNOWN);
		expect(methods).toEqual(['GET']);
	});

	test.each([
		'{"success":true}',
		'{"success":true,"error":"none"}',
		'{"error":null}',
		'{"error":""}',
		'{"error":false}',
		'{"error":{}}',
		'{"error":[]}',
		'{"id":"9","error":"none"}',
		'{"data":{"success":false}}',
	])('is not %s', async (text) => {
		const { run } = await answering(text);
		const { json, error } = await run(send);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ success: true, queued: true }]);
	});
});

test.each(['{"success":false}', '{"error":"expired"}', '\ufeff{"a":1}'])(
	"The answer of a file's storage and a file are what they are: %j",
	async (text) => {
		const { baseUrl } = await answering(text);
		const data = { baseUrl, accessToken: 'a-token' };
		const httpRequest = async ({ url, method, body }: { url: string } & RequestInit) => {
			const response = await fetch(url, { method, body });
			const headers = Object.fromEntries(response.headers);
			const content = Buffer.from(await response.arrayBuffer());
			const stream = (async function* () {
				yield await Promise.resolve(content);
			})();
			return { statusCode: response.status, headers, body: stream };
		};
		const context = {
			getCredentials: async () => await Promise.resolve(data),
			getNode: () => ({ credentials: {} }),
			helpers: { httpRequest },
		} as never as Context;
		const client = await openClient(context);
		const content = Buffer.from('x');
		const file = { address: `${baseUrl}/file`, content, contentType: 'text/csv' };
		await expect(client.upload(context, file)).resolves.toBeUndefined();
		const { signal } = new AbortController();
		const read = await client.download(context, file.address, { name: 'a.json' }, signal);
		expect(read.content.toString()).toBe(text);
	},
);
