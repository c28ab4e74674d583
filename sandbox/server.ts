import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { errorAnswer, missing, send, unauthorized } from './http/answers';
import { control } from './control';
import type { Sandboxes } from './control/base';
import { answer } from './http/answer';
import { openApiDocument } from './openapi';
import type { ServiceName } from './services/names';
import { FileStorage } from './files/storage';
import { recordUnknownRequest } from './http/unknownRequests';
import { host, readBody, standard } from './http/http';

/** Where a running sandbox can be reached. */
export interface SandboxAddress {
	/** Base URL of the API. */
	url: string;
	/** A second origin, to which a token should never go. */
	otherUrl: string;
}

/** A running sandbox. */
interface RunningSandbox extends SandboxAddress {
	sandboxes: Sandboxes;
	close(): void;
}

/** Answers a request to the first origin. */
async function serve(
	sandboxes: Sandboxes,
	otherUrl: string,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const body = await readBody(request);
	const path = request.url ?? '/';
	if (/^\/_sandbox\/workspaces\/[^/?]+\/chat$/.test(path)) {
		const text = await readFile(join(__dirname, 'chat.html'), 'utf8');
		send(response, { status: 200, text, headers: { 'content-type': 'text/html; charset=utf-8' } });
	} else if (path.startsWith('/_sandbox')) {
		const result = await control.handle(standard(request, path, body?.toString()), {
			context: sandboxes,
		});
		send(
			response,
			result.matched
				? { status: result.response.status, json: result.response.body }
				: missing(404),
		);
	} else if (path === '/openapi.json') {
		send(response, { status: 200, json: await openApiDocument() });
	} else if (!path.startsWith('/')) {
		// A request to a proxy names its whole URL.
		send(response, missing(404));
	} else {
		await answer(sandboxes, otherUrl, request, response, body);
	}
}

async function listen(
	port: number,
	listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
	// A busy test sees late that an idle connection was closed, and would send on it: none is closed.
	const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, listener);
	await new Promise<void>((resolve, reject) => {
		// Clients open a connection for every request, thousands at once: the usual backlog would
		// refuse some.
		server.once('error', reject).listen({ port, host, backlog: 4096 }, resolve);
	});
	return server;
}

const urlOf = (server: Server) => `http://${host}:${(server.address() as AddressInfo).port}`;

/** Starts a sandbox on this machine only; port 0 selects any free port. */
export async function startServer(ports: {
	port: number;
	otherPort: number;
	/** What workspaces stand for that do not say it themselves; `reference` when left out. */
	service?: ServiceName;
}): Promise<RunningSandbox> {
	const sandboxes: Sandboxes = {
		workspaces: new Map(),
		unknownRequests: [],
		storage: new FileStorage(),
		service: ports.service ?? 'reference',
	};
	const serveOther = async (request: IncomingMessage, response: ServerResponse) => {
		const { method = '', url = '', headers } = request;
		const body = await readBody(request);
		const ofStorage = sandboxes.storage.answer(method, url, headers, body);
		if (ofStorage) {
			send(response, ofStorage);
			return;
		}
		// A token that reaches this origin has leaked; the answer looks like success, as a thief's
		// would.
		const answered =
			headers.authorization === undefined ? unauthorized : { status: 200, json: { data: [] } };
		recordUnknownRequest(sandboxes, 'other', request, answered.status);
		send(response, answered);
	};
	const other = await listen(ports.otherPort, (request, response) => {
		// What breaks off before it was read gets no answer.
		serveOther(request, response).catch(() => response.destroy());
	});
	const otherUrl = urlOf(other);
	sandboxes.storage.url = otherUrl;
	const server = await listen(ports.port, (request, response) => {
		serve(sandboxes, otherUrl, request, response).catch((error: unknown) => {
			if (response.destroyed || response.headersSent) {
				response.destroy();
				return;
			}
			console.error(error);
			send(response, errorAnswer(500, 'json', String(error)));
		});
	});
	return {
		url: urlOf(server),
		otherUrl,
		sandboxes,
		close() {
			for (const workspace of sandboxes.workspaces.values()) workspace.close();
			for (const each of [server, other]) {
				each.close();
				each.closeAllConnections();
			}
		},
	};
}
