import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { customFieldOperations, genders, limits, sortOrders } from './limits';
import { tag } from './tag';
import {
	anyText,
	columnName,
	contactChannel,
	countryCode,
	email,
	gender,
	givenName,
	identifier,
	messageText,
	numericId,
	oneOf,
	paging,
	pathValue,
	personName,
	phoneNumber,
	searchText,
	tagIds,
} from './values';

/** Custom field value of a contact (part 2.2). */
export const contactCustomField = z.object({
	id: z.string(),
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
	value: z.unknown(),
	contactId: z.string(),
	customFieldId: z.string(),
});

/** Contact (part 2.1). */
export const contact = z.object({
	id: z.string(),
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
	avatar: z.string().nullable(),
	phoneNumber: z.string().nullable(),
	email: z.string().nullable(),
	emailVerified: z.boolean(),
	emailOptIn: z.boolean(),
	firstName: z.string().nullable(),
	lastName: z.string().nullable(),
	fullName: z.string().nullable(),
	gender: z.enum(genders).nullable(),
	lastReadAt: z.iso.datetime().nullable(),
	ref: z.string().nullable(),
	country: z.string().nullable(),
	state: z.string().nullable(),
	city: z.string().nullable(),
	location: z.unknown(),
	locale: z.string().nullable(),
	timezone: z.string().nullable(),
	subscribedAt: z.iso.datetime().nullable(),
	broadcastSubscribedAt: z.iso.datetime().nullable(),
	blockedAt: z.iso.datetime().nullable(),
	workspaceId: z.string(),
	contactCustomFields: z.array(contactCustomField),
	tags: z.array(tag),
	contactNotes: z.array(z.looseObject({})),
	contactInboxes: z.array(z.looseObject({})),
	conversation: z.looseObject({}).nullable(),
});

/** Value of a custom field as the contact's own list of them shows it (part 4.6). */
export const contactCustomFieldValue = z.looseObject({
	id: z.string().optional(),
	customFieldId: z.string().optional(),
	name: z.string(),
	type: z.string(),
	value: z.unknown(),
});

const ofContact = z.strictObject({ identifier });
const ofContactField = z.strictObject({ identifier, customFieldId: pathValue });

/** The fields of a contact that can be written (part 4.1). */
const writable = {
	firstName: personName,
	lastName: personName,
	email,
	phoneNumber,
	avatar: anyText,
	gender,
};

/** Custom filter of contacts; the reference does not show what is inside. */
const contactFilter = z.record(z.string(), z.unknown(), 'must be a JSON object');

const sort = z.array(
	z.strictObject({
		field: anyText.min(1, 'must not be empty'),
		order: oneOf(sortOrders),
	}),
	'must be a list of fields to sort by',
);

/** What a contact is created from. */
export const createContactBody = z.strictObject({
	phoneNumber,
	email,
	gender,
	firstName: givenName.optional(),
	lastName: givenName.optional(),
});

export const createContact = {
	method: 'POST',
	path: '/api/v1/contacts',
	body: createContactBody,
	status: 200,
	response: contact,
	idempotent: false,
	verifyHint: 'for a contact with that email address',
} satisfies Endpoint;

export const getContact = {
	method: 'GET',
	path: '/api/v1/contacts/{identifier}',
	params: ofContact,
	status: 200,
	response: contact,
	idempotent: true,
} satisfies Endpoint;

export const listContacts = {
	method: 'GET',
	path: '/api/v1/contacts',
	query: z.strictObject({
		...paging,
		sort: sort.optional(),
		keyword: searchText.optional(),
		contactFilter: contactFilter.optional(),
		channels: z.array(contactChannel, 'must be a list of channels').optional(),
		inboxIds: z.array(numericId, 'must be a list of channel IDs').optional(),
	}),
	status: 200,
	response: z.object({ data: z.array(contact), pageCount: z.number() }),
	list: 'pages',
	includes: {
		tags: 'tags',
		contactCustomFields: 'customFields',
		contactInboxes: 'inboxes',
		conversation: 'conversation',
	},
	idempotent: true,
} satisfies Endpoint;

/** Changes of a contact, none at all included. */
export const anyChanges = z.strictObject(writable).partial();

const changes = anyChanges.refine(
	(body) => Object.keys(body).length > 0,
	'Fill in at least one field to update',
);

export const updateContact = {
	method: 'PUT',
	path: '/api/v1/contacts/{identifier}',
	params: ofContact,
	body: changes,
	status: 204,
	idempotent: true,
} satisfies Endpoint;

