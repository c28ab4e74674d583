import type { TriggerEvent } from '../types';
import { contactCreated, contactUpdated } from './contacts';
import { broadcastStatusChanged, channelStatusChanged, sequenceActiveChanged } from './statuses';
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

/** The fields of each event's items, by its value. */
export const triggerOutputs = Object.fromEntries(events.map(({ value, output }) => [value, output]));
