import type {
	IDataObject,
	IExecuteSingleFunctions,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import type { Endpoint } from '../contract';
import { callOf } from './call';
import type { Caller } from './client';
import { labelsOf } from './labels';
import type { Labels } from './labels';
import { readList, recordOf } from './pages';
import { prepare } from './prepare';
import type { Accepted, PreparedRequest } from './prepare';
import { send } from './send';

/** What an operation of the node does with one item. */
export interface Operation {
	endpoint: Endpoint;
	/** Sends what the item asks for and returns the output, one object for each output item. */
	run(caller: Caller, request: PreparedRequest, context: IExecuteSingleFunctions): Promise<IDataObject[]>;
}

/** What an operation has beyond its endpoint. */
export interface Details {
	/** The parts that are checked otherwise than the endpoint wants them, because more is done than one call. */
	accepts?: (context: IExecuteSingleFunctions) => Accepted;
	/** Brings what the user gave for the body into the form that is checked, where only this operation knows how. */
	tidy?: (body: IDataObject) => IDataObject;
	/** What the contract cannot know, such as a rule between the items of a run; throws the sentence that says why not. */
	check?: (request: PreparedRequest, context: IExecuteSingleFunctions) => void;
	/** The output when the service answers without a body: what was done to whom. */
	done?: (request: PreparedRequest) => IDataObject;
	/** Reduces records to the fields that people use, for "Simplify". */
	simplify?: (
		records: IDataObject[],
		caller: Caller,
		context: IExecuteSingleFunctions,
	) => IDataObject[] | Promise<IDataObject[]>;
	/** In place of the one call to the endpoint: what to do instead. */
	run?: (
		caller: Caller,
		request: PreparedRequest,
		context: IExecuteSingleFunctions,
		labels: Labels,
	) => Promise<IDataObject[]>;
}

/**
 * The routing of an operation: fields are checked against the endpoint's contract, the request is sent, and the answer
 * becomes items. Belongs to the operation's option in the Operation dropdown.
 *
 * @param endpoint the endpoint it calls
 * @param fields the fields that the user fills in; error messages name them by their labels
 */
export function route(
	endpoint: Endpoint,
	fields: INodeProperties[],
	details: Details = {},
): INodePropertyRouting {
	const labels = labelsOf(fields);
	const run = details.run ?? callOnce(endpoint, details);
	const operation: Operation = {
		endpoint,
		run: async (caller, request, context) => await run(caller, request, context, labels),
	};
	return {
		request: { method: endpoint.method as 'GET', url: endpoint.path },
		send: { paginate: true, preSend: [prepare(endpoint, labels, details)] },
		operations: { pagination: send(operation) },
	};
}

function callOnce(endpoint: Endpoint, { done, simplify }: Details): NonNullable<Details['run']> {
	return async (caller, request, context, labels) => {
		const call = callOf(endpoint, { ...request, labels });
		const shape = async (records: IDataObject[]) =>
			simplify && isSimplified(context) ? await simplify(records, caller, context) : records;
		if (endpoint.list) return await shape(await readList(caller, call, limitOf(context)));
		const body = await caller.send(call);
		return endpoint.response ? await shape([recordOf(body, call)]) : [{ success: true, ...done?.(request) }];
	};
}

/** Whether the user wants records with the fields that people use most. */
export function isSimplified(context: IExecuteSingleFunctions): boolean {
	return context.getNodeParameter('simplify', false) === true;
}

/** How many records the user wants at most; undefined for all. */
export function limitOf(context: IExecuteSingleFunctions): number | undefined {
	const all = context.getNodeParameter('returnAll', true) === true;
	return all ? undefined : Number(context.getNodeParameter('limit', 50));
}
