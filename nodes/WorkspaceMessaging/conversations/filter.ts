import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { getChannelType, getInboxes } from '../channels/channel';
import { withChannelTypes } from '../channels/list';
import { joinNameParts } from '../contacts/fullName';
import { containsKeyword, findLongestWord, withSingleSpaces } from '../values/names';
import { anyChannel, choices } from '../contract/limits';
import { matchingText, oneOf, search } from '../contract/values';
import { notSentError } from '../transport/errors/ApiError';
import { toObject } from '../transport/guards';
import type { Requester } from '../transport/request';
import { parseTime } from '../values/dates';
import { getActivity, getContactRepliedAt, getInCharge, isUnread } from './conversation';
import { readMovingConversationList } from './list';

/** States that conversations can be filtered by, as services name them. */
const conversationStates = ['archived', 'blocked', 'followUp', 'noAdminReply', 'unread'] as const;

/** What the user filters conversations by. */
export const conversationFilters = z
	.strictObject({
		...search,
		inCharge: oneOf(choices.answeredBy),
		assignedId: matchingText(
			/^([ut]_\d+|unassigned)$/,
			'must be u_ and the ID of a user, t_ and the ID of a team, or unassigned',
		),
		channel: oneOf(choices.contactChannels),
		// A conversation must have all of them.
		states: z.array(oneOf(conversationStates), 'must be a list of states'),
	})
	.partial();

/** What the conversations must match. */
interface ConversationFilters extends z.output<typeof conversationFilters> {
	/** The contact wrote last at this moment or later, in milliseconds since 1970. */
	wroteAfter?: number;
	/** The contact wrote last before this moment. */
	wroteBefore?: number;
}

/**
 * Reads the conversations that match filters, newest activity first. Services ignore a filter that
 * they cannot read (difference 27), and a workflow that archives what it gets would archive
 * everything. So n8n compares each conversation again.
 *
 * @param limit how many at most; undefined for all
 */
export async function readFilteredConversations(
	client: Requester,
	filters: ConversationFilters,
	limit = Infinity,
): Promise<IDataObject[]> {
	const checks = createChecks(filters);
	const found = new Map<unknown, IDataObject>();
	// A contact who wrote later has made a later activity, too.
	const since = filters.wroteAfter ?? -Infinity;
	const query = toQuery(filters);
	await readMovingConversationList(client, query, since, async (rows) => {
		const compared = filters.channel ? await withChannelTypes(client, rows) : rows;
		for (const [index, row] of rows.entries()) {
			const matches = checks.every((check) => isMet(check, compared[index]));
			if (matches) found.set(row.id, row);
			// It may have matched when it came before.
			else found.delete(row.id);
		}
		return found.size >= limit;
	});
	const newestFirst = [...found.values()];
	newestFirst.sort((a, b) => getActivity(b) - getActivity(a));
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
		...(keyword !== undefined && { keyword: findSearchWord(keyword) }),
		...(states.length > 0 && { tags: JSON.stringify(states) }),
	};
}

/**
 * Some services look for the keyword in one name at a time (difference 16), so that "Ann Lee" finds
 * nobody.
 */
function findSearchWord(keyword: string) {
	const isNumber = !/\p{L}/u.test(keyword);
	// The parts of a phone number belong together.
	return isNumber ? keyword : findLongestWord(keyword);
}

/** One thing that a conversation must fulfil. */
interface Check {
	/** The label of the filter. */
	label: string;
	/** The fields of a conversation that show it; one is enough. */
	shownBy: string[];
	matches(row: IDataObject): boolean;
}

/** Throws an `ApiError` if the service does not show what the filter is about. */
function isMet({ label, shownBy, matches }: Check, row: IDataObject) {
	if (shownBy.some((field) => row[field] !== undefined)) return matches(row);
	throw notSentError(
		`This service doesn't show what ${label} needs, so n8n can't apply this filter.`,
		'Remove the filter.',
	);
}

