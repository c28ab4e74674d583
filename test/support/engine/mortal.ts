import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A connection to the service that ends with n8n: from one request on, nothing more arrives, as if
 * somebody had killed the process.
 */

/** Where a kill strikes: before its request reaches the service, or before the answer comes back. */
export interface Kill {
	/** After how many requests. */
	after: number;
	reachesService: boolean;
}

/** A connection, and what ends it. */
export interface Connection {
	url: string;
	/** Ends it, unless the kill has; also for what is under way. */
	close(): Promise<void>;
}

/**
 * Opens a connection to a service.
 *
 * @param onKill is called when the kill strikes
 */
export async function connect(
	url: string,
	kill?: Kill,
	onKill: () => void = () => {},
): Promise<Connection> {
	let requests = 0;
	const server: Server = createServer((incoming, answer) => {
		const isLast = requests === kill?.after;
		const isDead = kill !== undefined && requests > kill.after;
		requests++;
		const die = () => incoming.socket.destroy();
		if (isLast) onKill();
		if (isDead || (isLast && !kill?.reachesService)) {
			die();
			return;
		}
		const { method, headers, url: path = '' } = incoming;
		const outgoing = send(url + path, { method, headers }, (response) => {
			if (isLast) die();
			else answer.writeHead(response.statusCode ?? 500, response.headers);
			if (isLast) response.resume();
			else response.pipe(answer);
		});
		outgoing.once('error', die);
		incoming.pipe(outgoing);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
