import type { IDataObject } from 'n8n-workflow';
import { listBroadcasts } from '../../contract/broadcast';
import { listChannels } from '../../contract/channel';
import { listContacts } from '../../contract/contact';
import { listCustomFields } from '../../contract/customField';
import type { Endpoint } from '../../contract/endpoint';
import { listFlows, listMembers } from '../../contract/workspace';
import { listSequences } from '../../contract/sequence';
import { listTags } from '../../contract/tag';
import { displayName } from './fields';

/** A list of the workspace that people choose from. A choice is the ID of a record. */
export interface Lookup {
	/** The endpoint that returns the list; see `listFor` for that of channels. */
	endpoint: Endpoint;
	/** What a record is called, such as `tag`. */
	noun: string;
	/** Name of the method that fills a locator with the list. */
	searchMethod: string;
	/** Name of the method that fills a dropdown with the list, if there is one. */
	optionsMethod?: string;
	/** Whether the service also searches fields that are not part of the label. */
	searchesMore?: true;
	/** Returns the text that stands for a record. */
	label(record: IDataObject): string;
}

/** All lists that people choose from. This file only names them; contacts/ and methods/ read them. */
export const lookups = {
	broadcasts: {
		endpoint: listBroadcasts,
		noun: 'broadcast',
		searchMethod: 'searchBroadcasts',
		label: (record) => labelOf(record, record.name, record.status),
	},
	channels: {
		endpoint: listChannels,
		noun: 'channel',
		searchMethod: 'searchChannels',
		optionsMethod: 'getChannels',
		label: (record) => labelOf(record, record.name, displayName(text(record.channel))),
	},
	contacts: {
		endpoint: listContacts,
		noun: 'contact',
		searchMethod: 'searchContacts',
		searchesMore: true,
		label: (record) => {
			const { fullName, firstName, lastName, email, phoneNumber } = record;
			const name = text(fullName) || [firstName, lastName].map(text).filter(Boolean).join(' ');
			const reach = text(email) || text(phoneNumber);
			return labelOf(record, name || reach, reach);
		},
	},
	customFields: {
		endpoint: listCustomFields,
		noun: 'custom field',
		searchMethod: 'searchCustomFields',
		optionsMethod: 'getCustomFields',
		label: (record) => labelOf(record, record.name, sentenceCase(displayName(text(record.type)))),
	},
	flows: {
		endpoint: listFlows,
		noun: 'flow',
		searchMethod: 'searchFlows',
		label: (record) => labelOf(record, record.name, record.active === false ? 'inactive' : ''),
	},
	members: {
		endpoint: listMembers,
		noun: 'member',
		searchMethod: 'searchMembers',
		searchesMore: true,
		label: (record) => {
			// The API documents no email of a member. If a service returns one, it says more than an ID.
			const { name, email } = userOf(record);
			return labelOf(record, name ?? email, email);
		},
	},
	sequences: {
		endpoint: listSequences,
		noun: 'sequence',
		searchMethod: 'searchSequences',
		optionsMethod: 'getSequences',
		label: (record) => labelOf(record, record.name),
	},
	tags: {
		endpoint: listTags,
		noun: 'tag',
		searchMethod: 'searchTags',
		optionsMethod: 'getTags',
		label: (record) => labelOf(record, record.name),
	},
} satisfies Record<string, Lookup>;

/** The user of a member; empty if the service shows none. */
export const userOf = ({ user }: IDataObject) => (user ?? {}) as IDataObject;

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));

const sentenceCase = (name: string) => name.slice(0, 1) + name.slice(1).toLowerCase();

/** The name of a record, or else its ID, and what distinguishes it from others with the same name. */
function labelOf({ id }: IDataObject, name: unknown, detail?: unknown): string {
	const details = [text(detail)].filter((part) => part !== '' && part !== text(name));
	return [text(name) || `ID ${text(id)}`, ...details].join(' – ');
}
