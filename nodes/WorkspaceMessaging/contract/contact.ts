import { z } from 'zod/v4';
import { pagedList, type Endpoint } from './endpoint';
import { choices, limits, patterns, rules } from './limits';
import { tag } from './tag';
import {
	boolean,
	dateTimeOrNull,
	email,
	kinds,
	listOf,
	matchingText,
	numericId,
	oneOf,
	phoneNumber,
	search,
	someText,
	string,
	stringOrNull,
	text,
	timestamps,
} from './values';
import { makeMessageSchema } from './message';

/** Custom field value of a contact (part 2.2). */
const contactCustomField = z.object({
	id: string,
	...timestamps,
	value: z.unknown(),
	contactId: string,
	customFieldId: string,
});

/** Contact (part 2.1). */
export const contact = z.object({
	id: string,
	...timestamps,
	avatar: stringOrNull,
	phoneNumber: stringOrNull,
	email: stringOrNull,
	emailVerified: boolean,
	emailOptIn: boolean,
	firstName: stringOrNull,
	lastName: stringOrNull,
	fullName: stringOrNull,
	gender: z.enum(choices.genders).nullable(),
	lastReadAt: dateTimeOrNull,
	ref: stringOrNull,
	country: stringOrNull,
	state: stringOrNull,
	city: stringOrNull,
	location: z.unknown(),
	locale: stringOrNull,
	timezone: stringOrNull,
	subscribedAt: dateTimeOrNull,
	broadcastSubscribedAt: dateTimeOrNull,
	blockedAt: dateTimeOrNull,
	workspaceId: string,
	contactCustomFields: z.array(contactCustomField),
	tags: z.array(tag),
	contactNotes: z.array(z.looseObject({})),
	contactInboxes: z.array(z.looseObject({})),
	conversation: z.looseObject({}).nullable(),
});

export const identifier = matchingText(
	patterns.identifier,
	'must name a contact by ID, email or phone',
);
export const ofContact = z.strictObject({ identifier });

const gender = oneOf(choices.genders).register(kinds, { kind: 'gender' });
const { max: longestName } = limits.personName;
const cell = { kind: 'cell' } as const;
const personName = text(0, longestName).register(kinds, cell);
/** The first or last name of a new contact; an update can empty it. */
const newName = text(0, longestName).min(1, 'must not be empty').register(kinds, cell);
const columnName = text(0, limits.columnName.max).min(1, 'must not be empty');
const contactChannel = oneOf(choices.contactChannels);

const sort = z.array(
	z.strictObject({ field: someText, order: oneOf(choices.sortOrders) }),
	'must be a list of fields to sort by',
);

/** The changes of a contact (part 4.1); no change at all is valid, too. */
export const anyChanges = z
	.strictObject({
		firstName: personName,
		lastName: personName,
		email,
		phoneNumber,
		avatar: z.string('must be text').register(kinds, cell),
		gender,
	})
	.partial();

/**
 * The body of an import. All fields but the first three are optional; most of them name columns of
 * the file.
 */
const importContactsBody = z.strictObject({
	fileId: numericId,
	channel: contactChannel,
	inboxId: numericId,
	countryCode: matchingText(patterns.countryCode, `must be ${rules.countryCode}`).optional(),
	phoneNumber: columnName.optional(),
	contactId: columnName.optional(),
	email: columnName.optional(),
	firstName: columnName.optional(),
	lastName: columnName.optional(),
	tagId: numericId.optional(),
	fieldMapping: z
		.array(
			z.strictObject({ column: someText, customFieldId: someText }),
			'must be a list of columns and custom fields',
		)
		.max(limits.fieldMapping.max, `must be a list of at most ${limits.fieldMapping.max} columns`)
		.optional(),
});

const tagIds = listOf(numericId, limits.tagIds, ['tags', 'tag IDs']);

/** The text of one message. */
export const messageText = text(limits.text.min, limits.text.max);

/** The calls about contacts and their messages. */
export const contactApi = {
	createContact: {
		method: 'POST',
		path: '/api/v1/contacts',
		body: z.strictObject({
			phoneNumber,
			email,
			gender,
			firstName: newName.optional(),
			lastName: newName.optional(),
		}),
		response: contact,
		verifyHint: 'for a contact with that email address',
	},

	getContact: {
		method: 'GET',
		path: '/api/v1/contacts/{identifier}',
		params: ofContact,
		response: contact,
	},

	listContacts: {
		...pagedList('/api/v1/contacts', contact, {
			...search,
			sort: sort.optional(),
			// The reference does not show what is inside.
			contactFilter: z.record(string, z.any(), 'must be a JSON object').optional(),
			channels: z.array(contactChannel, 'must be a list of channels').optional(),
			inboxIds: z.array(numericId, 'must be a list of channel IDs').optional(),
		}),
		includes: {
			tags: 'tags',
			contactCustomFields: 'customFields',
			contactInboxes: 'inboxes',
			conversation: 'conversation',
		},
	},

	updateContact: {
		method: 'PUT',
		path: '/api/v1/contacts/{identifier}',
		params: ofContact,
		body: anyChanges.refine(
			(body) => Object.keys(body).length > 0,
			'Fill in at least one field to update',
		),
	},

	importContacts: {
		method: 'POST',
		path: '/api/v1/contacts/import',
		body: importContactsBody,
		status: 201,
		verifyHint: 'for the contacts of the file',
	},

	addContactTags: {
		method: 'POST',
		path: '/api/v1/contacts/{identifier}/tags',
		params: ofContact,
		body: z.strictObject({ tagIds }),
		idempotent: true,
	},

	removeContactTags: {
		method: 'DELETE',
		path: '/api/v1/contacts/{identifier}/tags',
		params: ofContact,
		body: z.strictObject({ tagIds }),
	},

	deleteContact: {
		method: 'DELETE',
		path: '/api/v1/contacts/{identifier}',
		params: ofContact,
		needsExactNumber: true,
		isDelete: true,
		undocumented: {},
	},

	upsertContact: {
		method: 'POST',
		path: '/api/v1/contacts/{identifier}/upsert',
		params: ofContact,
		body: anyChanges,
		response: contact,
		undocumented: { instead: "turn off Use the Service's Own Upsert" },
	},

	sendMessage: {
		method: 'POST',
		path: '/api/v1/contacts/{identifier}/messages',
		params: ofContact,
		body: makeMessageSchema(messageText),
		isMessage: true,
		// The service delivers one message for one clientId.
		dedupeId: 'clientId',
	},

	triggerFlow: {
		method: 'POST',
		path: '/api/v1/contacts/{identifier}/flows',
		params: ofContact,
		body: z.strictObject({ flowId: numericId, inboxId: numericId.optional() }),
	},
} satisfies Record<string, Endpoint>;

/**
 * Creates a contact on a channel, by the documented path: some services require the first two
 * fields, some the third (difference 9).
 */
export const createContactOnChannel = {
	...contactApi.createContact,
	body: contactApi.createContact.body.extend({
		channel: someText.optional(),
		inboxId: numericId.optional(),
		contactId: text(1, limits.externalId.max).register(kinds, cell).optional(),
	}),
} satisfies Endpoint;
