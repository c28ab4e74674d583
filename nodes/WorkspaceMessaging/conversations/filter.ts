import type { IDataObject } from 'n8n-workflow';
import { getChannelType, getInboxes } from '../channels/channel';
import { withChannelTypes } from '../channels/list';
import { containsKeyword } from '../values/names';
import { anyChannel } from '../contract/limits';
import { notSentError } from '../transport/errors/ApiError';
import { isObject } from '../transport/guards';
import type { Requester } from '../transport/request';
import { parseTime } from '../values/dates';
import { getActivity, getContactTime, readMovingConversations } from './list';
import { getInCharge } from './messages';
import { isUnread } from './simplify';

/** States that conversations can be filtered by, as services name them. */
export const conversationStates = [
	'archived',
	'blocked',
	'followUp',
	'noAdminReply',
	'unread',
] as const;

/** What the user filters conversations by. */
export interface ConversationFilters {
	inCharge?: 'anyone' | 'bot' | 'person';
	/** `u_` and the ID of a user, `t_` and the ID of a team, or `unassigned`. */
	assignedId?: string;
	/** A type, such as `whatsapp`. */
	channel?: string;
	keyword?: string;
	/** A conversation must have all of them. */
	states?: Array<(typeof conversationStates)[number]>;
}

/**
 * Reads the conversations that match filters, newest activity first. Services ignore a filter that
 * they cannot read (difference 27), and a workflow that archives what it gets would archive
 * everything. So n8n compares each conversation again.
 *
 * @param limit how many at most; undefined for all
 */
export async function readConversationList(
	client: Requester,
	filters: ConversationFilters,
	limit = Infinity,
): Promise<IDataObject[]> {
	const found = new Map<unknown, IDataObject>();
	const checks = createChecks(filters);
	await readMovingConversations(client, toQuery(filters), -Infinity, async (rows) => {
		const complete = filters.channel ? await withChannelTypes(client, rows) : rows;
		for (const [index, row] of complete.entries())
			if (checks.every((check) => isMet(check, row))) found.set(row.id, rows[index]);
			else found.delete(row.id);
		return found.size >= limit;
	});
	const newestFirst = [...found.values()].sort((a, b) => getActivity(b) - getActivity(a));
	return newestFirst.slice(0, limit);
}

function toQuery({
	inCharge,
	assignedId,
	channel,
	keyword,
	states = [],
}: ConversationFilters): IDataObject {
	return {
		...(inCharge && inCharge !== 'anyone' && { botEnabled: inCharge === 'bot' }),
		...(assignedId !== undefined && { assignedId }),
		...(channel !== undefined && { channel }),
		...(keyword !== undefined && { keyword: getLongestWord(keyword) }),
		...(states.length > 0 && { tags: JSON.stringify(states) }),
	};
}

/**
 * Some services look for the keyword in one name at a time (difference 16), so that "Ann Lee" finds
 * nobody.
 */
function getLongestWord(keyword: string): string {
	// The parts of a phone number belong together.
	if (!/\p{L}/u.test(keyword)) return keyword;
	const words = keyword.split(/\s+/);
	return words.reduce((best, word) => (word.length > best.length ? word : best));
}

/** One thing that a conversation must fulfil. */
interface Check {
	/** The label of the filter. */
	filter: string;
	/** The fields of a conversation that show it; one is enough. */
	fields: string[];
	matches(row: IDataObject): boolean;
}

/** Throws an `ApiError` if the service does not show what the filter is about. */
function isMet({ filter, fields, matches }: Check, row: IDataObject): boolean {
	if (fields.some((field) => row[field] !== undefined)) return matches(row);
	throw notSentError(
		`This service doesn't show what ${filter} needs, so n8n can't apply this filter.`,
		'Remove the filter.',
	);
}

function createChecks({
	inCharge,
	assignedId,
	channel,
	keyword,
	states = [],
}: ConversationFilters): Check[] {
	const checks: Check[] = states.map((state) => ({ filter: 'States', ...stateChecks[state] }));
	// Services leave these out unless they are asked for.
	for (const hidden of ['archived', 'blocked'] as const)
		if (!states.includes(hidden))
			checks.push({
				filter: 'States',
				fields: ['id'],
				matches: (row) => !stateChecks[hidden].matches(row),
			});
	if (inCharge && inCharge !== 'anyone')
		checks.push({
			filter: 'Answered By',
			fields: ['botEnabled'],
			matches: (row) => getInCharge(row) === inCharge,
		});
	if (assignedId !== undefined)
		checks.push({ ...assigneeCheck, matches: (row) => isAssigned(row, assignedId) });
	if (channel !== undefined && channel !== anyChannel)
		checks.push({
			filter: 'Channel',
			fields: ['contactInboxes'],
			matches: (row) => getInboxes(row).some((inbox) => getChannelType(inbox) === channel),
		});
	if (keyword !== undefined)
		checks.push({
			filter: 'Keyword',
			fields: ['contact'],
			matches: (row) => hasKeyword(row, keyword),
		});
	return checks;
}

const stateChecks: Record<(typeof conversationStates)[number], Omit<Check, 'filter'>> = {
	archived: { fields: ['archivedAt'], matches: ({ archivedAt }) => Boolean(archivedAt) },
	blocked: {
		fields: ['contact'],
		matches: ({ contact }) => isObject(contact) && Boolean(contact.blockedAt),
	},
	followUp: { fields: ['followed'], matches: ({ followed }) => followed === true },
	noAdminReply: {
		fields: ['adminRepliedAt'],
		matches: (row) => getContactTime(row) > parseTime(row.adminRepliedAt),
	},
	unread: { fields: ['agentLastReadAt'], matches: isUnread },
};

const assigneeCheck = {
	filter: 'Assigned To',
	fields: ['assignedUser', 'assignedUserId', 'assignedInboxTeam', 'assignedInboxTeamId'],
};

function isAssigned(row: IDataObject, assignedId: string): boolean {
	const user = row.assignedUserId ?? idIn(row.assignedUser);
	const team = row.assignedInboxTeamId ?? idIn(row.assignedInboxTeam);
	const assignees = [
		...(user ? [`u_${String(user)}`] : []),
		...(team ? [`t_${String(team)}`] : []),
	];
	return assignedId === 'unassigned' ? assignees.length === 0 : assignees.includes(assignedId);
}

const idIn = (value: unknown) => (isObject(value) ? value.id : undefined);

/** Services search names, email, phone number, and what the contact is called on a channel. */
function hasKeyword(row: IDataObject, keyword: string): boolean {
	const contact = isObject(row.contact) ? row.contact : {};
	const { fullName, firstName, lastName, email, phoneNumber } = contact;
	const accounts = getInboxes(row).flatMap((inbox) => [
		inbox.sourceId,
		inbox.sourceUserId,
		inbox.sourceUsername,
	]);
	const names = [fullName, [firstName, lastName].filter(Boolean).join(' ')];
	const texts = [...names, email, phoneNumber, ...accounts].filter(Boolean).map(String);
	const words = keyword.split(/\s+/).join(' ');
	if (texts.some((text) => containsKeyword(text.replace(/\s+/g, ' '), words))) return true;
	const digits = getDigits(keyword);
	return !/\p{L}|@/u.test(keyword) && digits.length > 0 && getDigits(phoneNumber).includes(digits);
}

const getDigits = (value: unknown) => String(value ?? '').replace(/\D/g, '');
