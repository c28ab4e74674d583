import type { IBuilderHint, INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { resolveContact } from '../../contacts/customFields/resolveContact';
import { execute, toolCall } from '../../execution/execute';
import type { Operation } from '../../execution/operation';
import { panelField } from './fields';
import { withToolFields } from './toolFields';

/*
 * The panel is declarative: resources, operations and fields are data, and `routing.send` of a field says where its value
 * goes. n8n's declarative loop does not run them, because each operation has a function in `customOperations`, which n8n
 * prefers. Our function does four things that the loop cannot do:
 * - It checks all items before it sends the first request.
 * - It keeps all requests of a run below one rate limit. The loop sends the requests of all items at once.
 * - It retries a request only if that cannot do something twice.
 * - If the node is a tool, it shortens the answer to what an agent can read.
 * Only a tool call of some agents still comes through n8n's loop, one item at a time; `pagination` sends it the same way.
 * Of `routing`, only `send.type` and `send.property` count. `value`, `preSend`, `output`, `request` and the rest would have
 * no effect, so the type `Field` does not have them.
 */

/** A resource with its operations. */
export interface Resource {
	/** Its name in the Resource dropdown. */
	name: string;
	/** Its value in saved workflows. */
	value: string;
	/** What it is, in a few words. n8n shows them to a model above each of its operations. */
	description: string;
	/** Its operations in the order of the Operation dropdown, sorted by name. */
	operations: Operation[];
	/** The operation that a new node has. */
	default: Operation;
}

/** The properties of the node's description: the two dropdowns, then the fields of all operations. */
export function propertiesOf(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value, description }) => ({ name, value, description })),
			default: 'contact',
		},
		...resources.map(operationField),
		...fieldsOf(resources),
	];
}

function operationField({ value, operations, default: { value: first } }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(operationOption),
		default: first,
	};
}

function operationOption(operation: Operation): INodePropertyOptions {
	const { name, value, action, endpoint } = operation;
	return {
		name,
		value,
		action,
		description: describe(operation),
		routing: {
			request: { method: endpoint.method as 'GET', url: endpoint.path },
			// Instead of sending a request of its own, n8n's declarative loop calls this.
			send: { paginate: true },
			operations: { pagination: toolCall(operation, resolveContact) },
		},
	};
}

/** What an operation does; people and models also read that some services lack it. */
function describe({ description, endpoint }: Operation): string {
	return endpoint.undocumented ? `${description}. Not available on every service.` : description;
}

/** The fields of all operations, each shown for those that have it. One that several share stands once. */
function fieldsOf(resources: Resource[]): INodeProperties[] {
	const lists = resources.flatMap(({ operations }) => operations.map(({ fields }) => fields));
	return inOrder(lists).flatMap((field) => {
		const shownFor = new Map<string, { resource: string[]; operation: string[] }>();
		for (const { value, operations } of resources) {
			const operation = operations.filter(({ fields }) => fields.includes(field)).map((each) => each.value);
			if (operation.length === 0) continue;
			const group = shownFor.get(operation.join()) ?? { resource: [], operation };
			group.resource.push(value);
			shownFor.set(operation.join(), group);
		}
		return withToolFields(field)
			.map(panelField)
			.flatMap(({ displayOptions, ...each }) =>
				[...shownFor.values()].map((show) => ({
					...each,
					displayOptions: { ...displayOptions, show: { ...show, ...displayOptions?.show } },
				})),
			);
	});
}

/** All entries of some lists, each once, and none before one that comes before it in any of the lists. */
function inOrder<T>(lists: T[][]): T[] {
	const result: T[] = [];
	let rest = lists.filter((list) => list.length > 0);
	while (rest.length > 0) {
		const next = rest.map(([first]) => first).find((first) => rest.every((list) => list.indexOf(first) <= 0));
		if (next === undefined) throw new Error('Two operations have the same fields in different orders');
		result.push(next);
		rest = rest.map((list) => (list[0] === next ? list.slice(1) : list)).filter((list) => list.length > 0);
	}
	return result;
}

/**
 * What n8n tells a model of the node beside its fields. Of operations that have the same value, such as the Delete of
 * contacts and that of tags, n8n describes all by the first; here each says itself what it does.
 */
export function builderHintOf(resources: Resource[]): IBuilderHint {
	return {
		searchHint:
			'As a tool of an agent (workspaceMessagingTool): fill contact, not identifier; for tags set tagsBy to names, then tagNames',
		relatedNodes: [
			{
				nodeType: 'n8n-nodes-workspace-messaging.workspaceMessagingTrigger',
				relationHint:
					'Starts the workflow when a contact writes, or when contacts, tags, channels or broadcasts change',
			},
			{
				nodeType: 'n8n-nodes-workspace-messaging.workspaceMessagingInstantTrigger',
				relationHint: 'Starts the workflow at once when a flow sends data or something happens on a channel',
			},
		],
		extraTypeDefContent: resources.flatMap(({ value, operations }) =>
			operations.map((operation) => ({
				content: describe(operation),
				displayOptions: { show: { resource: [value], operation: [operation.value] } },
			})),
		),
	};
}

/** What n8n runs for each operation. */
export function customOperationsOf(resources: Resource[]): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		resources.map(({ value, operations }) => [
			value,
			Object.fromEntries(
				operations.map((operation) => [operation.value, execute(operation, resolveContact)]),
			),
		]),
	);
}

/**
 * The line below the node on the canvas: what its operation does, in the words of the list of actions. The editor
 * evaluates it for every node that it shows, so it is no more than a look-up in a table.
 */
export function subtitleOf(resources: Resource[]): string {
	const actions = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => [`${value}:${operation.value}`, operation.action]),
	);
	const table = JSON.stringify(Object.fromEntries(actions));
	return `={{ (${table})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
}
