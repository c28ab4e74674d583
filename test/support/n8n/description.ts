import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DirectoryLoader } from 'n8n-core';
import { deepCopy } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { n8nModule } from './modules';

const dist = join(__dirname, '../../../dist/nodes/WorkspaceMessaging');
const PACKAGE = 'n8n-nodes-workspace-messaging';

/** The compiled node's own description, with its words for the search, under the name that n8n gives it. */
export function compiledDescription(className = 'WorkspaceMessaging', folder = ''): INodeTypeDescription {
	const file = join(dist, folder, `${className}.node`);
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const module = require(`${file}.js`) as Record<string, new () => INodeType>;
	const { description } = new module[className]();
	const codex = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as object;
	return { ...description, codex, name: `${PACKAGE}.${description.name}` };
}

/** The description of the node as n8n has it when it is loaded: with the request options that n8n adds. */
export function loadedDescription(): INodeTypeDescription {
	const description = deepCopy(compiledDescription());
	DirectoryLoader.applyDeclarativeNodeOptionParameters({ description });
	return description;
}

/** The description of the node as a tool of an agent, as n8n makes it. */
export async function toolDescription(): Promise<INodeTypeDescription> {
	const { convertNodeToAiTool } = await n8nModule<{
		convertNodeToAiTool(item: { description: INodeTypeDescription }): { description: INodeTypeDescription };
	}>('n8n/dist/tool-generation/ai-tools.js');
	return convertNodeToAiTool({ description: loadedDescription() }).description;
}
