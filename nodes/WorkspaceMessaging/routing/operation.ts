import type {
	IDataObject,
	IExecuteSingleFunctions,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import type { Endpoint } from '../contract';
import type { Call, Caller } from './client';
import { labelsOf } from './labels';
import { readList, recordOf } from './pages';
import { prepare } from './prepare';
import type { PreparedRequest } from './prepare';
import { send } from './send';

/** What an operation of the node does with one item. */
export interface Operation {
	endpoint: Endpoint;
	/** Sends what the item asks for and returns the output, one object for each output item. */
	run(caller: Caller, request: PreparedRequest, context: IExecuteSingleFunctions): Promise<IDataObject[]>;
}

/** What an operation has beyond its endpoint. */
export interface Details {
	/** The output when the service answers without a body: what was done to whom. */
	done?: (request: PreparedRequest) => IDataObject;
	/** The fields of a record that people use, for "Simplify". */
	simplify?: (record: IDataObject) => IDataObject;
	/** In place of the one call to the endpoint: what to do instead. */
	run?: Operation['run'];
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
	const operation: Operation = { endpoint, run: details.run ?? callOnce(endpoint, labels, details) };
	return {
		request: { method: endpoint.method as 'GET', url: endpoint.path },
		send: { paginate: true, preSend: [prepare(endpoint, labels)] },
		operations: { pagination: send(operation) },
	};
}

function callOnce(endpoint: Endpoint, labels: Call['labels'], { done, simplify }: Details): Operation['run'] {
	return async (caller, request, context) => {
		const call: Call = {
			endpoint,
			path: request.path,
			query: request.query,
			body: request.body,
			labels,
			subject: subjectOf(request.params),
		};
		const shape =
			simplify && context.getNodeParameter('simplify', false) === true
				? simplify
				: (record: IDataObject) => record;
		if (endpoint.list) {
			const limit =
				context.getNodeParameter('returnAll', true) === true
					? undefined
					: (context.getNodeParameter('limit') as number);
			return (await readList(caller, call, limit)).map(shape);
		}
		const body = await caller.send(call);
		return [endpoint.response ? shape(recordOf(body)) : { success: true, ...done?.(request) }];
	};
}

const subjects: Record<string, string> = {
	tagId: 'tag with the ID',
	customFieldId: 'custom field with the ID',
	memberId: 'member with the ID',
	sequenceId: 'sequence with the ID',
	broadcastId: 'broadcast with the ID or name',
	identifier: 'contact',
};

/** What a request is about, in words: `contact email:a@b.c`, `tag with the ID 12`. */
export function subjectOf(params: IDataObject): string | undefined {
	const [name, value] = Object.entries(params)[0] ?? [];
	return name === undefined ? undefined : `${subjects[name]} ${String(value)}`;
}
