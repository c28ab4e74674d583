import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { ApiError } from './errors/ApiError';
import {
	adviseUnreachable,
	describeUnreachable,
	explainAskingProxy,
} from './errors/connectionErrors';
import { findNetworkError } from './errors/networkFailure';
import { commonOptions, isStream, readStream, type Context, type Transport } from './http';
import { isLoopback, isSpecialHost, readHost } from './hosts';
import { describeProxy, findUnreachableProxy, PROXY_WANTS_PASSWORD } from './proxy';
import { pause, retryDelayMs } from './retry/delays';
import type { RetrySettings } from './retry/settings';

/** A file, and where the service wants it. */
export interface Upload {
	/** The address that the service returned for this file; whoever has it can upload. */
	address: string;
	content: Buffer;
	/** MIME type, the same as in the request for the address. */
	contentType: string;
}

/** What a service says about a file. */
export interface ExpectedFile {
	name: string;
	mimeType?: string;
	/** In bytes. */
	size?: number;
}

/** How a file is sent or read. */
interface TransferSettings {
	/** The Base URL of the credential. */
	baseUrl: string;
	/** n8n's own settings for requests. */
	transport: Transport;
	retry: RetrySettings;
	/** Ends the transfer. */
	signal?: AbortSignal;
}

/** How long one try may take; the timeout of a request is for answers. */
const LONGEST_MS = { PUT: 300_000, GET: 60_000 };

/**
 * For how long an upload is retried: the storage may be down for as long as a service that
 * restarts.
 */
const UPLOAD_RETRY_MS = 60_000;
const DOWNLOAD_RETRIES = 2;

/** Statuses below 500 after which a retry can help: timeout, too early, too many requests. */
const TRANSIENT = [408, 425, 429];

/** How much of an answer is read at most if only its status matters. */
const MAX_SKIPPED_BYTES = 65_536;

/** The longest file that n8n reads; no channel has longer ones. */
const MAX_FILE_MEGABYTES = 100;

/**
 * Sends a file to an address that the service has returned for it; see `transfer`. Sending a file
 * to the same address twice changes nothing.
 */
export async function upload(
	context: Context,
	{ address, content, contentType }: Upload,
	settings: TransferSettings,
): Promise<void> {
	const request = {
		method: 'PUT',
		body: content,
		headers: { 'Content-Type': contentType },
	} as const;
	const read = async ({ statusCode, body }: IN8nHttpFullResponse) => {
		await skip(body);
		if (statusCode < 200 || statusCode > 299) throw statusFailure(statusCode);
	};
	const { maxRetries, giveUpAfterMs } = settings.retry;
	const retry = { maxRetries, giveUpAfterMs: Math.min(giveUpAfterMs, UPLOAD_RETRY_MS) };
	await transfer(context, address, request, { ...settings, retry }, read);
}

/**
 * Reads a file from an address that the service has returned; see `transfer`.
 *
 * @param expected what the service says about the file
 * @returns the content, and its MIME type if the answer has one
 */
export async function download(
	context: Context,
	address: string,
	expected: ExpectedFile,
	settings: Omit<TransferSettings, 'retry'>,
) {
	const retry = { maxRetries: DOWNLOAD_RETRIES, giveUpAfterMs: Infinity };
	const read = async ({ statusCode, headers, body }: IN8nHttpFullResponse) => {
		if (statusCode !== 200) {
			await skip(body);
			throw statusFailure(statusCode);
		}
		const content = await readContent(body);
		const type = headers['content-type'];
		const mimeType = typeof type === 'string' ? type.split(';')[0].trim() : undefined;
		checkDownload(content, mimeType, expected);
		return { content, mimeType };
	};
	return await transfer(context, address, { method: 'GET' }, { ...settings, retry }, read);
}

/** Why a try failed, and whether another one can help. */
class TransferFailure extends Error {
	constructor(
		message: string,
		readonly isTransient = false,
		/** What to do about it, if it is only the fault of a proxy. */
		readonly adviceAboutProxy?: string,
	) {
		super(message);
	}
}

