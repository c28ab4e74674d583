import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';
import { readList as list, readRecord as record, rowsOf } from '../api/pagination';
import type { Requester, RequestParts } from '../api/request';
import type { Endpoint } from '../contract';

export interface Call extends RequestParts {
	endpoint: Endpoint;
}
export interface Caller {
	send(call: Call): Promise<unknown>;
	requester: Requester;
}
export { ApiError as CallError, rowsOf };
export const callOf = (endpoint: Endpoint, parts: RequestParts = {}): Call => ({ endpoint, ...parts });
export const readList = async (caller: Caller, { endpoint, ...parts }: Call): Promise<IDataObject[]> =>
	await list(caller.requester, endpoint, parts);
export const readRecord = async (caller: Caller, { endpoint, ...parts }: Call): Promise<IDataObject> =>
	await record(caller.requester, endpoint, parts);
export async function openClient(context: IPollFunctions, settings: object, signal: AbortSignal) {
	const client = await ApiClient.open(context, { ...settings, signal });
	const requester = client.requester(context);
	return {
		caller: (): Caller => ({
			requester,
			send: async ({ endpoint, ...parts }) => await requester.request(endpoint, parts),
		}),
	};
}
