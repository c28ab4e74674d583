import { z } from 'zod/v4';
import { contactApi } from '../nodes/WorkspaceMessaging/contract/contact';
import {
	contactCustomFieldValue,
	customFieldApi,
} from '../nodes/WorkspaceMessaging/contract/customField';
import type { Endpoint } from '../nodes/WorkspaceMessaging/contract/endpoint';
import { tagApi } from '../nodes/WorkspaceMessaging/contract/tag';
import { workspaceApi } from '../nodes/WorkspaceMessaging/contract/workspace';

/** All endpoints that the reference shows or names. */
export const referenceEndpoints = {
	...contactApi,
	...customFieldApi,
	...tagApi,
	...workspaceApi,
};

const known = {
	...referenceEndpoints,
	/**
	 * Returns one custom field value of a contact. Services may have this endpoint, but the nodes do
	 * not call it.
	 */
	getContactCustomField: {
		...customFieldApi.clearContactCustomField,
		method: 'GET',
		response: contactCustomFieldValue,
	},
	/** Sets one custom field value. The nodes set all values of a contact in one request instead. */
	setContactCustomField: {
		...customFieldApi.clearContactCustomField,
		method: 'PUT',
		body: z.strictObject({ value: z.string('must be text') }),
	},
} satisfies Record<string, Endpoint>;

/** Names of all endpoints, as in the contract. */
export type EndpointName = keyof typeof known;

/** All endpoints by name. */
export const endpoints: Record<EndpointName, Endpoint> = known;

export const endpointNames = Object.keys(endpoints) as EndpointName[];
