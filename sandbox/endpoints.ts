import { z } from 'zod/v4';
import * as contract from '../nodes/WorkspaceMessaging/contract';
import type { Endpoint } from '../nodes/WorkspaceMessaging/contract';

/** One value of a contact's custom fields: an endpoint that a server may have, though the nodes do not call it. */
const getContactCustomField: Endpoint = {
	...contract.clearContactCustomField,
	method: 'GET',
	response: contract.contactCustomFieldValue,
};

/** Sets one of them: likewise. The nodes set all of a contact in one request. */
const setContactCustomField: Endpoint = {
	...contract.clearContactCustomField,
	method: 'PUT',
	body: z.strictObject({ value: z.string('must be text') }),
};

const known = { ...contract, getContactCustomField, setContactCustomField };

/** Names of all endpoints, as the contract exports them. */
export type EndpointName = {
	[Name in keyof typeof known]: (typeof known)[Name] extends Endpoint ? Name : never;
}[keyof typeof known];

const isEndpoint = (value: unknown): value is Endpoint =>
	typeof value === 'object' &&
	value !== null &&
	'method' in value &&
	'path' in value &&
	!(value instanceof z.ZodType);

/** All endpoints by name. */
export const endpoints = Object.fromEntries(
	Object.entries(known).filter(([, value]) => isEndpoint(value)),
) as Record<EndpointName, Endpoint>;

export const endpointNames = Object.keys(endpoints) as EndpointName[];
