import type { INode } from 'n8n-workflow';
import { problemsOf, readDefinition, type Definition } from './definition';
import type { Mcp } from './mcp';
import { n8nModule } from './modules';

/** An operation, as the search lists it. */
interface FoundOperation {
	type: string;
	version: number;
	resource: string;
	operation: string;
	description: string;
}

/** An operation with its definition. */
export type Operation = FoundOperation & Definition;

/** n8n's answer about a created workflow. */
interface Created {
	workflowId: string;
	autoAssignedCredentials: Array<{ nodeName: string; credentialType: string }>;
	warnings?: object[];
}

interface Credential {
	id: string;
	name: string;
}

type NodeConfig = Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'>;

/**
 * An assistant that builds workflows with the tools of n8n's MCP server, in the order in which n8n
 * tells it to: searches, reads definitions, looks up lists, checks nodes, validates, creates. What
 * it knows of a node is what these tools say.
 */
export class WorkflowBuilder {
	/** The operations whose definitions were read. */
	private readonly known: Operation[] = [];

	constructor(private readonly mcp: Mcp) {}

	/** What the search shows for some words. */
	async search(query: string): Promise<string> {
		const { results } = await this.mcp.call<{ results: string }>('search_nodes', {
			queries: [query],
		});
		return results;
	}

	/** Searches for a node that is known by its name. */
	async findNode(query: string, displayName: string): Promise<{ type: string; version: number }> {
		const pattern = new RegExp(
			String.raw`^- (\S+).*\n  Display Name: ${displayName}\n  Version: (\S+)`,
			'm',
		);
		const found = pattern.exec(await this.search(query));
		if (!found) throw new Error(`The search for "${query}" does not show ${displayName}`);
		return { type: found[1], version: Number(found[2]) };
	}

	/**
	 * Searches for an operation, takes the first one whose description fits, and reads its
	 * definition.
	 *
	 * @param fits decides by the description, as a model would
	 * @param kind whether to find a node or a tool of an agent
	 */
	async findOperation(
		query: string,
		fits: RegExp,
		kind: 'node' | 'tool' = 'node',
	): Promise<Operation> {
		const found = operationsIn(await this.search(query)).find(
			({ type, description }) => isTool(type) === (kind === 'tool') && fits.test(description),
		);
		if (!found) throw new Error(`The search for "${query}" shows nothing that would be ${fits}`);

		const { type: nodeId, resource, operation } = found;
		const { definitions } = await this.mcp.call<{ definitions: string }>('get_node_types', {
			nodeIds: [{ nodeId, resource, operation }],
		});
		const known = { ...found, ...readDefinition(definitions, resource, operation) };
		this.known.push(known);
		return known;
	}

	/** The credential of a type, of which there has to be one. */
	async credentialOf(type: string): Promise<Credential> {
		const { data } = await this.mcp.call<{ data: Credential[] }>('list_credentials', { type });
		const [{ id, name }] = data;
		return { id, name };
	}

	/** The entries of a field's list that match a word. */
	async entriesOf(
		{ type, version, fields, credentialType }: Operation,
		fieldName: string,
		filter: string,
	): Promise<Array<{ name: string; value: string }>> {
		const credential = await this.credentialOf(credentialType);
		const { results } = await this.mcp.call<{ results: Array<{ name: string; value: string }> }>(
			'explore_node_resources',
			{
				nodeType: type,
				version,
				methodName: fields.find(({ name }) => name === fieldName)?.listMethod,
				methodType: 'listSearch',
				credentialType,
				credentialId: credential.id,
				filter,
			},
		);
		return results;
	}

	/** What is wrong with those nodes of a workflow that were looked for. */
	async problemsIn(code: string): Promise<string[]> {
		const { parseWorkflowCode } = await n8nModule<{
			parseWorkflowCode(code: string): { nodes: INode[] };
		}>('@n8n/workflow-sdk/dist/index.js');
		const { stripImportStatements } = await n8nModule<{
			stripImportStatements(code: string): string;
		}>('@n8n/ai-workflow-builder/dist/index.js');
		const { nodes } = parseWorkflowCode(stripImportStatements(code));
		return await this.problemsOf(
			nodes.filter((node) => this.known.some(({ type }) => type === node.type)),
		);
	}

