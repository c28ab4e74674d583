import type { INodeParameters } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/options';
import type { RunOptions } from './engine';
import { by } from './helpers';
import { skipPauses } from './skipPauses';
import { SubWorkflows } from './subWorkflows';
import { workspaceWithAnn } from './workspace';

/* Questions that Ann answers by typing. */

/** The pauses between the looks of the node itself. */
const LOOK_MS = 5000;

const question = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'sendAndWait',
	identifier: by('email', 'ann@example.com'),
	message: 'May we ship on Friday?',
	answer: 'chat',
	...more,
});

/** Makes a workspace with Ann, and n8n's way to wait for what she types. */
export async function chatWithAnn(options: WorkspaceOptions = { service: 'newer' }) {
	const test = await workspaceWithAnn(options);
	const { workspace, ann } = test;
	const subWorkflows = new SubWorkflows({ baseUrl: workspace.url, accessToken: workspace.token });
	const { executeWorkflow } = subWorkflows;
	const write = async (message: Parameters<typeof workspace.write>[1]) =>
		await workspace.write(`id:${ann.id}`, message);
	/** Asks Ann; `meanwhile` happens before each look of the node itself. */
	const ask = async (
		more?: INodeParameters,
		meanwhile?: () => Promise<unknown>,
		options: Partial<RunOptions> = {},
	) => {
		const stop = skipPauses(LOOK_MS, meanwhile);
		const run = { executeWorkflow, ...options };
		return await test.run(question(more), [{ order: 1 }], run).finally(stop);
	};
	return { ...test, question, subWorkflows, write, ask };
}
