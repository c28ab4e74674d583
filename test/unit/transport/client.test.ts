import { ApiClient } from '../../../nodes/WorkspaceMessaging/transport/client';
import { sendOnce } from '../../../nodes/WorkspaceMessaging/transport/http';
import type { Context } from '../../../nodes/WorkspaceMessaging/transport/http';
import { apiRequest } from '../../../nodes/WorkspaceMessaging/transport/request';
import { tagApi } from '../../../nodes/WorkspaceMessaging/contract/tag';

test.each(['Node does not have any credentials set', 'Credential with ID "1" does not exist.'])(
	'The error of a node without a usable credential is about the whole run: %s',
	async (message) => {
		const context = { getCredentials: async () => await Promise.reject(new Error(message)) };
		await expect(ApiClient.open(context as never as Context)).rejects.toMatchObject({
			message: message.replace(/\.?$/, '.'),
			details: { outcome: 'notSent', isAboutRun: true },
		});
	},
);

test('A request whose error is its own cause has failed without being sent', async () => {
	const error: Error & { cause?: unknown } = new Error('It failed');
	error.cause = { message: 'inner', cause: error };
	const helpers = { httpRequestWithAuthentication: async () => await Promise.reject(error) };
	const sent = sendOnce(
		{ helpers } as never as Context,
		apiRequest(tagApi.listTags),
		{ baseUrl: 'https://chat.example.com', data: {} },
		{},
	);
	await expect(sent).resolves.toMatchObject({ kind: 'notSent', message: 'It failed' });
});
