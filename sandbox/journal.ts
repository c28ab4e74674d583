import { StandardBracketNotationSerializer } from '@orpc/openapi-client/standard';
import type { FileSummary, JournalPart } from './http/multipart';
import type { OperationName } from './routes';
import type { TemplateLoss } from './services/newer/templates/template';

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
	/**
	 * Status answered; null when the connection was closed without one, or no answer was sent yet.
	 */
	status: number | null;
	/** Time until the answer was sent or the connection closed. */
	tookMs?: number;
	/** The fault that struck. */
	fault?: string;
	/** How much of an answer without end went out before the client closed the connection. */
	sentBytes?: number;
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
	/**
	 * Of a flow that calls other programs, as soon as all of them have answered: which branch it
	 * took, and its calls.
	 */
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

/** A WhatsApp template that the service agreed to send. */
export interface SentTemplate {
	at: number;
	contactId: string;
	inboxId: string;
	templateId: string;
	/** The values, in the one form or the other. */
	params?: Record<string, string>;
	data?: unknown;
	/**
	 * Whether it became a message of the conversation; if not, it is lost, and the client does not
	 * hear of it.
	 */
	delivered: boolean;
	lostBecause?: TemplateLoss;
}

/** A message of a broadcast to one recipient. */
export interface BroadcastMessage {
	at: number;
	broadcastId: string;
	contactId: string;
	inboxId: string;
	flowId?: string;
	templateId?: string;
	/** Whether the contact got it. */
	delivered: boolean;
	errorContent?: string;
}

/** A file that was put to the storage, for an import or for the media library. */
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
	templates: SentTemplate[];
	broadcastMessages: BroadcastMessage[];
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
	/**
	 * The most requests that were being answered at one time; without latency, an answer takes no
	 * time to speak of.
	 */
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

/** A stored request: the journal parses it only when a client reads it. */
export interface Entry {
	at: number;
	method: string;
	path: string;
	body: string | undefined;
	contentType: string | undefined;
	parts?: JournalPart[];
	idempotencyKey?: string;
	replayed?: true;
	operation?: OperationName;
	status: number | null;
	tookMs?: number;
	fault?: string;
	sentBytes?: number;
}

const brackets = new StandardBracketNotationSerializer();

function parseBody(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

/** Paths below `contacts` that name no contact. */
const notContacts = [
	'bulk',
	'import',
	'imports',
	'count',
	'filter-fields',
	'find-by-custom-field',
	'search',
];

function contactOf(path: string): string | undefined {
	const segment = /\/contacts\/([^/?]+)/.exec(path)?.[1];
	if (segment === undefined || notContacts.includes(segment)) return undefined;
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** A text without a token, however it was written into it. */
export const hideToken = (text: string, token: string): string =>
	text.replaceAll(token, '[token]').replaceAll(encodeURIComponent(token), '[token]');

function show({ body, ...entry }: Entry): JournalEntry {
	const contact = contactOf(entry.path);
	const search = entry.path.includes('?') ? entry.path.slice(entry.path.indexOf('?')) : '';
	return {
		...entry,
		authorized: true,
		query: brackets.deserialize([...new URLSearchParams(search)]),
		...(body !== undefined && { body: parseBody(body) }),
		...(contact !== undefined && { contact }),
	};
}

function countBy<T>(
	values: Iterable<T>,
	keyOf: (value: T) => string | undefined,
): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const value of values) {
		const key = keyOf(value);
		if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1;
	}
	return counts;
}

/** What a workspace was asked for, and what became of it. */
export class WorkspaceJournal {
	entries: Entry[] = [];
	messages: DeliveredMessage[] = [];
	templates: SentTemplate[] = [];
	broadcastMessages: BroadcastMessage[] = [];
	flowRuns: FlowRun[] = [];
	imports: ImportRun[] = [];
	uploads: Upload[] = [];
	webhookCalls: WebhookCall[] = [];
	#inFlight = 0;
	#maxInFlight = 0;

	/** Notes a request that has arrived. */
	open(entry: Entry): void {
		this.entries.push(entry);
		this.#inFlight++;
		this.#maxInFlight = Math.max(this.#maxInFlight, this.#inFlight);
	}

	/** Notes that nothing more will be sent for it. */
	close(entry: Entry): void {
		entry.tookMs = Date.now() - entry.at;
		this.#inFlight--;
	}

	clear(): void {
		this.entries = [];
		this.messages = [];
		this.templates = [];
		this.broadcastMessages = [];
		this.flowRuns = [];
		// A run that has not ended continues, and the journal lists it.
		this.imports = this.imports.filter(({ done }) => !done);
		this.uploads = [];
		this.webhookCalls = [];
		this.#maxInFlight = this.#inFlight;
	}

	/** Everything, without the token that the requests came with. */
	read(token: string): Journal {
		return {
			requests: this.entries.map(({ path, body, ...entry }) =>
				show({ ...entry, path: hideToken(path, token), body: body && hideToken(body, token) }),
			),
			messages: this.messages,
			templates: this.templates,
			broadcastMessages: this.broadcastMessages,
			flowRuns: this.flowRuns,
			imports: this.imports,
			uploads: this.uploads,
			webhookCalls: this.webhookCalls,
		};
	}

	summary(): JournalSummary {
		const told = countBy(this.messages, ({ contactId, text, files, flowId, nodeId }) =>
			JSON.stringify([contactId, text, files, flowId, nodeId]),
		);
		return {
			requests: this.entries.length,
			byOperation: countBy(this.entries, ({ operation }) => operation ?? 'unknown'),
			byStatus: countBy(this.entries, ({ status }) => String(status)),
			byFault: countBy(this.entries, ({ fault }) => fault),
			maxInFlight: this.#maxInFlight,
			messages: {
				delivered: this.messages.length,
				contacts: new Set(this.messages.map(({ contactId }) => contactId)).size,
				repeated: this.messages.length - Object.keys(told).length,
			},
			flowRuns: {
				run: this.flowRuns.length,
				contacts: new Set(this.flowRuns.map(({ contactId }) => contactId)).size,
			},
			imports: this.imports.length,
		};
	}
}
