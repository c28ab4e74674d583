import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { limits } from './limits';
import { boolean, number, numericId, someText, string, stringOrNull, text } from './values';

/*
 * Webhooks: addresses that services call when something happens. The reference shows none of them.
 */

const address = text(1, limits.webhookUrl.max);

/**
 * What starts a webhook: a type of event, and for some types which tag, sequence or field it is
 * about.
 */
const condition = z.looseObject({
	type: someText,
	sourceId: someText.optional(),
	/** How a custom field's new value is compared; an empty one is for any change. */
	operator: string.optional(),
	value: z.unknown().optional(),
});

/**
 * A registered webhook. Services return neither its conditions nor a secret, except the newest
 * ones, by its ID.
 */
const webhook = z.looseObject({
	id: string,
	name: string,
	url: string,
	active: boolean,
	conditions: z.array(z.looseObject({ type: string })).optional(),
});

/** An address that a step of a flow calls. */
const externalWebhook = z.looseObject({
	id: string,
	provider: string,
	event: string,
	url: string,
});

const ofWebhook = z.strictObject({ webhookId: numericId });

/** The calls for webhooks. */
export const webhookApi = {
	/** The webhooks of the workspace: up to 50 per page, on some services all at once. */
	listWebhooks: {
		method: 'GET',
		path: '/api/v1/webhooks',
		query: z.strictObject({
			page: z.number().int().optional(),
			perPage: z.number().int().max(limits.webhooksPerPage.max).optional(),
		}),
		response: z.object({ data: z.array(webhook), pageCount: number.optional() }),
		list: 'pages',
		undocumented: {},
	},

	/** Only the newest services have this. */
	getWebhook: {
		method: 'GET',
		path: '/api/v1/webhooks/{webhookId}',
		params: ofWebhook,
		response: webhook,
		undocumented: {},
	},

	/** Services accept the same address and condition twice (difference 23), and then call twice. */
	createWebhook: {
		method: 'POST',
		path: '/api/v1/webhooks',
		body: z.strictObject({
			name: text(1, limits.name.max),
			url: address,
			conditions: z.array(condition).min(1),
		}),
		status: 201,
		response: webhook,
		undocumented: {},
	},

	deleteWebhook: {
		method: 'DELETE',
		path: '/api/v1/webhooks/{webhookId}',
		params: ofWebhook,
		isDelete: true,
		undocumented: {},
	},

	/** The addresses that steps of flows call. */
	listExternalWebhooks: {
		method: 'GET',
		path: '/api/v1/external-webhooks',
		response: z.object({ data: z.array(externalWebhook) }),
		list: 'onePage',
		undocumented: {},
	},

	/**
	 * Registers an address for an event that steps of flows name. The same event and address again
	 * change nothing.
	 */
	createExternalWebhook: {
		method: 'POST',
		path: '/api/v1/external-webhooks',
		body: z.strictObject({
			url: address,
			event: text(1, limits.flowEvent.max),
			provider: z.enum(['make', 'n8n']),
		}),
		status: 201,
		response: externalWebhook,
		idempotent: true,
		undocumented: {},
	},

	deleteExternalWebhook: {
		method: 'DELETE',
		path: '/api/v1/external-webhooks/{webhookId}',
		params: ofWebhook,
		isDelete: true,
		undocumented: {},
	},
} satisfies Record<string, Endpoint>;

/*
 * What services post to webhooks. Nothing in a call proves who sent it. Services differ in details,
 * so a missing text becomes null, as does anything else in its place; unknown keys are dropped.
 */

const textOrNull = stringOrNull.catch(null);

/** The ID of a contact, 64 bits as text; a number in JSON would have lost its last digits. */
const calledContactId = z.string().regex(/^\d{1,20}$/);

/** A list without the entries that have another form. */
const validEntries = <Entry extends z.ZodType>(entry: Entry) =>
	z
		.array(z.unknown())
		.catch([])
		.transform((entries) =>
			entries
				.map((each) => entry.safeParse(each))
				.flatMap(({ success, data }) => (success ? [data] : [])),
		);

const call = (event: string, fields: z.ZodRawShape = {}) =>
	z.object({ event: z.literal(event), contact_id: calledContactId, ...fields });

const conversationCall = (event: string, ...names: string[]) =>
	call(event, Object.fromEntries(['conversation_id', ...names].map((name) => [name, textOrNull])));

const sequenceFields = { sequence_id: textOrNull, sequence_name: textOrNull };

/** A custom field that got another value. */
export const valueChange = z.object({
	name: textOrNull,
	old_value: z.unknown(),
	new_value: z.unknown(),
});

/** The calls of webhooks, by the type of condition that a webhook has. */
export const webhookCalls = {
	archived: conversationCall('conversation_archived', 'archived_by'),
	contactInfoUpdated: call('contact_info_updated', {
		info_type: textOrNull,
		old_value: textOrNull,
		new_value: textOrNull,
	}),
	/** Services spell it so. */
	contactUnsubscribedFormBroadcast: call('contact_unsubscribed'),
	conversationAssigned: conversationCall('conversation_assigned', 'assigned_to', 'assigned_by'),
	conversationTransferredToBot: conversationCall(
		'conversation_transferred_to_bot',
		'transferred_by',
	),
	conversationTransferredToHuman: conversationCall(
		'conversation_transferred_to_human',
		'transferred_by',
	),
	conversationUnassigned: conversationCall('conversation_unassigned', 'unassigned_by'),
	customFieldValueChanged: call('custom_field_changed', { custom_field: valueChange }),
	followUp: conversationCall('marked_as_follow_up', 'marked_by'),
	newContact: call('new_contact', {
		name: textOrNull,
		first_name: textOrNull,
		last_name: textOrNull,
		phone: textOrNull,
		email: textOrNull,
		custom_fields: z.record(string, z.unknown()).catch({}),
	}),
	subscribedToSequence: call('subscribed_to_sequence', sequenceFields),
	tagApplied: call('tag_applied', { tag: textOrNull }),
	tagRemoved: call('tag_removed', { tag: textOrNull }),
	unsubscribedFromSequence: call('unsubscribed_from_sequence', sequenceFields),
} satisfies Record<string, z.ZodObject>;

/** A tag in the call of a flow's step: a row or a name (difference 31). */
const calledTag = z.union([string, z.object({ name: string }).transform(({ name }) => name)]);

/** The call of a flow's step. Its event has the name that the step gives it. */
export const flowCall = z.object({
	event: string,
	contact: z.looseObject({ id: calledContactId }),
	custom_fields: validEntries(z.object({ name: string, value: z.unknown() })),
	tags: validEntries(calledTag),
	contact_sequences: validEntries(
		z.object({ sequenceId: z.coerce.string(), sequenceName: textOrNull }),
	),
});