const statusFailure = (status: number) =>
	new TransferFailure(
		`it answered with status ${status}`,
		status >= 500 || TRANSIENT.includes(status),
	);

/**
 * Sends a request to an address that a service has returned, which can be on another host: without
 * the access token, without following redirects, and only if `fileAddressProblem` finds nothing
 * wrong with the address. If n8n restricts the credential to some domains, that applies here as
 * well, although the token is not sent. Failures that may pass are retried.
 *
 * Throws an `ApiError` that names the host, never the address, which is as good as a key.
 *
 * @param read reads the answer, or throws a `TransferFailure`
 */
async function transfer<T>(
	context: Context,
	address: string,
	request: Pick<IHttpRequestOptions, 'body' | 'headers'> & { method: 'GET' | 'PUT' },
	{ baseUrl, transport, signal, retry }: TransferSettings,
	read: (response: IN8nHttpFullResponse) => Promise<T>,
) {
	const { method } = request;
	refuseUnsafeAddress(method, address, baseUrl);
	const { timeout = 0, ...common } = { ...transport, ...commonOptions };
	const { maxRetries = Infinity, giveUpAfterMs } = retry;
	const giveUpAt = performance.now() + giveUpAfterMs;
	for (let retries = 0; ; retries++) {
		const abortSignal = endInTime(method, timeout, signal);
		const options = { ...common, ...request, url: address, abortSignal };
		try {
			const response: IN8nHttpFullResponse = await context.helpers.httpRequest(options);
			await refuseAskingProxy(response, transport);
			return await read(response);
		} catch (error) {
			if (method === 'PUT' && signal?.aborted) throw cancelledError();
			const failure = explainFailure(error, address, transport, abortSignal.aborted);
			const delayMs = retryDelayMs(retries);
			const isTooLate = performance.now() + delayMs >= giveUpAt;
			if (!failure.isTransient || retries >= maxRetries || isTooLate)
				throw transferError(method, address, failure);
			await pause(delayMs, signal);
		}
	}
}

function refuseUnsafeAddress(method: 'GET' | 'PUT', address: string, baseUrl: string) {
	const problem = fileAddressProblem(address, baseUrl);
	if (problem)
		throw failedError(method, 'The service returned an unsafe address for the file.', problem);
}

/** Returns what ends one try. */
function endInTime(method: 'GET' | 'PUT', timeout: number, signal?: AbortSignal) {
	const late = AbortSignal.timeout(Math.max(timeout, LONGEST_MS[method]));
	return signal ? AbortSignal.any([signal, late]) : late;
}

const failedError = (method: 'GET' | 'PUT', what: string, advice?: string) =>
	new ApiError(what, {
		outcome: 'refused',
		advice,
		nothingWas: method === 'PUT' ? 'changed' : undefined,
	});

const cancelledError = () =>
	new ApiError('The execution was cancelled.', { outcome: 'notSent', isAboutRun: true });

function transferError(
	method: 'GET' | 'PUT',
	address: string,
	{ message, adviceAboutProxy }: TransferFailure,
) {
	if (adviceAboutProxy !== undefined) return failedError(method, message, adviceAboutProxy);
	const verb = method === 'PUT' ? 'uploaded to' : 'downloaded from';
	return failedError(method, `The file couldn't be ${verb} ${new URL(address).host}: ${message}.`);
}

/** Throws if a proxy wants a user and a password; hosts of files never do. */
async function refuseAskingProxy({ statusCode, body }: IN8nHttpFullResponse, { proxy }: Transport) {
	if (statusCode !== PROXY_WANTS_PASSWORD) return;
	await skip(body);
	const { what, advice } = explainAskingProxy(proxy && describeProxy(proxy));
	throw new TransferFailure(what, false, advice);
}

