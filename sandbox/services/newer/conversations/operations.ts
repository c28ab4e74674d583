import { z } from 'zod/v4';
import { limits } from '../../../../nodes/WorkspaceMessaging/contract/limits';
import type { StoredContact } from '../../reference/contacts';
import type { Workspace } from '../../../workspace';
import { contactFilter, matcherOf } from '../contactFilter';
import { matchesKeyword } from '../contactList';
import { contactOf, showRow } from '../contactRecord';
import { ofContact } from '../inputs';
import { notFound, problem } from '../problems';
import { operation, type Operations } from '../router';
import { changeConversation, conversationOf, type Conversation } from './conversation';
import { compareLatestFirst, cursorPage, type Place } from './cursor';

/** A contact with its conversation: each contact has at most one. */
interface Talk {
	contact: StoredContact;
	conversation: Conversation;
}

const isAfter = (time: string | null, other: string | null) =>
	time !== null && (other === null || time > other);

/** What the list of conversations can be asked for. */
const tagged: Record<z.output<typeof tagName>, (talk: Talk) => boolean> = {
	noAdminReply: ({ conversation: { contactRepliedAt, adminRepliedAt } }) =>
		isAfter(contactRepliedAt, adminRepliedAt),
	unread: ({ conversation: { contactRepliedAt, agentLastReadAt } }) =>
		isAfter(contactRepliedAt, agentLastReadAt),
	followUp: ({ conversation }) => conversation.followed,
	archived: ({ conversation }) => conversation.archivedAt !== null,
	blocked: ({ contact }) => contact.blockedAt !== null,
};
const tagName = z.enum(['noAdminReply', 'unread', 'followUp', 'archived', 'blocked']);

/** A value that a query has as JSON text. */
const jsonText = <Value extends z.ZodType>(value: Value) =>
	z
		.string()
		.transform((text, ctx): unknown => {
			try {
				return JSON.parse(text);
			} catch {
				ctx.addIssue({ code: 'custom', message: 'Invalid JSON' });
				return z.NEVER;
			}
		})
		.pipe(value);

