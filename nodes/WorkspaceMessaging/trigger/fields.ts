import type { INodeProperties } from 'n8n-workflow';
import type { TriggerEvent } from './event';
import { contactCreated, contactUpdated } from './events/contacts';
import { sequenceActiveChanged } from './events/sequences';
import { broadcastStatusChanged, channelStatusChanged } from './events/statuses';
import { tagAdded, tagRemoved } from './events/tags';

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

/** The line below the trigger on the canvas: the event in words. */
export const eventSubtitle = `={{ (${JSON.stringify(
	Object.fromEntries(events.map(({ option }) => [option.value, option.name])),
)})[$parameter["event"]] }}`;

const event: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: events.map(({ option }) => option),
	default: 'contactCreated',
};

const fields = [...events.flatMap((each) => each.fields), ...events.flatMap((each) => each.sharedFields)];

/** Shows a field for the events that have it. */
const shownForItsEvents = (field: INodeProperties): INodeProperties => {
	const itsEvents = events.filter((each) => [...each.fields, ...each.sharedFields].includes(field));
	return { ...field, displayOptions: { show: { event: itsEvents.map(({ option }) => option.value) } } };
};

/** All parameters of the trigger; n8n adds when to poll. */
export const triggerFields: INodeProperties[] = [event, ...[...new Set(fields)].map(shownForItsEvents)];
