import type { TriggerEvent } from '../types';
import { contactCreated, contactUpdated } from './contacts';
import { sequenceActiveChanged } from './sequences';
import { broadcastStatusChanged, channelStatusChanged } from './statuses';
import { tagAdded, tagRemoved } from './tags';

/** All events, in the order of their names. */
export const events: TriggerEvent[] = [
	broadcastStatusChanged,
	channelStatusChanged,
	contactCreated,
	contactUpdated,
	sequenceActiveChanged,
	tagAdded,
	tagRemoved,
];

/** What the items of each event look like, by its value. */
export const triggerOutputs = Object.fromEntries(events.map(({ option, output }) => [option.value, output]));
