import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import type { Field } from '../execution/operation';
import { panelField } from '../resources/shared/fields';
import { labelsOf } from '../validation/labels';
import { validate } from '../validation/validate';
import { contactEvents } from './events/contacts';
import { messageEvents } from './events/messages';
import { statusEvents } from './events/statuses';
import { tagEvents } from './events/tags';
import type { Settings, TriggerEvent } from './types';

/** All events, in the order of their names. */
export const events: TriggerEvent[] = [
	...contactEvents,
	...messageEvents,
	...statusEvents,
	...tagEvents,
].sort((a, b) => a.name.localeCompare(b.name));

const eventNames = Object.fromEntries(events.map(({ value, name }) => [value, name]));

/** The line below the trigger on the canvas: the name of the event. */
export const eventSubtitle = `={{ (${JSON.stringify(eventNames)})[$parameter["event"]] }}`;

const eventField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: events.map(({ name, value, description }) => ({ name, value, description })),
	default: 'contactCreated',
};

const eventsWith = (field: Field) => events.filter(({ fields }) => fields.includes(field));

/** Where a field stands: those that many events have come later, and the options last. */
const rank = (field: Field) => (field.name === 'options' ? Infinity : eventsWith(field).length);

/** The fields of all events, each shown for its events. */
const eventFields = [...new Set(events.flatMap(({ fields }) => fields))]
	.sort((a, b) => rank(a) - rank(b))
	.map((field) => {
		const event = eventsWith(field).map(({ value }) => value);
		return panelField({ ...field, displayOptions: { show: { event } } });
	});

/** All fields of the trigger in the panel; n8n adds the poll times. */
export const triggerFields = [eventField, ...eventFields];

const labels = labelsOf(triggerFields);

/** Reads and validates what the user entered in the panel. */
export function readSettings(context: IPollFunctions): { event: TriggerEvent; settings: Settings } {
	const valueOf = (name: string) => context.getNodeParameter(name, null);
	const event = events.find(({ value }) => value === valueOf('event'));
	if (!event) throw new Error(`There is no event "${String(valueOf('event'))}". Choose one in Trigger On.`);
	const entered = Object.keys(event.parameters.shape).map((name) => [name, valueOf(name)]);
	const { params: parameters, query: filters } = validate(
		{ params: event.parameters, query: contactApi.listContacts.query },
		{ params: Object.fromEntries(entered), query: valueOf('filters') as IDataObject },
		labels,
	);
	return { event, settings: { parameters, filters, simplify: valueOf('simplify') !== false } };
}
