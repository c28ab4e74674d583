import { z } from 'zod/v4';
import type { Workspace } from '../../../workspace';
import { without } from '../../../records';
import { paged, strictPaging, trimmed } from '../inputs';
import { notFound, problem } from '../problems';
import { operation, type Operations } from '../router';
import { condition } from './conditions';
import { isAllowedUrl } from './guard';
import type { ExternalWebhook, Webhook } from './webhook';

const mostWebhooks = 100;
const mostExternalWebhooks = 50;

// Not z.url(), which writes some addresses in another way than the client.
const url = z
	.string()
	.trim()
	.refine((text) => URL.canParse(text), 'Invalid URL');
const newWebhook = z.object({
	name: trimmed(1, 255),
	url: url.max(1000),
	conditions: z.array(condition).min(1),
});

/** Adds a webhook; the same address and conditions can be registered again. */
function create(
	workspace: Workspace,
	body: z.output<typeof newWebhook>,
): Omit<Webhook, 'conditions'> {
	if (!isAllowedUrl(workspace, body.url)) {
		throw problem(
			422,
			'invalidRequestData',
			`[ssrf-guard] Webhook URL is not allowed: ${body.url}`,
		);
	}
	if (workspace.webhooks.size >= mostWebhooks) {
		const message = `Workspace has reached the maximum of ${mostWebhooks} webhooks`;
		throw problem(400, 'webhookLimitReached', message);
	}
	const now = new Date().toISOString();
	const row = {
		id: workspace.nextId(),
		createdAt: now,
		updatedAt: now,
		active: true,
		folderId: null,
	};
	const webhook = { ...row, ...body, workspaceId: workspace.record.id };
	workspace.webhooks.set(webhook.id, webhook);
	return without(webhook, 'conditions');
}

const showRow = (webhook: Webhook) => without(webhook, 'workspaceId', 'conditions');

const newExternalWebhook = z.object({
	url,
	event: trimmed(1, 100),
	provider: z.enum(['make', 'n8n']).default('make'),
});

/** Adds an address for an event, or returns the one that is there. */
function createExternal(
	workspace: Workspace,
	body: z.output<typeof newExternalWebhook>,
): ExternalWebhook {
	const { externalWebhooks } = workspace;
	const known = [...externalWebhooks.values()].find(
		(each) => each.event === body.event && each.url === body.url,
	);
	if (known) return known;
	// Not mapped, so the service answers "Internal server error".
	if (!isAllowedUrl(workspace, body.url)) throw new Error('URL is not allowed');
	if (externalWebhooks.size >= mostExternalWebhooks) {
		const message = `Workspace has reached the maximum of ${mostExternalWebhooks} external webhooks`;
		throw problem(400, 'externalWebhookLimitReached', message);
	}
	const { provider, event } = body;
	const webhook = { id: workspace.nextId(), provider, event, url: body.url };
	externalWebhooks.set(webhook.id, webhook);
	return webhook;
}

const ofWebhook = z.object({ webhookId: z.string() });

/** Webhooks, and the addresses that steps of flows call: newer services only. */
export const webhookOperations = {
	listWebhooks: operation(z.object(strictPaging), ({ workspace }, query) =>
		paged([...workspace.webhooks.values()], query, showRow),
	),
	createWebhook: operation(newWebhook, ({ workspace }, body) => create(workspace, body)),
	deleteWebhook: operation(ofWebhook, ({ workspace }, { webhookId }) => {
		if (!workspace.webhooks.delete(webhookId)) throw notFound('Webhook');
	}),
	listExternalWebhooks: operation(z.object({}), ({ workspace }) => ({
		data: [...workspace.externalWebhooks.values()],
	})),
	createExternalWebhook: operation(newExternalWebhook, ({ workspace }, body) =>
		createExternal(workspace, body),
	),
	deleteExternalWebhook: operation(ofWebhook, ({ workspace }, { webhookId }) => {
		if (!workspace.externalWebhooks.delete(webhookId)) throw notFound('External webhook');
	}),
} satisfies Operations;

/** One webhook with its conditions: only the newest builds. */
export const getWebhook = operation(ofWebhook, ({ workspace }, { webhookId }) => {
	const webhook = workspace.webhooks.get(webhookId);
	if (!webhook) throw notFound('Webhook');
	const conditions = webhook.conditions.map((each, index) => ({
		id: `${webhook.id}${index}`,
		...{ sourceId: null, operator: null, value: null },
		...each,
	}));
	return { ...showRow(webhook), conditions };
});

/** The list of older services, in which nothing can be registered by the API. */
export const olderWebhooks = operation(z.object({}), ({ workspace }) => ({
	data: [...workspace.webhooks.values()].map(showRow),
}));
