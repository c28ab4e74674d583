import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { WorkspaceMessagingApi } from '../../credentials/WorkspaceMessagingApi.credentials';

type Authenticate = (
	data: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

const credential = new WorkspaceMessagingApi();
const secrets = { baseUrl: 'https://chat.example.com/prefix/', accessToken: ' my-secret\n' };
const authenticate = async (options: Partial<IHttpRequestOptions>, data = secrets) =>
	await (credential.authenticate as Authenticate)(data, options as IHttpRequestOptions);

test.each([
	[{ url: 'https://chat.example.com/prefix/api/v1/tags' }],
	[{ url: 'https://CHAT.example.com:443/anything' }],
	[{ url: '/api/v1/tags' }],
	[{ url: 'api/v1/tags' }],
	[{ url: '/api/v1/tags', baseURL: 'https://chat.example.com' }],
])('The credential sends the token to the origin of the Base URL: %p', async (options) => {
	const { headers } = await authenticate({ ...options, headers: { Accept: 'application/json' } });
	expect(headers).toEqual({ Accept: 'application/json', Authorization: 'Bearer my-secret' });
});

test.each([
	[{ url: 'https://evil.example/api/v1/tags' }],
	[{ url: 'http://chat.example.com/api/v1/tags' }],
	[{ url: 'https://chat.example.com:8443/api/v1/tags' }],
	[{ url: 'https://chat.example.com.evil.example/' }],
	[{ url: 'https://chat.example.com@evil.example/' }],
	[{ url: '//evil.example/api/v1/tags' }],
	[{ url: '\\\\evil.example/api/v1/tags' }],
	[{ url: '/api/v1/tags', baseURL: 'https://evil.example' }],
	[{ url: 'https://evil.example/', baseURL: 'https://chat.example.com' }],
])('The credential sends the token to no other origin: %p', async (options) => {
	const error = await authenticate(options).catch((reason: unknown) => reason);
	expect(String(error)).toContain('This credential is only for https://chat.example.com.');
	expect(String(error)).not.toContain('my-secret');
});

test('The credential sends the token nowhere if the Base URL is empty', async () => {
	await expect(
		authenticate({ url: 'https://chat.example.com/' }, { ...secrets, baseUrl: '' }),
	).rejects.toThrow('The Base URL in the credential is empty');
});

test.each(['my-secret', 'Bearer my-secret', ' bearer   my-secret\n', 'BEARER my-secret'])(
	'The credential sends "Bearer" once for the token %p',
	async (accessToken) => {
		const { headers } = await authenticate({ url: '/api/v1/tags' }, { ...secrets, accessToken });
		expect(headers).toEqual({ Authorization: 'Bearer my-secret' });
	},
);

test('The credential does not follow a redirect to another origin', async () => {
	const options = await authenticate({
		url: '/api/v1/tags',
		sendCredentialsOnCrossOriginRedirect: true,
	});
	expect(options.sendCredentialsOnCrossOriginRedirect).toBe(false);
});

test('The credential does not change the options of the request', async () => {
	const headers = { Accept: 'application/json' };
	await authenticate({ url: '/api/v1/tags', headers });
	expect(headers).toEqual({ Accept: 'application/json' });
});
