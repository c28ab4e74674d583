import { toChannelId } from '../channels/channel';
import { getFullName } from '../contacts/fullName';
import { contactApi } from '../contract/contact';
import { customFieldApi, QUESTION_FIELD } from '../contract/customField';
import { workspaceApi, getUserOfMember } from '../contract/workspace';
import { toOptionName } from './fields';
import { toLabel, toLookupText, type Lookup } from './lookups/lookup';
import { tagLookup } from './lookups/tags';

/*
 * The lists of the workspace that people choose from. Errors about an ID suggest entries of its
 * list.
 */

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
	tags: tagLookup,
	teams: {
		endpoint: workspaceApi.listTeams,
		noun: 'team',
		searchMethod: 'searchTeams',
		label: (record) => toLabel(record),
	},
} satisfies Record<string, Lookup>;

const sentenceCase = (name: string) => name.slice(0, 1) + name.slice(1).toLowerCase();
