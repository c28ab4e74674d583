import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { contactApi } from '../contract/contact';
import { validate } from '../values/validate';
import type { Settings } from './types';

/** Finds the event that the user chose, and returns it with what the user entered in its own fields. */
export function readEvent<Event extends { value: string; parameters: z.ZodObject }>(
	events: Event[],
	valueOf: (name: string) => unknown,
) {
	const event = events.find(({ value }) => value === valueOf('event'));
	if (!event) throw new Error(`There is no event "${String(valueOf('event'))}". Choose one in Trigger On.`);
	const entered = Object.keys(event.parameters.shape).map((name) => [name, valueOf(name)]);
	return { event, entered: Object.fromEntries(entered) };
}

/**
 * Reads and validates what the user entered in the panel of the polling trigger.
 *
 * @param labels the names of the fields in the panel, for errors
 */
export function readSettings<Event extends { value: string; parameters: z.ZodObject }>(
	context: IPollFunctions,
	events: Event[],
	labels: Record<string, string>,
): { event: Event; settings: Settings } {
	const valueOf = (name: string) => context.getNodeParameter(name, null);
	const { event, entered } = readEvent(events, valueOf);
	const { params: parameters, query: filters } = validate(
		{ params: event.parameters, query: contactApi.listContacts.query },
		{ params: entered, query: valueOf('filters') as IDataObject },
		labels,
	);
	return { event, settings: { parameters, filters, simplify: valueOf('simplify') !== false } };
}
