import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { folderId, numericId, paging, resourceName, searchText } from './values';

/** Tag (part 2.3). */
export const tag = z.object({
	id: z.string(),
	name: z.string(),
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
	workspaceId: z.string(),
	deletedAt: z.iso.datetime().nullish(),
	folderId: z.string().nullish(),
});

/** What creating and updating a tag return. */
export const tagReference = z.object({ id: z.string(), name: z.string() });

const ofTag = z.strictObject({ tagId: numericId });

export const createTag = {
	method: 'POST',
	path: '/api/v1/tags',
	body: z.strictObject({ name: resourceName, folderId: folderId.optional() }),
	status: 201,
	response: tagReference,
	idempotent: false,
	verifyHint: 'for a tag of that name',
} satisfies Endpoint;

export const updateTag = {
	method: 'PUT',
	path: '/api/v1/tags/{tagId}',
	params: ofTag,
	body: z.strictObject({ name: resourceName }),
	status: 200,
	response: tagReference,
	idempotent: true,
} satisfies Endpoint;

export const listTags = {
	method: 'GET',
	path: '/api/v1/tags',
	query: z.strictObject({ ...paging, keyword: searchText.optional() }),
	status: 200,
	response: z.object({ data: z.array(tag), pageCount: z.number().optional() }),
	list: 'pages',
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;

export const deleteTag = {
	method: 'DELETE',
	path: '/api/v1/tags/{tagId}',
	params: ofTag,
	status: 204,
	idempotent: true,
	isDelete: true,
	undocumented: {},
} satisfies Endpoint;
