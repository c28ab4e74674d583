import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
	JsonObject,
} from 'n8n-workflow';
import type { ApiRequest } from './request';

/** The parts of n8n from which requests can be sent. */
export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export const CREDENTIAL = 'workspaceMessagingApi';

/** The largest answer that is read; a page of lists stays far below. */
const MAX_ANSWER_BYTES = 100 * 1024 * 1024;

/** How long an answer may take to come to its end where no timeout is set. */
const LONGEST_ANSWER_MS = 300_000;

/** Settings of n8n for every request of a node ("Request Options"). */
export type Transport = Pick<
	IHttpRequestOptions,
	'timeout' | 'proxy' | 'skipSslCertificateValidation' | 'allowedDomains'
>;

/** What the service answered, whatever its status. */
export interface HttpResponse {
	status: number;
	headers: IDataObject;
	/** Parsed JSON; the text itself where it is not JSON; undefined where there is none. */
	body: unknown;
	/** Whether the body is text that is not JSON. */
	isText: boolean;
}

/** What kept a request from being answered. */
export interface HttpFailure {
	/** `notSent`: it never reached the service. `broken`: it may have, the answer is missing. `cancelled`: n8n stopped it. */
	kind: 'notSent' | 'broken' | 'cancelled';
	/** Code of the system, such as `ECONNREFUSED`, where there is one. */
	code?: string;
	/** Whether another try can help. */
	isTransient: boolean;
	message: string;
}

/**
 * Sends one request with the credential's token (part 5), once, and reads the answer. Never throws: failures are returned.
 *
 * @param baseUrl the address that the request's path is appended to
 */
export async function sendOnce(
	context: Context,
	{ endpoint, path, query, body, form, idempotencyKey }: ApiRequest,
	baseUrl: string,
	transport: Transport,
): Promise<HttpResponse | HttpFailure> {
	const options: IHttpRequestOptions = {
		...transport,
		method: endpoint.method as IHttpRequestOptions['method'],
		url: baseUrl + path,
		qs: query,
		// Bracket notation with indices: sort[0][field]=createdAt
		arrayFormat: 'indices',
		headers: { Accept: 'application/json', ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) },
		returnFullResponse: true,
		// The status is judged here, with its body and headers at hand.
		ignoreHttpStatusErrors: true,
		// A redirect is reported, not followed: the token goes to the base URL's origin only.
		disableFollowRedirect: true,
		// n8n sends credentials along by default; this holds should redirects ever be followed.
		sendCredentialsOnCrossOriginRedirect: false,
		// Read here, so that an endless answer or one that unpacks to gigabytes comes to an end.
		encoding: 'stream',
	};
	if (endpoint.body) {
		options.body = form?.content ?? (body as IDataObject);
		options.headers = { ...options.headers, 'Content-Type': form?.contentType ?? 'application/json' };
	}
	const ending = withTimeout(context);
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			ending.context,
			CREDENTIAL,
			options,
		)) as IN8nHttpFullResponse;
		// The most frequent answer has nothing to read.
		const text =
			response.statusCode === 204
				? skip(response.body)
				: await readText(response.body, () => ending.after(transport.timeout ?? LONGEST_ANSWER_MS));
		return { status: response.statusCode, headers: response.headers, ...parse(text) };
	} catch (error) {
		return ending.isLate() ? tooLate : classify(error);
	} finally {
		ending.dispose();
	}
}

const tooLate: HttpFailure = {
	kind: 'broken',
	code: 'ETIMEDOUT',
	isTransient: true,
	message: 'The answer took too long',
};

/**
 * Ends a request when the execution is cancelled or when its answer does not come to an end. Only n8n's own signal for
 * this closes the connection: a stream of an answer that has stopped cannot be closed by itself.
 */
function withTimeout(context: Context) {
	const controller = new AbortController();
	const cancelled = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const end = () => controller.abort();
	if (cancelled?.aborted) end();
	cancelled?.addEventListener('abort', end, { once: true });
	let late: AbortSignal | undefined;
	return {
		context: Object.assign(Object.create(context) as Context, {
			getExecutionCancelSignal: () => controller.signal,
		}),
		/** Ends it after so many milliseconds. */
		after(ms: number) {
			late = AbortSignal.timeout(ms);
			late.addEventListener('abort', end, { once: true });
		},
		isLate: () => late?.aborted === true && cancelled?.aborted !== true,
		dispose() {
			cancelled?.removeEventListener('abort', end);
			late?.removeEventListener('abort', end);
		},
	};
}

function skip(body: unknown): string {
	(body as { resume?: () => void } | undefined)?.resume?.();
	return '';
}

async function readText(body: unknown, onStart: () => void): Promise<string> {
	if (typeof body === 'string') return body;
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body))
		return JSON.stringify(body ?? '');
	onStart();
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_ANSWER_BYTES) {
			throw Object.assign(new Error('The answer is too large'), { code: 'TOO_LARGE' });
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): { body: unknown; isText: boolean } {
	if (text.trim() === '') return { body: undefined, isText: false };
	try {
		return { body: JSON.parse(text) as unknown, isText: false };
	} catch {
		return { body: text, isText: true };
	}
}

/** Failures of which it is certain that the request did not reach the service, and that may pass. */
const NOT_REACHED = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'EMFILE',
];

function classify(error: unknown): HttpFailure {
	const { code, syscall, response } = codeOf(error);
	const message = error instanceof Error ? error.message : String(error);
	if (code === 'ERR_CANCELED') return { kind: 'cancelled', code, isTransient: false, message };
	if (code === 'TOO_LARGE') return { kind: 'broken', code, isTransient: false, message };
	if (code && (NOT_REACHED.includes(code) || syscall === 'connect'))
		return { kind: 'notSent', code, isTransient: true, message };
	if (isTlsFailure(code)) return { kind: 'notSent', code, isTransient: false, message };
	// Without a code of the network nothing was sent: the credential or n8n itself refused the request.
	if (!code && !response) return { kind: 'notSent', isTransient: false, message };
	return { kind: 'broken', code, isTransient: true, message };
}

/** Whether the secure connection could not be made, by the code of Node.js or OpenSSL; nothing was sent then. */
export function isTlsFailure(code?: string): boolean {
	return (
		code !== undefined &&
		/CERT|SELF_SIGNED|SSL|EPROTO|ERR_TLS|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA/.test(code)
	);
}

/** Looks for the network's own error inside those that n8n wraps around it. */
function codeOf(error: unknown): { code?: string; syscall?: string; response?: boolean } {
	for (
		let at = error as JsonObject | undefined, depth = 0;
		at && depth < 5;
		at = at.cause as JsonObject | undefined, depth++
	) {
		if (typeof at.code === 'string') {
			// A host with several addresses that were all tried in vain has an error for each.
			const [tried] = Array.isArray(at.errors) ? (at.errors as JsonObject[]) : [at];
			return {
				code: at.code,
				syscall: (at.syscall ?? tried?.syscall) as string | undefined,
				response: at.response !== undefined,
			};
		}
	}
	return {};
}
