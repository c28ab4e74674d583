import { conversationFilters, readFilteredConversations } from '../../conversations/filter';
import { simpleConversation, simplifyConversations } from '../../conversations/simplify';
import { conversationApi } from '../../contract/conversation';
import { choices } from '../../contract/limits';
import { conditionMethods } from '../../panel/contactFilters';
import {
	channelOptions,
	inQuery,
	keywordField,
	optional,
	returnAllOrLimit,
	simplify,
	toNamedOptions,
	toOptions,
} from '../../panel/fields';
import { defineOperation, type Field } from '../../run/operation';

const filterFields: Field[] = [
	inQuery({
		displayName: 'Answered By',
		name: 'inCharge',
		type: 'options',
		options: toOptions(choices.answeredBy),
		default: 'anyone',
	}),
	inQuery({
		displayName: 'Assigned To Name or ID',
		name: 'assignedId',
		type: 'options',
		typeOptions: { loadOptionsMethod: conditionMethods.assignees },
		default: '',
		description:
			'A member, a team or nobody. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	inQuery({
		displayName: 'Channel Type',
		name: 'channel',
		type: 'options',
		options: channelOptions,
		default: 'omnichannel',
	}),
	keywordField(
		'e.g. nathan',
		'Searches conversations by the name or phone number of the contact; by email only if the text has an @',
	),
	inQuery({
		displayName: 'States',
		name: 'states',
		type: 'multiOptions',
		options: toNamedOptions({
			archived: 'Archived',
			blocked: 'Blocked Contact',
			followUp: 'Followed',
			noAdminReply: 'Not Answered by a Person',
			unread: 'Unread',
		}),
		default: [],
		description:
			'Only conversations with all of these. To get archived ones or those of blocked contacts, select them.',
	}),
];

export const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many conversations',
	description:
		'Get many conversations, most recently active first; archived ones and those of blocked contacts only if you select them',
	endpoint: conversationApi.listConversations,
	fields: [...returnAllOrLimit, simplify, optional('filters', filterFields)],
	schema: { query: conversationFilters },
	output: simpleConversation,

	async run(item) {
		const conversations = await readFilteredConversations(item, item.query, item.limit);
		return item.isSimplified ? simplifyConversations(conversations) : conversations;
	},
});
