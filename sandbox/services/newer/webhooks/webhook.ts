import type { Condition } from './conditions';

/** A registered webhook. */
export interface Webhook {
	id: string;
	createdAt: string;
	updatedAt: string;
	name: string;
	active: boolean;
	folderId: string | null;
	url: string;
	workspaceId: string;
	conditions: Condition[];
}

/** An address that steps of flows call. */
export interface ExternalWebhook {
	id: string;
	provider: 'make' | 'n8n';
	event: string;
	url: string;
}