/** What an import is started with; all but the first three are names of columns of the file, or optional. */
export const importContactsBody = z.strictObject({
	fileId: numericId,
	channel: contactChannel,
	inboxId: numericId,
	countryCode: countryCode.optional(),
	phoneNumber: columnName.optional(),
	contactId: columnName.optional(),
	email: columnName.optional(),
	firstName: columnName.optional(),
	lastName: columnName.optional(),
	tagId: numericId.optional(),
	fieldMapping: z
		.array(
			z.strictObject({
				column: anyText.min(1, 'must not be empty'),
				customFieldId: anyText.min(1, 'must not be empty'),
			}),
			'must be a list of columns and custom fields',
		)
		.max(limits.fieldMapping.max, `must be a list of at most ${limits.fieldMapping.max} columns`)
		.optional(),
});

export const importContacts = {
	method: 'POST',
	path: '/api/v1/contacts/import',
	body: importContactsBody,
	status: 201,
	idempotent: false,
	verifyHint: 'for the contacts of the file',
} satisfies Endpoint;

/** What can go along with something else in a message (part 4.1), with a text of this kind. */
export const messageFields = (text: z.ZodType<string>) =>
	z.strictObject({
		text: text.optional(),
		files: z
			.array(z.unknown(), 'must be a JSON list of files')
			.min(limits.files.min, `must be a list of at least ${limits.files.min} file`)
			.optional(),
		flowId: numericId.optional(),
		nodeId: numericId.optional(),
		inboxId: numericId.optional(),
		clientId: numericId.optional(),
	});

/** What a message can hold (part 4.1), with a text of this kind. */
export const messageWith = (text: z.ZodType<string>) =>
	messageFields(text).refine(
		(body) => body.text !== undefined || body.files !== undefined || body.flowId !== undefined,
		{
			message: 'is required when neither files nor a flow is given',
			path: ['text'],
		},
	);

export const sendMessage = {
	method: 'POST',
	path: '/api/v1/contacts/{identifier}/messages',
	params: ofContact,
	body: messageWith(messageText),
	status: 204,
	isMessage: true,
	// The service delivers one message for one clientId.
	idempotent: false,
	hasDedupeId: (body) => (body as { clientId?: string }).clientId !== undefined,
} satisfies Endpoint;

export const triggerFlow = {
	method: 'POST',
	path: '/api/v1/contacts/{identifier}/flows',
	params: ofContact,
	body: z.strictObject({ flowId: numericId, inboxId: numericId.optional() }),
	status: 204,
	idempotent: false,
} satisfies Endpoint;

export const addContactTags = {
	method: 'POST',
	path: '/api/v1/contacts/{identifier}/tags',
	params: ofContact,
	body: z.strictObject({ tagIds }),
	status: 204,
	idempotent: true,
} satisfies Endpoint;

export const removeContactTags = {
	method: 'DELETE',
	path: '/api/v1/contacts/{identifier}/tags',
	params: ofContact,
	body: z.strictObject({ tagIds }),
	status: 204,
	idempotent: true,
} satisfies Endpoint;

export const deleteContact = {
	method: 'DELETE',
	path: '/api/v1/contacts/{identifier}',
	params: ofContact,
	status: 204,
	idempotent: true,
	isDelete: true,
	undocumented: {},
} satisfies Endpoint;

export const upsertContact = {
	method: 'POST',
	path: '/api/v1/contacts/{identifier}/upsert',
	params: ofContact,
	body: anyChanges,
	status: 200,
	response: contact,
	idempotent: false,
	undocumented: { instead: 'turn off the option that uses the upsert of the service' },
} satisfies Endpoint;

export const getContactCustomFields = {
	method: 'GET',
	path: '/api/v1/contacts/{identifier}/custom-fields',
	params: ofContact,
	status: 200,
	response: z.object({ data: z.array(contactCustomFieldValue) }),
	list: 'onePage',
	idempotent: true,
	undocumented: { instead: 'read the custom fields that the contact itself shows' },
} satisfies Endpoint;

export const setContactCustomFields = {
	method: 'PATCH',
	path: '/api/v1/contacts/{identifier}/custom-fields',
	params: ofContact,
	body: z.strictObject({
		operations: z
			.array(
				z.strictObject({
					customFieldId: numericId,
					operation: oneOf(customFieldOperations),
					value: anyText,
				}),
				'must be a list of custom fields',
			)
			.min(1, 'must be a list of at least one custom field'),
	}),
	status: 204,
	idempotent: (body) =>
		(body as { operations: Array<{ operation: string }> }).operations.every(
			({ operation }) => operation === 'set',
		),
	verifyHint: 'for the values of the contact',
	undocumented: {},
} satisfies Endpoint;

export const clearContactCustomField = {
	method: 'DELETE',
	path: '/api/v1/contacts/{identifier}/custom-fields/{customFieldId}',
	params: ofContactField,
	status: 204,
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;
