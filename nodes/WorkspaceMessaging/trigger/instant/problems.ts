import type { INode, NodeApiError } from 'n8n-workflow';
import { limits } from '../../contract/limits';
import { toNodeError } from '../../run/nodeError';
import { ApiError } from '../../transport/errors/ApiError';
import { isPrivateHost } from '../../transport/hosts';
import { instantEvents } from './events';

/** Returns the error for an address that services don't accept. */
export function addressTooLongError(length: number): ApiError {
	const most = limits.webhookUrl.max.toLocaleString('en-US');
	const found = length.toLocaleString('en-US');
	return new ApiError(
		`The service accepts webhook addresses of up to ${most} characters, but n8n's address for this trigger has ${found}: give n8n a shorter address.`,
		{ outcome: 'notSent' },
	);
}

/**
 * Returns the error of a webhook that could not be registered, checked or deleted, with its whole
 * text in the message: n8n shows nothing else. Contains neither the key nor "Authorization": n8n 1
 * stops retrying when it reads that word.
 *
 * @param address where n8n receives calls
 */
export function registrationError(node: INode, error: Error, address: string): NodeApiError {
	let shown = error;
	if (error instanceof ApiError) {
		const sentence = explainError(error, node, new URL(address));
		if (sentence !== undefined) {
			const { details } = error;
			shown = new ApiError(sentence, { ...details, outcome: 'refused', nothingWas: undefined });
		}
	}
	const nodeError = toNodeError(node, shown, { isOneText: shown === error });
	nodeError.message = nodeError.message
		.replace(/([?&]key=)[^&\s"']+/g, '$1…')
		.replaceAll('Authorization', 'authorization');
	return nodeError;
}

/**
 * Says in one sentence why a webhook could not be registered, and what to do; undefined for a
 * reason of another kind.
 */
function explainError(
	{ what, details }: ApiError,
	node: INode,
	{ origin, hostname }: URL,
): string | undefined {
	const event = instantEvents.find(({ value }) => value === node.parameters.event);
	const isFlow = event?.condition === undefined;
	const instead =
		event?.polling && `use the trigger Workspace Messaging with ${event.polling} instead`;
	const advice = (first: string) => [first, instead].filter(Boolean).join(', or ');
	const headline = what.replace(/\.$/, '');
	const { reason, status = 0 } = details;
	switch (reason) {
		case 'webhookLimit':
			return isFlow
				? `The workspace already has ${limits.externalWebhooks.max} addresses that flows send data to, the most it can have: unpublish a workflow that starts with Flow Sends Data, or at once with Message Received.`
				: `The workspace already has ${limits.webhooks.max} webhooks, the most it can have: ${advice('delete one in the workspace settings')}.`;
		case 'privateAddress':
			return `The service can't call n8n at ${origin}, because this address isn't public: ${advice('set N8N_WEBHOOK_URL to the public address of n8n')}.`;
		case 'scope':
			return `${headline}, which webhooks need: ${advice('add it in the workspace settings')}.`;
		case 'readOnlyToken':
			return `${headline}, so n8n can't register the webhook: ${advice('use a token with write access')}.`;
	}
	if (isFlow && status === 500 && isPrivateHost(hostname))
		return `The service failed (500), maybe because n8n's address ${origin} isn't public: set N8N_WEBHOOK_URL to the public address of n8n.`;
	if (status === 404 || status === 405) {
		const byTag =
			'let the flow add a tag, and use the trigger Workspace Messaging with Tag Added to Contact';
		const way = instead ?? (isFlow ? byTag : undefined);
		const problem = `This service doesn't offer webhooks for this event, or the Base URL in the credential is wrong (${status})`;
		return way ? `${problem}: ${way}.` : `${problem}.`;
	}
	return undefined;
}
