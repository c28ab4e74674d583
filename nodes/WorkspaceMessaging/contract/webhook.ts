import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { limits } from './limits';
import { numericId, someText, text } from './values';

/* Webhooks: addresses that services call when something happens. The reference shows none of them. */

const address = text(1, limits.webhookUrl.max);

/** What starts a webhook: a type of event, and for some types which tag, sequence or field it is about. */
const condition = z.looseObject({
	type: someText,
	sourceId: someText.optional(),
	/** How a custom field's new value is compared; an empty one is for any change. */
	operator: z.string().optional(),
	value: z.unknown().optional(),
});

/** A registered webhook. Services return neither its conditions nor a secret, except the newest ones, by its ID. */
const webhook = z.looseObject({
	id: z.string(),
	name: z.string(),
	url: z.string(),
	active: z.boolean(),
	conditions: z.array(z.looseObject({ type: z.string() })).optional(),
});

/** An address that a step of a flow calls. */
const externalWebhook = z.looseObject({
	id: z.string(),
	provider: z.string(),
	event: z.string(),
	url: z.string(),
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
		response: z.object({ data: z.array(webhook), pageCount: z.number().optional() }),
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

	/** Services accept the same address and condition twice, and then call twice. */
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

	/** Registers an address for an event that steps of flows name. The same event and address again change nothing. */
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
