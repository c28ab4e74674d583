import { z } from 'zod/v4';
import { identifier, ofContact } from './contact';
import { pagedList, type Endpoint } from './endpoint';
import { choices } from './limits';
import {
	anyText,
	folderId,
	numericId,
	oneOf,
	pathValue,
	resourceName,
	search,
	string,
	stringOrNull,
} from './values';

/** Custom field as the responses to creating and updating it return it (part 2.4). */
export const customField = z.object({
	id: string,
	name: string,
	type: z.enum(choices.customFieldTypes),
	description: stringOrNull,
});

/** Custom field as its list returns it (part 2.4). */
export const customFieldListItem = customField.extend({
	workspaceId: string,
	folderId: stringOrNull,
});

/** The name of the custom field for n8n's own notes, which people choose nowhere. */
export const QUESTION_FIELD = 'n8n question';

const ofCustomField = z.strictObject({ customFieldId: numericId });

/** A contact's value of a custom field, as the contact's own list of them returns it (part 4.6). */
export const contactCustomFieldValue = z.looseObject({
	id: string.optional(),
	customFieldId: string.optional(),
	name: string,
	type: string,
	value: z.unknown(),
});

const customFieldOperation = z.strictObject({
	customFieldId: numericId,
	operation: oneOf(choices.customFieldOperations),
	value: anyText,
});

/** The calls about custom fields, and about the values that contacts have in them. */
export const customFieldApi = {
	listCustomFields: pagedList('/api/v1/custom-fields', customFieldListItem, search),

	createCustomField: {
		method: 'POST',
		path: '/api/v1/custom-fields',
		body: z.strictObject({
			name: resourceName,
			type: oneOf(choices.customFieldTypes),
			folderId: folderId.optional(),
		}),
		status: 201,
		response: customField,
		verifyHint: 'for a custom field of that name',
	},

	updateCustomField: {
		method: 'PUT',
		path: '/api/v1/custom-fields/{customFieldId}',
		params: ofCustomField,
		body: z.strictObject({
			name: resourceName,
			description: anyText.optional(),
			folderId: folderId.optional(),
		}),
		response: customField,
	},

	deleteCustomField: {
		method: 'DELETE',
		path: '/api/v1/custom-fields/{customFieldId}',
		params: ofCustomField,
		isDelete: true,
		undocumented: {},
	},

	getContactCustomFields: {
		method: 'GET',
		path: '/api/v1/contacts/{identifier}/custom-fields',
		params: ofContact,
		response: z.object({ data: z.array(contactCustomFieldValue) }),
		list: 'onePage',
		undocumented: { instead: 'use Contact → Get, which returns the custom fields, too' },
	},

	setContactCustomFields: {
		method: 'PATCH',
		path: '/api/v1/contacts/{identifier}/custom-fields',
		params: ofContact,
		body: z.strictObject({
			operations: z
				.array(customFieldOperation, 'must be a list of custom fields')
				.min(1, 'must be a list of at least one custom field'),
		}),
		// Set twice is set once; to increase twice is not.
		idempotent: z.object({ operations: z.array(z.object({ operation: z.literal('set') })) }),
		verifyHint: 'for the values of the contact',
		undocumented: {},
	},

	clearContactCustomField: {
		method: 'DELETE',
		path: '/api/v1/contacts/{identifier}/custom-fields/{customFieldId}',
		params: z.strictObject({ identifier, customFieldId: pathValue }),
		undocumented: {},
	},
} satisfies Record<string, Endpoint>;
