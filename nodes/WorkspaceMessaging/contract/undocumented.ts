import { z } from 'zod/v4';
import { channel } from './channel';
import {
	contact,
	createContact,
	createContactBody,
	messageFields,
	sendMessage,
	setContactCustomFields,
} from './contact';
import type { Endpoint } from './endpoint';
import { limits } from './limits';
import { anyText, externalId, messageText, numericId, paging } from './values';

/* What services of this API have that the reference does not name. It is asked for where the reference leads nowhere. */

/**
 * The channels with the IDs that messages and contacts take. Services that have this list, which the reference does not name,
 * give other IDs of their channels in the documented one: those of the platforms.
 */
export const listInboxes = {
	method: 'GET',
	path: '/api/v1/inboxes',
	query: z.strictObject({ ...paging }),
	status: 200,
	response: z.object({ data: z.array(channel), pageCount: z.number() }),
	list: 'pages',
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;

/** What a token may do, and in which workspace; some services have this in place of the workspace itself. */
export const getToken = {
	method: 'GET',
	path: '/api/v1/token',
	status: 200,
	response: z.looseObject({ workspaceId: z.string() }),
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;

/** Gives the address to put a file of contacts to, and the ID by which an import names the file. */
export const createImportUpload = {
	method: 'POST',
	path: '/api/v1/contacts/imports/upload-url',
	body: z.strictObject({
		fileName: anyText.min(1).max(limits.fileName.max),
		mimeType: anyText.min(1).max(255),
		fileSize: z.number().int().min(1),
	}),
	status: 201,
	response: z.looseObject({ fileId: z.string(), presignedPostUrl: z.string() }),
	// A second one leads to another address, and nothing is put to the first.
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;

/** The columns of a file that has been put there, and what the service would take them for. */
export const getImportHeaders = {
	method: 'GET',
	path: '/api/v1/contacts/imports/files/{fileId}/headers',
	params: z.strictObject({ fileId: numericId }),
	status: 200,
	response: z.looseObject({
		headers: z.array(z.string()),
		suggestedColumnMap: z.record(z.string(), z.string()).optional(),
	}),
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;

/** An import, as services show it. */
export const importRecord = z.object({
	id: z.string(),
	userId: z.string().nullable(),
	fileId: z.string(),
	fileName: z.string(),
	type: z.string(),
	/** `pending`, `processing`, `completed` or `failed`. */
	status: z.string(),
	totalCount: z.number(),
	processedCount: z.number(),
	successCount: z.number(),
	failedCount: z.number(),
	errorMessage: z.string().nullable(),
	errorSample: z
		.array(
			z.object({
				row: z.number().optional(),
				reason: z.string(),
				code: z.string().optional(),
				path: z.string().optional(),
			}),
		)
		.nullable(),
	completedAt: z.iso.datetime().nullable(),
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
});

/** How an import goes. */
export const getImport = {
	method: 'GET',
	path: '/api/v1/contacts/imports/{importId}',
	params: z.strictObject({ importId: numericId }),
	status: 200,
	response: importRecord,
	idempotent: true,
	undocumented: { instead: 'look in the workspace how the import went' },
} satisfies Endpoint;

/** The imports of the workspace. */
export const listImports = {
	method: 'GET',
	path: '/api/v1/contacts/imports',
	query: z.strictObject({ ...paging }),
	status: 200,
	response: z.object({ data: z.array(importRecord), pageCount: z.number() }),
	list: 'pages',
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;

/** The body of a new contact with its channel: services with channels of their own ask for the first two, some for the third. */
export const contactOnChannelBody = createContactBody.extend({
	channel: anyText.min(1, 'must not be empty').optional(),
	inboxId: numericId.optional(),
	contactId: externalId.optional(),
});

/** Creates a contact on a channel. */
export const createContactOnChannel = { ...createContact, body: contactOnChannelBody } satisfies Endpoint;

/**
 * Sends uploaded files, with the text as their caption: the body is a form then, in place of JSON. It is repeated like any other
 * message, although no service is known to recognise an upload by its `clientId`: newer ones do so by `Idempotency-Key`, older
 * ones not at all.
 */
export const sendUploads = { ...sendMessage, body: messageFields(messageText) } satisfies Endpoint;

/** Sets several custom field values, on services that have no PATCH for it: they can only be replaced. */
export const replaceContactCustomFields = {
	method: 'PUT',
	path: '/api/v1/contacts/{identifier}/custom-fields',
	params: setContactCustomFields.params,
	body: z.strictObject({
		fields: z.array(z.strictObject({ customFieldId: numericId, value: anyText })),
	}),
	status: 204,
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;

/** What contacts can be filtered by: fields of theirs with their operators, and custom fields. */
export const listFilterFields = {
	method: 'GET',
	path: '/api/v1/contacts/filter-fields',
	status: 200,
	response: z.looseObject({
		staticFields: z.array(z.looseObject({ field: z.string(), operators: z.array(z.string()).optional() })),
		customFields: z.array(
			z.looseObject({ id: z.string(), type: z.string().optional(), valueType: z.string().optional() }),
		),
	}),
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;

/** The contacts of which a custom field holds exactly a text; no more than a hundred. */
export const findContactsByCustomField = {
	method: 'GET',
	path: '/api/v1/contacts/find-by-custom-field',
	query: z.strictObject({ customFieldId: numericId, value: anyText }),
	status: 200,
	response: z.object({ data: z.array(contact.partial()) }),
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;
