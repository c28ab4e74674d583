import type { Caller } from './shim';
import { watchBroadcasts } from './broadcastStatus';
import { watchChannels } from './channelStatus';
import { watchContacts } from './contacts';
import { isContactEvent, isTagEvent } from './events';
import { watchSequences } from './sequenceActive';
import type { Settings } from './settings';
import { contactShape } from './shape';
import { watchTags } from './tags';
import type { Watch } from './watch';

/**
 * How the event of a trigger is watched.
 *
 * @param key what tells this trigger's lists from all others in this process
 * @param simplify whether contacts and sequences come simplified
 */
export function watchOf(settings: Settings, caller: Caller, key: string, simplify: boolean): Watch<unknown> {
	const { event, filters, tagIds, statuses, inboxIds, sequenceIds } = settings;
	const shape = contactShape(caller, simplify);
	if (isContactEvent(event)) return watchContacts(event, caller, filters, key, shape) as Watch<unknown>;
	if (isTagEvent(event)) return watchTags(event, caller, filters, tagIds, shape) as Watch<unknown>;
	switch (event) {
		case 'broadcastStatusChanged':
			return watchBroadcasts(caller, statuses) as Watch<unknown>;
		case 'channelStatusChanged':
			return watchChannels(caller, inboxIds, statuses) as Watch<unknown>;
		case 'sequenceActiveChanged':
			return watchSequences(caller, sequenceIds, simplify) as Watch<unknown>;
	}
}
