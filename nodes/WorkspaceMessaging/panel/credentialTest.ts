import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { normalizeAccessToken, normalizeBaseUrl } from '../transport/credential';
import { isObject } from '../transport/guards';
import {
	adviseUnreachable,
	describeUnreachable,
	explainAskingProxy,
} from '../transport/errors/connectionErrors';
import { redactToken } from '../transport/errors/finalError';
import {
	describeSender,
	explainIntermediary,
	isWebPage,
	MAYBE_OTHER,
} from '../transport/errors/intermediary';
import { findNetworkError } from '../transport/errors/networkFailure';
import { findReason, nameScope } from '../transport/errors/reasons';
import { explainRedirect } from '../transport/errors/requestErrors';
import { joinSentences } from '../transport/errors/sentences';
import type { HttpResponse } from '../transport/http';
import { findUnreachableProxy, PROXY_WANTS_PASSWORD } from '../transport/proxy';
import { readCountryCode } from '../values/phone/phoneNumber';
import { contactApi } from '../contract/contact';
import { undocumentedApi } from '../contract/undocumented';
import { workspaceApi } from '../contract/workspace';

/**
 * What the test reads, in this order, until an answer shows that the token works. Newer services
 * return what the token may do; the list of channels is in the reference (part 4.5), but older
 * services show it to people only (difference 2); all have contacts.
 */
const READS = [
	undocumentedApi.getToken.path,
	`${workspaceApi.listChannels.path}?perPage=1`,
	`${contactApi.listContacts.path}?perPage=1`,
];

const OK: INodeCredentialTestResult = { status: 'OK', message: 'Connection successful' };

const testFailed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

/** A token with limited rights passes the test; the message names the limits. */
const limited = (limits: string): INodeCredentialTestResult => ({
	...OK,
	message: `${OK.message}. ${limits}`,
});

/**
 * Tests a credential by reading, and says what is wrong: the token, the address, or the way to the
 * host.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { baseUrl: address, accessToken, defaultCountryCode } = credential.data ?? {};
	const token = normalizeAccessToken(accessToken);
	if (token === '') return testFailed('The API Access Token is empty.');

	let baseUrl: string;
	try {
		baseUrl = normalizeBaseUrl(address);
		readCountryCode(defaultCountryCode, 'Default Country Code');
	} catch (error) {
		return testFailed(error instanceof Error ? error.message : String(error));
	}

	let noApi = '';
	for (const path of READS) {
		let response: HttpResponse;
		try {
			response = await readPath(this, `${baseUrl}${path}`, token);
		} catch (error) {
			return testFailed(await describeFailedRead(this, error, baseUrl, address));
		}
		// A page may repeat the token in its title.
		const shown = redactToken(response, token);
		const result = judge(shown);
		if (result) return result;
		noApi = describeNoApi(shown);
	}
	return testFailed(noApi);
}

/** Says that something else than the API answers at an address. */
function describeNoApi(response: HttpResponse) {
	const { status } = response;
	const isPage = isWebPage(response) && status === 200;
	return joinSentences(
		`A server answers at the Base URL, but it isn't the API (${status}).`,
		isPage ? joinSentences(describeSender(response), MAYBE_OTHER) : '',
		'Enter only the address, such as https://chat.example.com, and the path before /api if there is one.',
	);
}

/**
 * Says why the service did not answer.
 *
 * @param address the Base URL as the user entered it
 */
async function describeFailedRead(
	context: ICredentialTestFunctions,
	error: unknown,
	baseUrl: string,
	address: unknown,
) {
	const mayBeUnencrypted = !SCHEME.test(String(address)) || answeredHttp(error);
	if (mayBeUnencrypted && (await answersWithoutEncryption(context, baseUrl)))
		return `The service only answers http, which is not encrypted. If you trust the network, enter ${unencrypted(baseUrl)} as Base URL.`;
	const { code } = findNetworkError(error);
	const proxy = findUnreachableProxy(error, code, undefined, baseUrl);
	const unreachable = describeUnreachable(baseUrl, code, proxy);
	const advice = proxy
		? adviseUnreachable(proxy)
		: 'Check the Base URL, and that the service is running.';
	return `${unreachable} ${advice}`;
}

