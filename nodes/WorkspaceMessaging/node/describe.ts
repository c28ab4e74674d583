import type { IBuilderHint, INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { execute, executeToolCall } from './execute';
import type { Field, Operation, Resource } from '../run/operation';
import { panelField } from '../panel/fields';
import { withToolFields } from '../panel/toolFields';

/*
 * The panel is declarative: resources, operations and fields are data, and `routing.send` of a
 * field says where its value goes. n8n prefers `customOperations` to its declarative loop, which
 * has no rate limit and checks no items before it sends the first request. Only a tool call of some
 * agents still comes through the loop; `pagination` sends it the same way.
 */

/**
 * The properties of the node's description: the two dropdowns, then the fields of all operations.
 */
export function buildProperties(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value, description }) => ({ name, value, description })),
			default: 'message',
		},
		...resources.map(operationField),
		...collectFields(resources),
	];
}

function operationField({
	value,
	operations,
	default: { value: first },
}: Resource): INodeProperties {
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
	const { name, value, action, endpoint, keptFromAgents } = operation;
	return {
		name,
		value,
		action,
		...(keptFromAgents && { displayOptions: { hide: { '@tool': [true] } } }),
		description: describe(operation),
		routing: {
			request: { method: endpoint.method as 'GET', url: endpoint.path },
			// n8n's declarative loop calls this and sends no request itself.
			send: { paginate: true },
			operations: { pagination: executeToolCall(operation) },
		},
	};
}

/** What an operation does, for people and models; also that some services lack it. */
function describe({ description, endpoint }: Operation) {
	return endpoint.undocumented ? `${description}. Not available on every service.` : description;
}

/** The operations that have a field. */
type Shown = Record<'resource' | 'operation', string[]>;

/**
 * The fields of all operations, each shown for those that have it. A field that several operations
 * share appears once.
 */
function collectFields(resources: Resource[]): INodeProperties[] {
	const lists = resources.flatMap((resource) =>
		getAllOperations(resource).map(({ fields }) => fields),
	);
	return mergeOrders(lists).flatMap((field) => {
		const shownFor = findOperationsWith(field, resources);
		const fields = withToolFields(field).map(panelField);
		return fields.flatMap((each) =>
			shownFor.map((show) => showFor(showPickersFor(each, show), show)),
		);
	});
}

/** Returns the operations that have a field; resources with the same ones are together. */
function findOperationsWith(field: Field, resources: Resource[]) {
	const found = new Map<string, Shown>();
	for (const resource of resources) {
		const operation = getOperationsWith(field, resource);
		if (operation.length === 0) continue;
		const key = operation.join();
		const shown = found.get(key) ?? { resource: [], operation };
		shown.resource.push(resource.value);
		found.set(key, shown);
	}
	return [...found.values()];
}

/** Returns the operations of a resource, with those that the editor does not show. */
const getAllOperations = ({ operations, hidden = [] }: Resource) => [...operations, ...hidden];

function getOperationsWith(field: Field, resource: Resource) {
	const withField = getAllOperations(resource).filter(({ fields }) => fields.includes(field));
	return withField.map(({ value }) => value);
}

const showFor = (
	{ displayOptions, ...field }: INodeProperties,
	show: Record<string, string[]>,
): INodeProperties => ({
	...field,
	displayOptions: { ...displayOptions, show: { ...show, ...displayOptions?.show } },
});

/**
 * Returns a collection whose pickers say themselves for which operations they are shown. n8n looks
 * for their values outside of the collection, even if it is not shown. So it would report the
 * problem of another picker of the same name twice.
 */
function showPickersFor(field: INodeProperties, show: Shown) {
	if (field.type !== 'collection') return field;
	const rootShow = { '/resource': show.resource, '/operation': show.operation };
	const options = (field.options as INodeProperties[]).map((option) =>
		option.type === 'resourceLocator' ? showFor(option, rootShow) : option,
	);
	return { ...field, options };
}

/**
 * Merges lists without repeating entries. Each entry stays behind those that precede it in any
 * list.
 */
function mergeOrders<T>(lists: T[][]) {
	const result: T[] = [];
	let rest = lists.filter(hasEntries);
	while (rest.length > 0) {
		const heads = rest.map(([head]) => head);
		const isNext = (head: T) => rest.every((list) => list.indexOf(head) <= 0);
		const next = heads.find(isNext);
		if (next === undefined) {
			throw new Error('Two operations have the same fields in different orders');
		}
		result.push(next);
		const left = rest.map((list) => (list[0] === next ? list.slice(1) : list));
		rest = left.filter(hasEntries);
	}
	return result;
}

const hasEntries = (list: unknown[]) => list.length > 0;

/**
 * What n8n tells a model about the node besides its fields. If several resources have an operation
 * of the same value, such as Delete, n8n uses the description of the first one for all of them. So
 * each description is repeated here.
 */
export function buildBuilderHint(resources: Resource[]): IBuilderHint {
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
				relationHint:
					'Starts the workflow at once when a flow sends data or something happens on a channel',
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

/** Returns what n8n runs for each resource and operation: `execute` of the node. */
export function buildOperations(resources: Resource[]): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		resources.map((resource) => [
			resource.value,
			Object.fromEntries(
				getAllOperations(resource).map((operation) => [operation.value, execute(operation)]),
			),
		]),
	);
}

/**
 * Returns the line below the node on the canvas: what its operation does. The editor evaluates it
 * for every node that it shows, so it only looks up a table.
 */
export function buildSubtitle(resources: Resource[]): string {
	const subtitles = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, action, subtitle = action }) => [`${resource}:${value}`, subtitle]),
	);
	const table = JSON.stringify(Object.fromEntries(subtitles));
	return `={{ (${table})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
}
