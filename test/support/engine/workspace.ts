import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../sandbox/client';
import type { WorkspaceOptions } from '../../../sandbox/options';
import { sandbox } from '../sandbox';
import { runNode, type RunOptions, type RunResult } from './engine';

/** A workspace for this test only, and our node connected to it. */
export interface TestWorkspace {
	workspace: SandboxWorkspace;
	/**
	 * Runs our node in the real engine, and checks that n8n did not store the token with the
	 * execution.
	 */
	run(
		parameters: INodeParameters,
		items?: IDataObject[],
		more?: Partial<RunOptions>,
	): Promise<RunResult>;
}

/** Makes a workspace for one test. The options say what it contains and how it fails. */
export async function testWorkspace(options: WorkspaceOptions = {}): Promise<TestWorkspace> {
	const workspace = await sandbox.workspace(randomUUID(), options);
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	return {
		workspace,
		async run(parameters, items, more = {}) {
			const result = await runNode({ parameters, items, credential, ...more });
			if (result.kept.includes(workspace.token))
				throw new Error('The execution keeps the access token');
			// The errors about such a text contain it.
			const others = result.kept.replaceAll('contains [object Object]', '');
			if (others.includes('[object Object]'))
				throw new Error('The execution shows [object Object]');
			return result;
		},
	};
}

/** Makes a workspace with one contact, Ann. Its journal begins after that. */
export async function workspaceWithAnn(options: WorkspaceOptions = {}) {
	const test = await testWorkspace({ contacts: 0, ...options });
	const [ann] = await test.workspace.addContacts([
		{ email: 'ann@example.com', phoneNumber: '+4915100000001' },
	]);
	await test.workspace.clearJournal();
	return { ...test, ann };
}
