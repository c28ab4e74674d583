import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/options';
import type { SandboxWorkspace } from '../../../sandbox/client';
import { TriggerHost, type Engine } from './triggerHost';
import { testWorkspace } from './workspace';

/** A workspace for this test only, and an n8n with a workflow whose trigger watches it. */
export interface Watched {
	workspace: SandboxWorkspace;
	host: TriggerHost;
	/** Polls once and returns how many pages of lists that took, custom fields left out. */
	requestsOfPoll(): Promise<number>;
}

/** Makes a workspace and a workflow that is not active yet. */
export async function watched(
	parameters: INodeParameters,
	options: WorkspaceOptions = {},
	engine: Engine = 'inMemory',
): Promise<Watched> {
	const { workspace } = await testWorkspace(options);
	const host = new TriggerHost(
		{ baseUrl: workspace.url, accessToken: workspace.token },
		parameters,
		engine,
	);
	return {
		workspace,
		host,
		async requestsOfPoll() {
			await workspace.clearJournal();
			await host.poll();
			const { requests, byOperation } = await workspace.summary();
			return requests - (byOperation.listCustomFields ?? 0);
		},
	};
}

/** Makes a workspace and a workflow that is active. */
export async function active(
	parameters: INodeParameters,
	options: WorkspaceOptions = {},
	engine: Engine = 'inMemory',
): Promise<Watched> {
	const result = await watched(parameters, options, engine);
	await result.host.activate();
	expect(result.host.items).toEqual([]);
	return result;
}

export const idsOf = (records: IDataObject[] | Array<{ id: string }>) =>
	records.map(({ id }) => String(id)).sort();

export const identifier = ({ id }: { id: string }) => `id:${id}`;

/** So many people who are new. */
export const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ firstName: `Person ${index}` }));
