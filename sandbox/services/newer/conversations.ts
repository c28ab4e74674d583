import type { StoredContact } from '../reference/contacts';
import type { Workspace } from '../../workspace';

/** What a conversation holds; tests may set any of it. */
export interface Conversation {
	id: string;
	contactId: string;
	botEnabled: boolean;
	archivedAt: string | null;
	followed: boolean;
	lastActivityAt: string | null;
	/** When the contact last wrote. */
	contactRepliedAt: string | null;
	adminRepliedAt: string | null;
	assignedUserId: string | null;
	assignedInboxTeamId: string | null;
	[field: string]: unknown;
}

/** A conversation of a contact without messages. */
export const newConversation = (workspace: Pick<Workspace, 'nextId'>, contactId: string): Conversation => ({
	id: workspace.nextId(),
	contactId,
	botEnabled: true,
	archivedAt: null,
	followed: false,
	lastActivityAt: null,
	contactRepliedAt: null,
	adminRepliedAt: null,
	assignedUserId: null,
	assignedInboxTeamId: null,
});

/** Returns the conversation of a contact, or null. */
export const conversationOf = ({ conversation }: StoredContact) => conversation as Conversation | null;

/**
 * A contact that another user adds, as newer and older services make one: unless it says on which inboxes it is, on the
 * first web chat, and with a conversation.
 */
export function withInbox(workspace: Workspace, fields: Partial<StoredContact>): Partial<StoredContact> {
	if (workspace.service === 'reference') return fields;
	const webchat = [...workspace.tables.channels.values()].find(({ channel }) => channel === 'webchat');
	const inboxIds = fields.inboxIds ?? (webchat ? [webchat.id] : []);
	const id = workspace.nextId();
	return {
		id,
		inboxIds,
		conversation: inboxIds.length > 0 ? newConversation(workspace, id) : null,
		...fields,
	};
}
