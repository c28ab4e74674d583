import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * The line below the node on the canvas: what its operation does, in the words of the list of actions. The editor
 * evaluates it for every node that it shows, so it is no more than a look-up in a table.
 *
 * @param operations the Operation field of each resource
 */
export function subtitleOf(operations: INodeProperties[]): string {
	const sentences = operations.flatMap(({ displayOptions, options }) => {
		const [resource] = displayOptions?.show?.resource as string[];
		return (options as INodePropertyOptions[]).map(({ value, action }) => [
			`${resource}:${String(value)}`,
			action,
		]);
	});
	const table = JSON.stringify(Object.fromEntries(sentences));
	return `={{ (${table})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
}
