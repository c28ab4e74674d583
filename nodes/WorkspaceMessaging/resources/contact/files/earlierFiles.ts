import type { IBinaryData, INodeExecutionData, IWorkflowDataProxyData } from 'n8n-workflow';
import type { Item } from '../../../execution/item';

/**
 * A file in n8n's storage, as one of the nodes before this one has put it out in this execution; undefined where none has.
 *
 * @param id how n8n refers to it
 */
export function fileOfEarlierNode(id: string, { run, index }: Item): IBinaryData | undefined {
	const { context } = run;
	const byId = run.once('files of earlier nodes', () => {
		const proxy = context.getWorkflowDataProxy(index);
		const nodes = context.getParentNodes(context.getNode().name);
		const files = nodes
			.flatMap(({ name }) => outputOf(proxy, name))
			.flatMap(({ binary = {} }) => Object.values(binary));
		return new Map(files.map((file) => [file.id, file]));
	});
	return byId.get(id);
}

/** The items that a node has put out; none where it did not run. */
function outputOf(proxy: IWorkflowDataProxyData, name: string): INodeExecutionData[] {
	try {
		return (proxy.$(name) as { all(): INodeExecutionData[] }).all();
	} catch {
		return [];
	}
}
