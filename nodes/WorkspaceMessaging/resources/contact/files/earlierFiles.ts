import type { IBinaryData, INodeExecutionData, IWorkflowDataProxyData } from 'n8n-workflow';
import type { Item } from '../../../execution/item';
import { oncePerRun } from '../../../execution/run';
import { quoted } from '../../../validation/labels';

/* The files that nodes before ours returned. n8n does not pass them on if a node in between returns other items. */

/** What an expression finds of a node, such as `$('HTTP Request')`. */
interface NodeOutput {
	all(): INodeExecutionData[];
	/** The item that the current item comes from. Throws an error if n8n does not know it. */
	readonly item: INodeExecutionData | undefined;
}

/** The nodes before ours that returned files, with their items. */
const nodesWithFiles = oncePerRun(({ run: { context }, index }: Item) => {
	const proxy = context.getWorkflowDataProxy(index);
	return context
		.getParentNodes(context.getNode().name)
		.map(({ name }) => ({ name, items: read(proxy, name, (node) => node.all()) ?? [] }))
		.filter(({ items }) => items.some(({ binary = {} }) => Object.keys(binary).length > 0));
});

/** The files that earlier nodes of this execution returned, by their reference in n8n's storage. */
export const filesOfEarlierNodes = oncePerRun((item: Item) => {
	const items = nodesWithFiles(item).flatMap((node) => node.items);
	const files = items.flatMap(({ binary = {} }) => Object.values(binary));
	return new Map(files.map((file) => [file.id, file]));
});

/**
 * Says which nodes before have files, for an item without any. If n8n's item linking leads to exactly one file, says the
 * expression that returns it. The node itself takes no such file: it could be the file of another customer.
 */
export function describeEarlierFiles(item: Item): string | undefined {
	const nodes = nodesWithFiles(item).map(({ name }) => name);
	if (nodes.length === 0) return undefined;
	const linked = linkedFiles(item, nodes);
	const [first] = linked;
	// Nodes pass files on, so several can have the same one.
	const different = new Set(linked.map(({ file }) => file.id ?? file.data));
	if (different.size === 1) {
		const { node, field, file } = first;
		const name = file.fileName ? ` (${quoted(file.fileName)})` : '';
		return `The node "${node}" has one${name}: set the field to Expression and enter {{ ${expressionFor(node, field)} }}.`;
	}
	const names = nodes.map((name) => `"${name}"`).join(', ');
	return `The item has no files. Nodes before have some: ${names}. Enter an expression that leads to the file of this item.`;
}

/** The files of the items that an item comes from. */
function linkedFiles({ run: { context }, index }: Item, nodes: string[]) {
	const proxy = context.getWorkflowDataProxy(index);
	return nodes.flatMap((node) => {
		const files = read(proxy, node, ({ item }) => item?.binary) ?? {};
		return Object.entries(files).map(([field, file]: [string, IBinaryData]) => ({ node, field, file }));
	});
}

/** Reads the output of a node; undefined if it did not run, or if n8n does not know where the item comes from. */
function read<T>(proxy: IWorkflowDataProxyData, name: string, find: (node: NodeOutput) => T): T | undefined {
	try {
		return find(proxy.$(name) as NodeOutput);
	} catch {
		return undefined;
	}
}

function expressionFor(node: string, field: string): string {
	const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
	const property = /^[A-Za-z_$][\w$]*$/.test(field) ? `.${field}` : `[${quote(field)}]`;
	return `$(${quote(node)}).item.binary${property}`;
}
