import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { limits } from '../../contract/limits';
import type { Endpoint } from '../../contract/endpoint';
import { webhookApi } from '../../contract/webhook';
import { readConnection } from '../../run/connection';
import { openClient } from '../../service/client';
import { isNotFound, isUnsupported, onApiError, ignore } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import { readPagedList } from '../../service/lists/pages';
import type { Requester } from '../../transport/request';
import { stableStringify } from '../changes/fingerprints';
import {
	isOwnAddress,
	isSameAddress,
	makeKey,
	findSecretIn,
	addKeyToAddress,
	getSavedSecret,
} from './addressKey';
import { readInstantSettings, type InstantSettings } from './settings';
import { byAge } from '../../service/lists/records';

/** A webhook of a service. */
type Webhook = IDataObject & { id: string; url: string };

/** The calls for a kind of webhooks. */
interface Kind {
	list: Endpoint;
	delete: Endpoint;
}

const ofEvents: Kind = { list: webhookApi.listWebhooks, delete: webhookApi.deleteWebhook };
const ofFlows: Kind = {
	list: webhookApi.listExternalWebhooks,
	delete: webhookApi.deleteExternalWebhook,
};

const perPage = limits.webhooksPerPage.max;

/**
 * The webhooks of one trigger node. Services know two kinds: for their own events, and for the
 * steps of flows.
 */
export class Webhooks {
	constructor(
		private readonly client: Requester,
		/** Where n8n receives calls for the node, without the key. */
		private readonly address: string,
		private readonly settings: InstantSettings,
		/** The secret that n8n has saved for the node, if any. */
		private readonly secret?: string,
	) {}

	/** Throws if a setting of the event needs something that the workspace does not have. */
	async checkSettings(context: IHookFunctions): Promise<void> {
		await this.settings.event.check?.(context, this.client);
	}

	/** Reads the webhooks that call this node. */
	async read({ list } = this.kind): Promise<Webhook[]> {
		const hasPages = list.list === 'pages';
		const parts = hasPages ? { query: { perPage } } : {};
		const rows = await readPagedList(this.client, list, parts);
		return rows.filter((row): row is Webhook =>
			isOwnAddress(String(row.url), this.address, this.secret),
		);
	}

	/**
	 * Returns the secret of a webhook whose address is for what the node waits for now; undefined for
	 * any other webhook.
	 */
	findSecret({ url }: Webhook): string | undefined {
		if (!isSameAddress(url, this.address)) return undefined;
		return findSecretIn(url, this.settings.subject);
	}

	/**
	 * Keeps the oldest webhook that does just what the node needs, and deletes all others that call
	 * the node: services call once for each (difference 23).
	 *
	 * @param isMade whether n8n has just made one: its key then says enough, however the service
	 * shows it
	 * @returns the kept one; undefined if there is none
	 */
	async keepOne(isMade = false): Promise<Webhook | undefined> {
		const webhooks = await this.read();
		webhooks.sort(byAge);
		let kept: Webhook | undefined;
		for (const webhook of webhooks) {
			const isKept = isMade ? this.findSecret(webhook) !== undefined : await this.isWanted(webhook);
			if (!kept && isKept) kept = webhook;
			else await this.delete(webhook);
		}
		return kept;
	}

	/** Registers a webhook. */
	async create(secret: string, name: string): Promise<void> {
		const { condition } = this;
		const url = addKeyToAddress(this.address, makeKey(secret, this.settings.subject));
		if (condition) {
			await this.client.request(webhookApi.createWebhook, {
				body: { name, url, conditions: [condition] },
			});
		} else {
			const { eventName: event } = this.settings.parameters;
			await this.client.request(webhookApi.createExternalWebhook, {
				body: { url, event, provider: 'n8n' },
			});
		}
	}

	/** Deletes a webhook; one that is gone is deleted. */
	async delete({ id: webhookId }: Webhook, kind = this.kind): Promise<void> {
		const params = { webhookId };
		const ifGone = ignore(isNotFound);
		await this.client.request(kind.delete, { params }).catch(ifGone);
	}

	/**
	 * Deletes what the node left among the webhooks of the other kind when it still had another
	 * event.
	 */
	async deleteOfOtherKind(): Promise<void> {
		const kind = this.condition ? ofFlows : ofEvents;
		const ifUnsupported = onApiError(isUnsupported, () => []);
		const found = await this.read(kind).catch(ifUnsupported);
		for (const webhook of found) await this.delete(webhook, kind);
	}

	private get kind(): Kind {
		return this.condition ? ofEvents : ofFlows;
	}

	/** What the service is to call for; undefined for the step of a flow. */
	private get condition() {
		const { event, parameters } = this.settings;
		return event.condition?.(parameters);
	}

	/**
	 * Whether a webhook does what the node needs: its key says what it was made for, and the service
	 * what it is for now.
	 */
	async isWanted(webhook: Webhook): Promise<boolean> {
		if (webhook.active === false) return false;
		if (this.findSecret(webhook) === undefined) return false;
		const { condition } = this;
		if (!condition) return webhook.event === this.settings.parameters.eventName;
		const isListed = Array.isArray(webhook.conditions) && webhook.conditions.length > 0;
		const conditions = isListed ? webhook.conditions : await this.readConditions(webhook.id);
		if (conditions === undefined) return true;
		return areSameConditions(conditions, [condition]);
	}

	/** Reads the conditions of a webhook; undefined if the service doesn't show them. */
	private async readConditions(webhookId: string): Promise<unknown> {
		const params = { webhookId };
		const ifUnsupported = ignore(isUnsupported);
		const request = this.client.request(webhookApi.getWebhook, { params });
		const webhook = await request.catch(ifUnsupported);
		return isObject(webhook) ? webhook.conditions : undefined;
	}
}

/** Whether the conditions of a webhook, which have IDs of their own, are these. */
function areSameConditions(found: unknown, wanted: IDataObject[]) {
	const plain = (conditions: IDataObject[]) => {
		const withoutIds = conditions.map(({ type, sourceId, operator, value }) => ({
			type,
			sourceId,
			operator,
			value,
		}));
		return stableStringify(withoutIds);
	};
	if (!Array.isArray(found)) return false;
	return plain(found) === plain(wanted);
}

/** n8n itself tries five times within some seconds. */
const retry = { maxRetries: 2, giveUpAfterMs: 5000, waitAtMostMs: 10_000 };
const WEBHOOK_TIMEOUT_MS = 10_000;

/** Returns the webhooks of a node, as its service has them. */
export async function openWebhooks(context: IHookFunctions | IWebhookFunctions): Promise<Webhooks> {
	const requestOptions = context.getNodeParameter('requestOptions', {});
	const transport = readConnection(requestOptions, WEBHOOK_TIMEOUT_MS);
	const client = await openClient(context, { retry, transport });
	const secret = getSavedSecret(context);
	return new Webhooks(
		client.createRequester(context),
		getWebhookAddress(context),
		readInstantSettings(context),
		secret,
	);
}

/** Returns the address that n8n receives calls for the node at. */
export function getWebhookAddress(context: IHookFunctions | IWebhookFunctions): string {
	const address = context.getNodeWebhookUrl('default');
	if (address === undefined) throw new Error('n8n has no address for this trigger');
	return address;
}
