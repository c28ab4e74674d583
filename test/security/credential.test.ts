import type { INodeParameters } from 'n8n-workflow';
import { tagApi } from '../../nodes/WorkspaceMessaging/contract/tag';
import type * as http from '../../nodes/WorkspaceMessaging/transport/http';
import { apiRequest } from '../../nodes/WorkspaceMessaging/transport/request';
import { additionalDataOf, compiledNode, load, runNode } from '../support/engine/engine';
import type { Credential } from '../support/engine/engine';
import { received } from '../support/engine/helpers';
import { InstantHost } from '../support/engine/instantHost';
import { contextOfList } from '../support/engine/panel';
import { ownServer } from '../support/engine/record';
import { engines, TriggerHost } from '../support/engine/triggerHost';
import { testWorkspace } from '../support/engine/workspace';

/*
 * The package hands the decrypted credential to n8n with each request, so that n8n decrypts it
 * once. What restricts the credential must hold in each of the ways in which the package sends
 * requests.
 */

const accessToken = 'token-of-these-tests';
const allContacts: INodeParameters = { resource: 'contact', operation: 'getAll', returnAll: true };

const searchTags = async (credential: Credential): Promise<unknown> =>
	await compiledNode.methods!.listSearch!.searchTags.call(contextOfList(credential));

/** Returns why something failed. */
async function failure(work: Promise<unknown>): Promise<Error> {
	return await work.then(
		() => new Error('It did not fail'),
		(error: Error) => error,
	);
}

/** All ways in which the package sends requests; each returns why it failed. */
const ways: Array<[string, (credential: Credential) => Promise<Error>]> = [
	[
		'a run',
		async (credential) => {
			const { error } = await runNode({
				parameters: { resource: 'team', operation: 'getAll' },
				credential,
			});
			return new Error(error?.message);
		},
	],
	[
		'a poll',
		async (credential) =>
			await failure(new TriggerHost(credential, { event: 'contactCreated' }).activate()),
	],
	['a list of the editor', async (credential) => await failure(searchTags(credential))],
	[
		'the registration of the instant trigger',
		async (credential) =>
			await failure(new InstantHost(credential, { event: 'newContact' }).hook('create')),
	],
];

const answering = async () => await ownServer((response) => response.end('{}'));

describe.each(ways)('In %s', (_, send) => {
	test('n8n sends nothing if the credential allows only other domains', async () => {
		const own = await answering();
		const restriction = {
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'chat.example.com',
		};
		const credential = { baseUrl: `http://127.0.0.1:${own.port}`, accessToken, ...restriction };
		const { message } = await send(credential);
		expect(message).toContain('Domain not allowed');
		expect(message).not.toContain(accessToken);
		expect(own.arrived).toEqual([]);
	});

	test('n8n sends nothing if it no longer lets the node use the credential', async () => {
		const own = await answering();
		const credential = { baseUrl: `http://127.0.0.1:${own.port}`, accessToken };
		await send(credential);
		own.arrived.length = 0;
		const helper = Object.getPrototypeOf(additionalDataOf(credential).credentialsHelper) as {
			isCredentialUsableByNode(): boolean;
		};
		const mock = jest.spyOn(helper, 'isCredentialUsableByNode').mockReturnValue(false);
		const { message } = await send(credential);
		mock.mockRestore();
		expect(message).toContain('is restricted to specific nodes');
		expect(own.arrived).toEqual([]);
	});

	test('n8n follows no redirect to another port', async () => {
		const other = await answering();
		const own = await ownServer((response) => {
			response.writeHead(307, { location: `http://127.0.0.1:${other.port}/` }).end();
		});
		const { message } = await send({ baseUrl: `http://127.0.0.1:${own.port}`, accessToken });
		expect(message).toContain('The service redirects to ');
		expect(own.arrived[0]).toMatchObject({ authorization: `Bearer ${accessToken}` });
		expect(other.arrived).toEqual([]);
	});
});

test('The credential that the package hands to n8n sends its token to no other origin', async () => {
	const { exchange } = load<typeof http>('nodes/WorkspaceMessaging/transport/http.js');
	const other = await answering();
	const baseUrl = `http://127.0.0.1:${other.port}`;
	const data = { baseUrl: 'http://127.0.0.1:1', accessToken };
	const context = contextOfList({ baseUrl, accessToken });
	expect(await exchange(context, apiRequest(tagApi.listTags), { baseUrl, data }, {})).toMatchObject(
		{
			kind: 'notSent',
			message: expect.stringContaining('This credential is only for http://127.0.0.1:1.') as string,
		},
	);
	expect(other.arrived).toEqual([]);
});

describe('A token that a user changes', () => {
	test.each(engines)('counts from the next poll (%s)', async (engine) => {
		const { workspace: old } = await testWorkspace({ contacts: 3 });
		const { workspace: next } = await testWorkspace({ contacts: 3 });
		const credential = { baseUrl: old.url, accessToken: old.token };
		const host = new TriggerHost(credential, { event: 'tagAdded' }, engine);
		await host.activate();
		await host.poll();
		await old.clearJournal();
		credential.accessToken = next.token;
		await host.poll();
		expect(await received(old)).toEqual([]);
		expect(await received(next)).not.toEqual([]);
	});

	test('counts from the next run and the next list', async () => {
		const { workspace: old } = await testWorkspace({ contacts: 3 });
		const { workspace: next } = await testWorkspace({ contacts: 3 });
		const credential = { baseUrl: old.url, accessToken: old.token };
		await runNode({ parameters: allContacts, credential });
		await searchTags(credential);
		await old.clearJournal();
		credential.accessToken = next.token;
		await runNode({ parameters: allContacts, credential });
		const ofRun = await received(next);
		await searchTags(credential);
		expect(ofRun).not.toEqual([]);
		expect((await received(next)).length).toBeGreaterThan(ofRun.length);
		expect(await received(old)).toEqual([]);
	});

	test('does not count for the rest of a run, so that the address and the token belong together', async () => {
		const other = await ownServer((response) => response.end('{}'));
		const credential = { baseUrl: '', accessToken: 'first' };
		const own = await ownServer((response, { url = '' }) => {
			Object.assign(credential, {
				baseUrl: `http://127.0.0.1:${other.port}`,
				accessToken: 'second',
			});
			const page = Number(new URL(url, 'http://localhost').searchParams.get('page') ?? 1);
			response.setHeader('content-type', 'application/json');
			const data = page > 3 ? [] : [{ id: String(page) }];
			response.end(JSON.stringify({ data, page, pageCount: 3 }));
		});
		credential.baseUrl = `http://127.0.0.1:${own.port}`;
		const { json, error } = await runNode({ parameters: allContacts, credential });
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id).sort()).toEqual(['1', '2', '3']);
		expect(new Set(own.arrived.map(({ authorization }) => authorization))).toEqual(
			new Set(['Bearer first']),
		);
		expect(other.arrived).toEqual([]);
	});
});
