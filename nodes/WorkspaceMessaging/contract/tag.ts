import { z } from 'zod/v4';
import { pagedList, type Endpoint } from './endpoint';
import { dateTime, folderId, numericId, resourceName, search, string, timestamps } from './values';

/** Tag (part 2.3). */
export const tag = z.object({
	id: string,
	name: string,
	...timestamps,
	workspaceId: string,
	deletedAt: dateTime.nullish(),
	folderId: string.nullish(),
});

/** Tag as the responses to creating and updating it return it. */
export const tagReference = z.object({ id: string, name: string });

const ofTag = z.strictObject({ tagId: numericId });

/** The calls about tags. */
export const tagApi = {
	createTag: {
		method: 'POST',
		path: '/api/v1/tags',
		body: z.strictObject({ name: resourceName, folderId: folderId.optional() }),
		status: 201,
		response: tagReference,
		verifyHint: 'for a tag of that name',
	},

	updateTag: {
		method: 'PUT',
		path: '/api/v1/tags/{tagId}',
		params: ofTag,
		body: z.strictObject({ name: resourceName }),
		response: tagReference,
	},

	listTags: {
		...pagedList('/api/v1/tags', tag, search),
		undocumented: {},
	},

	deleteTag: {
		method: 'DELETE',
		path: '/api/v1/tags/{tagId}',
		params: ofTag,
		isDelete: true,
		undocumented: {},
	},
} satisfies Record<string, Endpoint>;
