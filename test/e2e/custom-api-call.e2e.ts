import { credentialFor } from '../../scripts/examples';
import { itemsOf, NODE_TYPE, useN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { chain, node, ourCredential } from '../support/n8n/workflow';

/**
 * What the node does not have can be called with its credential: "Custom API Call", and the HTTP
 * Request node.
 */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-custom-calls');
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** Runs a workflow of a manual trigger and an HTTP Request node with the workspace's credential. */
async function request(url: string) {
	const call = node('Call', 'n8n-nodes-base.httpRequest', 4.2, {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'workspaceMessagingApi',
		options: {},
	});
	call.credentials = ourCredential;
	const id = await n8n.client.importWorkflow(chain(url, [call]));
	return await n8n.client.run(id);
}

it('The node offers Custom API Call', async () => {
	const types = (await (
		await fetch(`${n8n.address}/types/nodes.json`, { headers: n8n.client.headers })
	).json()) as Array<{
		name: string;
		properties: Array<{ name: string; options?: Array<{ name: string }> }>;
	}>;
	const { properties } = types.find(({ name }) => name === NODE_TYPE)!;
	for (const name of ['resource', 'operation']) {
		const { options } = properties.find((property) => property.name === name)!;
		expect(options?.map((option) => option.name)).toContain('Custom API Call');
	}
});

it('Custom API Call reaches endpoints that have no operation', async () => {
	const { contacts, customFields } = await workspace.state();
	const { contactCustomFields, id } = contacts.find(
		(contact) => contact.contactCustomFields.length > 0,
	)!;
	const [{ customFieldId }] = contactCustomFields;
	const execution = await request(
		`${workspace.url}/api/v1/contacts/id:${id}/custom-fields/${customFieldId}`,
	);
	expect(execution.status).toBe('success');
	const field = customFields.find((one) => one.id === customFieldId);
	expect(itemsOf(execution, 'Call')[0].json).toMatchObject({ name: field?.name });
});

it('Custom API Call sends the token to the service only', async () => {
	const execution = await request(`${sandbox.otherUrl}/steal`);
	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error?.message).toContain(
		"n8n doesn't send its access token to",
	);
	expect(await sandbox.unknownRequests('/steal')).toEqual([]);
});

it('Custom API Call does not send the token after a redirect to another address', async () => {
	await sandbox.clearUnknownRequests();
	await workspace.faults({ redirect: { status: 307, to: 'other' } });
	await request(`${workspace.url}/api/v1/teams`);
	await workspace.faults({ redirect: null });
	const elsewhere = (await sandbox.unknownRequests()).filter(
		({ listener }) => listener === 'other',
	);
	expect(elsewhere.filter(({ authorization }) => authorization !== 'none')).toEqual([]);
});
