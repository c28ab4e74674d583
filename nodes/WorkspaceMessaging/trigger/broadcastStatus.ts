import { listBroadcasts } from '../contract';
import { callOf } from './shim';
import type { Caller } from './shim';
import { readWholeList } from './readPages';
import { watchStatuses } from './statuses';

/**
 * Watches the status of all broadcasts (part 2.9). One that is new counts as changed to the status that it has.
 *
 * @param statuses the statuses that are news; all when there are none
 */
export function watchBroadcasts(caller: Caller, statuses: string[]) {
	return watchStatuses({
		read: async (isFirst) => await readWholeList(caller, callOf(listBroadcasts), isFirst),
		statusOf: ({ status }) => String(status),
		isNews: (status) => statuses.length === 0 || statuses.includes(status),
		toItem: (record, previousStatus) => ({ ...record, previousStatus }),
	});
}
