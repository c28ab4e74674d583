import type { z } from 'zod/v4';
import type { recipientEvents } from '../../../../nodes/WorkspaceMessaging/contract/broadcast';
import type { Workspace } from '../../../workspace';
import type { templateContent } from '../templates/sending';

export type RecipientEvent = (typeof recipientEvents)[number];

/** A contact that a broadcast goes to, and on which inbox. */
export interface Target {
	contactId: string;
	inboxId: string;
}

/** What happened to a recipient. */
export interface Happened extends Target {
	event: RecipientEvent;
	/** Milliseconds since 1970; an event that lies in the future has not happened yet. */
	at: number;
	/** What the provider said. */
	errorContent: string | null;
	/** The message of the conversation, if it is there. */
	messageId?: string;
}

/** What a broadcast sends and to whom; its record in the workspace is what clients see. */
export interface Plan extends z.output<z.ZodObject<typeof templateContent>> {
	channel: string;
	flowId?: string;
	templateId?: string;
	/** Messages per minute. */
	sendRatePerMinute: number;
	/** Returns whom it would reach now. */
	audience(): Target[];
	/** Whom it reaches, from the moment when sending begins. */
	targets?: Target[];
	/** How many of them had their turn. */
	done: number;
	/** What happened, in the order in which it was sent. */
	events: Happened[];
}

const kept = new WeakMap<Workspace, Map<string, Plan>>();

/** The plans of a workspace's broadcasts by their IDs. */
export function plansOf(workspace: Workspace): Map<string, Plan> {
	const plans = kept.get(workspace) ?? new Map<string, Plan>();
	kept.set(workspace, plans);
	return plans;
}

/** What has happened to the recipients of a broadcast so far. */
export const eventsOf = (workspace: Workspace, broadcastId: string): Happened[] =>
	(plansOf(workspace).get(broadcastId)?.events ?? []).filter(({ at }) => at <= Date.now());

/** The IDs of the broadcasts of which something happened to a contact. */
export const broadcastsWith = (workspace: Workspace, contactId: string, event: RecipientEvent) =>
	[...plansOf(workspace).keys()].filter((id) =>
		eventsOf(workspace, id).some((each) => each.contactId === contactId && each.event === event),
	);
