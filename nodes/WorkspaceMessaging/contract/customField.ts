import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { customFieldTypes } from './limits';
import { anyText, folderId, numericId, oneOf, paging, resourceName, searchText } from './values';

/** What creating and updating a custom field return (part 2.4). */
export const customField = z.object({
	id: z.string(),
	name: z.string(),
	type: z.enum(customFieldTypes),
	description: z.string().nullable(),
});

/** Custom field as its list shows it (part 2.4). */
export const customFieldListItem = z.object({
	id: z.string(),
	name: z.string(),
	type: z.enum(customFieldTypes),
	workspaceId: z.string(),
	folderId: z.string().nullable(),
	description: z.string().nullable(),
});

const ofCustomField = z.strictObject({ customFieldId: numericId });

export const listCustomFields = {
	method: 'GET',
	path: '/api/v1/custom-fields',
	query: z.strictObject({ ...paging, keyword: searchText.optional() }),
	status: 200,
	response: z.object({ data: z.array(customFieldListItem) }),
	list: 'pages',
	idempotent: true,
} satisfies Endpoint;

export const createCustomField = {
	method: 'POST',
	path: '/api/v1/custom-fields',
	body: z.strictObject({
		name: resourceName,
		type: oneOf(customFieldTypes),
		folderId: folderId.optional(),
	}),
	status: 201,
	response: customField,
	idempotent: false,
	verifyHint: 'for a custom field of that name',
} satisfies Endpoint;

export const updateCustomField = {
	method: 'PUT',
	path: '/api/v1/custom-fields/{customFieldId}',
	params: ofCustomField,
	body: z.strictObject({
		name: resourceName,
		description: anyText.optional(),
		folderId: folderId.optional(),
	}),
	status: 200,
	response: customField,
	idempotent: true,
} satisfies Endpoint;

export const deleteCustomField = {
	method: 'DELETE',
	path: '/api/v1/custom-fields/{customFieldId}',
	params: ofCustomField,
	status: 204,
	idempotent: true,
	isDelete: true,
	undocumented: {},
} satisfies Endpoint;
