import type { INodeProperties } from 'n8n-workflow';
import { panelField } from '../resources/shared/fields';
import { events } from './events';

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
export const triggerFields: INodeProperties[] = [
	event,
	...[...new Set(fields)].map(shownForItsEvents).map(panelField),
];
