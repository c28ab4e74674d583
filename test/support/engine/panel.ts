import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { compiledNode } from './engine';
import { toolNode } from './tool';

/**
 * Returns the fields that the panel shows for these parameters, in order, by n8n's own rules.
 *
 * @param description the node's description; by default, that of the action node
 */
export function shownFields(
	parameters: INodeParameters,
	description: INodeTypeDescription = compiledNode.description,
): INodeProperties[] {
	const { name: type, properties } = description;
	const node = { type, typeVersion: 1, parameters } as INode;
	const values = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description)!;
	return properties.filter((field) => NodeHelpers.displayParameter(values, field, node, description));
}

/** The same for the node as a tool of an agent. */
export const shownInTool = (parameters: INodeParameters) => shownFields(parameters, toolNode.description);

export const namesOf = (fields: unknown) => (fields as Array<{ name: string }>).map(({ name }) => name);
