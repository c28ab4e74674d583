import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { ApiError, rejected } from './errors/errors';
import type { Context, Transport } from './http';
import { pause } from './pause';
import { retryDelayMs } from './retry';
import type { RetrySettings } from './retry';

/** A file, and where the service wants it. */
export interface Upload {
	/** Address that the service has given for this file, with what proves that it was. */
	address: string;
	content: Buffer;
	/** MIME type, the one that the service was told. */
	contentType: string;
}

/** How a file is sent. */
export interface UploadSettings {
	/** The Base URL of the credential. */
	baseUrl: string;
	/** n8n's own settings for requests. */
	transport: Transport;
	retry: RetrySettings;
	/** Ends it when the execution is cancelled. */
	signal?: AbortSignal;
}

/** How often it is sent again after a failure that may pass. */
const MAX_RETRIES = 3;

/** How long it may take in all; the timeout of a request is meant for answers. */
const LONGEST_UPLOAD_MS = 300_000;

/** Statuses below 500 that say to come again: a timeout, too early, too many requests. */
const MAY_PASS = [408, 425, 429];

/** Bytes of the answer that are read at most; nothing is made of them. */
const MAX_ANSWER_BYTES = 65_536;

/** Why a try failed, in words, and whether another can help. */
interface Failure {
	reason: string;
	isTransient: boolean;
}

/**
 * Puts a file to an address that the service has given for it, which can be that of another host: without the access token,
 * without following redirects, and over https, or over http where the Base URL is http, too. A credential that n8n restricts
 * to some domains is kept to these here as well, although it is not sent: what leaves n8n in its name is what was restricted.
 *
 * Putting the same file to the same address twice does nothing twice, so failures that may pass are repeated.
 * Throws an `ApiError` that names the host, never the address, which is as good as a key.
 */
export async function upload(context: Context, file: Upload, settings: UploadSettings): Promise<void> {
	const { retry, signal } = settings;
	const { host } = checkedAddress(file.address, settings.baseUrl);
	const startedAt = performance.now();
	for (let repeats = 0; ; repeats++) {
		const failure = await put(context, file, settings);
		if (!failure) return;
		if (signal?.aborted) throw new ApiError('The execution was cancelled.', { outcome: 'notSent' });
		const delayMs = retryDelayMs(repeats);
		const hasTime = performance.now() - startedAt + delayMs < retry.giveUpAfterMs;
		if (!failure.isTransient || repeats >= (retry.maxRetries ?? MAX_RETRIES) || !hasTime)
			throw rejected(`The file could not be uploaded to ${host}: ${failure.reason}.`);
		await pause(delayMs, signal);
	}
}

function checkedAddress(address: string, baseUrl: string): URL {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && baseUrl.startsWith('http:'));
	if (url && isSafe && !url.username && !url.password) return url;
	throw rejected(
		'The service has given an address for the file that is not safe, so nothing was uploaded.',
		'It must begin with https:// and hold no password.',
	);
}

/** Sends the file once; undefined when it has arrived. */
async function put(
	context: Context,
	{ address, content, contentType }: Upload,
	{ transport: { timeout = 0, ...transport }, signal }: UploadSettings,
): Promise<Failure | undefined> {
	const late = AbortSignal.timeout(Math.max(timeout, LONGEST_UPLOAD_MS));
	const options: IHttpRequestOptions = {
		...transport,
		method: 'PUT',
		url: address,
		body: content,
		headers: { 'Content-Type': contentType },
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		// Read here, so that an answer without end comes to one.
		encoding: 'stream',
		abortSignal: signal ? AbortSignal.any([signal, late]) : late,
	};
	try {
		const { statusCode, body } = (await context.helpers.httpRequest(options)) as IN8nHttpFullResponse;
		await skip(body);
		if (statusCode >= 200 && statusCode < 300) return undefined;
		return {
			reason: `it answered with status ${statusCode}`,
			isTransient: statusCode >= 500 || MAY_PASS.includes(statusCode),
		};
	} catch (error) {
		const { message } = error as Error;
		if (/domain not allowed/i.test(message))
			return { reason: 'it is not among the Allowed Domains of the credential', isTransient: false };
		if (late.aborted) return { reason: 'it took too long', isTransient: false };
		// What n8n says can hold the address.
		const { host, href } = new URL(address);
		return { reason: message.replaceAll(address, host).replaceAll(href, host), isTransient: true };
	}
}

async function skip(body: unknown) {
	let size = 0;
	for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_ANSWER_BYTES) return;
	}
}
