import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { normalizeAccessToken } from '../api/accessToken';
import { normalizeBaseUrl } from '../api/baseUrl';
import { listChannels } from '../contract';

/**
 * Tries a credential with a read that every service of this API has (part 4.5), and says what is wrong with it: the
 * token, the address, or the way to the host.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });
	const { baseUrl: address, accessToken } = credential.data ?? {};
	const token = normalizeAccessToken(accessToken);
	if (token === '') return failed('The API Access Token is empty.');

	let baseUrl: string;
	try {
		baseUrl = normalizeBaseUrl(address);
	} catch (error) {
		return failed((error as Error).message);
	}

	// The only way to send a request that n8n gives to the test of a credential.
	const { request } = this.helpers;
	let answer: { statusCode: number; body: unknown; headers: Record<string, unknown> };
	try {
		answer = (await request({
			method: listChannels.method,
			uri: `${baseUrl}${listChannels.path}?perPage=1`,
			headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: 15_000,
		})) as typeof answer;
	} catch (error) {
		return failed(unreachable(error, new URL(baseUrl).host));
	}

	const { statusCode, body } = answer;
	if (statusCode === 401)
		return failed('The service refused the API Access Token. Copy it again from the workspace settings.');
	if (statusCode === 403) return failed('The API Access Token is not allowed to read this workspace.');
	if (statusCode >= 300 && statusCode < 400) {
		return failed(
			'The service redirects to another address. Enter the address that it redirects to as Base URL.',
		);
	}
	if (statusCode === 429) return failed('The service has received too many requests. Try again in a minute.');
	if (statusCode >= 500) return failed(`The service answers, but fails (${statusCode}). Try again later.`);
	const isList = Array.isArray(body) || Array.isArray((body as { data?: unknown } | null)?.data);
	if (statusCode !== 200 || !isList) {
		return failed(
			`There is a server at the Base URL, but not the API (${statusCode}). Enter the address without any page behind it, such as https://chat.example.com.`,
		);
	}
	return { status: 'OK', message: 'Connection successful' };
}

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
