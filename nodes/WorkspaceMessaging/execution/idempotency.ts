import { createHash } from 'node:crypto';
import type { ApiRequest } from '../transport/request';
import { seedOf } from './clientId';
import type { Run } from './run';

/**
 * Makes the keys by which services that look at `Idempotency-Key` recognise a request that changes something when it comes
 * again (the reference has no such header). The same for the same request of the same item of the same execution, so that
 * neither a repeated request nor n8n's "Retry On Fail" does anything twice; never the same for another body or
 * other files. Services keep the keys of successes only, so what was refused can be sent again with its key.
 *
 * @param index number of the item
 */
export function idempotencyKeys(run: Run, index: number): (request: ApiRequest) => string {
	return ({ endpoint, path, body, form, dedupeKey: recognisedBy }) => {
		const who = recognisedBy ?? `${seedOf(run)}:${index}`;
		const what = [who, endpoint.method, path, JSON.stringify(body), form?.filesHash].join(':');
		return createHash('sha256').update(what).digest('hex');
	};
}