function createChecks(filters: ConversationFilters): Check[] {
	const { inCharge = 'anyone', assignedId, channel = anyChannel, keyword, states = [] } = filters;
	const { wroteAfter, wroteBefore } = filters;
	const checks = [
		...states.map(withState),
		// Services leave these out themselves, but one that cannot read the filter may return them.
		!states.includes('archived') && withoutState('archived'),
		!states.includes('blocked') && withoutState('blocked'),
		inCharge !== 'anyone' && checkInCharge(inCharge),
		assignedId !== undefined && checkAssignee(assignedId),
		channel !== anyChannel && checkChannel(channel),
		keyword !== undefined && checkKeyword(keyword),
		wroteAfter !== undefined && checkTime('Contact Wrote After', (at) => at >= wroteAfter),
		// 0 is never.
		wroteBefore !== undefined &&
			checkTime('Contact Wrote Before', (at) => at > 0 && at < wroteBefore),
	];
	return checks.filter((check) => check !== false);
}

/** Checks when the contact wrote last. */
const checkTime = (label: string, matches: (at: number) => boolean): Check => ({
	label,
	shownBy: ['contactRepliedAt'],
	matches: (row) => matches(getContactRepliedAt(row)),
});

const checkInCharge = (inCharge: string): Check => ({
	label: 'Answered By',
	shownBy: ['botEnabled'],
	matches: (row) => getInCharge(row) === inCharge,
});

const checkAssignee = (assignedId: string): Check => ({
	label: 'Assigned To',
	shownBy: ['assignedUser', 'assignedUserId', 'assignedInboxTeam', 'assignedInboxTeamId'],
	matches: (row) => isAssigned(row, assignedId),
});

const checkChannel = (channel: string): Check => ({
	label: 'Channel',
	shownBy: ['contactInboxes'],
	matches: (row) => getInboxes(row).some((inbox) => getChannelType(inbox) === channel),
});

const checkKeyword = (keyword: string): Check => ({
	label: 'Keyword',
	shownBy: ['contact'],
	matches: (row) => hasKeyword(row, keyword),
});

const withState = (state: (typeof conversationStates)[number]): Check => ({
	label: 'States',
	...stateChecks[state],
});

const withoutState = (state: 'archived' | 'blocked'): Check => ({
	label: 'States',
	// All have an ID: if a service doesn't show the state, the conversation is without it.
	shownBy: ['id'],
	matches: (row) => !stateChecks[state].matches(row),
});

const stateChecks: Record<(typeof conversationStates)[number], Omit<Check, 'label'>> = {
	archived: { shownBy: ['archivedAt'], matches: ({ archivedAt }) => Boolean(archivedAt) },
	blocked: {
		shownBy: ['contact'],
		matches: ({ contact }) => Boolean(toObject(contact).blockedAt),
	},
	followUp: { shownBy: ['followed'], matches: ({ followed }) => followed === true },
	noAdminReply: {
		shownBy: ['adminRepliedAt'],
		matches: (row) => getContactRepliedAt(row) > parseTime(row.adminRepliedAt),
	},
	unread: { shownBy: ['agentLastReadAt'], matches: isUnread },
};

function isAssigned(row: IDataObject, assignedId: string) {
	const user = row.assignedUserId ?? toObject(row.assignedUser).id;
	const team = row.assignedInboxTeamId ?? toObject(row.assignedInboxTeam).id;
	if (assignedId === 'unassigned') return !user && !team;
	if (user && assignedId === `u_${String(user)}`) return true;
	if (!team) return false;
	return assignedId === `t_${String(team)}`;
}

/** Services search names, email, phone number, and what the contact is called on a channel. */
function hasKeyword(row: IDataObject, keyword: string) {
	const words = withSingleSpaces(keyword);
	const texts = getSearchedTexts(row).map(withSingleSpaces);
	if (texts.some((text) => containsKeyword(text, words))) return true;
	const isNumber = !/\p{L}|@/u.test(keyword);
	if (!isNumber) return false;
	const digits = getDigits(keyword);
	// No digits at all would be found in every number.
	if (digits === '') return false;
	const { phoneNumber } = toObject(row.contact);
	return getDigits(phoneNumber).includes(digits);
}

function getSearchedTexts(row: IDataObject) {
	const contact = toObject(row.contact);
	const { fullName, email, phoneNumber } = contact;
	const accounts = getInboxes(row).flatMap((inbox) => [
		inbox.sourceId,
		inbox.sourceUserId,
		inbox.sourceUsername,
	]);
	const texts = [fullName, joinNameParts(contact), email, phoneNumber, ...accounts];
	return texts.filter(Boolean).map(String);
}

const getDigits = (value: unknown) => String(value ?? '').replace(/\D/g, '');
