import { inspect } from 'node:util';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LoggerProxy } from 'n8n-workflow';

/**
 * Everything of a value that a program could get at, hidden parts and the headers of requests
 * included.
 */
export const everythingOf = (value: unknown) =>
	inspect(value, {
		depth: Infinity,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
		showHidden: true,
	});

/** Stores every line that n8n or the node logs, at all levels, with its metadata. */
export function recordLog(): string[] {
	const lines: string[] = [];
	const log = (...parts: unknown[]) => {
		lines.push(parts.map(everythingOf).join(' '));
	};
	const logger = { scoped: () => logger, debug: log, info: log, warn: log, error: log };
	Container.set(Logger, logger as unknown as Logger);
	LoggerProxy.init(logger);
	return lines;
}

/** A request as it came in at a server of the test's own. */
export interface Arrived {
	method: string;
	url: string;
	host: string;
	authorization: string | undefined;
	body: string;
}

/** A server of the test's own, which answers as it likes. */
interface OwnServer {
	port: number;
	arrived: Arrived[];
}

const servers: Server[] = [];

// Also after a test that failed, which would otherwise keep jest from ending.
afterEach(() => {
	for (const server of servers.splice(0)) {
		server.close();
		server.closeAllConnections();
	}
});

/** Starts a server on this machine that notes what arrives; it ends with the test. */
export async function ownServer(
	answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<OwnServer> {
	const arrived: Arrived[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = '', url = '', headers } = request;
		const body = Buffer.concat(chunks).toString('utf8');
		arrived.push({
			method,
			url,
			host: headers.host ?? '',
			authorization: headers.authorization,
			body,
		});
		answer(response, request);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	servers.push(server);
	return { port: (server.address() as AddressInfo).port, arrived };
}
