import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import type { Page, ReadOptions } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import {
	listBroadcasts,
	listChannels,
	listContacts,
	listCustomFields,
	listFlows,
	listMembers,
	listSequences,
	listTags,
} from '../../contract';
import type { Endpoint } from '../../contract';
import { channelList } from '../../contacts/list/channels';
import { readByKeyword } from '../../contacts/list/keyword';

/** A list of the workspace that people choose from. */
export interface Lookup {
	endpoint: Endpoint;
	/** Which list it is, where that depends on the service. */
	endpointOf?(client: Requester): Promise<Endpoint>;
	/** What one of its records is called, such as `a tag`. */
	noun: string;
	/** Name of the function that fills a locator from it. */
	searchMethod: string;
	/** Name of the function that fills a dropdown from it, where there is one. */
	optionsMethod?: string;
	/** Whether the service looks for a text in more than what is shown of a record. */
	searchesMore?: true;
	/** Reads it page after page, where that takes more than its endpoint. */
	read?(client: Requester, query: IDataObject, options: ReadOptions): AsyncIterable<Page>;
	/** How a record is shown, and what is chosen by it. */
	toEntry(record: IDataObject): INodeListSearchItems;
}

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));

/** A name, with what tells it from others of the same name behind it. */
function named(record: IDataObject, name: unknown, ...more: unknown[]): INodeListSearchItems {
	const details = more.map(text).filter((part) => part !== '' && part !== text(name));
	return {
		name: [text(name) || `ID ${text(record.id)}`, ...details].join(' – '),
		value: text(record.id),
	};
}

/** All lists that people choose from. */
export const lookups = {
	broadcasts: {
		endpoint: listBroadcasts,
		noun: 'a broadcast',
		searchMethod: 'searchBroadcasts',
		toEntry: (record) => named(record, record.name, record.status),
	},
	channels: {
		endpoint: listChannels,
		endpointOf: channelList,
		noun: 'a channel',
		searchMethod: 'searchChannels',
		optionsMethod: 'getChannels',
		toEntry: (record) => named(record, record.name, record.channel),
	},
	contacts: {
		endpoint: listContacts,
		noun: 'a contact',
		searchMethod: 'searchContacts',
		searchesMore: true,
		read: readByKeyword,
		toEntry: (record) => {
			const parts = [record.firstName, record.lastName].map(text).filter(Boolean);
			const name = text(record.fullName) || parts.join(' ');
			const reach = record.email || record.phoneNumber;
			return named(record, name || reach, reach);
		},
	},
	customFields: {
		endpoint: listCustomFields,
		noun: 'a custom field',
		searchMethod: 'searchCustomFields',
		optionsMethod: 'getCustomFields',
		toEntry: (record) => named(record, record.name, record.type),
	},
	flows: {
		endpoint: listFlows,
		noun: 'a flow',
		searchMethod: 'searchFlows',
		toEntry: (record) => named(record, record.name, record.active === false ? 'inactive' : undefined),
	},
	members: {
		endpoint: listMembers,
		noun: 'a member',
		searchMethod: 'searchMembers',
		searchesMore: true,
		toEntry: (record) => {
			// The API documents no email of a member; where a service gives it, it tells more than an ID.
			const { name, email } = (record.user ?? {}) as IDataObject;
			return named(record, name ?? email, email);
		},
	},
	sequences: {
		endpoint: listSequences,
		noun: 'a sequence',
		searchMethod: 'searchSequences',
		optionsMethod: 'getSequences',
		toEntry: (record) => named(record, record.name),
	},
	tags: {
		endpoint: listTags,
		noun: 'a tag',
		searchMethod: 'searchTags',
		optionsMethod: 'getTags',
		toEntry: (record) => named(record, record.name),
	},
} satisfies Record<string, Lookup>;
