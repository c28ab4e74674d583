import { listChannels } from '../contract';
import { callOf } from './shim';
import type { Caller } from './shim';
import { readWholeList } from './readPages';
import { watchStatuses } from './statuses';

/**
 * Watches the connection status of channels (part 2.7). One that is new counts as changed to the status that it has.
 *
 * @param inboxIds the channels to watch; all when there are none
 * @param statuses the statuses that are news; all when there are none
 */
export function watchChannels(caller: Caller, inboxIds: string[], statuses: string[]) {
	return watchStatuses({
		async read(isFirst) {
			const channels = await readWholeList(caller, callOf(listChannels), isFirst);
			return inboxIds.length === 0 ? channels : channels.filter(({ id }) => inboxIds.includes(String(id)));
		},
		statusOf: ({ status }) => String(status),
		isNews: (status) => statuses.length === 0 || statuses.includes(status),
		toItem: (record, previousStatus) => ({ ...record, previousStatus }),
	});
}