/** What n8n's older requests return. */
interface Answer {
	statusCode: number;
	body: unknown;
	headers: IDataObject;
}

async function readPath(
	{ helpers }: ICredentialTestFunctions,
	uri: string,
	token?: string,
): Promise<HttpResponse> {
	// The test of a credential has no other function for requests.
	const { statusCode, body, headers }: Answer = await helpers.request({
		method: 'GET',
		uri,
		headers: { ...(token && { Authorization: `Bearer ${token}` }), Accept: 'application/json' },
		json: true,
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false,
		timeout: 15_000,
	});
	return { status: statusCode, headers, body, isText: typeof body === 'string' };
}

/** Whether OpenSSL found that the other side does not speak TLS; other failures have the same code. */
const answeredHttp = (error: unknown) =>
	/wrong version number|packet length too long|http request/i.test(
		error instanceof Error ? error.message : '',
	);

const SCHEME = /^\s*https?:\/\//i;

const unencrypted = (baseUrl: string) => baseUrl.replace(/^https:/, 'http:');

/** Whether there is a server at an address without encryption. It does not get the token. */
async function answersWithoutEncryption(context: ICredentialTestFunctions, baseUrl: string) {
	return await readPath(context, `${unencrypted(baseUrl)}${READS[0]}`).then(
		({ status }) => status < 300 || status >= 400,
		() => false,
	);
}

/**
 * Returns what an answer says about the credential; undefined if the test must read something else.
 */
function judge(response: HttpResponse): INodeCredentialTestResult | undefined {
	const { status, body } = response;
	const intermediary = explainIntermediary(response);
	if (intermediary) {
		const { what, cause, advice } = intermediary;
		return testFailed(joinSentences(what, cause, advice));
	}
	const reason = findReason(response);
	if (reason === 'token' || status === 401)
		return testFailed(
			'The service rejected the access token. Copy it again from the workspace settings.',
		);
	if (reason === 'deletionScheduled')
		return testFailed(
			'The workspace is scheduled for deletion, so the service rejects all requests.',
		);
	if (reason === 'scope') {
		return limited(
			`The token is missing ${nameScope(response)}, so operations that need it will fail.`,
		);
	}
	if (reason === 'readOnlyToken') return limited(READ_ONLY);
	if (status === 403) return testFailed("The access token isn't allowed to read this workspace.");
	const isRedirect = status >= 300 && status < 400;
	if (isRedirect || status === PROXY_WANTS_PASSWORD) {
		const { what, advice } = isRedirect ? explainRedirect(response) : explainAskingProxy();
		return testFailed(`${what} ${advice}`);
	}
	if (status === 429) return testFailed('Rate limit reached (429). Try again in a minute.');
	if (status >= 500) return testFailed(`The service failed (${status}). Try again later.`);
	if (status !== 200) return undefined;
	const { data, workspaceId, permission, scopes } = isObject(body) ? body : { data: body };
	if (workspaceId !== undefined) return describeRights(permission, scopes);
	return Array.isArray(data) ? OK : undefined;
}

const READ_ONLY = 'The token is read-only, so operations that write will fail.';

/**
 * Says what a token may do, by what the service returns: `permission` is "full" if it may write.
 */
function describeRights(permission: unknown, scopes: unknown) {
	const limits: string[] = [];
	if (/^read/i.test(String(permission))) limits.push(READ_ONLY);
	if (Array.isArray(scopes))
		limits.push(
			`Its scopes are ${scopes.slice(0, 20).join(', ')}; operations that need others will fail.`,
		);
	if (limits.length === 0) return OK;
	return limited(limits.join(' '));
}
