import { z } from 'zod/v4';
import { contact, ofContact } from './contact';
import { pagedList, type Endpoint } from './endpoint';
import { limits } from './limits';
import {
	anyText,
	dateTimeOrNull,
	listOf,
	number,
	numericId,
	string,
	stringOrNull,
	strings,
	timestamps,
} from './values';
import { channel } from './workspace';

/*
 * Calls that services have and the reference does not name. The node uses them if the documented
 * API has no other way.
 */

const rowError = z.object({
	row: number.optional(),
	reason: string,
	code: string.optional(),
	path: string.optional(),
});

/** An import and its progress. */
export const importRecord = z.object({
	id: string,
	userId: stringOrNull,
	fileId: string,
	fileName: string,
	type: string,
	/** `pending`, `processing`, `completed` or `failed`. */
	status: string,
	totalCount: number,
	processedCount: number,
	successCount: number,
	failedCount: number,
	errorMessage: stringOrNull,
	errorSample: z.array(rowError).nullable(),
	completedAt: dateTimeOrNull,
	...timestamps,
});

const bulkContactIds = z.array(numericId).min(limits.bulkContacts.min).max(limits.bulkContacts.max);
const bulkTags = z.strictObject({ contactIds: bulkContactIds, tags: z.array(anyText) });
const bulkSequences = z.strictObject({
	contactIds: bulkContactIds,
	sequenceIds: z.array(numericId),
});
/** Who was not changed is skipped; the service does not say why. */
export const bulkAnswer = z.object({ processed: number, skippedContactIds: strings });

/** A request that changes many contacts. It does the same when it is sent twice. */
const bulkChange = <Body extends z.ZodType>(path: `/api/v1/contacts/bulk/${string}`, body: Body) =>
	({
		method: 'POST',
		path,
		body,
		response: bulkAnswer,
		idempotent: true,
		isUndone: true,
		undocumented: {},
	}) satisfies Endpoint;

const sequenceIds = listOf(numericId, limits.sequenceIds, ['sequences', 'sequence IDs']);

/** The calls that the reference does not have. */
export const undocumentedApi = {
	/**
	 * The channels with the IDs that messages and contacts take. On services with this list, the
	 * documented list has other IDs: those of the platforms.
	 */
	listInboxes: {
		...pagedList('/api/v1/inboxes', channel, {}),
		undocumented: {},
	},

	/**
	 * The rights of the token and its workspace; some services have this instead of the workspace
	 * itself (difference 3).
	 */
	getToken: {
		method: 'GET',
		path: '/api/v1/token',
		response: z.looseObject({ workspaceId: string }),
		undocumented: {},
	},

	/** The URL to upload a file of contacts to, and the ID of the file for an import. */
	createImportUpload: {
		method: 'POST',
		path: '/api/v1/contacts/imports/upload-url',
		body: z.strictObject({
			fileName: anyText.min(1).max(limits.fileName.max),
			mimeType: anyText.min(1).max(255),
			fileSize: z.number().int().min(1),
		}),
		status: 201,
		response: z.looseObject({ fileId: string, presignedPostUrl: string }),
		// A second request returns another URL; the first stays unused.
		idempotent: true,
		undocumented: {},
	},

	/**
	 * The columns of an uploaded file, and the fields of a contact that the service suggests for
	 * them.
	 */
	getImportHeaders: {
		method: 'GET',
		path: '/api/v1/contacts/imports/files/{fileId}/headers',
		params: z.strictObject({ fileId: numericId }),
		response: z.looseObject({
			headers: strings,
			suggestedColumnMap: z.record(string, string).optional(),
		}),
		undocumented: {},
	},

	getImport: {
		method: 'GET',
		path: '/api/v1/contacts/imports/{importId}',
		params: z.strictObject({ importId: numericId }),
		response: importRecord,
		undocumented: { instead: 'look at the import in the workspace' },
	},

	listImports: {
		...pagedList('/api/v1/contacts/imports', importRecord, {}),
		undocumented: {},
	},

	/**
	 * Replaces custom field values of a contact, on services that cannot set several of them with
	 * PATCH (difference 13).
	 */
	replaceContactCustomFields: {
		method: 'PUT',
		path: '/api/v1/contacts/{identifier}/custom-fields',
		params: ofContact,
		body: z.strictObject({
			fields: z.array(z.strictObject({ customFieldId: numericId, value: anyText })),
		}),
		undocumented: {},
	},

	/** The fields that contacts can be filtered by, with their operators, and the custom fields. */
	listFilterFields: {
		method: 'GET',
		path: '/api/v1/contacts/filter-fields',
		response: z.looseObject({
			staticFields: z.array(z.looseObject({ field: string, operators: strings.optional() })),
			customFields: z.array(z.looseObject({ id: string, type: string.optional() })),
		}),
		undocumented: {},
	},

	/** The contacts with exactly this value in a custom field; a hundred at most. */
	findContactsByCustomField: {
		method: 'GET',
		path: '/api/v1/contacts/find-by-custom-field',
		query: z.strictObject({ customFieldId: numericId, value: anyText }),
		response: z.object({ data: z.array(contact.partial()) }),
		undocumented: {},
	},

	/** The block ends with the next message from the contact or to it. */
	blockContact: {
		method: 'POST',
		path: '/api/v1/contacts/{identifier}/block',
		needsExactNumber: true,
		params: ofContact,
		idempotent: true,
		undocumented: {},
	},

	unblockContact: {
		method: 'POST',
		path: '/api/v1/contacts/{identifier}/unblock',
		params: ofContact,
		idempotent: true,
		undocumented: {},
	},

	addContactSequences: {
		method: 'POST',
		path: '/api/v1/contacts/{identifier}/sequences',
		params: ofContact,
		body: z.strictObject({ sequenceIds }),
		idempotent: true,
		undocumented: { instead: 'use a flow that does it' },
	},

	removeContactSequences: {
		method: 'DELETE',
		path: '/api/v1/contacts/{identifier}/sequences',
		params: ofContact,
		body: z.strictObject({ sequenceIds }),
		undocumented: { instead: 'use a flow that does it' },
	},

	/** Tags go by name; the service creates one that it doesn't have, to the letter. */
	bulkAddTags: bulkChange('/api/v1/contacts/bulk/tags', bulkTags),
	bulkRemoveTags: bulkChange('/api/v1/contacts/bulk/tags/remove', bulkTags),
	/** One sequence that does not exist fails the request for all contacts. */
	bulkAddSequences: bulkChange('/api/v1/contacts/bulk/sequences', bulkSequences),
	bulkRemoveSequences: bulkChange('/api/v1/contacts/bulk/sequences/remove', bulkSequences),
} satisfies Record<string, Endpoint>;
