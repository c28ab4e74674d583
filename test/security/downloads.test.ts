import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { ownServer } from '../support/engine/record';
import { TriggerHost } from '../support/engine/triggerHost';
import { testWorkspace } from '../support/engine/workspace';

/* Files of messages are at addresses that the service chooses, which may be anybody's. */

/**
 * Lets a contact write a message whose file is at a server with this answer, and returns the
 * attachment of the item.
 */
async function download(
	answer: (response: ServerResponse, request: { url?: string }) => void,
	credential: IDataObject = {},
	attachment: IDataObject = {},
) {
	const { port, arrived } = await ownServer(answer);
	const { workspace } = await testWorkspace({ contacts: 1, service: 'newer' });
	const host = new TriggerHost(
		{ baseUrl: workspace.url, accessToken: workspace.token, ...credential },
		{ event: 'messageReceived', options: { downloadAttachments: true } },
	);
	await host.activate();
	const [contact] = (await workspace.state()).contacts;
	const attachments = [{ url: `http://localhost:${port}/photo.jpg`, ...attachment }];
	await workspace.write(`id:${contact.id}`, { text: 'Look', attachments });
	const [item] = (await host.poll()) as Array<IDataObject & { attachments: IDataObject[] }>;

	expect(item.text).toBe('Look');
	return { attachment: item.attachments[0], arrived };
}

test('A download carries no token', async () => {
	const { attachment, arrived } = await download((response) => response.end('A photo'));

	expect(attachment).toHaveProperty('binary');
	expect(arrived.map(({ authorization }) => authorization)).toEqual([undefined]);
});

test('A download follows no redirect', async () => {
	const { attachment, arrived } = await download((response, { url }) =>
		url === '/photo.jpg'
			? response.writeHead(302, { location: '/secret' }).end()
			: response.end('Secret'),
	);

	expect(attachment.error).toContain('it answered with status 302');
	expect(arrived.map(({ url }) => url)).toEqual(['/photo.jpg']);
});

test('A download without end is given up, and the message stays', async () => {
	const megabyte = Buffer.alloc(1024 * 1024);
	const { attachment } = await download((response) => {
		const more = () => {
			while (!response.destroyed && response.write(megabyte));
			response.once('drain', more);
		};
		more();
	});

	expect(attachment.error).toContain('it is larger than 100 MB');
});

test('A download keeps to the Allowed Domains of the credential', async () => {
	const { attachment, arrived } = await download((response) => response.end('A photo'), {
		allowedHttpRequestDomains: 'domains',
		allowedDomains: '127.0.0.1',
	});

	expect(attachment.error).toContain("it is not among the credential's Allowed Domains");
	expect(arrived).toEqual([]);
});

test.each([
	['says what the file is', { mimeType: 'image/jpeg' }],
	['only names it', {}],
])(
	'A web page is no photo: an expired link can answer with one (the service %s)',
	async (_, attachment) => {
		const page = { 'content-type': 'text/html; charset=utf-8' };
		const result = await download(
			(response) => response.writeHead(200, page).end('<p>Expired</p>'),
			{},
			attachment,
		);
		expect(result.attachment.error).toMatch(
			/^The file couldn't be downloaded from localhost:\d+: it answered with a web page\.$/,
		);
		expect(result.attachment).not.toHaveProperty('binary');
	},
);

test('A web page that a contact has sent is downloaded', async () => {
	const page = { 'content-type': 'text/html' };
	const { attachment } = await download(
		(response) => response.writeHead(200, page).end('<p>Hi</p>'),
		{},
		{
			mimeType: 'text/html',
		},
	);
	expect(attachment).toHaveProperty('binary');
});

test.each([
	['of a known size', { size: 5, mimeType: 'text/plain' }],
	['of a photo', {}],
])('An empty answer is no file %s', async (_, announced) => {
	const { attachment } = await download((response) => response.end(), {}, announced);
	expect(attachment.error).toMatch(/: the file is empty\.$/);
	expect(attachment).not.toHaveProperty('binary');
});

