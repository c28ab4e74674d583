import { contactCreated, contactUpdated } from './changes/contacts';
import {
	broadcastStatusChanged,
	channelStatusChanged,
	sequenceActiveChanged,
} from './changes/statuses';
import { tagAdded, tagRemoved } from './changes/tags';
import { messageNotDelivered } from './changes/undelivered';
import { messageReceived } from './messages/messageReceived';
import type { PollingEvent } from './types';

/** All events of the polling trigger, in the order of their names. */
export const pollingEvents: PollingEvent[] = [
	broadcastStatusChanged,
	channelStatusChanged,
	contactCreated,
	contactUpdated,
	messageNotDelivered,
	messageReceived,
	sequenceActiveChanged,
	tagAdded,
	tagRemoved,
];
