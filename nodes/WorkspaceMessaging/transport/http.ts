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
import { CREDENTIAL, type Credential } from './credential';
import { classifyFailure, type HttpFailure } from './errors/networkFailure';
import { isObject, isObjectOrList } from './guards';
import { describeProxy, findUnreachableProxy, type FailedProxy } from './proxy';
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
	/** The proxy that the node sets; it may have answered in place of the service. */
	proxy?: FailedProxy;
}

/** What became of a request that was sent once. */
export type HttpResult = HttpResponse | HttpFailure;

/** Settings that every request has. */
export const commonOptions = {
	returnFullResponse: true,
	// The sender judges the status, with body and headers at hand.
	ignoreHttpStatusErrors: true,
	// A redirect is reported, not followed: the token goes to the Base URL's origin only.
	disableFollowRedirect: true,
	// n8n reads a stream only as far as it allows: an answer can have no end, or unpack to gigabytes.
	encoding: 'stream',
} satisfies Partial<IHttpRequestOptions>;

/**
 * Sends one request with the credential's token (part 5), once, and reads the answer. Never throws:
 * it returns failures.
 *
 * n8n gets the decrypted credential along with the request. Otherwise it would decrypt it again for
 * each request, which takes most of a poll's processor time. Either way, it calls `authenticate` of
 * the credential.
 */
export async function exchange(
	context: Context,
	request: ApiRequest,
	{ baseUrl, data }: Pick<Credential, 'baseUrl' | 'data'>,
	transport: Transport,
): Promise<HttpResult> {
	const options = { ...transport, ...toOptions(request, baseUrl) };
	// n8n uses only the data.
	const credentialsDecrypted = { id: CREDENTIAL, name: CREDENTIAL, type: CREDENTIAL, data };
	const ending = withTimeout(context);
	try {
		const send = context.helpers.httpRequestWithAuthentication;
		const response: IN8nHttpFullResponse = await send.call(ending.context, CREDENTIAL, options, {
			credentialsDecrypted,
		});
		const endInTime = () => ending.after(transport.timeout ?? LONGEST_ANSWER_MS);
		const text = await readAnswer(response, endInTime);
		const { statusCode: status, headers } = response;
		const proxy = transport.proxy && describeProxy(transport.proxy);
		return { status, headers, ...parseBody(text), proxy };
	} catch (error) {
		if (ending.isLate())
			return { kind: 'broken', code: 'ETIMEDOUT', isTransient: true, message: '' };
		const failure = classifyFailure(error);
		const { kind, code } = failure;
		if (kind !== 'notSent') return failure;
		const proxy = findUnreachableProxy(error, code, transport.proxy, baseUrl);
		return { ...failure, proxy };
	} finally {
		ending.dispose();
	}
}

/** Returns a request in the form of n8n's helpers. */
function toOptions(
	{ endpoint, path, query, body, form, idempotencyKey }: ApiRequest,
	baseUrl: string,
) {
	const headers: IDataObject = { Accept: 'application/json' };
	if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
	const options: IHttpRequestOptions = {
		...commonOptions,
		method: endpoint.method,
		url: baseUrl + path,
		qs: query,
		// Bracket notation with indices: sort[0][field]=createdAt
		arrayFormat: 'indices',
		headers,
		// n8n sends credentials along by default; this holds should redirects ever be followed.
		sendCredentialsOnCrossOriginRedirect: false,
	};
	if (!endpoint.body) return options;
	headers['Content-Type'] = form?.contentType ?? 'application/json';
	options.body = form?.content ?? (body as IDataObject);
	return options;
}

/** Returns a context whose requests n8n ends when the signal says so. */
export const withCancelSignal = (context: Context, signal: AbortSignal) =>
	Object.assign<Context, object>(Object.create(context), {
		getExecutionCancelSignal: () => signal,
	});

/**
 * Ends a request when the execution is cancelled or when its answer takes too long to end. Only
 * n8n's own signal for this closes the connection: a stream of an answer that has stopped cannot be
 * closed by itself.
 */
function withTimeout(context: Context) {
	const controller = new AbortController();
	const cancelled =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const end = () => controller.abort();
	if (cancelled?.aborted) end();
	const whenCancelled = cancelled && listOnAbort(cancelled);
	whenCancelled?.add(end);
	let late: AbortSignal | undefined;
	return {
		context: withCancelSignal(context, controller.signal),
		/** Ends the request after so many milliseconds. */
		after(ms: number) {
			late = AbortSignal.timeout(ms);
			late.addEventListener('abort', end, { once: true });
		},
		isLate: () => late?.aborted === true && cancelled?.aborted !== true,
		dispose() {
			whenCancelled?.delete(end);
			late?.removeEventListener('abort', end);
		},
	};
}

/**
 * What to call when a signal aborts. It has one listener for all: adding one to a thousand others
 * takes Node.js a thousand steps.
 */
const calledOnAbort = new WeakMap<AbortSignal, Set<() => void>>();

/** Returns the functions that are called when a signal aborts, to add to and to delete from. */
function listOnAbort(signal: AbortSignal) {
	const known = calledOnAbort.get(signal);
	if (known) return known;
	const calls = new Set<() => void>();
	calledOnAbort.set(signal, calls);
	const callAll = () => {
		for (const call of calls) call();
	};
	signal.addEventListener('abort', callAll, { once: true });
	return calls;
}

async function readAnswer({ statusCode, body }: IN8nHttpFullResponse, onStart: () => void) {
	if (typeof body === 'string') return body;
	if (!isStream(body)) return JSON.stringify(body ?? '');
	if (statusCode === 204) {
		// The most frequent answer has nothing to read.
		body.resume();
		return '';
	}
	onStart();
	const content = await readStream(body, MAX_ANSWER_BYTES);
	if (!content) throw Object.assign(new Error('The answer is too large'), { code: 'TOO_LARGE' });
	return content.toString('utf8');
}

/** Reads a stream to its end; undefined if it has more bytes than `max`. */
export async function readStream(
	stream: AsyncIterable<Buffer>,
	max: number,
): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += chunk.length;
		if (size > max) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

export const isStream = (body: unknown): body is AsyncIterable<Buffer> & { resume(): void } =>
	isObjectOrList(body) && Symbol.asyncIterator in body;

function parseBody(text: string): { body: unknown; isText: boolean } {
	// Without the byte order mark that some servers write before JSON.
	const json = text.trim();
	if (json === '') return { body: undefined, isText: false };
	try {
		return { body: JSON.parse(json), isText: false };
	} catch {
		return { body: text, isText: true };
	}
}

/** Whether a status says that a request succeeded. */
export const isSuccessStatus = (status: number) => status >= 200 && status < 300;

/**
 * Whether an answer reports a failure, whatever its status: `success` is false at its top, or there
 * is nothing but an `error` that says something.
 */
export function reportsFailure({ body }: HttpResponse): boolean {
	if (!isObject(body)) return false;
	if (body.success === false) return true;
	const keys = Object.keys(body);
	return keys.length === 1 && saysSomething(body.error);
}

function saysSomething(value: unknown) {
	if (typeof value === 'string') return value.trim() !== '';
	if (isObjectOrList(value)) return Object.keys(value).length > 0;
	return Boolean(value);
}
