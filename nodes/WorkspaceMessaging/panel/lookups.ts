import type { IDataObject } from 'n8n-workflow';
import { toChannelId } from '../channels/channel';
import { getFullName } from '../contacts/fullName';
import { contactApi } from '../contract/contact';
import { customFieldApi, QUESTION_FIELD } from '../contract/customField';
import { tagApi } from '../contract/tag';
import { workspaceApi } from '../contract/workspace';
import type { Lookup } from '../run/operation';
import { toOptionName } from './fields';
import { getUserOfMember } from '../conversations/member';

/*
 * The lists of the workspace that people choose from. Errors about an ID suggest entries of its
 * list.
 */

/** A list of the workspace, and the methods that show it in the editor. */
export interface PanelLookup extends Lookup {
	/** Name of the method that fills a locator with the list. */
	searchMethod: string;
	/** Name of the method that fills a dropdown with the list, if there is one. */
	optionsMethod?: string;
	/** Whether the service also searches fields that are not part of the label. */
	searchesMore?: true;
	/**
	 * Whether the list shows a record beside the channel that the user chose; all records by default.
	 */
	isOffered?(record: IDataObject, inboxId: string | undefined): boolean;
	/**
	 * Whether a record belongs to one of the channels of the contact that the user chose; the list
	 * then shows it first.
	 */
	isOfChannels?(record: IDataObject, own: string[]): boolean;
}

/** All lists that people choose from; `loadLists.ts` reads them. */
export const lookups = {
	broadcasts: {
		endpoint: workspaceApi.listBroadcasts,
		noun: 'broadcast',
		searchMethod: 'searchBroadcasts',
		label: (record) => toLabel(record, toOptionName(toLookupText(record.status))),
	},
	channels: {
		endpoint: workspaceApi.listChannels,
		noun: 'channel',
		readChoice: toChannelId,
		searchMethod: 'searchChannels',
		optionsMethod: 'getChannels',
		label: (record) => toLabel(record, toOptionName(toLookupText(record.channel))),
	},
	contacts: {
		endpoint: contactApi.listContacts,
		noun: 'contact',
		searchMethod: 'searchContacts',
		searchesMore: true,
		label: (record) => {
			const reach = toLookupText(record.email) || toLookupText(record.phoneNumber);
			return toLabel(record, reach, getFullName(record) || reach);
		},
	},
	customFields: {
		endpoint: customFieldApi.listCustomFields,
		noun: 'custom field',
		searchMethod: 'searchCustomFields',
		optionsMethod: 'getCustomFields',
		isOffered: ({ name }) => name !== QUESTION_FIELD,
		label: (record) => toLabel(record, sentenceCase(toOptionName(toLookupText(record.type)))),
	},
	flows: {
		endpoint: workspaceApi.listFlows,
		noun: 'flow',
		searchMethod: 'searchFlows',
		label: (record) => toLabel(record, record.active === false ? 'Inactive' : ''),
	},
	members: {
		endpoint: workspaceApi.listMembers,
		noun: 'member',
		searchMethod: 'searchMembers',
		searchesMore: true,
		label: (record) => {
			// The API documents no email of a member. If a service returns one, it says more than an ID.
			const { name, email } = getUserOfMember(record);
			return toLabel(record, email, name ?? email);
		},
	},
	sequences: {
		endpoint: workspaceApi.listSequences,
		noun: 'sequence' as const,
		searchMethod: 'searchSequences',
		optionsMethod: 'getSequences',
		label: (record) => toLabel(record),
	},
	tags: {
		endpoint: tagApi.listTags,
		noun: 'tag' as const,
		searchMethod: 'searchTags',
		optionsMethod: 'getTags',
		label: (record) => toLabel(record),
	},
	teams: {
		endpoint: workspaceApi.listTeams,
		noun: 'team',
		searchMethod: 'searchTeams',
		label: (record) => toLabel(record),
	},
} satisfies Record<string, PanelLookup>;

export const toLookupText = (value: unknown) =>
	value === undefined || value === null ? '' : String(value);

const sentenceCase = (name: string) => name.slice(0, 1) + name.slice(1).toLowerCase();

/**
 * The name of a record, or else its ID, and what distinguishes it from others with the same name.
 */
export function toLabel(
	record: IDataObject,
	detail?: unknown,
	name: unknown = record.name,
): string {
	const title = toLookupText(name);
	const details = toLookupText(detail);
	const shown = title || `ID ${toLookupText(record.id)}`;
	return details === '' || details === title ? shown : `${shown} – ${details}`;
}