test('An error about a download does not show its address, which is as good as a key', async () => {
	const { attachment } = await download((response) => response.writeHead(403).end());

	expect(attachment.error).toContain('it answered with status 403');
	expect(attachment.error).not.toContain('photo.jpg');
});

test('A file that is shorter than its own Content-Length is no file', async () => {
	const { attachment } = await download((response) => {
		response.writeHead(200, { 'content-length': 2000 }).write('x'.repeat(50));
		setTimeout(() => response.socket?.end(), 20);
	});
	expect(attachment.error).toMatch(/: the connection broke before the whole file had arrived\.$/);
	expect(attachment).not.toHaveProperty('binary');
});

test('A compressed file is whole, although its Content-Length is another one', async () => {
	const packed = gzipSync(randomBytes(2000));
	const headers = { 'content-encoding': 'gzip', 'content-length': packed.length };
	const { attachment } = await download((response) => response.writeHead(200, headers).end(packed));
	expect(attachment).toHaveProperty('binary');
});

const PAGE = '\n<!DOCTYPE html><html><body>Log in</body></html>';
const JSON_ERROR = '{"error":"Link expired"}';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XML_ERROR = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';

test.each<[string, IDataObject, string, string]>([
	['JSON', { mimeType: 'image/jpeg' }, 'application/json', JSON_ERROR],
	['JSON', { mimeType: 'audio/ogg; codecs=opus' }, 'application/octet-stream', JSON_ERROR],
	['JSON', { mimeType: 'application/pdf', name: 'bill' }, 'text/plain', ' [1]'],
	['JSON', { name: 'voice.OGG' }, 'application/json', JSON_ERROR],
	['JSON', { mimeType: 'application/octet-stream', name: 'a.mp4' }, 'text/plain', JSON_ERROR],
	['JSON', { mimeType: '', name: 'a.jpg' }, 'application/json', JSON_ERROR],
	['JSON', { mimeType: DOCX, name: 'bill' }, 'application/json', JSON_ERROR],
	['JSON', {}, 'application/problem+json', `\ufeff${JSON_ERROR}`],
	['a web page', { mimeType: 'video/mp4' }, 'application/octet-stream', PAGE],
	['a web page', { mimeType: 'image/png' }, 'image/png', PAGE],
	['a web page', { mimeType: 'image/webp' }, 'application/xml', XML_ERROR],
])('%s is no file of %j (%s)', async (what, announced, type, content) => {
	const { attachment } = await download(
		(response) => response.writeHead(200, { 'content-type': type }).end(content),
		{},
		announced,
	);
	expect(attachment.error).toContain(`: it answered with ${what}.`);
	expect(attachment).not.toHaveProperty('binary');
});

test.each<[IDataObject, string, string]>([
	[{ mimeType: 'application/json' }, 'application/json', JSON_ERROR],
	[{ name: 'data.json' }, 'application/octet-stream', JSON_ERROR],
	[{ mimeType: 'text/html' }, 'text/html', PAGE],
	[{ mimeType: 'application/octet-stream', name: 'page.html' }, 'text/html', PAGE],
	[{ mimeType: 'application/octet-stream', name: 'a.json' }, 'text/plain', JSON_ERROR],
	[{ mimeType: 'image/svg+xml' }, 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
	[{ mimeType: 'text/plain', name: 'notes.txt' }, 'text/plain', '[ ] Milk'],
	[{ mimeType: 'application/xml' }, 'application/xml', XML_ERROR],
	[{ mimeType: 'image/jpeg' }, 'application/json', '\xff\xd8\xff\xe0'],
])('A file of %j is one, with the type %s', async (announced, type, content) => {
	const { attachment } = await download(
		(response) => response.writeHead(200, { 'content-type': type }).end(content, 'latin1'),
		{},
		announced,
	);
	expect(attachment).toHaveProperty('binary');
});
