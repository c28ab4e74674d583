import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { CREDENTIAL } from './credential';
import { isObject, isTlsFailure } from './guards';
import type { ApiRequest } from './request';

/** The parts of n8n that can send requests. */
export type Context =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

/** The longest answer that n8n reads; a page of a list is far shorter. */
const MAX_ANSWER_BYTES = 100 * 1024 * 1024;

/** How long an answer may take to end if no timeout is set. */
const LONGEST_ANSWER_MS = 300_000;

/** n8n's own settings for the requests of a node ("Request Options"). */
export type Transport = Pick<
	IHttpRequestOptions,
	'timeout' | 'proxy' | 'skipSslCertificateValidation' | 'allowedDomains'
>;

/** An answer of the service, whatever its status. */
export interface HttpResponse {
	status: number;
	headers: IDataObject;
	/** Parsed JSON, or the text if it is not JSON; undefined if empty. */
	body: unknown;
	/** Whether the body is text that is not JSON. */
	isText: boolean;
}

/** Why a request got no answer. */
export interface HttpFailure {
	status?: undefined;
	/** `notSent`: it never reached the service. `broken`: it may have, the answer is missing. `cancelled`: n8n stopped it. */
	kind: 'notSent' | 'broken' | 'cancelled';
	/** Code of the system, such as `ECONNREFUSED`, if there is one. */
	code?: string;
	/** Whether another try can help. */
	isTransient: boolean;
	message: string;
}

/** Settings that every request has. */
export const commonOptions = {
	returnFullResponse: true,
	// The sender judges the status, with body and headers at hand.
	ignoreHttpStatusErrors: true,
	// A redirect is reported, not followed: the token goes to the Base URL's origin only.
	disableFollowRedirect: true,
	// The sender reads the stream, so that it can end an answer without end, or one that unpacks to gigabytes.
	encoding: 'stream',
} satisfies Partial<IHttpRequestOptions>;

/**
 * Sends one request with the credential's token (part 5), once, and reads the answer. Never throws: it returns failures.
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
		...commonOptions,
		method: endpoint.method,
		url: baseUrl + path,
		qs: query,
		// Bracket notation with indices: sort[0][field]=createdAt
		arrayFormat: 'indices',
		headers: {
			Accept: 'application/json',
			...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
			...(endpoint.body && { 'Content-Type': form?.contentType ?? 'application/json' }),
		},
		// n8n sends credentials along by default; this holds should redirects ever be followed.
		sendCredentialsOnCrossOriginRedirect: false,
		...(endpoint.body && { body: form?.content ?? (body as IDataObject) }),
	};
	const ending = withTimeout(context);
	try {
		const send = context.helpers.httpRequestWithAuthentication;
		const response: IN8nHttpFullResponse = await send.call(ending.context, CREDENTIAL, options);
		const text = await readText(response, () => ending.after(transport.timeout ?? LONGEST_ANSWER_MS));
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
 * Ends a request when the execution is cancelled or when its answer takes too long to end. Only n8n's own signal for this
 * closes the connection: a stream of an answer that has stopped cannot be closed by itself.
 */
function withTimeout(context: Context) {
	const controller = new AbortController();
	const cancelled = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const end = () => controller.abort();
	if (cancelled?.aborted) end();
	cancelled?.addEventListener('abort', end, { once: true });
	let late: AbortSignal | undefined;
	return {
		context: Object.assign<Context, object>(Object.create(context), {
			getExecutionCancelSignal: () => controller.signal,
		}),
		/** Ends the request after so many milliseconds. */
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

async function readText({ statusCode, body }: IN8nHttpFullResponse, onStart: () => void): Promise<string> {
	if (typeof body === 'string') return body;
	if (!isStream(body)) return JSON.stringify(body ?? '');
	if (statusCode === 204) {
		// The most frequent answer has nothing to read.
		body.resume();
		return '';
	}
	onStart();
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > MAX_ANSWER_BYTES) {
			throw Object.assign(new Error('The answer is too large'), { code: 'TOO_LARGE' });
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

export const isStream = (body: unknown): body is AsyncIterable<Buffer> & { resume(): void } =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

function parse(text: string): { body: unknown; isText: boolean } {
	if (text.trim() === '') return { body: undefined, isText: false };
	try {
		return { body: JSON.parse(text), isText: false };
	} catch {
		return { body: text, isText: true };
	}
}

/** Failures that certainly happened before the request reached the service, and that may pass. */
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
	const { code, isConnecting, hasAnswer } = networkError(error);
	const message = error instanceof Error ? error.message : String(error);
	const failure = (kind: HttpFailure['kind'], isTransient: boolean) => ({ kind, code, isTransient, message });
	if (code === 'ERR_CANCELED') return failure('cancelled', false);
	if (code === 'TOO_LARGE') return failure('broken', false);
	if (code && (NOT_REACHED.includes(code) || isConnecting)) return failure('notSent', true);
	// Without a code of the network nothing was sent: the credential or n8n itself refused the request.
	if (isTlsFailure(code) || (!code && !hasAnswer)) return failure('notSent', false);
	return failure('broken', true);
}

/** Errors inside one another that `networkError` looks at; a chain of causes can be a circle. */
const DEEPEST_CAUSE = 10;

/** Finds the network's own error inside those that n8n wraps around it. */
function networkError(
	error: unknown,
	depth = 0,
): { code?: string; isConnecting?: boolean; hasAnswer?: boolean } {
	if (!isObject(error) || depth > DEEPEST_CAUSE) return {};
	const { code, errors, response, cause } = error;
	if (typeof code !== 'string') return networkError(cause, depth + 1);
	// A host with several addresses has an error for each that was tried.
	const [tried]: unknown[] = Array.isArray(errors) ? errors : [];
	const isConnecting = [error, tried].some((each) => isObject(each) && each.syscall === 'connect');
	return { code, isConnecting, hasAnswer: response !== undefined };
}