function explainFailure(error: unknown, address: string, transport: Transport, isTooLate: boolean) {
	if (error instanceof TransferFailure) return error;
	const message = error instanceof Error ? error.message : String(error);
	if (/domain not allowed/i.test(message))
		return new TransferFailure("it is not among the credential's Allowed Domains");
	if (isTooLate) return new TransferFailure('it took too long');
	const { code } = findNetworkError(error);
	if (code === 'ECONNRESET')
		return new TransferFailure('the connection broke before the whole file had arrived', true);
	const proxy = findUnreachableProxy(error, code, transport.proxy, address);
	if (proxy)
		return new TransferFailure(
			describeUnreachable(address, code, proxy),
			true,
			adviseUnreachable(proxy),
		);
	// n8n's message can contain the address.
	const { host, href } = new URL(address);
	const shown = message.replaceAll(address, host).replaceAll(href, host);
	return new TransferFailure(shown, true);
}

/** Reads an answer of which only the status matters, so that the connection can be used again. */
const skip = async (body: unknown) => isStream(body) && (await readStream(body, MAX_SKIPPED_BYTES));

/** Reads a file to its end. */
async function readContent(body: unknown) {
	if (typeof body === 'string') return Buffer.from(body);
	if (!isStream(body)) {
		const json = JSON.stringify(body ?? '');
		return Buffer.from(json);
	}
	const content = await readStream(body, MAX_FILE_MEGABYTES * 1024 * 1024);
	if (!content) throw new TransferFailure(`it is larger than ${MAX_FILE_MEGABYTES} MB`);
	return content;
}

/** Types and names of files that never begin as a web page, XML or JSON does. */
const MEDIA =
	/^(image\/(?!svg)|video\/|audio\/)|officedocument|\b(pdf|jpe?g|png|gif|webp|heic|mp4|3gp|mov|mp3|ogg|oga|opus|m4a|aac|amr|wav|zip|docx|xlsx|pptx)$/i;
const TEXT_SIGN = /^\s*([<{[])/;
const LONGEST_START = 100;

/**
 * Throws an error if an answer is not the file: some hosts answer with status 200 after a link has
 * expired.
 */
function checkDownload(
	content: Buffer,
	answered: string | undefined,
	{ name, mimeType, size = 0 }: ExpectedFile,
) {
	const saysNothing = !mimeType || /octet-stream/i.test(mimeType);
	const announced = saysNothing ? name : mimeType;
	const isMedia = MEDIA.test(announced);
	const [, sign] = TEXT_SIGN.exec(content.subarray(0, LONGEST_START).toString()) ?? [];
	const isText = sign !== undefined && isMedia;
	const isWebPage = answered?.toLowerCase() === 'text/html' && !/html?$/i.test(announced);
	if (isWebPage || (isText && sign === '<'))
		throw new TransferFailure('it answered with a web page');
	if (isText) throw new TransferFailure('it answered with JSON');
	if (content.length === 0 && (size > 0 || isMedia)) throw new TransferFailure('the file is empty');
}

/**
 * Says in one sentence why n8n sends no file to an address that a service returned, and reads none
 * from it; undefined if the address is safe. The service could be anybody's, and n8n can reach
 * hosts that the service cannot.
 *
 * Only judges what the address says. n8n itself can check what a name resolves to
 * (`N8N_SSRF_PROTECTION_ENABLED`).
 *
 * @param baseUrl the Base URL of the credential
 */
export function fileAddressProblem(address: string, baseUrl: string): string | undefined {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url || !isSecure(url, baseUrl)) return 'It must begin with https:// and have no password.';
	const host = readHost(url);
	if (isSpecialHost(host))
		return 'It must not be a link-local or reserved address or the metadata service of a cloud.';
	const isServiceHere = isLoopback(readHost(new URL(baseUrl)));
	if (isLoopback(host) && !isServiceHere)
		return 'It must not be on the machine that n8n runs on, unless the Base URL is, too.';
	return undefined;
}

function isSecure({ protocol, username, password }: URL, baseUrl: string) {
	if (username || password) return false;
	if (protocol === 'https:') return true;
	return protocol === 'http:' && baseUrl.startsWith('http:');
}
