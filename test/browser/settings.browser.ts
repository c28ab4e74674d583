import type { INode } from 'n8n-workflow';
import { credentialFor } from '../../scripts/examples';
import { NODE_TYPE } from '../../scripts/n8n/run';
import { seen, setStage, type Stage } from '../support/browser/stage';

/* The Settings tab of the node, of the tool, of the step of a human review, and of the triggers. */

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-settings', { contacts: 1 });
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
	await openWorkflow(stage);
});

afterAll(async () => {
	await stage?.stop();
});

afterEach(async () => {
	await stage.editor.closeNode();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

/** Opens a workflow with the node in its three forms, and the triggers. */
async function openWorkflow({ n8n, editor }: Stage): Promise<void> {
	const ours = (name: string, suffix: string, parameters = {}): INode => ({
		...{ id: name, name, type: `${NODE_TYPE}${suffix}`, typeVersion: 1, parameters },
		position: [200, 200 * ['Read', 'Tool', 'Review', 'Polling', 'Instant'].indexOf(name)],
		credentials: { workspaceMessagingApi: { id: null, name: '' } },
	});
	const start: INode = {
		...{ id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
		...{ position: [0, 0], parameters: {} },
	};
	const workflow = await n8n.client.importWorkflow({
		name: 'Settings',
		nodes: [
			start,
			ours('Read', '', { resource: 'tag', operation: 'getAll' }),
			ours('Tool', 'Tool', { resource: 'contact', operation: 'getAll' }),
			ours('Review', 'HitlTool'),
			ours('Polling', 'Trigger'),
			ours('Instant', 'InstantTrigger'),
		],
		connections: { Start: { main: [[{ node: 'Read', type: 'main', index: 0 }]] } },
	});
	await editor.openWorkflow(workflow);
}

const ofTriggers = ['Ignore SSL Issues (Insecure)', 'Proxy', 'Timeout'];
const everywhere = [
	'Batching',
	'Give Up After (Seconds)',
	'Ignore SSL Issues (Insecure)',
	'Max Retries',
	'Proxy',
	'Retry When Outcome Is Unknown',
	'Timeout',
];

describe('The Settings tab', () => {
	it.each([
		['Read', everywhere],
		['Tool', [...everywhere, 'Max Answer Length'].sort()],
		['Review', everywhere],
		['Polling', ofTriggers],
		['Instant', ofTriggers],
	])('of the node %s offers the Request Options', async (name, labels) => {
		await see(async ({ editor }) => {
			await editor.openNode(name);
			await editor.part('tab-settings').click();
			await editor.parameters.getByText('Request Options', { exact: true }).waitFor();
			expect(await editor.offeredOptions()).toEqual(labels);
		})();
	});

	it(
		'sets how often the node retries',
		see(async ({ editor, workspace }) => {
			await workspace.faults({ fail: [{ status: 503 }] });
			await workspace.clearJournal();
			await editor.openNode('Read');
			await editor.part('tab-settings').click();
			await editor.addOption('Max Retries');
			await editor.addOption('Retry When Outcome Is Unknown');
			await editor.addOption('Timeout');
			await editor.fill('maxRetries', '0');
			await editor.release();
			await editor.picture('settings', editor.parameters);

			await editor.execute();
			await editor.part('node-error-message').waitFor();
			expect((await workspace.journal()).requests).toHaveLength(1);
		}),
	);
});
