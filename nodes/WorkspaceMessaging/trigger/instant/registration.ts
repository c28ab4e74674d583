import type { IHookFunctions, INodeType } from 'n8n-workflow';
import { limits } from '../../contract/limits';
import {
	hasReason,
	isAnswer,
	onApiError,
	type ApiError,
	ignore,
} from '../../transport/errors/ApiError';
import { makeKey, makeSecret, getSavedSecret, saveSecret, addKeyToAddress } from './addressKey';
import { addressTooLongError, registrationError } from './problems';
import { readInstantSettings } from './settings';
import { openWebhooks, getWebhookAddress, Webhooks } from './webhooks';

/**
 * Returns a lifecycle method of n8n's whose errors are one sentence, because n8n shows no more of
 * them.
 */
const lifecycle = (run: (context: IHookFunctions, webhooks: Webhooks) => Promise<boolean>) =>
	async function (this: IHookFunctions): Promise<boolean> {
		const address = getWebhookAddress(this);
		const running = openWebhooks(this).then((webhooks) => run(this, webhooks));
		return await running.catch((error: Error) => {
			throw registrationError(this.getNode(), error, address);
		});
	};

/**
 * How n8n registers the node with the service, and removes it again. n8n calls `create` when a
 * workflow is published, up to five times if it fails, and on several main processes at once; so it
 * finds first what an earlier call left behind.
 */
export const webhookMethods: INodeType['webhookMethods'] = {
	default: {
		/** Whether the service has the one webhook that the node needs. */
		checkExists: lifecycle(async (context, webhooks) => {
			const secret = getSavedSecret(context);
			if (secret === undefined) return false;
			// When n8n starts, it must not forget a webhook only because the service cannot be reached at
			// that moment.
			const isKept = ['init', 'leadershipChange'].includes(context.getActivationMode());
			const saysNothing = (error: ApiError) => isKept && !isAnswer(error);
			const ifUnreachable = ignore(saysNothing);
			const found = await webhooks.read().catch(ifUnreachable);
			if (found === undefined) return true;
			if (found.length !== 1) return false;
			const [webhook] = found;
			if (webhooks.findSecret(webhook) !== secret) return false;
			return await webhooks.isWanted(webhook);
		}),

		/** Registers the node, and leaves no other webhook that calls it. */
		create: lifecycle(async (context, webhooks) => {
			const secret = getSavedSecret(context) ?? makeSecret();
			const address = getWebhookAddress(context);
			const { subject } = readInstantSettings(context);
			const { length } = addKeyToAddress(address, makeKey(secret, subject));
			if (length > limits.webhookUrl.max) throw addressTooLongError(length);
			await webhooks.checkSettings(context);
			await webhooks.deleteOfOtherKind();
			let kept = await webhooks.keepOne();
			if (!kept) {
				await webhooks.create(secret, makeWebhookName(context));
				// Another main process may have registered the node at the same time; both keep the older
				// webhook.
				kept = await webhooks.keepOne(true);
			}
			const secretOfKept = kept && webhooks.findSecret(kept);
			saveSecret(context, secretOfKept ?? secret);
			return true;
		}),

		/** Deletes all webhooks that call the node. */
		delete: lifecycle(async (_, webhooks) => {
			// A service without webhooks has none to delete.
			const found = await webhooks
				.read()
				.catch(onApiError(hasReason('operationMissing'), () => []));
			for (const webhook of found) await webhooks.delete(webhook);
			return true;
		}),
	},
};

/** People see this name in the workspace's settings. */
function makeWebhookName(context: IHookFunctions) {
	const workflowName = context.getWorkflow().name ?? '';
	const name = `n8n: ${workflowName}`.trim();
	const shortened = name.slice(0, limits.name.max);
	// Not half of a character.
	return shortened.replace(/[\ud800-\udbff]$/, '');
}
