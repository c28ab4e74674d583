import { openClient } from '../../../nodes/WorkspaceMessaging/service/client';
import { exchange } from '../../../nodes/WorkspaceMessaging/transport/http';
import type { Context } from '../../../nodes/WorkspaceMessaging/transport/http';
import { apiRequest, Service } from '../../../nodes/WorkspaceMessaging/transport/request';
import { oncePerService } from '../../../nodes/WorkspaceMessaging/service/memory';
import { getSharedWorkspace } from '../../../nodes/WorkspaceMessaging/transport/sharedWorkspaces';
import { tagApi } from '../../../nodes/WorkspaceMessaging/contract/tag';

test.each(['Node does not have any credentials set', 'Credential with ID "1" does not exist.'])(
	'The error of a node without a usable credential is about the whole run: %s',
	async (message) => {
		const context = { getCredentials: async () => await Promise.reject(new Error(message)) };
		await expect(openClient(context as never as Context)).rejects.toMatchObject({
			message: message.replace(/\.?$/, '.'),
			details: { outcome: 'notSent', isAboutRun: true },
		});
	},
);

test('A request whose error is its own cause has failed without being sent', async () => {
	const error: Error & { cause?: unknown } = new Error('It failed');
	error.cause = { message: 'inner', cause: error };
	const helpers = { httpRequestWithAuthentication: async () => await Promise.reject(error) };
	const sent = exchange(
		{ helpers } as never as Context,
		apiRequest(tagApi.listTags),
		{ baseUrl: 'https://chat.example.com', data: {} },
		{},
	);
	await expect(sent).resolves.toMatchObject({ kind: 'notSent', message: 'It failed' });
});

test('n8n forgets what it knows of a service after an hour, but not the rate limit of a workspace in use', () => {
	jest.useFakeTimers();
	const credential = { baseUrl: 'https://a.example', token: 'a', requestsPerMinute: 60, data: {} };
	const start = Date.now();
	const { service, limiter } = getSharedWorkspace(credential);
	jest.setSystemTime(start + 3_599_000);
	expect(getSharedWorkspace(credential).service).toBe(service);
	jest.setSystemTime(start + 3_601_000);
	const later = getSharedWorkspace(credential);
	expect(later.service).not.toBe(service);
	expect(later.limiter).toBe(limiter);
	jest.useRealTimers();
});

test('n8n asks a service again if a question failed, and not if it was answered', async () => {
	const ask = jest.fn().mockRejectedValueOnce(new Error('It failed')).mockResolvedValue('yes');
	const askOnce = oncePerService(ask);
	const client = { service: new Service(), request: async () => undefined };
	await expect(askOnce(client)).rejects.toThrow('It failed');
	await expect(askOnce(client)).resolves.toBe('yes');
	await expect(askOnce(client)).resolves.toBe('yes');
	expect(ask).toHaveBeenCalledTimes(2);
});
