import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import { refuseEmpty } from '../run/emptyValues';
import { labelsOf } from '../values/labels';
import { validate } from '../values/validate';
import { makeEventPanel, readEventFromPanel } from './eventPanel';
import { pollingEvents } from './events';
import type { PollingEvent, Settings } from './types';

/**
 * What the panel shows: the line below the trigger on the canvas, and all fields; n8n adds the poll
 * times.
 */
export const pollingPanel = makeEventPanel(
	pollingEvents,
	'contactCreated',
	'Finds all changes, by polling. To start at once from flows and channels, use Workspace Messaging Instant.',
);

const labels = labelsOf(pollingPanel.fields);

/** Reads and validates what the user entered in the panel of the polling trigger. */
export function readSettings(context: IPollFunctions): { event: PollingEvent; settings: Settings } {
	const valueOf = (name: string) => context.getNodeParameter(name, null);
	const { parameters: panel } = context.getNode();
	const { event, entered } = readEventFromPanel(pollingEvents, panel, valueOf);
	const { fields } = event;
	refuseEmpty({ fields, parameters: panel, read: valueOf, isTool: false });
	const { query } = contactApi.listContacts;
	const schemas = { params: event.parameters, query };
	const filters = valueOf('filters') as IDataObject;
	const values = { params: entered, query: filters };
	const valid = validate(schemas, values, labels);
	const simplify = valueOf('simplify') !== false;
	const settings: Settings = {
		parameters: valid.params,
		filters: valid.query,
		simplify,
	};
	return { event, settings };
}
