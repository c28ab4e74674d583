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
import { pickerSettings, search } from './search';

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
	searchFlows: search(listFlows, (record) => named(record, record.name)),
	searchTags: search(listTags, asTag),
	searchCustomFields: search(listCustomFields, asCustomField),
	searchSequences: search(listSequences, (record) => named(record, record.name)),
	searchBroadcasts: search(listBroadcasts, (record) => named(record, record.name, record.status)),
	searchMembers: search(listMembers, (record) =>
		named(record, (record.user as IDataObject | undefined)?.name),
	),
};

/** A whole list for a field in which several entries can be ticked. */
function options(endpoint: Endpoint, toEntry: (record: IDataObject) => INodePropertyOptions) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const client = await openClient(this, pickerSettings);
		const records = await readList(client.caller(this), callOf(endpoint));
		return records.map(toEntry).sort((a, b) => a.name.localeCompare(b.name));
	};
}

export const loadOptions = {
	getTags: options(listTags, asTag),
	getChannels: options(listChannels, asChannel),
	getCustomFields: options(listCustomFields, asCustomField),
	getSequences: options(listSequences, (record) => named(record, record.name)),
};

export const resourceMapping = { getCustomFieldColumns };
