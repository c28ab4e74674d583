import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import { limits } from '../nodes/WorkspaceMessaging/contract/limits';
import {
	normalizeAccessToken,
	normalizeBaseUrl,
} from '../nodes/WorkspaceMessaging/transport/credential';

export class WorkspaceMessagingApi implements ICredentialType {
	name = 'workspaceMessagingApi';

	displayName = 'Workspace Messaging API';

	icon: Icon = {
		light: 'file:../nodes/WorkspaceMessaging/workspaceMessaging.svg',
		dark: 'file:../nodes/WorkspaceMessaging/workspaceMessaging.dark.svg',
	};

	documentationUrl =
		'https://github.com/workspace-messaging/n8n-nodes-workspace-messaging#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://chat.example.com',
			description:
				'Address of the service, hosted or self-hosted. Include any path before /api. /api/v1 is added for you.',
		},
		{
			displayName: 'API Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				"You'll find it in the workspace settings under Integrations, API access token. n8n sends it only to the Base URL.",
		},
		{
			displayName: 'Default Country Code',
			name: 'defaultCountryCode',
			type: 'string',
			default: '',
			placeholder: 'e.g. +49',
			description:
				'Completes national numbers: with +49, 0151 … becomes +49 151 …. Leave empty to send them unchanged.',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: limits.requestsPerMinute,
			description:
				'The most requests per minute that this n8n sends with this token. Lower it if other programs or n8n workers use the same workspace.',
		},
	];

	/**
	 * Adds the token (part 5). Throws an error if the request would leave the Base URL's origin. A
	 * property, not a method, because n8n offers "Custom API Call" only if a copy of the credential
	 * type still has it.
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const baseUrl = normalizeBaseUrl(credentials.baseUrl);
		const { origin, hostname } = new URL(baseUrl);
		for (const target of readTargets(requestOptions, `${baseUrl}/`)) {
			if (target.origin !== origin) {
				throw new Error(
					`This credential is only for ${origin}. n8n doesn't send its access token to ${target.origin}.`,
				);
			}
		}
		return {
			...requestOptions,
			sendCredentialsOnCrossOriginRedirect: false,
			// Without this, n8n would still send the token on redirects to a subdomain.
			allowedDomains: requestOptions.allowedDomains ?? hostname,
			headers: {
				...requestOptions.headers,
				Authorization: `Bearer ${normalizeAccessToken(credentials.accessToken)}`,
			},
		};
	};
}

/**
 * Returns where a request may go. The HTTP Request node still uses n8n's older requests, with `uri`
 * in place of `url`.
 */
function readTargets(requestOptions: IHttpRequestOptions, baseUrl: string): URL[] {
	const { url, uri, baseURL = baseUrl }: IHttpRequestOptions & { uri?: string } = requestOptions;
	const addresses = [url, uri].filter((address) => address !== undefined);
	return (addresses.length === 0 ? [''] : addresses).map(
		(address) => new URL(String(address), baseURL),
	);
}
