import type { StoredContact } from '../../reference/contacts';
import type { Workspace } from '../../../workspace';

/** What a conversation holds; tests may set any of it. */
export interface Conversation {
	id: string;
	contactId: string;
	botEnabled: boolean;
	botResumeAt: string | null;
	archivedAt: string | null;
	followed: boolean;
	lastActivityAt: string | null;
	/** When the contact last wrote. */
	contactRepliedAt: string | null;
	/** When somebody last answered: a person, or a client of the API. */
	adminRepliedAt: string | null;
	agentLastReadAt: string | null;
	contactLastReadAt: string | null;
	assignedUserId: string | null;
	assignedInboxTeamId: string | null;
	[field: string]: unknown;
}

/** A conversation of a contact without messages. */
export const newConversation = (
	workspace: Pick<Workspace, 'nextId'>,
	contactId: string,
): Conversation => ({
	id: workspace.nextId(),
	contactId,
	botEnabled: true,
	botResumeAt: null,
	archivedAt: null,
	followed: false,
	lastActivityAt: null,
	contactRepliedAt: null,
	adminRepliedAt: null,
	agentLastReadAt: null,
	contactLastReadAt: null,
	assignedUserId: null,
	assignedInboxTeamId: null,
});

/** Returns the conversation of a contact, or null. After a pause, the bot comes back by itself. */
export function conversationOf(contact: StoredContact): Conversation | null {
	const conversation = contact.conversation as Conversation | null;
	const { botResumeAt = null } = conversation ?? {};
	if (!conversation || botResumeAt === null || Date.parse(botResumeAt) > Date.now())
		return conversation;
	return { ...conversation, botEnabled: true, botResumeAt: null };
}

/** Changes a contact's conversation, and nothing else of the contact. */
export function changeConversation(
	{ contacts }: Pick<Workspace, 'contacts'>,
	contact: StoredContact,
	changes: Partial<Conversation>,
): void {
	contacts.change(contact, { conversation: { ...conversationOf(contact), ...changes } });
}

/**
 * A contact that another user adds, as newer and older services make one: unless it says on which
 * inboxes it is, on the first web chat, and with a conversation.
 */
export function withInbox(
	workspace: Workspace,
	fields: Partial<StoredContact>,
): Partial<StoredContact> {
	if (workspace.service === 'reference') return fields;
	const webchat = [...workspace.tables.channels.values()].find(
		({ channel }) => channel === 'webchat',
	);
	const inboxIds = fields.inboxIds ?? (webchat ? [webchat.id] : []);
	const id = workspace.nextId();
	return {
		id,
		inboxIds,
		conversation: inboxIds.length > 0 ? newConversation(workspace, id) : null,
		...fields,
	};
}
