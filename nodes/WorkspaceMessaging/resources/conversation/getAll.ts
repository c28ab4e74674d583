import { conversationFilters, readFilteredConversations } from '../../conversations/filter';
import { dateOrHoursAgoRule, readFilterTime } from '../../conversations/filterTime';
import {
	simpleConversation,
	simplifyConversations,
	withContactFirst,
} from '../../conversations/simplify';
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
	toSortedOptions,
} from '../../panel/fields';
import type { AnyItem } from '../../run/item';
import { defineOperation, type Field } from '../../run/operation';

/** A filter by when the contact wrote last. */
const wroteFilter = (
	displayName: string,
	name: string,
	description: string,
): Field<string | undefined> => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: 'e.g. 24 hours or 2026-01-31T09:30',
	description,
	rule: dateOrHoursAgoRule,
});

const wroteAfter = wroteFilter(
	'Contact Wrote After',
	'contactWroteAfter',
	'Only if the contact last wrote after this date, or within this number of hours or days',
);
const wroteBefore = wroteFilter(
	'Contact Wrote Before',
	'contactWroteBefore',
	'Only if the contact last wrote before this date, or longer ago than this number of hours or days. n8n reads the whole list for this.',
);

const filterFields: Field[] = [
	inQuery({
		displayName: 'Answered By',
		name: 'inCharge',
		type: 'options',
		options: toSortedOptions(choices.answeredBy),
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
	wroteAfter,
	wroteBefore,
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
	simplify: simplifyConversations,

	validate(item) {
		readWroteTimes(item);
	},

	async run(item) {
		const filters = { ...item.query, ...readWroteTimes(item) };
		const conversations = await readFilteredConversations(item, filters, item.limit);
		return conversations.map(withContactFirst);
	},
});

/** Between which moments the contact must have written last. Throws an error if there are none. */
function readWroteTimes(item: AnyItem) {
	const after = readFilterTime(item, wroteAfter);
	const before = readFilterTime(item, wroteBefore);
	if (after !== undefined && before !== undefined && after >= before)
		throw new Error(`${wroteAfter.displayName} must be earlier than ${wroteBefore.displayName}.`);
	return { wroteAfter: after, wroteBefore: before };
}
