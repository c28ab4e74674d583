import { LoadOptionsContext } from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { additionalDataOf, compiledNode, NODE_NAME, workflowOf } from './engine';
import type { Credential } from './engine';
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
	const values = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		node,
		description,
	)!;
	return properties.filter((field) =>
		NodeHelpers.displayParameter(values, field, node, description),
	);
}

/** The same for the node as a tool of an agent. */
export const shownInTool = (parameters: INodeParameters) =>
	shownFields(parameters, toolNode.description);

export const namesOf = (fields: unknown) =>
	(fields as Array<{ name: string }>).map(({ name }) => name);

/** What the editor hands to a method that fills a list. */
export function contextOfList(credential: Credential): LoadOptionsContext {
	const workflow = workflowOf({ parameters: {} });
	const node = workflow.getNode(NODE_NAME)!;
	return new LoadOptionsContext(
		workflow,
		node,
		additionalDataOf(credential),
		'parameters.identifier',
	);
}

/**
 * Returns the labels of the Request Options in the Settings tab for these parameters; none if the
 * tab does not show them.
 *
 * @param type of the node: the action node, the tool, or the step of a human review, as n8n names
 * them
 */
export function shownRequestOptions(parameters: INodeParameters, type: string): string[] {
	const description = { ...compiledNode.description, name: type };
	const field = shownFields(parameters, description).find(({ name }) => name === 'requestOptions');
	if (field?.type !== 'collection' || field.isNodeSetting !== true) return [];
	const node = { type, typeVersion: 1, parameters } as INode;
	return (field.options as INodeProperties[])
		.filter((option) => NodeHelpers.displayParameter({}, option, node, description, parameters))
		.map(({ displayName }) => displayName);
}
