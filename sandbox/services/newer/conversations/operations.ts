import { z } from 'zod/v4';
import type { StoredContact } from '../../reference/contacts';
import type { Workspace } from '../../../workspace';
import { contactOf, showRow } from '../contactRecord';
import { ofContact } from '../inputs';
import { notFound } from '../problems';
import { operation, type Operations } from '../router';
import { conversationOf, type Conversation } from './conversation';
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

const tagsText = z
	.string()
	.transform((text, ctx): unknown => {
		try {
			return JSON.parse(text);
		} catch {
			ctx.addIssue({ code: 'custom', message: 'Invalid JSON' });
			return z.NEVER;
		}
	})
	.pipe(z.array(tagName));

const talkOf = (contact: StoredContact): Talk[] => {
	const conversation = conversationOf(contact);
	return conversation ? [{ contact, conversation }] : [];
};

const placeOfTalk = (contact: StoredContact): Place => {
	const conversation = conversationOf(contact);
	return { at: conversation?.lastActivityAt ?? null, id: conversation?.id ?? contact.id };
};

/** Returns the contacts whose conversations have all of some tags; archived and blocked ones only if the tags ask for them. */
function select({ contacts }: Workspace, tags: ReadonlyArray<z.output<typeof tagName>>): StoredContact[] {
	const hidden = (['archived', 'blocked'] as const).filter((tag) => !tags.includes(tag));
	return [...contacts.values()]
		.flatMap(talkOf)
		.filter((talk) => tags.every((tag) => tagged[tag](talk)) && !hidden.some((tag) => tagged[tag](talk)))
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
		assignedUser: [...tables.members.values()].find(({ user }) => user.id === assignedUserId)?.user ?? null,
		assignedInboxTeam: (assignedInboxTeamId && tables.teams.get(assignedInboxTeamId)) ?? null,
	};
}

function talkById({ contacts }: Workspace, conversationId: string): Talk {
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
	const page = cursorPage(workspace, messages, query, ({ createdAt, id }) => ({ at: createdAt, id }));
	return { ...page, prevCursor: null };
}

/** The messages of a contact, as in newer and older services alike. */
export const contactMessages = operation(
	ofContact.extend({ ...messagePaging, contactInboxId: z.string().optional() }),
	({ workspace }, { identifier, ...query }) =>
		messagePage(workspace, contactOf(workspace, identifier), query),
);

const ofConversation = z.object({ conversationId: z.string() });

/** Conversations and their messages: newer services only. */
export const conversationOperations = {
	listContactMessages: contactMessages,
	listConversations: operation(
		z.object({
			tags: tagsText.optional(),
			cursor: z.string().optional(),
			perPage: z.number().int().min(1).default(20),
		}),
		({ workspace }, { tags = [], ...query }) => {
			const found = workspace.contacts.listOf(`conversations ${tags.join()}`, () => select(workspace, tags));
			const page = cursorPage(workspace, found, query, placeOfTalk);
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
} satisfies Operations;
