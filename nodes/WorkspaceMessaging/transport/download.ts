import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { rejected } from './errors/ApiError';
import { commonOptions, isStream } from './http';
import type { Context, Transport } from './http';
import { pause, retryDelayMs } from './retry';
import { fileAddressProblem, TRANSIENT } from './upload';

/** A file that a service has for n8n. */
export interface DownloadedFile {
	content: Buffer;
	/** Its MIME type, if the answer has one. */
	mimeType?: string;
}

/** How a file is read. */
interface DownloadSettings {
	/** The Base URL of the credential. */
	baseUrl: string;
	/** n8n's own settings for requests. */
	transport: Transport;
	/** Ends the download. */
	signal: AbortSignal;
}

const MAX_RETRIES = 2;

/** How long one try may take. */
const LONGEST_DOWNLOAD_MS = 60_000;

/** The longest file that n8n reads; no channel has longer ones. */
const MAX_FILE_MEGABYTES = 100;

/**
 * Reads a file from an address that a service has returned, which can be on another host: without the access token, without
 * following redirects, and only if `fileAddressProblem` finds nothing wrong with the address. If n8n restricts the credential
 * to some domains, that applies here as well. Failures that may pass are retried.
 *
 * Throws an `ApiError` that names the host, never the address, which is as good as a key.
 */
export async function download(
	context: Context,
	address: string,
	settings: DownloadSettings,
): Promise<DownloadedFile> {
	const { baseUrl, signal } = settings;
	const problem = fileAddressProblem(address, baseUrl);
	if (problem) throw rejected('The service returned an unsafe address for the file.', problem);
	for (let retries = 0; ; retries++) {
		const result = await read(context, address, settings);
		if ('content' in result) return result;
		if (!result.isTransient || retries >= MAX_RETRIES || signal.aborted)
			throw rejected(`The file couldn't be downloaded from ${new URL(address).host}: ${result.cause}.`);
		await pause(retryDelayMs(retries), signal);
	}
}

/** Reads the file once. */
async function read(
	context: Context,
	address: string,
	{ transport: { timeout = 0, ...transport }, signal }: DownloadSettings,
): Promise<DownloadedFile | { cause: string; isTransient: boolean }> {
	const late = AbortSignal.timeout(Math.max(timeout, LONGEST_DOWNLOAD_MS));
	const options: IHttpRequestOptions = {
		...transport,
		...commonOptions,
		method: 'GET',
		url: address,
		abortSignal: AbortSignal.any([signal, late]),
	};
	try {
		const { statusCode, headers, body }: IN8nHttpFullResponse = await context.helpers.httpRequest(options);
		if (statusCode !== 200) {
			if (isStream(body)) body.resume();
			const isTransient = statusCode >= 500 || TRANSIENT.includes(statusCode);
			return { cause: `it answered with status ${statusCode}`, isTransient };
		}
		const content = await contentOf(body);
		if (!content) return { cause: `it is larger than ${MAX_FILE_MEGABYTES} MB`, isTransient: false };
		const type = headers['content-type'];
		return { content, mimeType: typeof type === 'string' ? type.split(';')[0].trim() : undefined };
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		if (/domain not allowed/i.test(message))
			return { cause: "it is not among the credential's Allowed Domains", isTransient: false };
		if (late.aborted || signal.aborted) return { cause: 'it took too long', isTransient: false };
		// n8n's message can contain the address.
		const { host, href } = new URL(address);
		return { cause: message.replaceAll(address, host).replaceAll(href, host), isTransient: true };
	}
}

/** Reads a file to its end; undefined if it is too long. */
async function contentOf(body: unknown): Promise<Buffer | undefined> {
	if (!isStream(body)) return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > MAX_FILE_MEGABYTES * 1024 * 1024) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
