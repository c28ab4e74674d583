import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { normalizeText } from './normalizeText';

/** The name of the credential type. */
export const CREDENTIAL = 'workspaceMessagingApi';

/** What requests need of a credential. */
export interface Credential {
	/** In the form that paths are appended to. */
	baseUrl: string;
	token: string;
	requestsPerMinute: number;
	/** The domains to which n8n's own setting restricts the credential; undefined for all. */
	allowedDomains?: string;
	/** The credential as n8n decrypted it. */
	data: ICredentialDataDecryptedObject;
}

/**
 * Reads the credential of a node. Throws an error if it is missing or cannot be used.
 *
 * @param decrypted the credential, if n8n has decrypted it before
 */
export async function readCredential(
	context: Pick<IExecuteFunctions, 'getCredentials'>,
	decrypted?: ICredentialDataDecryptedObject,
): Promise<Credential> {
	const data =
		decrypted ?? (await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL));
	return {
		baseUrl: normalizeBaseUrl(data.baseUrl),
		token: normalizeAccessToken(data.accessToken),
		requestsPerMinute: Number(data.requestsPerMinute),
		allowedDomains: readAllowedDomains(data),
		data,
	};
}

/**
 * Returns the access token as requests carry it: without white space or a pasted "Bearer " (part
 * 5).
 */
export function normalizeAccessToken(value: unknown): string {
	return String(value ?? '')
		.trim()
		.replace(/^bearer\s+/i, '');
}

/** A host, optionally with a port and a path. */
const WITHOUT_SCHEME = /^[^:/?#@]+(?::\d+)?(?:[/?#]|$)/;

/**
 * Returns the credential's Base URL in the form that paths are appended to:
 * `https://chat.example.com/prefix`.
 *
 * Accepts what people paste: invisible characters, an address without https://, trailing slashes, `/api` or `/api/v1` at
 * its end, the path prefix of a self-hosted instance (part 1). Throws an error that says what is
 * wrong with any other.
 */
export function normalizeBaseUrl(value: unknown): string {
	const input = typeof value === 'string' ? normalizeText(value).trim() : '';
	const address = WITHOUT_SCHEME.test(input) ? `https://${input}` : input;
	const problem = baseUrlProblem(address);
	if (problem) throw new Error(`The Base URL in the credential ${problem}.`);
	const { origin, pathname } = new URL(address);
	const path = withoutSlashes(withoutSlashes(pathname).replace(/\/api(\/v1)?$/, ''));
	return origin + path;
}

/** Returns a path without slashes at its end. */
function withoutSlashes(path: string) {
	let end = path.length;
	while (path[end - 1] === '/') end--;
	return path.slice(0, end);
}

function baseUrlProblem(address: string): string | undefined {
	if (address === '')
		return "is empty: enter your workspace's address, such as https://chat.example.com";
	// A URL parser would silently read these as something else.
	if (/[\\\s\p{Cc}]/u.test(address)) return "can't contain spaces, line breaks or backslashes";
	if (!/^https?:\/\//i.test(address)) return 'must start with https:// or http://';
	if (!URL.canParse(address))
		return 'is not a valid address: enter one such as https://chat.example.com';
	const { username, password } = new URL(address);
	if (username || password) return "can't contain a user name or password";
	if (address.includes('?')) return "can't contain a query (everything after the ?)";
	if (address.includes('#')) return "can't contain a fragment (everything after the #)";
	return undefined;
}

/** Returns the domains to which n8n's own setting restricts the credential; undefined for all. */
function readAllowedDomains(credential: ICredentialDataDecryptedObject) {
	if (credential.allowedHttpRequestDomains !== 'domains') return undefined;
	const domains = String(credential.allowedDomains ?? '').trim();
	if (domains !== '') return domains;
	// n8n's requests would take an empty list for all domains.
	throw new Error(
		'The credential only allows specific domains, but lists none: enter the host of the Base URL under Allowed Domains.',
	);
}
