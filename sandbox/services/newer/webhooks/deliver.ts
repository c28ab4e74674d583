import type { WebhookCall } from '../../../journal';
import type { Workspace } from '../../../workspace';
import { isAllowedUrl } from './guard';

interface Delivery {
	url: string;
	/** What the receiver gets; each has the name of an event. */
	body: { event: string };
	timeoutMs: number;
	headers?: Record<string, string>;
}

/** Calls an address once, and notes the call in the journal when it has ended. */
export async function deliver(
	workspace: Workspace,
	{ url, body, timeoutMs, headers }: Delivery,
): Promise<WebhookCall> {
	const at = Date.now();
	const timeout = AbortSignal.timeout(workspace.faults.settings.webhookTimeoutMs ?? timeoutMs);
	let status: number | null = null;
	try {
		if (isAllowedUrl(workspace, url)) {
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body: JSON.stringify(body),
				signal: AbortSignal.any([timeout, workspace.end.signal]),
			});
			status = response.status;
			await response.body?.cancel();
		}
	} catch {
		// Nobody answered: the status stays null.
	}
	const call = { at, url, event: body.event, status, ms: Date.now() - at, body };
	workspace.journal.webhookCalls.push(call);
	return call;
}
