import { credentialFor } from '../../scripts/examples';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { itemsOf, NODE_TYPE, startN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { chain, node } from '../support/n8n/workflow';

/* An n8n with settings of its own, and tests that use it without having started it. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;

/** n8n 1 keeps no files in its database. */
const mode = DEFAULT_N8N_VERSION.startsWith('1.') ? 'filesystem' : 'database';

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-files');
	n8n = await startN8n(undefined, { N8N_DEFAULT_BINARY_DATA_MODE: mode });
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** Downloads a file, reads all contacts, and sends the file to each. */
function fileToAll(attachments: string) {
	const nodes = [
		node('Download', 'n8n-nodes-base.httpRequest', 4.2, {
			url: `${n8n.address}/healthz`,
			options: { response: { response: { responseFormat: 'file' } } },
		}),
		node('Get Contacts', NODE_TYPE, 1, {
			resource: 'contact',
			operation: 'getAll',
			returnAll: true,
		}),
		node('Send File', NODE_TYPE, 1, {
			resource: 'message',
			operation: 'send',
			identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			attachments,
		}),
	];
	return chain('File to all', nodes);
}

async function run(attachments: string) {
	await workspace.reset({ service: 'newer', contacts: 2 });
	return await n8n.client.run(await n8n.client.importWorkflow(fileToAll(attachments)));
}

test(`A file that n8n keeps in the mode "${mode}" goes to all contacts by the expression that the error says`, async () => {
	const expression = "{{ $('Download').item.binary.data }}";
	const refused = await run('data');
	expect(refused.data.resultData.error?.message).toContain(`enter ${expression}.`);
	const execution = await run(`=${expression}`);
	expect(execution.data.resultData.error).toBeUndefined();
	const [{ binary }] = itemsOf(execution, 'Download');
	expect(binary?.data.id).toMatch(new RegExp(`^${mode}`));
	const { messages } = await workspace.journal();
	expect(messages.map(({ files }) => files?.length)).toEqual([1, 1]);
});

describe('With N8N_TEST_URL', () => {
	beforeAll(() => {
		process.env.N8N_TEST_URL = `${n8n.address}/`;
	});
	afterAll(() => {
		delete process.env.N8N_TEST_URL;
	});

	test('The tests use the n8n that is running, and leave it running', async () => {
		const other = await startN8n();
		expect(other.address).toBe(n8n.address);
		await other.client.importCredential(credentialFor(workspace));
		await workspace.reset({ service: 'newer', contacts: 2 });
		const id = await other.client.importWorkflow(
			fileToAll("={{ $('Download').item.binary.data }}"),
		);
		expect((await other.client.run(id)).status).toBe('success');
		await other.stop();
		expect((await fetch(`${n8n.address}/healthz`)).status).toBe(200);
	});

	test('Tests that restart n8n or need settings of it fail with the reason', async () => {
		const other = await startN8n();
		await expect(other.restart()).rejects.toThrow('n8n was not started by this test');
		await expect(startN8n(undefined, { TZ: 'UTC' })).rejects.toThrow(
			'with TZ. Unset N8N_TEST_URL.',
		);
	});
});
