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
import type { EndpointName } from './endpoints';
import type { collectionNames, contactChange, faults, workspaceOptions } from './options';
import type { writtenMessage } from './services/newer/conversations/write';
import type { ServiceOperation } from './services/newer/operations';
import type { happening } from './services/newer/webhooks/events';

export type { EndpointName } from './endpoints';
export type { Conversation } from './services/newer/conversations/conversation';
export type { Attachment, Message } from './services/newer/conversations/messageStore';
export type { ServiceName } from './services/service';

/** Name of an operation of any service. */
export type OperationName = EndpointName | ServiceOperation;

export type Contact = z.infer<typeof contact>;
export type Tag = z.infer<typeof tag>;
export type CustomField = z.infer<typeof customFieldListItem>;
/** A member with what the API never shows, but searches. */
export type Member = z.infer<typeof member> & { email: string };
export type Team = z.infer<typeof team>;
export type Channel = z.infer<typeof channel>;
export type Sequence = z.infer<typeof sequence>;
export type Broadcast = z.infer<typeof broadcast>;
export type Flow = z.infer<typeof flow>;
type AiAgent = z.infer<typeof aiAgent>;
export type WorkspaceRecord = z.infer<typeof workspace>;

/** The records of a workspace besides contacts. */
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
}

export type CollectionName = (typeof collectionNames)[number];

export type WorkspaceOptions = z.input<typeof workspaceOptions>;
export type Faults = z.input<typeof faults>;
export type ContactChange = z.input<typeof contactChange>;
/** Something that happens to a contact on a channel. */
export type Happening = z.input<typeof happening>;
/** What a contact writes. */
export type WrittenMessage = z.input<typeof writtenMessage>;

/** One request of the API, as it arrived. */
export interface JournalEntry {
	/** Milliseconds since 1970. */
	at: number;
	method: string;
	/** Path and query as they came over the wire, not decoded. */
	path: string;
	query: unknown;
	/** The parsed JSON, or the text if it is not JSON; absent without a body. */
	body?: unknown;
	contentType?: string;
	/** The parts of a multipart body, which replace `body`. */
	parts?: JournalPart[];
	/** The header `Idempotency-Key`. */
	idempotencyKey?: string;
	/** Whether the service repeated its answer to an earlier request with the same key. */
	replayed?: true;
	/** Always true: requests with another token are in `unknownRequests`. */
	authorized: true;
	operation?: OperationName;
	/** The contact's identifier, where the path has one. */
	contact?: string;
	/** Status answered; null when the connection was closed without one, or no answer was sent yet. */
	status: number | null;
	/** Time until the answer was sent or the connection closed. */
	tookMs?: number;
	/** The fault that struck. */
	fault?: string;
	/** How much of an answer without end went out before the client closed the connection. */
	sentBytes?: number;
}

/** One part of a multipart body: a text, or a file. */
export interface JournalPart {
	name: string;
	text?: string;
	file?: FileSummary;
}

/** A file, without its content. */
export interface FileSummary {
	fileName: string;
	contentType: string;
	/** Bytes. */
	size: number;
	sha256: string;
}

/** A message that reached a contact. */
export interface DeliveredMessage {
	at: number;
	contactId: string;
	text?: string;
	/** As they came in JSON; of newer and older services, a `FileSummary` each. */
	files?: unknown[];
	flowId?: string;
	nodeId?: string;
	inboxId?: string;
	clientId?: string;
}

/** A flow that ran for a contact. */
export interface FlowRun {
	at: number;
	contactId: string;
	flowId: string;
	inboxId?: string;
	nodeId?: string;
	/** Of a flow that calls other programs, as soon as all of them have answered: which branch it took, and its calls. */
	branch?: 'success' | 'error';
	deliveries?: WebhookCall[];
}

/** One call of a webhook. */
export interface WebhookCall {
	at: number;
	url: string;
	event: string;
	/** The status that the receiver answered; null if it did not, or if its address is refused. */
	status: number | null;
	ms: number;
	/** What was sent. */
	body: unknown;
}

/** An import, running or done. */
export interface ImportRun {
	at: number;
	fileId: string;
	inboxId: string;
	channel: string;
	done: boolean;
	created: number;
	updated: number;
}

/** A file that was put to the storage of imports. */
export interface Upload extends FileSummary {
	at: number;
	fileId: string;
	/** Names of the request's headers. */
	headers: string[];
}

/** What happened in a workspace since it was made or its journal was cleared. */
export interface Journal {
	requests: JournalEntry[];
	messages: DeliveredMessage[];
	flowRuns: FlowRun[];
	imports: ImportRun[];
	uploads: Upload[];
	webhookCalls: WebhookCall[];
}

/** The journal in counts, for runs of many thousands of requests. */
export interface JournalSummary {
	requests: number;
	byOperation: Record<string, number>;
	byStatus: Record<string, number>;
	byFault: Record<string, number>;
	firstAt: number | null;
	lastAt: number | null;
	/** The most requests that were being answered at one time; without latency, an answer takes no time to speak of. */
	maxInFlight: number;
	messages: {
		delivered: number;
		/** Contacts that got at least one. */
		contacts: number;
		/** Deliveries that repeated an earlier message to a contact. */
		repeated: number;
	};
	flowRuns: { run: number; contacts: number };
	imports: number;
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

/** A request that belongs to no workspace: without a valid token, or to the other origin. */
export interface UnknownRequest {
	at: number;
	listener: 'api' | 'other';
	method: string;
	path: string;
	/** How the Authorization header came. */
	authorization: 'none' | 'bearer' | 'other';
	/** Whether any header or the URL carries the token of a workspace. */
	carriesKnownToken: boolean;
	/** Names of all headers. */
	headers: string[];
	status: number;
}

/** Where a running sandbox can be reached. */
export interface SandboxAddress {
	/** Base URL of the API. */
	url: string;
	/** A second origin, to which a token should never go. */
	otherUrl: string;
}
