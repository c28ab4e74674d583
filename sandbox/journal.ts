import { StandardBracketNotationSerializer } from '@orpc/openapi-client/standard';
import type {
	DeliveredMessage,
	FlowRun,
	ImportRun,
	Journal as JournalView,
	JournalEntry,
	JournalPart,
	JournalSummary,
	OperationName,
	Upload,
	WebhookCall,
} from './types';

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
	'import',
	'imports',
	'import-template',
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

function countBy<T>(values: Iterable<T>, keyOf: (value: T) => string | undefined): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const value of values) {
		const key = keyOf(value);
		if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1;
	}
	return counts;
}

/** What a workspace was asked for, and what became of it. */
export class Journal {
	entries: Entry[] = [];
	messages: DeliveredMessage[] = [];
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
		this.flowRuns = [];
		// A run that has not ended continues, and the journal lists it.
		this.imports = this.imports.filter(({ done }) => !done);
		this.uploads = [];
		this.webhookCalls = [];
		this.#maxInFlight = this.#inFlight;
	}

	/** Everything, without the token that the requests came with. */
	read(token: string): JournalView {
		return {
			requests: this.entries.map(({ path, body, ...entry }) =>
				show({ ...entry, path: hideToken(path, token), body: body && hideToken(body, token) }),
			),
			messages: this.messages,
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
			firstAt: this.entries[0]?.at ?? null,
			lastAt: this.entries.at(-1)?.at ?? null,
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