const filters = {
	tags: jsonText(z.array(tagName)).optional(),
	/** Wins over `botCategory`. */
	botEnabled: z.boolean().optional(),
	botCategory: z.enum(['bot', 'human', 'all']).optional(),
	/**
	 * `u_` and the ID of a user, `t_` and the ID of a team, or `unassigned`; any other text is
	 * ignored.
	 */
	assignedId: z.string().optional(),
	channel: z.string().optional(),
	keyword: z.string().optional(),
	contactFilter: jsonText(contactFilter).optional(),
	// Accepted, and not applied.
	status: jsonText(z.array(z.string())).optional(),
	sort: z.unknown().optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

const talkOf = (contact: StoredContact): Talk[] => {
	const conversation = conversationOf(contact);
	return conversation ? [{ contact, conversation }] : [];
};

const placeOfTalk = (contact: StoredContact): Place => {
	const conversation = conversationOf(contact);
	return { at: conversation?.lastActivityAt ?? null, id: conversation?.id ?? contact.id };
};

/** Whether a conversation is assigned to whom a filter names. */
function isAssigned(
	{ assignedUserId, assignedInboxTeamId }: Conversation,
	assignedId: string,
): boolean {
	if (assignedId === 'unassigned') return assignedUserId === null && assignedInboxTeamId === null;
	const [, kind, id] = /^([ut])_(.+)$/.exec(assignedId) ?? [];
	if (kind === undefined) return true;
	return (kind === 'u' ? assignedUserId : assignedInboxTeamId) === id;
}

/** Whether the bot must answer, or must not; undefined for both. */
function botFilter({ botEnabled, botCategory = 'all' }: Filters): boolean | undefined {
	if (botEnabled !== undefined || botCategory === 'all') return botEnabled;
	return botCategory === 'bot';
}

/**
 * Returns what a conversation must fulfil; archived and blocked ones are hidden unless the request
 * asks for them.
 */
function conditionsOf(workspace: Workspace, query: Filters): Array<(talk: Talk) => boolean> {
	const { tags = [], assignedId, channel, keyword, contactFilter: filter } = query;
	const asksForBlocked = filter && JSON.stringify(filter).includes('"blocked"');
	const hidden = (['archived', 'blocked'] as const).filter(
		(tag) => !tags.includes(tag) && !(tag === 'blocked' && asksForBlocked),
	);
	const conditions = [
		...tags.map((tag) => tagged[tag]),
		...hidden.map((tag) => (talk: Talk) => !tagged[tag](talk)),
	];
	const bot = botFilter(query);
	if (bot !== undefined) conditions.push(({ conversation }) => conversation.botEnabled === bot);
	if (assignedId) conditions.push(({ conversation }) => isAssigned(conversation, assignedId));
	if (channel && channel !== 'omnichannel')
		conditions.push(({ contact: { inboxIds } }) =>
			inboxIds.some((id) => workspace.tables.channels.get(id)?.channel === channel),
		);
	if (keyword) conditions.push(({ contact }) => matchesKeyword(keyword)(contact));
	if (filter) conditions.push(({ contact }) => matcherOf(workspace, filter)(contact));
	return conditions;
}

/** Returns the contacts of the conversations that a request selects, the latest activity first. */
function select(workspace: Workspace, query: Filters): StoredContact[] {
	const { ignoredConversationFilters } = workspace.faults.settings;
	const applied = { ...query };
	for (const name of ignoredConversationFilters ?? []) delete applied[name];
	const conditions = conditionsOf(workspace, applied);
	return [...workspace.contacts.values()]
		.flatMap(talkOf)
		.filter((talk) => conditions.every((isMet) => isMet(talk)))
		.map(({ contact }) => contact)
		.sort((left, right) => compareLatestFirst(placeOfTalk(left), placeOfTalk(right)));
}

/** A conversation as its list shows it, with its last message. */
function show(workspace: Workspace, { contact, conversation }: Talk) {
	const { tables } = workspace;
	const { assignedUserId, assignedInboxTeamId } = conversation;
	return {
		...conversation,
		contactInboxes: showRow(workspace, contact, ['inboxes']).contactInboxes,
		messages: workspace.messages.of(contact.id).slice(-1),
		contact: showRow(workspace, contact),
		assignedUser:
			[...tables.members.values()].find(({ user }) => user.id === assignedUserId)?.user ?? null,
		assignedInboxTeam: (assignedInboxTeamId && tables.teams.get(assignedInboxTeamId)) ?? null,
	};
}

/** Finds a conversation with its contact. */
export function talkById({ contacts }: Workspace, conversationId: string): Talk {
	const found = [...contacts.values()]
		.flatMap(talkOf)
		.find(({ conversation }) => conversation.id === conversationId);
	if (!found) throw notFound('Conversation');
	return found;
}

const messagePaging = {
	cursor: z.string().optional(),
	perPage: z.number().int().min(1).max(50).default(20),
};

function messagePage(
	workspace: Workspace,
	contact: StoredContact,
	{ contactInboxId, ...query }: { contactInboxId?: string; cursor?: string; perPage: number },
) {
	if (contact.conversation === null) throw notFound('Conversation');
	const messages = workspace.messages
		.of(contact.id)
		.filter((message) => contactInboxId === undefined || message.contactInboxId === contactInboxId)
		.reverse();
	const page = cursorPage(workspace, messages, query, ({ createdAt, id }) => ({
		at: createdAt,
		id,
	}));
	return { ...page, prevCursor: null };
}

/** The messages of a contact, as in newer and older services alike. */
export const contactMessages = operation(
	ofContact.extend({ ...messagePaging, contactInboxId: z.string().optional() }),
	({ workspace }, { identifier, ...query }) =>
		messagePage(workspace, contactOf(workspace, identifier), query),
);

export const ofConversation = z.object({ conversationId: z.string() });

/** One message of a contact. */
const getContactMessage = operation(
	ofContact.extend({ messageId: z.string() }),
	({ workspace }, { identifier, messageId }) => {
		const contact = contactOf(workspace, identifier);
		const found = workspace.messages.of(contact.id).find(({ id }) => id === messageId);
		if (!found) throw notFound('Message');
		return found;
	},
);

/** An action on a conversation: what it changes. */
const action = (change: () => Partial<Conversation>) =>
	operation(ofConversation, ({ workspace }, { conversationId }) => {
		changeConversation(workspace, talkById(workspace, conversationId).contact, change());
		return { success: true };
	});

const now = () => new Date().toISOString();
/** After so long, the bot comes back by itself. */
const BOT_PAUSE_MS = limits.botPauseHours * 3_600_000;

/**
 * Returns what assigning changes. Builds of about summer 2026 check nothing, and unassign if they
 * cannot read the text.
 */
function assignment(
	{ tables, faults }: Workspace,
	assignedId: string | null,
): Partial<Conversation> {
	const [, kind, id] = /^([ut])_(.+)$/.exec(assignedId ?? '') ?? [];
	const members = [...tables.members.values()];
	if (!faults.settings.checksNoAssignee) {
		if (assignedId !== null && kind === undefined) throw invalidAssigneeForm();
		if (kind === 'u' && !members.some(({ user }) => user.id === id)) {
			throw problem(400, 'invalidAssignee', 'User is not valid');
		}
		if (kind === 't' && !tables.teams.has(id)) throw notFound('Team');
	}
	return {
		assignedUserId: kind === 'u' ? id : null,
		assignedInboxTeamId: kind === 't' ? id : null,
	};
}

const invalidAssigneeForm = () =>
	problem(422, 'invalidRequestData', 'Input validation failed', {
		issues: [{ code: 'invalid_format', path: ['assignedId'], message: 'Invalid input' }],
	});

/** Conversations and their messages: newer services only. */
export const conversationOperations = {
	listContactMessages: contactMessages,
	getContactMessage,
	listConversations: operation(
		z.object({
			...filters,
			cursor: z.string().optional(),
			perPage: z.number().int().min(1).default(20),
		}),
		({ workspace }, { cursor, perPage, ...query }) => {
			// The bot comes back by the clock.
			const found =
				botFilter(query) === undefined
					? workspace.contacts.listOf(`conversations ${JSON.stringify(query)}`, () =>
							select(workspace, query),
						)
					: select(workspace, query);
			const page = cursorPage(workspace, found, { cursor, perPage }, placeOfTalk);
			return { ...page, data: page.data.flatMap(talkOf).map((talk) => show(workspace, talk)) };
		},
	),
	getConversation: operation(ofConversation, ({ workspace }, { conversationId }) => ({
		data: show(workspace, talkById(workspace, conversationId)),
	})),
	listConversationMessages: operation(
		ofConversation.extend(messagePaging),
		({ workspace }, { conversationId, ...query }) =>
			messagePage(workspace, talkById(workspace, conversationId).contact, query),
	),
	assignConversation: operation(
		ofConversation.extend({ assignedId: z.string().nullable() }),
		({ workspace }, { conversationId, assignedId }) => {
			const { contact } = talkById(workspace, conversationId);
			changeConversation(workspace, contact, assignment(workspace, assignedId));
			return { success: true };
		},
	),
	archiveConversation: action(() => ({ archivedAt: now() })),
	unarchiveConversation: action(() => ({ archivedAt: null })),
	disableBot: action(() => ({
		botEnabled: false,
		botResumeAt: new Date(Date.now() + BOT_PAUSE_MS).toISOString(),
	})),
	enableBot: action(() => ({ botEnabled: true, botResumeAt: null })),
	readConversation: action(() => ({ agentLastReadAt: now() })),
	unreadConversation: action(() => ({ agentLastReadAt: null })),
	followConversation: action(() => ({ followed: true })),
	unfollowConversation: action(() => ({ followed: false })),
} satisfies Operations;
