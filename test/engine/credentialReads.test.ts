import type { INodeParameters } from 'n8n-workflow';
import { compiledNode, runNode } from '../support/engine/engine';
import type { Credential } from '../support/engine/engine';
import { by } from '../support/engine/helpers';
import { InstantHost } from '../support/engine/instantHost';
import { archivedCall, called } from '../support/engine/instantSupport';
import { contextOfList } from '../support/engine/panel';
import { engines, TriggerHost } from '../support/engine/triggerHost';
import { testWorkspace } from '../support/engine/workspace';

/*
 * Outside of an execution, n8n makes a new isolate each time it decrypts a credential, which takes
 * most of the processor time of a poll. So the node lets n8n decrypt it once, and hands it over
 * with each request. A user may change it meanwhile.
 */

const services = ['reference', 'newer', 'older'] as const;

const tagAdded: INodeParameters = { event: 'tagAdded' };
const allContacts: INodeParameters = { resource: 'contact', operation: 'getAll', returnAll: true };

/** A credential that counts how often n8n decrypts it. */
function counted({ url, token }: { url: string; token: string }) {
	const count = { reads: 0 };
	const credential: Credential = {
		baseUrl: url,
		get accessToken() {
			count.reads++;
			return token;
		},
	};
	return { credential, count };
}

/** Looks for a contact that does not exist in the list that the editor shows. */
async function searchNobody(credential: Credential) {
	const { searchContacts } = compiledNode.methods!.listSearch!;
	return await searchContacts.call(contextOfList(credential), 'nobody@example.com');
}

describe.each(services)(
	'On a service of the kind "%s", n8n decrypts the credential once',
	(service) => {
		test('in a run of 40 items', async () => {
			const { workspace } = await testWorkspace({ service, contacts: 40 });
			const { credential, count } = counted(workspace);
			const { contacts } = await workspace.state();
			await workspace.clearJournal();
			const parameters = {
				resource: 'contact',
				operation: 'get',
				identifier: by('id', '={{ $json.id }}'),
			};
			const items = contacts.map(({ id }) => ({ id }));
			const { json, error } = await runNode({ parameters, items, credential });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(40);
			expect((await workspace.summary()).requests).toBeGreaterThanOrEqual(40);
			expect(count.reads).toBe(1);
		});

		test.each(engines)('in a poll (%s)', async (engine) => {
			const { workspace } = await testWorkspace({ service, contacts: 400 });
			const { credential, count } = counted(workspace);
			const host = new TriggerHost(credential, tagAdded, engine);
			await host.activate();
			await workspace.clearJournal();
			count.reads = 0;
			expect(await host.poll()).toEqual([]);
			expect((await workspace.summary()).requests).toBeGreaterThan(1);
			expect(count.reads).toBe(1);
		});

		test('when the editor fills a list', async () => {
			const { workspace } = await testWorkspace({ service, contacts: 200 });
			const { credential, count } = counted(workspace);
			expect(await searchNobody(credential)).toMatchObject({ results: [] });
			expect((await workspace.summary()).requests).toBeGreaterThan(0);
			expect(count.reads).toBe(1);
		});
	},
);

describe('n8n decrypts the credential once', () => {
	test('when it registers the instant trigger', async () => {
		const { workspace } = await testWorkspace({ service: 'newer', allowPrivateUrls: true });
		const { credential, count } = counted(workspace);
		const host = new InstantHost(credential, { event: 'newContact' });
		await host.hook('create');
		expect((await workspace.summary()).requests).toBeGreaterThan(2);
		expect(count.reads).toBe(1);
	});

	test('when it receives a call for the instant trigger', async () => {
		const { workspace, id, host: other, query } = await called({ event: 'archived' });
		const { credential, count } = counted(workspace);
		const host = new InstantHost(credential, { event: 'archived' }, other.database);
		expect((await host.call(query, archivedCall(id))).status).toBe(200);
		expect(host.items).toMatchObject([{ contactRead: true }]);
		expect((await workspace.summary()).requests).toBeGreaterThan(0);
		expect(count.reads).toBe(1);
	});
});

describe('In an n8n that reads the credential for each request itself (before 1.100)', () => {
	const authentication = nodeRequire(
		'n8n-core/dist/execution-engine/node-execution-context/utils/request-helpers/authentication',
	) as { httpRequestWithAuthentication: (...parts: unknown[]) => Promise<unknown> };

	beforeEach(() => {
		const { httpRequestWithAuthentication: send } = authentication;
		jest.spyOn(authentication, 'httpRequestWithAuthentication').mockImplementation(async function (
			this: unknown,
			...parts
		) {
			return await send.apply(this, parts.slice(0, -1));
		});
	});
	afterEach(() => jest.restoreAllMocks());

	test('runs, polls and lists work', async () => {
		const { workspace } = await testWorkspace({ contacts: 3 });
		const { credential, count } = counted(workspace);
		const { json, error } = await runNode({ parameters: allContacts, credential });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(3);
		const host = new TriggerHost(credential, { event: 'contactCreated' });
		await host.activate();
		await workspace.addContacts([{ firstName: 'Ann' }]);
		expect(await host.poll()).toMatchObject([{ firstName: 'Ann' }]);
		expect(await searchNobody(credential)).toMatchObject({ results: [] });
		expect(count.reads).toBeGreaterThan((await workspace.summary()).requests);
	});
});
