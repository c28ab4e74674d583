import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { normalizeAccessToken, normalizeBaseUrl } from '../transport/credential';
import type { HttpResponse } from '../transport/http';
import { reasonOf, scopeOf } from '../transport/errors/reasons';
import { listChannels, listContacts } from '../contract';
import { getToken } from '../contract/undocumented';

/**
 * What is read to try a credential, in this order, until something is there. Newer services tell what the token may do;
 * the list of channels is in the reference (part 4.5), but older services give it to people alone; contacts have all.
 */
const READS = [getToken.path, `${listChannels.path}?perPage=1`, `${listContacts.path}?perPage=1`];

const OK: INodeCredentialTestResult = { status: 'OK', message: 'Connection successful' };

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

/** A token that may not do everything is a good one all the same; what it may not do is said. */
const limited = (limits: string): INodeCredentialTestResult => ({
	...OK,
	message: `${OK.message}. ${limits}`,
});

/**
 * Tries a credential by reading, and says what is wrong with it: the token, the address, or the way to the host.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { baseUrl: address, accessToken } = credential.data ?? {};
	const token = normalizeAccessToken(accessToken);
	if (token === '') return failed('The API Access Token is empty.');

	let baseUrl: string;
	try {
		baseUrl = normalizeBaseUrl(address);
	} catch (error) {
		return failed((error as Error).message);
	}

	let status = 0;
	for (const path of READS) {
		let response: HttpResponse;
		try {
			response = await read(this, `${baseUrl}${path}`, token);
		} catch (error) {
			return failed(unreachable(error, new URL(baseUrl).host));
		}
		const judged = judge(response);
		if (judged) return judged;
		status = response.status;
	}
	return noApi(status);
}

async function read(
	{ helpers }: ICredentialTestFunctions,
	uri: string,
	token: string,
): Promise<HttpResponse> {
	// The only way to send a request that n8n gives to the test of a credential.
	const { statusCode, body, headers } = (await helpers.request({
		method: 'GET',
		uri,
		headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
		json: true,
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false,
		timeout: 15_000,
	})) as { statusCode: number; body: unknown; headers: IDataObject };
	return { status: statusCode, headers, body, isText: typeof body === 'string' };
}

/** What an answer says of the credential; undefined where another read has to tell. */
function judge(response: HttpResponse): INodeCredentialTestResult | undefined {
	const { status, body } = response;
	const refusal = reasonOf(response);
	if (refusal === 'token' || status === 401)
		return failed('The service refused the API Access Token. Copy it again from the workspace settings.');
	if (refusal === 'deletionScheduled')
		return failed('The workspace is going to be deleted, so the service does nothing in it any more.');
	if (refusal === 'scope') return limited(lacks(scopeOf(response)));
	if (refusal === 'readOnlyToken') return limited(READ_ONLY);
	if (status === 403) return failed('The API Access Token is not allowed to read this workspace.');
	if (status >= 300 && status < 400) {
		return failed(
			'The service redirects to another address. Enter the address that it redirects to as Base URL.',
		);
	}
	if (status === 429) return failed('The service has received too many requests. Try again in a minute.');
	if (status >= 500) return failed(`The service answers, but fails (${status}). Try again later.`);
	if (status !== 200) return undefined;
	const { data, workspaceId, permission, scopes } = (body ?? {}) as Record<string, unknown>;
	if (workspaceId !== undefined) return rightsOf(permission, scopes);
	return Array.isArray(body) || Array.isArray(data) ? OK : undefined;
}

const READ_ONLY = 'The token may only read, so operations that change something will be refused.';

const lacks = (scope = '') =>
	`The token lacks ${scope === '' ? 'a scope' : `the scope "${scope}"`}, so the operations that need it will be refused.`;

/** What a token may do, as the service tells it: `permission` is "full" for one that may write. */
function rightsOf(permission: unknown, scopes: unknown): INodeCredentialTestResult {
	const limits = [
		...(/^read/i.test(String(permission)) ? [READ_ONLY] : []),
		...(Array.isArray(scopes)
			? [`Its scopes are ${scopes.slice(0, 20).join(', ')}; operations that need others will be refused.`]
			: []),
	];
	return limits.length > 0 ? limited(limits.join(' ')) : OK;
}

const noApi = (status: number) =>
	failed(
		`There is a server at the Base URL, but not the API (${status}). Enter the address without any page behind it, such as https://chat.example.com.`,
	);

function unreachable(error: unknown, host: string): string {
	const { code, cause } = error as { code?: string; cause?: { code?: string } };
	switch (code ?? cause?.code) {
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return `There is no host "${host}". Check the Base URL.`;
		case 'ECONNREFUSED':
			return `The host "${host}" accepts no connections. Check the Base URL and whether the service is running.`;
		case 'ETIMEDOUT':
		case 'ECONNABORTED':
			return `The host "${host}" did not answer in time. Check the Base URL and whether n8n may connect to it.`;
		default:
			return `The host "${host}" cannot be reached. Check the Base URL and whether n8n may connect to it.`;
	}
}
