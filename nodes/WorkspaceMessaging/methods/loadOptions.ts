import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import {
	listBroadcasts,
	listChannels,
	listContacts,
	listCustomFields,
	listFlows,
	listMembers,
	listSequences,
	listTags,
} from '../contract';
import type { Endpoint } from '../contract';
import { callOf } from '../routing/call';
import { openClient } from '../routing/client';
import { readList } from '../routing/pages';
import { getCustomFieldColumns } from './customFieldColumns';
import { pickerSettings, search, withIds } from './search';

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));

/** A name, with what tells it from others of the same name behind it. */
const named = (record: IDataObject, name: unknown, ...more: unknown[]) => {
	const details = more.map(text).filter((part) => part !== '' && part !== text(name));
	return {
		name: [text(name) || `ID ${text(record.id)}`, ...details].join(' – '),
		value: text(record.id),
	};
};

const asChannel = (record: IDataObject) => named(record, record.name, record.channel);
const asCustomField = (record: IDataObject) => named(record, record.name, record.type);
const asTag = (record: IDataObject) => named(record, record.name);

/** What fills the "From List" pickers, by the names that the fields use. */
export const listSearch = {
	searchContacts: search(listContacts, (record) => {
		const name =
			text(record.fullName) || [record.firstName, record.lastName].map(text).filter(Boolean).join(' ');
		return named(record, name || record.email || record.phoneNumber, record.email || record.phoneNumber);
	}),
	searchChannels: search(listChannels, asChannel),
	searchFlows: search(listFlows, (record) =>
		named(record, record.name, record.active === false ? 'inactive' : undefined),
	),
	searchTags: search(listTags, asTag),
	searchCustomFields: search(listCustomFields, asCustomField),
	searchSequences: search(listSequences, (record) => named(record, record.name)),
	searchBroadcasts: search(listBroadcasts, (record) => named(record, record.name, record.status)),
	searchMembers: search(listMembers, (record) => {
		// The API documents no email of a member; where a service gives it, it tells more than an ID.
		const { name, email } = (record.user ?? {}) as IDataObject;
		return named(record, name ?? email, email);
	}),
};

const SEVERAL = 'Switch the field to Expression and enter the IDs, separated by commas.';
const ONE = 'Switch the field to Expression and enter the ID.';

/**
 * Makes the function that fills a field with a whole list, sorted by name.
 *
 * @param endpoint the list
 * @param toEntry how a record is shown
 * @param otherwise what to do where the service does not give the list; the editor shows nothing but the error's message
 */
function options(
	endpoint: Endpoint,
	toEntry: (record: IDataObject) => INodePropertyOptions,
	otherwise = SEVERAL,
) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const client = await openClient(this, pickerSettings);
			const records = await readList(client.caller(this), callOf(endpoint));
			return withIds(records.map(toEntry)).sort((a, b) => a.name.localeCompare(b.name));
		} catch (error) {
			const message = `The list cannot be shown. ${(error as Error).message} ${otherwise}`;
			throw new NodeApiError(this.getNode(), { message }, { message });
		}
	};
}

export const loadOptions = {
	getTags: options(listTags, asTag),
	getChannels: options(listChannels, asChannel),
	getCustomFields: options(listCustomFields, asCustomField, ONE),
	getSequences: options(listSequences, (record) => named(record, record.name)),
};

export const resourceMapping = { getCustomFieldColumns };
