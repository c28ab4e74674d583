import type { z } from 'zod/v4';
import type { contact } from '../nodes/WorkspaceMessaging/contract/contact';
import type { customFieldListItem } from '../nodes/WorkspaceMessaging/contract/customField';
import type { tag } from '../nodes/WorkspaceMessaging/contract/tag';
import type {
	aiAgent,
	broadcast,
	channel,
	flow,
	member,
	sequence,
	team,
	workspace,
} from '../nodes/WorkspaceMessaging/contract/workspace';
import type { Template } from './services/newer/templates/template';

export type Contact = z.infer<typeof contact>;
export type Tag = z.infer<typeof tag>;
export type CustomField = z.infer<typeof customFieldListItem>;
/** A member with what the API never shows, but searches. */
export type Member = z.infer<typeof member> & { email: string };
type Team = z.infer<typeof team>;
export type Channel = z.infer<typeof channel>;
export type Sequence = z.infer<typeof sequence>;
/** A broadcast; the newest services also say what it sends. */
export type Broadcast = z.infer<typeof broadcast> & {
	templateId?: string | null;
	channel?: string;
	subaction?: string;
	sendRatePerMinute?: number;
	contactFilter?: object | null;
	integrationWhatsappId?: string | null;
	/** The pages of one that was made in the workspace. */
	targets?: Array<{ inboxId: string }>;
};
type Flow = z.infer<typeof flow>;
type AiAgent = z.infer<typeof aiAgent>;
export type WorkspaceRecord = z.infer<typeof workspace>;

/** The kinds of records that a workspace holds besides contacts. */
export const collectionNames = [
	'tags',
	'customFields',
	'members',
	'teams',
	'channels',
	'sequences',
	'broadcasts',
	'flows',
	'aiAgents',
	'templates',
] as const;
export type CollectionName = (typeof collectionNames)[number];

/** The records of each kind. */
export interface Collections {
	tags: Tag;
	customFields: CustomField;
	members: Member;
	teams: Team;
	channels: Channel;
	sequences: Sequence;
	broadcasts: Broadcast;
	flows: Flow;
	aiAgents: AiAgent;
	templates: Template;
}

/** An uploaded file that can be imported. */
export interface UploadedFile {
	id: string;
	fileName?: string;
	columns: string[];
	rows: Array<Record<string, string>>;
}

/** Everything a workspace holds. */
export type WorkspaceState = { [Name in CollectionName]: Array<Collections[Name]> } & {
	workspace: WorkspaceRecord;
	contacts: Contact[];
	files: UploadedFile[];
	importRunning: boolean;
};

/** How many of each a workspace holds. */
export type WorkspaceCounts = Record<CollectionName | 'contacts', number>;

/** A record without some of its fields. */
export function without<T extends object, Key extends keyof T>(
	record: T,
	...keys: Key[]
): Omit<T, Key> {
	const rest = { ...record };
	for (const key of keys) delete rest[key];
	return rest;
}

/** An entry of the error log. It names no message and no conversation. */
export interface ErrorLogEntry {
	id: string;
	workspaceId: string;
	contactId: string | null;
	/** The type of a channel, or the name of a connected program. */
	action: string;
	detail: string;
	httpCode: string | null;
	createdAt: string;
	updatedAt: string;
}
