import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DirectoryLoader } from 'n8n-core';
import { deepCopy } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { n8nModule } from './modules';

const dist = join(__dirname, '../../../dist/nodes/WorkspaceMessaging');
const PACKAGE = 'n8n-nodes-workspace-messaging';

function compiledType(className: string, folder: string): INodeType {
	const file = join(dist, folder, `${className}.node`);
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const module = require(`${file}.js`) as Record<string, new () => INodeType>;
	const type = new module[className]();
	const codex = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as object;
	type.description = { ...type.description, codex, name: `${PACKAGE}.${type.description.name}` };
	return type;
}

/**
 * The compiled node's own description, with its words for the search, under the name that n8n gives
 * it.
 */
export function compiledDescription(
	className = 'WorkspaceMessaging',
	folder = '',
): INodeTypeDescription {
	return compiledType(className, folder).description;
}

/**
 * The description of the node as n8n has it when it is loaded: with what n8n adds to the Request
 * Options.
 */
export function loadedDescription(): INodeTypeDescription {
	const type = compiledType('WorkspaceMessaging', '');
	type.description = deepCopy(type.description);
	DirectoryLoader.applyDeclarativeNodeOptionParameters(type);
	return type.description;
}

/** The description of the node as a tool of an agent, as n8n makes it. */
export async function toolDescription(): Promise<INodeTypeDescription> {
	const { convertNodeToAiTool } = await n8nModule<{
		convertNodeToAiTool(item: { description: INodeTypeDescription }): {
			description: INodeTypeDescription;
		};
	}>('n8n/dist/tool-generation/ai-tools.js');
	return convertNodeToAiTool({ description: loadedDescription() }).description;
}

/**
 * The description of the node as a step of a human review, as n8n makes it; undefined if n8n makes
 * none.
 */
export async function reviewDescription(): Promise<INodeTypeDescription | undefined> {
	const { createHitlTools } = await n8nModule<{
		createHitlTools(types: { nodes: INodeTypeDescription[] }, known: object): void;
	}>('n8n/dist/tool-generation/hitl-tools.js');
	const nodes = [loadedDescription()];
	createHitlTools({ nodes }, { nodes: {}, credentials: {} });
	return nodes[1];
}