	/** What is wrong with the parameters of nodes: by their definitions, and by n8n. */
	async problemsOf(nodes: NodeConfig[]): Promise<string[]> {
		const byDefinition = nodes.flatMap(({ name, type, parameters }) => {
			const definition = this.known.find(
				(each) =>
					each.type === type &&
					each.resource === parameters.resource &&
					each.operation === parameters.operation,
			);
			if (!definition) return [`${name}: its definition was not read`];
			return problemsOf(parameters, definition.fields, isTool(type), `${name}: `);
		});

		const { results } = await this.mcp.call<{
			results: Array<{ errors?: Array<{ message: string }> }>;
		}>('validate_node_config', {
			nodes: nodes.map(({ name, type, typeVersion, parameters }) => ({
				...{ name, type, typeVersion, parameters },
				isToolNode: isTool(type),
			})),
		});
		return [
			...byDefinition,
			...results.flatMap(({ errors = [] }) => errors.map(({ message }) => message)),
		];
	}

	/** Lets n8n validate a workflow, and creates it. */
	async create(code: string): Promise<{ validation: object; created: Created }> {
		const validation = await this.mcp.call<object>('validate_workflow', { code });
		const created = await this.mcp.call<Created>('create_workflow_from_code', { code });
		return { validation, created };
	}

	/** A workflow's nodes, as n8n has stored them. */
	async nodesOf(workflowId: string): Promise<INode[]> {
		const { workflow } = await this.mcp.call<{ workflow: { nodes: INode[] } }>(
			'get_workflow_details',
			{
				workflowId,
			},
		);
		return workflow.nodes;
	}

	/** Starts a workflow from a trigger, and returns the ID of the execution. */
	async start(workflowId: string, triggerNodeName: string, inputs: object): Promise<string> {
		const { executionId, error } = await this.mcp.call<{
			executionId: string | null;
			error?: string;
		}>('execute_workflow', { workflowId, executionMode: 'manual', triggerNodeName, inputs });
		if (executionId === null) throw new Error(error);
		return executionId;
	}

	/** Creates one of n8n's own agents, which are not workflows. Throws what n8n has against it. */
	async createAgent(name: string, config: object): Promise<string> {
		const { data } = await this.mcp.call<{ data: Array<{ id: string }> }>('search_projects', {});
		const { agent } = await this.mcp.call<{ agent: { id: string } }>('create_agent', {
			...{ name, config },
			projectId: data[0].id,
		});
		const { valid, errors } = await this.mcp.call<{ valid: boolean; errors: object[] }>(
			'validate_agent',
			{
				agentId: agent.id,
			},
		);
		if (!valid) throw new Error(JSON.stringify(errors));
		return agent.id;
	}

	/** Says something to such an agent, and returns its answer. */
	async callAgent(agentId: string, message: string): Promise<string> {
		const { response } = await this.mcp.call<{ response: string }>('call_agent', {
			agentId,
			request: { type: 'message', message },
		});
		return response;
	}
}

const isTool = (type: string) => type.endsWith('Tool');

/** The operations in what the search shows, which is indented text. */
function operationsIn(results: string): FoundOperation[] {
	const found: FoundOperation[] = [];
	let type = '';
	let version = 0;
	let resource = '';
	for (const line of results.split('\n')) {
		type = /^- (\S+)/.exec(line)?.[1] ?? type;
		version = Number(/^ {2}Version: (\S+)/.exec(line)?.[1] ?? version);
		resource = /^ {6}- (\w+):$/.exec(line)?.[1] ?? resource;
		const operation = /^ {12}- (\w+)$/.exec(line)?.[1];
		if (operation !== undefined)
			found.push({ type, version, resource, operation, description: '' });
		const [, description] = /^ {14}(\S.*)$/.exec(line) ?? [];
		if (description !== undefined) found[found.length - 1].description = description;
	}
	return found;
}
