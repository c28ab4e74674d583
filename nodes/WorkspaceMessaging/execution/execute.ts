import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
	INodeType,
} from 'n8n-workflow';
import { pause } from './pause';
import { markInvalid } from './prepare';
import { runOf } from './run';

/*
 * n8n's declarative engine evaluates every expression of a node four times an item, which makes up most of the cost of a
 * large run. These functions run the same description with the same hooks and evaluate each expression once. n8n prefers
 * them to its own loop; where it does not know of them (the node as a tool of an agent), its own loop does the work.
 */

type CustomOperations = NonNullable<INodeType['customOperations']>;

/** Builds the function of every operation from the node's description. */
export function customOperationsOf(properties: INodeProperties[]): CustomOperations {
	const operations: CustomOperations = {};
	for (const property of properties.filter(({ name }) => name === 'operation')) {
		const resource = String(property.displayOptions?.show?.resource?.[0]);
		operations[resource] = {};
		for (const option of property.options as INodePropertyOptions[]) {
			if (!option.routing) continue;
			const fields = properties.filter((field) => isShownFor(field, resource, String(option.value)));
			operations[resource][String(option.value)] = runAll(option.routing, fields);
		}
	}
	return operations;
}

function isShownFor({ displayOptions }: INodeProperties, resource: string, operation: string): boolean {
	const { resource: resources, operation: operations } = displayOptions?.show ?? {};
	return (resources?.includes(resource) ?? true) && (operations?.includes(operation) ?? true);
}

function runAll(routing: INodePropertyRouting, fields: INodeProperties[]) {
	const [prepare] = routing.send?.preSend ?? [];
	const send = routing.operations?.pagination as (
		this: IExecutePaginationFunctions,
		requestData: DeclarativeRestApiSettings.ResultOptions,
	) => Promise<INodeExecutionData[]>;
	const sending = fields.filter(sendsSomething);

	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = inputOf(this);
		const node = this.getNode();
		const { parameters } = node;
		// Parameters of hidden fields do not count, whatever they still hold.
		const sent = sending.filter((field) => NodeHelpers.displayParameter(parameters, field, node, null));
		const read = once((name: string, item: number, extractValue: boolean) =>
			this.getNodeParameter(name, item, undefined, { extractValue }),
		);
		const requestOptions = this.getNodeParameter('requestOptions', 0, {}) as RequestOptions;
		const transport = transportOf(requestOptions);

		// All are checked before the first is sent.
		const prepared: Array<{ context: IExecutePaginationFunctions; options: IHttpRequestOptions }> = [];
		for (let item = 0; item < items.length; item++) {
			const options: IHttpRequestOptions = { url: '', qs: {}, body: {}, headers: {}, ...transport };
			const context = contextOf(this, item);
			let problem: Error | undefined;
			try {
				for (const field of sent) {
					const isStatic = !hasExpression(parameters[field.name]);
					place(options, field, read(field.name, item, field.type === 'resourceLocator', isStatic));
				}
			} catch (error) {
				problem = error as Error;
			}
			prepared.push({ context, options: await prepare.call(context, options) });
			// An expression that fails is a problem of its item, like a value that is not valid.
			if (problem) markInvalid(context, problem);
		}

		// "Execute Once" takes one of the items that the run's data holds.
		if (prepared.length > 0) runOf(prepared[0].context).size = items.length;

		const { batchSize, batchInterval } = batchingOf(requestOptions);
		const cancel = this.getExecutionCancelSignal();
		const outputs: Array<Promise<INodeExecutionData[]>> = [];
		for (const [item, { context, options }] of prepared.entries()) {
			const waits = item > 0 && batchInterval > 0 && item % batchSize === 0;
			if (waits && !isOver(context)) await pause(batchInterval, cancel);
			const output = send.call(context, { options } as DeclarativeRestApiSettings.ResultOptions);
			// It may fail while later batches are waiting; below, all are awaited.
			output.catch(() => {});
			outputs.push(output);
		}
		// All have ended when one throws: the failing item waits for the others.
		return [(await Promise.all(outputs)).flat()];
	};
}

