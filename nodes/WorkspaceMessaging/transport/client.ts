import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readCredential } from './credential';
import { ApiError } from './errors/ApiError';
import { endSentence } from './errors/sentences';
import { tooManyRequestsError } from './errors/requestErrors';
import { download, upload, type ExpectedFile, type Upload } from './files';
import { withCancelSignal, type Context } from './http';
import { apiRequest, type ApiRequest, type Requester } from './request';
import { RequestSender, type SenderSettings } from './requestSender';
import { lookUpNextTry, mayFollowTries } from './retry/nextTry';
import { retryDefaults, type RetryRecognition } from './retry/settings';
import { getSharedWorkspace } from './sharedWorkspaces';

/** How the requests of a run are sent. */
export interface ClientSettings extends Partial<Omit<SenderSettings, 'recognition'>> {
	/** The credential, if n8n has decrypted it before. */
	credential?: ICredentialDataDecryptedObject;
}

/**
 * A connection to one workspace, for one run or one poll: it goes on with the credential that it
 * was opened with.
 */
export class ApiClient extends RequestSender {
	/**
	 * Connects to the workspace of the node's credential. Throws an `ApiError` if it is missing or
	 * not valid.
	 *
	 * @param recognition knows whether the service recognizes retries
	 */
	static async open(
		context: Context,
		recognition: RetryRecognition,
		settings: ClientSettings,
	): Promise<ApiClient> {
		const { retry = { giveUpAfterMs: retryDefaults.giveUpAfterMs }, signal } = settings;
		const credential = await readCredential(context, settings.credential).catch(
			({ message }: Error) => {
				throw new ApiError(endSentence(message), { outcome: 'notSent', isAboutRun: true });
			},
		);
		const { allowedDomains } = credential;
		const transport = { ...settings.transport, allowedDomains };
		const workspace = getSharedWorkspace(credential);
		return new ApiClient(credential, workspace, { transport, retry, recognition, signal });
	}

	/** The address that paths are appended to. */
	get baseUrl(): string {
		return this.credential.baseUrl;
	}

	/**
	 * Returns what sends requests for so many milliseconds in all. Then those without an answer fail,
	 * with the status 429 if the rate limit made them wait.
	 *
	 * @param maxRetries as often as other requests if empty
	 */
	createBriefRequester(context: Context, ms: number, maxRetries?: number): Requester {
		const signal = AbortSignal.timeout(ms);
		const sender = this.createSender(ms, {
			retry: {
				maxRetries: maxRetries ?? this.settings.retry.maxRetries,
				giveUpAfterMs: ms,
				waitAtMostMs: ms,
			},
			signal,
		});
		const { service, request } = sender.createRequester(withCancelSignal(context, signal));
		return {
			service,
			request: async (endpoint, parts) =>
				await request(endpoint, parts).catch((error: unknown) => {
					if (!signal.aborted) throw error;
					const { pausedForMs } = sender.activity;
					const { askedForMs } = this.workspace.limiter;
					const isLimited = sender.stats.waitedMs > 0 || pausedForMs > 0;
					if (isLimited)
						throw tooManyRequestsError(apiRequest(endpoint, parts), false, askedForMs, ms);
					const seconds = Math.round(ms / 1000);
					const what = `The service took longer than ${seconds} seconds.`;
					throw new ApiError(what, { outcome: 'refused' });
				}),
		};
	}

	/**
	 * Waits until the service answers, twice and a second apart, if a request got no answer of its own.
	 * Returns false if it does not for as long as requests are retried.
	 */
	async isBack(context: Context, { details: { loss } }: ApiError): Promise<boolean> {
		const isAway = loss !== undefined && loss !== 'failure';
		if (!isAway || !this.recovery || this.settings.retry.maxRetries === 0) return true;
		const now = performance.now();
		const giveUpAt = now + this.patienceMs(now);
		return (await this.recovery.wait(context, giveUpAt, true)) !== 'late';
	}

	/**
	 * Whether a request that failed may be sent once more, as its caller has looked for what it has
	 * done since the service is back. The caller then sends it.
	 *
	 * @param effect whether it sets the state of what is there now, or makes what is not there
	 */
	async mayRepeat(
		context: Context,
		{ details: { loss } }: ApiError,
		effect: 'state' | 'notThere',
	): Promise<boolean> {
		const { retry, recognition } = this.settings;
		if (!loss || retry.maxRetries === 0) return false;
		const client = this.createRequester(context);
		const facts = [loss, effect, retry.retryWhenOutcomeUnknown];
		const next = await lookUpNextTry(facts, 'kept', recognition, client);
		if (next === 'stop') return false;
		this.stats.retries++;
		return true;
	}

	/** Whether n8n's "Retry On Fail" may send a request again whose outcome is unknown. */
	mayTryAgain(request: ApiRequest): boolean {
		return mayFollowTries(request, this.settings.retry);
	}

	/** Sends a file where the service wants it; see `upload`. */
	async upload(context: Context, file: Upload): Promise<void> {
		await upload(context, file, { ...this.settings, baseUrl: this.baseUrl });
	}

	/** Downloads a file from an address that the service returned; see `download`. */
	async download(context: Context, address: string, expected: ExpectedFile, signal: AbortSignal) {
		const settings = { ...this.settings, baseUrl: this.baseUrl, signal };
		return await download(context, address, expected, settings);
	}
}
