import type { INodeProperties } from 'n8n-workflow';
import { panelField } from '../panel/fields';
import type { Field } from '../run/operation';

/** What the panel of a trigger shows of an event. */
export interface PanelEvent {
	name: string;
	/** How saved workflows name the event. */
	value: string;
	description: string;
	/** Its fields in the panel. */
	fields: Field[];
}

/**
 * Returns what the panel of a trigger shows of its events: the line below the trigger on the canvas, the field that chooses the
 * event, and the fields of all events, each shown for its events.
 *
 * @param initial the event of a new trigger
 * @param hint how the trigger differs from the other one; below the field that chooses the event
 */
export function makeEventPanel(events: PanelEvent[], initial: string, hint: string) {
	const names = Object.fromEntries(events.map(({ value, name }) => [value, name]));
	const eventField: INodeProperties = {
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: events.map(({ name, value, description }) => ({ name, value, description })),
		default: initial,
		hint,
	};
	const eventsWith = (field: Field) =>
		events.filter(({ fields }) => fields.includes(field)).map(({ value }) => value);
	/** Fields that many events have come later, and the options last. */
	const rank = (field: Field) => (field.name === 'options' ? Infinity : eventsWith(field).length);
	const eventFields = [...new Set(events.flatMap(({ fields }) => fields))]
		.sort((a, b) => rank(a) - rank(b))
		.map((field) => {
			const show = { ...field.displayOptions?.show, event: eventsWith(field) };
			return panelField({ ...field, displayOptions: { ...field.displayOptions, show } });
		});
	return {
		subtitle: `={{ (${JSON.stringify(names)})[$parameter["event"]] }}`,
		fields: [eventField, ...eventFields],
	};
}
