import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import { limits } from '../nodes/WorkspaceMessaging/contract/limits';
import { normalizeAccessToken, normalizeBaseUrl } from '../nodes/WorkspaceMessaging/transport/credential';

export class WorkspaceMessagingApi implements ICredentialType {
	name = 'workspaceMessagingApi';

	displayName = 'Workspace Messaging API';

	icon: Icon = {
		light: 'file:../nodes/WorkspaceMessaging/workspaceMessaging.svg',
		dark: 'file:../nodes/WorkspaceMessaging/workspaceMessaging.dark.svg',
	};

	documentationUrl = 'https://github.com/workspace-messaging/n8n-nodes-workspace-messaging#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://chat.example.com',
			description:
				'Address of the service that your workspace is on, hosted or self-hosted. A path in front of /api belongs to it; /api/v1 itself can be left out.',
		},
		{
			displayName: 'API Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Found in the workspace settings, in the integrations section, under API access token. It is sent to the Base URL only.',
		},
		{
			displayName: 'Default Country Code',
			name: 'defaultCountryCode',
			type: 'string',
			default: '',
			placeholder: 'e.g. +49',
			description:
				'Completes phone numbers without a country code: a leading 0 is replaced by it (with +39 it follows the code), and with +1 numbers of ten digits get it. When left empty, such numbers are sent as they are.',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: limits.requestsPerMinute,
			description:
				'How many requests this n8n may send in one minute with this token. Lower it when other programs, or other n8n workers, use the same workspace.',
		},
	];

	/**
	 * Adds the token (part 5), and refuses to when the request would go anywhere but the Base URL's origin. A property,
	 * not a method: n8n offers "Custom API Call" only for credentials of which it sees this in a copy.
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const baseUrl = normalizeBaseUrl(credentials.baseUrl);
		const { origin, hostname } = new URL(baseUrl);
		for (const target of targetsOf(requestOptions, `${baseUrl}/`)) {
			if (target.origin !== origin) {
				throw new Error(
					`This credential is for ${origin} only. Its access token is not sent to ${target.origin}.`,
				);
			}
		}
		return {
			...requestOptions,
			sendCredentialsOnCrossOriginRedirect: false,
			// On redirects to a subdomain the token would be sent along in spite of that.
			allowedDomains: requestOptions.allowedDomains ?? hostname,
			headers: {
				...requestOptions.headers,
				Authorization: `Bearer ${normalizeAccessToken(credentials.accessToken)}`,
			},
		};
	};
}

/** Where a request may go. The HTTP Request node still uses n8n's older form of requests, which has `uri` for `url`. */
function targetsOf(requestOptions: IHttpRequestOptions, baseUrl: string): URL[] {
	const { url, uri, baseURL = baseUrl } = requestOptions as IHttpRequestOptions & { uri?: string };
	const addresses = [url, uri].filter((address) => address !== undefined);
	return (addresses.length === 0 ? [''] : addresses).map((address) => new URL(String(address), baseURL));
}
