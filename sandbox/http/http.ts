import type { IncomingMessage } from 'node:http';
import { malformed } from './problems';

/** The only address that the sandbox listens on. */
export const host = '127.0.0.1';

/** Returns the body of a request, or undefined. */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
	if (
		request.headers['content-length'] === undefined &&
		request.headers['transfer-encoding'] === undefined
	) {
		return Promise.resolve(undefined);
	}
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		request
			.on('data', (chunk: Buffer) => chunks.push(chunk))
			.on('end', () => resolve(chunks.length === 0 ? undefined : Buffer.concat(chunks)))
			.on('error', reject);
	});
}

function parseJson(body: string | undefined, contentType: string | undefined): unknown {
	if (body === undefined) return undefined;
	if (!contentType?.startsWith('application/json'))
		throw malformed('The Content-Type must be application/json');
	try {
		return JSON.parse(body);
	} catch {
		throw malformed('The body is not valid JSON');
	}
}

/** The request in the form that oRPC's handlers take. */
export const standard = (
	request: Pick<IncomingMessage, 'method' | 'headers'>,
	path: string,
	body: string | undefined,
) => ({
	method: request.method ?? 'GET',
	url: new URL(`http://${host}${path}`),
	headers: request.headers,
	body: async () => parseJson(body, request.headers['content-type']),
	signal: undefined,
});

/** The bearer token that a request carries. */
export const tokenOf = (request: IncomingMessage) =>
	/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];

/**
 * The token in a request's query: an old form of access that newer and older services still take.
 */
export const queryTokenOf = (request: IncomingMessage) =>
	new URLSearchParams(request.url?.split('?')[1]).get('token') ?? undefined;
