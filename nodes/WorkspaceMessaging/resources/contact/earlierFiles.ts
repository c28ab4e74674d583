import type { INodeExecutionData, IWorkflowDataProxyData } from 'n8n-workflow';
import type { Item } from '../../execution/item';

/**
 * Whether a file in n8n's storage was put out by one of the nodes before this one, in this execution.
 *
 * @param id how n8n refers to it
 */
export function isOfEarlierNode(id: string, { run, index }: Item): boolean {
	const { context } = run;
	const ids = run.once('files of earlier nodes', () => {
		const proxy = context.getWorkflowDataProxy(index);
		const nodes = context.getParentNodes(context.getNode().name);
		const files = nodes
			.flatMap(({ name }) => outputOf(proxy, name))
			.flatMap(({ binary = {} }) => Object.values(binary));
		return new Set(files.map((file) => file.id));
	});
	return ids.has(id);
}

/** The items that a node has put out; none where it did not run. */
function outputOf(proxy: IWorkflowDataProxyData, name: string): INodeExecutionData[] {
	try {
		return (proxy.$(name) as { all(): INodeExecutionData[] }).all();
	} catch {
		return [];
	}
}
