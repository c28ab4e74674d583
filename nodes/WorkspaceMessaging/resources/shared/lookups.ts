import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../../contract/contact';
import { customFieldApi } from '../../contract/customField';
import { tagApi } from '../../contract/tag';
import { undocumentedApi } from '../../contract/undocumented';
import { workspaceApi } from '../../contract/workspace';
import type { Lookup } from '../../execution/operation';
import { displayName } from './fields';

/** A list of the workspace, and the methods that show it in the editor. */
export interface PanelLookup extends Lookup {
	/** Name of the method that fills a locator with the list. */
	searchMethod: string;
	/** Name of the method that fills a dropdown with the list, if there is one. */
	optionsMethod?: string;
	/** Whether the service also searches fields that are not part of the label. */
	searchesMore?: true;
}

/** All lists that people choose from. This file only names them; contacts/ and methods/ read them. */
export const lookups = {
	broadcasts: {
		endpoints: [workspaceApi.listBroadcasts],
		noun: 'broadcast',
		searchMethod: 'searchBroadcasts',
		label: (record) => labelOf(record, record.name, displayName(text(record.status))),
	},
	channels: {
		endpoints: [undocumentedApi.listInboxes, workspaceApi.listChannels],
		noun: 'channel',
		searchMethod: 'searchChannels',
		optionsMethod: 'getChannels',
		label: (record) => labelOf(record, record.name, displayName(text(record.channel))),
	},
	contacts: {
		endpoints: [contactApi.listContacts],
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
		endpoints: [customFieldApi.listCustomFields],
		noun: 'custom field',
		searchMethod: 'searchCustomFields',
		optionsMethod: 'getCustomFields',
		label: (record) => labelOf(record, record.name, sentenceCase(displayName(text(record.type)))),
	},
	flows: {
		endpoints: [workspaceApi.listFlows],
		noun: 'flow',
		searchMethod: 'searchFlows',
		label: (record) => labelOf(record, record.name, record.active === false ? 'Inactive' : ''),
	},
	members: {
		endpoints: [workspaceApi.listMembers],
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
		endpoints: [workspaceApi.listSequences],
		noun: 'sequence',
		searchMethod: 'searchSequences',
		optionsMethod: 'getSequences',
		label: (record) => labelOf(record, record.name),
	},
	tags: {
		endpoints: [tagApi.listTags],
		noun: 'tag',
		searchMethod: 'searchTags',
		optionsMethod: 'getTags',
		label: (record) => labelOf(record, record.name),
	},
} satisfies Record<string, PanelLookup>;

/** The user of a member; empty if the service shows none. */
export const userOf = ({ user }: IDataObject) => (user ?? {}) as IDataObject;

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));

const sentenceCase = (name: string) => name.slice(0, 1) + name.slice(1).toLowerCase();

/** The name of a record, or else its ID, and what distinguishes it from others with the same name. */
function labelOf({ id }: IDataObject, name: unknown, detail?: unknown): string {
	const details = [text(detail)].filter((part) => part !== '' && part !== text(name));
	return [text(name) || `ID ${text(id)}`, ...details].join(' – ');
}