/** Whether nothing more will be sent, because an item is not valid or has failed. */
function isOver(context: IExecuteSingleFunctions): boolean {
	const { invalid, stopped } = runOf(context);
	return !context.continueOnFail() && (stopped || invalid.size > 0);
}

/** The input of a node, or of a tool that n8n runs like a node. */
function inputOf(context: IExecuteFunctions): INodeExecutionData[] {
	const items = context.getInputData();
	return items.length > 0 ? items : (context.getInputData(0, NodeConnectionTypes.AiTool) ?? []);
}

/** A field that is not an expression has the same value for all items: it is read once. */
function once(read: (name: string, item: number, extractValue: boolean) => unknown) {
	const values = new Map<string, unknown>();
	return (name: string, item: number, extractValue: boolean, isStatic: boolean): unknown => {
		if (!isStatic) return read(name, item, extractValue);
		if (!values.has(name)) values.set(name, read(name, item, extractValue));
		return values.get(name);
	};
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

function sendsSomething(field: INodeProperties): boolean {
	return field.routing?.send?.property !== undefined || innerFields(field).some(sendsSomething);
}

function innerFields(field: INodeProperties): INodeProperties[] {
	return field.type === 'collection' ? (field.options as INodeProperties[]) : [];
}

/** Puts the value of a field, or of those inside a collection, where its routing says. */
function place(options: IHttpRequestOptions, field: INodeProperties, value: unknown) {
	const { property, type } = field.routing?.send ?? {};
	if (property !== undefined) {
		const target = (type === 'query' ? options.qs : options.body) as IDataObject;
		target[property] = value as IDataObject;
	}
	if (typeof value !== 'object' || value === null) return;
	for (const inner of innerFields(field)) {
		if (!(inner.name in value)) continue;
		const innerValue = (value as IDataObject)[inner.name];
		const isLocator =
			inner.type === 'resourceLocator' && typeof innerValue === 'object' && innerValue !== null;
		place(options, inner, isLocator ? (innerValue as IDataObject).value : innerValue);
	}
}

/** The context of one item, as n8n's declarative engine gives it to hooks. */
function contextOf(context: IExecuteFunctions, item: number): IExecutePaginationFunctions {
	const single: Partial<IExecuteSingleFunctions> = {
		getItemIndex: () => item,
		getInputData: () => inputOf(context)[item],
		getNodeParameter: (name, fallback, options) =>
			context.getNodeParameter(name, item, fallback, options) as object,
		getCredentials: async (type) => await context.getCredentials(type, item),
	};
	return Object.assign(Object.create(context) as IExecutePaginationFunctions, single);
}

interface RequestOptions {
	proxy?: string;
	allowUnauthorizedCerts?: boolean;
	batching?: { batch?: { batchSize?: number; batchInterval?: number } };
}

/** n8n's own request options, in the form of a request. */
function transportOf({ proxy, allowUnauthorizedCerts }: RequestOptions): Partial<IHttpRequestOptions> {
	const options: Partial<IHttpRequestOptions> = {};
	if (allowUnauthorizedCerts) options.skipSslCertificateValidation = true;
	if (proxy) {
		if (!URL.canParse(proxy)) throw new Error('Proxy must be a valid URL, such as http://myproxy:3128');
		const { protocol, hostname, port, username, password } = new URL(proxy);
		options.proxy = {
			protocol: protocol.replace(/:$/, ''),
			host: hostname,
			port: Number(port || (protocol === 'https:' ? 443 : 80)),
			...(username && {
				auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
			}),
		};
	}
	return options;
}

function batchingOf({ batching }: RequestOptions): { batchSize: number; batchInterval: number } {
	const { batchSize = 1, batchInterval = 0 } = batching?.batch ?? {};
	return { batchSize: Math.max(1, batchSize), batchInterval: batchSize < 0 ? 0 : batchInterval };
}
