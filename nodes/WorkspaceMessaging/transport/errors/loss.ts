import type { HttpResult } from '../http';
import { findReason } from './reasons';

/** What came in place of the answer to a request that may have had an effect. */
export type Loss =
	/** The service is down (502, 503), so it no longer works on the request. */
	| 'serviceDown'
	/** A proxy waited no longer (504); the service may still work on the request. */
	| 'proxyTimeout'
	/** Nothing, because the connection broke or n8n waited no longer; it may still work on it, too. */
	| 'noAnswer'
	/** Another failure of the service. */
	| 'failure';

const LOSS_BY_STATUS: Record<number, Loss> = {
	502: 'serviceDown',
	503: 'serviceDown',
	504: 'proxyTimeout',
};

/** Returns how the answer to a request got lost; undefined if the outcome is known. */
export function findLoss(result: HttpResult): Loss | undefined {
	if (result.status === undefined) {
		if (result.kind !== 'broken') return undefined;
		return result.isTransient ? 'noAnswer' : 'failure';
	}
	const { status } = result;
	if (status < 500 || findReason(result) !== undefined) return undefined;
	return LOSS_BY_STATUS[status] ?? 'failure';
}

/** Whether a request may have had an effect although it failed. */
export const mayHaveHadEffect = (result: HttpResult): boolean => findLoss(result) !== undefined;
