import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { z } from 'zod/v4';
import type { errorBodies, faults, wrongShapes } from '../options';

/** The body of an answer: a value as JSON, unchanged text, or a file. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	json?: unknown;
	text?: string;
	/** The bytes of a file. */
	content?: Buffer;
}

type Settings = z.output<typeof faults>;
type FailRule = NonNullable<Settings['fail']>[number];
type HostileRule = NonNullable<Settings['hostile']>[number];

const megabyte = 2 ** 20;

/** What a request without a valid token gets. */
export const unauthorized: Answer = {
	status: 401,
	headers: { 'www-authenticate': 'Bearer' },
	json: { code: 'UNAUTHORIZED', status: 401, message: 'Unauthorized', data: { issues: [] } },
};

/** What a path or method gets that the server does not have. */
export const missing = (status: 404 | 405, headers?: Record<string, string>): Answer => ({
	status,
	headers,
	json:
		status === 404
			? { code: 'NOT_FOUND', status, message: 'Not Found' }
			: { code: 'METHOD_NOT_SUPPORTED', status, message: 'Method Not Allowed' },
});

/** The answer to one request too many from a service that states the wait in words only. */
export const tooManyRequests = (seconds: string): Answer => ({
	status: 429,
	json: {
		defined: false,
		code: 'tooManyRequests',
		status: 429,
		message: `Too many requests. Retry after ${seconds}s.`,
	},
});

/** An error in one of the shapes that services use. */
export function errorAnswer(
	status: number,
	shape: (typeof errorBodies)[number],
	message: string,
	issues: FailRule['issues'] = [],
	code = `HTTP_${status}`,
): Answer {
	const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${message}</h1><hr><p>proxy</p></body></html>\n`;
	switch (shape) {
		case 'json':
			return { status, json: { code, status, message, data: { issues } } };
		case 'message':
			return { status, json: { message } };
		case 'error':
			return { status, json: { error: message } };
		case 'errorObject':
			return { status, json: { error: { message } } };
		case 'errors':
			return { status, json: { errors: [{ message }, ...issues] } };
		case 'text':
			return { status, text: message, headers: { 'content-type': 'text/plain' } };
		case 'html':
			return { status, text: page, headers: { 'content-type': 'text/html' } };
		case 'empty':
			return { status };
	}
}

/** What a rule answers in place of the true answer. */
export function failure(
	{ status, body, message, code, issues, headers, echoToken }: FailRule,
	token: string,
): Answer {
	const text = message ?? `The server said ${status}`;
	const answer = errorAnswer(
		status,
		body ?? 'json',
		echoToken ? `${text} (Authorization: Bearer ${token})` : text,
		issues,
		code,
	);
	return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** Sends an answer in one piece. */
export function send(
	response: ServerResponse,
	{ status, headers, json, text, content }: Answer,
): void {
	const body = json === undefined ? (text ?? content) : JSON.stringify(json);
	if (body === undefined) {
		response.writeHead(status, headers).end();
		return;
	}
	response
		.writeHead(status, {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			...headers,
		})
		.end(body);
}

const shapes: Record<(typeof wrongShapes)[number], unknown> = {
	string: 'surprise',
	number: 42,
	null: null,
	dataNull: { data: null },
	dataString: { data: 'surprise' },
	nested: { data: { data: { items: [] } } },
	listOfNulls: { data: [null, 1, 'a', []], pageCount: 'many' },
	emptyObject: {},
};

/** Sends an answer that no client should break on; reports to `note` how much it sent. */
export function sendHostile(
	response: ServerResponse,
	{ mode, megabytes = 64, shape = 'string' }: HostileRule,
	answer: Answer,
	note: (bytes: number) => void,
): void {
	const start = (headers: Record<string, string> = {}) =>
		response.writeHead(200, { 'content-type': 'application/json', ...headers });
	switch (mode) {
		case 'slow':
			start().write('{"data":[');
			return;
		case 'endless':
			start().write('{"data":[0');
			pour(response, `,${'0,'.repeat(32_767)}0`, Number.POSITIVE_INFINITY, note);
			return;
		case 'huge':
			start().write('{"data":[{"id":"1","name":"');
			pour(response, 'x'.repeat(65_536), megabytes * megabyte, note, '"}]}');
			return;
		case 'gzipBomb':
			start({ 'content-encoding': 'gzip' }).end(bomb(megabytes));
			return;
		case 'notJson':
			start({ 'content-type': 'text/html' }).end(
				'<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>',
			);
			return;
		case 'brokenJson':
			start().end('{"data":[{"id":"1","name":"Ana');
			return;
		case 'cut': {
			const body = answer.text ?? JSON.stringify(answer.json ?? {});
			start({ 'content-length': String(Buffer.byteLength(body) + 1) }).write(body, () =>
				response.destroy(),
			);
			return;
		}
		case 'wrongShape':
			send(response, { status: 200, json: shapes[shape] });
	}
}

/**
 * Writes a piece again and again, as fast as the client reads, until enough was written or it hangs
 * up.
 */
function pour(
	response: ServerResponse,
	piece: string,
	bytes: number,
	note: (bytes: number) => void,
	end = '',
): void {
	let written = 0;
	const more = () => {
		while (written < bytes && !response.destroyed) {
			written += piece.length;
			note(written);
			if (!response.write(piece)) {
				response.once('drain', more);
				return;
			}
		}
		response.end(end);
	};
	more();
}

/**
 * Blank JSON of so many megabytes, compressed: members of a gzip file one after the other are one
 * file.
 */
function bomb(megabytes: number): Buffer {
	const member = gzipSync(Buffer.alloc(megabyte, ' '));
	return Buffer.concat([...Array.from({ length: megabytes }, () => member), gzipSync('{}')]);
}
