import { ApiClient } from '../transport/client';
import type { Context } from '../transport/http';
import type { Requester } from '../transport/request';

/** Connects a list that somebody is waiting for in the editor: nobody waits half a minute in front of it. */
export async function connect(context: Context): Promise<Requester> {
	const client = await ApiClient.open(context, {
		retry: { maxRetries: 2, giveUpAfterMs: 10_000, waitAtMostMs: 10_000 },
		transport: { timeout: 15_000 },
	});
	return client.requester(context);
}
