import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { ApiError, rejected } from './errors/ApiError';
import { commonOptions, isStream } from './http';
import type { Context, Transport } from './http';
import { pause, retryDelayMs } from './retry';
import type { RetrySettings } from './retry';

/** A file, and where the service wants it. */
export interface Upload {
	/** The address that the service returned for this file; whoever has it can upload. */
	address: string;
	content: Buffer;
	/** MIME type, the same as in the request for the address. */
	contentType: string;
}

/** How a file is sent. */
interface UploadSettings {
	/** The Base URL of the credential. */
	baseUrl: string;
	/** n8n's own settings for requests. */
	transport: Transport;
	retry: RetrySettings;
	/** Ends the upload when the execution is cancelled. */
	signal?: AbortSignal;
}

const MAX_RETRIES = 3;

/** How long an upload may take; the timeout of a request is for answers. */
const LONGEST_UPLOAD_MS = 300_000;

/** Statuses below 500 after which a retry can help: timeout, too early, too many requests. */
export const TRANSIENT = [408, 425, 429];

/** How much of the answer is read at most; only its status matters. */
const MAX_ANSWER_BYTES = 65_536;

/** Why a try failed, and whether another one can help. */
interface Failure {
	cause: string;
	isTransient: boolean;
}

/**
 * Sends a file to an address that the service has returned for it, which can be on another host: without the access token,
 * without following redirects, and only if `fileAddressProblem` finds nothing wrong with the address. If n8n restricts the
 * credential to some domains, that applies here as well, although the token is not sent.
 *
 * Sending a file to the same address twice changes nothing, so failures that may pass are retried.
 * Throws an `ApiError` that names the host, never the address, which is as good as a key.
 */
export async function upload(context: Context, file: Upload, settings: UploadSettings): Promise<void> {
	const { retry, signal, baseUrl } = settings;
	const problem = fileAddressProblem(file.address, baseUrl);
	if (problem) throw rejected('The service returned an unsafe address for the file.', problem);
	const startedAt = performance.now();
	for (let retries = 0; ; retries++) {
		const failure = await put(context, file, settings);
		if (!failure) return;
		if (signal?.aborted)
			throw new ApiError('The execution was cancelled.', { outcome: 'notSent', isAboutRun: true });
		const delayMs = retryDelayMs(retries);
		const hasTime = performance.now() - startedAt + delayMs < retry.giveUpAfterMs;
		if (!failure.isTransient || retries >= (retry.maxRetries ?? MAX_RETRIES) || !hasTime)
			throw rejected(`The file couldn't be uploaded to ${new URL(file.address).host}: ${failure.cause}.`);
		await pause(delayMs, signal);
	}
}

/** Sends the file once; undefined if it has arrived. */
async function put(
	context: Context,
	{ address, content, contentType }: Upload,
	{ transport: { timeout = 0, ...transport }, signal }: UploadSettings,
): Promise<Failure | undefined> {
	const late = AbortSignal.timeout(Math.max(timeout, LONGEST_UPLOAD_MS));
	const options: IHttpRequestOptions = {
		...transport,
		...commonOptions,
		method: 'PUT',
		url: address,
		body: content,
		headers: { 'Content-Type': contentType },
		abortSignal: signal ? AbortSignal.any([signal, late]) : late,
	};
	try {
		const { statusCode, body }: IN8nHttpFullResponse = await context.helpers.httpRequest(options);
		await skip(body);
		if (statusCode >= 200 && statusCode < 300) return undefined;
		const isTransient = statusCode >= 500 || TRANSIENT.includes(statusCode);
		return { cause: `it answered with status ${statusCode}`, isTransient };
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		if (/domain not allowed/i.test(message))
			return { cause: "it is not among the credential's Allowed Domains", isTransient: false };
		if (late.aborted) return { cause: 'it took too long', isTransient: false };
		// n8n's message can contain the address.
		const { host, href } = new URL(address);
		return { cause: message.replaceAll(address, host).replaceAll(href, host), isTransient: true };
	}
}

/** Reads an answer, so that the connection can be used again, unless it is too long. */
async function skip(body: unknown) {
	let size = 0;
	for await (const chunk of isStream(body) ? body : []) {
		size += chunk.length;
		if (size > MAX_ANSWER_BYTES) return;
	}
}

/** The metadata services of clouds that have no link-local address: AWS and Google over IPv6, Alibaba. */
const METADATA = ['[fd00:ec2::254]', '[fd20:ce::254]', '100.100.100.200'];

/** An IPv6 address that stands for an IPv4 address: mapped, translated (NAT64), or in the old compatible form. */
const IPV4_IN_IPV6 = /^\[(?:::ffff:|::ffff:0:|64:ff9b::|::)([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Says in one sentence why no file may be sent to an address that a service returned, or read from it; undefined if it may. The service could
 * be anybody's, and n8n can reach hosts that the service cannot.
 *
 * Only judges what the address says. n8n itself can check what a name resolves to (`N8N_SSRF_PROTECTION_ENABLED`).
 *
 * @param baseUrl the Base URL of the credential
 */
export function fileAddressProblem(address: string, baseUrl: string): string | undefined {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && baseUrl.startsWith('http:'));
	if (!url || !isSecure || url.username || url.password)
		return 'It must begin with https:// and have no password.';
	const host = hostOf(url);
	if (isLinkLocal(host)) return 'It must not be a link-local address or the metadata service of a cloud.';
	if (isLoopback(host) && !isLoopback(hostOf(new URL(baseUrl))))
		return 'It must not be the machine that n8n runs on, unless the Base URL is one on it, too.';
	return undefined;
}

/** Returns the host of a URL in one form. The URL itself has already read IPv4 addresses in hexadecimal, octal and as one number. */
function hostOf({ hostname }: URL): string {
	const [, high, low] = IPV4_IN_IPV6.exec(hostname) ?? [];
	if (high === undefined) return hostname.replace(/\.$/, '');
	const groups = [high, low].map((group) => parseInt(group, 16));
	return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

const isLinkLocal = (host: string) =>
	/^169\.254(\.\d+){2}$|^\[fe[89ab][\da-f]:/.test(host) || METADATA.includes(host);

/** Whether a host is this machine; an address of zeros means that, too. */
const isLoopback = (host: string) => /^(127|0)(\.\d+){3}$|^\[::1?\]$|^(.+\.)?localhost$/.test(host);
