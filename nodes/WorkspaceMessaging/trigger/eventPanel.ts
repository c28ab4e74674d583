import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { panelField } from '../panel/fields';
import { refuseNote } from '../panel/lookups/refreshEntry';
import type { Field } from '../run/operation';
import { ascendingBy } from '../values/numbers';
import { unique } from '../transport/guards';

/**
 * What the events of both triggers have: what the panel shows of them, and what the user enters
 * there.
 */
export interface TriggerEvent {
	name: string;
	/** How saved workflows name the event. */
	value: string;
	description: string;
	/**
	 * Its fields in the panel. Events can share a field: if they have the same object, the panel
	 * shows it once.
	 */
	fields: Field[];
	/** The values of the fields that are its own. */
	parameters: z.ZodObject;
}

/**
 * Returns what the panel of a trigger shows of its events: the line below the trigger on the
 * canvas, the field that chooses the event, and the fields of all events, each shown for its
 * events.
 *
 * @param initial the event of a new trigger
 * @param hint how the trigger differs from the other one; below the field that chooses the event
 */
export function makeEventPanel(events: TriggerEvent[], initial: string, hint: string) {
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
	const valuesOfEventsWith = (field: Field) => {
		const eventsWithField = events.filter(({ fields }) => fields.includes(field));
		return eventsWithField.map(({ value }) => value);
	};
	// What an event needs comes first, then its own fields, those it shares with others, and options.
	const rank = (field: Field) => {
		if (field.required) return 0;
		if (field.name === 'options') return Infinity;
		return valuesOfEventsWith(field).length;
	};
	const fieldsOfAll = events.flatMap(({ fields }) => fields);
	const eventFields = unique(fieldsOfAll);
	eventFields.sort(ascendingBy(rank));
	const shown = eventFields.map((field) => showForEvents(field, valuesOfEventsWith(field)));
	const namesAsJson = JSON.stringify(names);
	return {
		subtitle: `={{ (${namesAsJson})[$parameter["event"]] }}`,
		fields: [eventField, ...shown],
	};
}

/** Returns a field that the panel shows for some events. */
function showForEvents(field: Field, events: string[]) {
	const { displayOptions } = field;
	const show = { ...displayOptions?.show, event: events };
	return panelField({ ...field, displayOptions: { ...displayOptions, show } });
}

/**
 * Finds the event that the user chose, and returns it with what the user entered in its own fields.
 *
 * @param parameters the values of the fields as the user entered them
 */
export function readEventFromPanel<Event extends TriggerEvent>(
	events: Event[],
	parameters: Record<string, unknown>,
	valueOf: (name: string) => unknown,
) {
	const chosen = valueOf('event');
	const event = events.find(({ value }) => value === chosen);
	if (!event) {
		throw new Error(`There is no event "${String(chosen)}". Choose one in Trigger On.`);
	}
	refuseNote(event.fields, parameters);
	const names = Object.keys(event.parameters.shape);
	const entered = names.map((name) => [name, valueOf(name)]);
	return { event, entered: Object.fromEntries(entered) };
}
