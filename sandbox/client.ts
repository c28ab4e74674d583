import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type {
	CollectionName,
	Collections,
	Contact,
	ErrorLogEntry,
	UploadedFile,
	WorkspaceCounts,
	WorkspaceState,
} from './records';
import type { ContactChange, Faults, WorkspaceOptions } from './options';
import type { Conversation } from './services/newer/conversations/conversation';
import type { Happening } from './services/newer/webhooks/events';
import type { BroadcastProgress } from './control/broadcasts';
import type { ChatPage } from './control/page';
import type { Journal, JournalSummary, WebhookCall } from './journal';
import type { Message } from './services/newer/conversations/messageStore';
import type { RecipientEvent } from './services/newer/broadcasts/plan';
import type { SandboxAddress } from './server';
import type { UnknownRequest } from './control/base';
import type { WrittenMessage } from './services/newer/conversations/write';

async function call<T>(url: string, method = 'GET', body?: unknown): Promise<T> {
	const response = await fetch(url, {
		method,
		...(body !== undefined && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
	const text = await response.text();
	if (!response.ok)
		throw new Error(`The sandbox answered ${response.status} to ${method} ${url}: ${text}`);
	return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** One workspace of a sandbox, seen from outside the API. */
export class SandboxWorkspace {
	readonly #control: string;

	constructor(
		/** Base URL of the API. */
		readonly url: string,
		/** The token that opens this workspace. */
		readonly token: string,
	) {
		this.#control = `${url}/_sandbox/workspaces/${encodeURIComponent(token)}`;
	}

	#contact(identifier: string): string {
		return `${this.#control}/contacts/${encodeURIComponent(identifier)}`;
	}

	/** Address of a page on which one writes as a contact, and sees the answers. */
	get chatUrl(): string {
		return `${this.#control}/chat`;
	}

	/** Sets what the page shows besides the workspace. */
	setPage(page: ChatPage): Promise<void> {
		return call(`${this.#control}/page`, 'PUT', page);
	}

	/** Creates the workspace again. */
	reset(options: WorkspaceOptions = {}): Promise<WorkspaceCounts> {
		return call(this.#control, 'PUT', options);
	}

	/** Forgets the workspace; its token is unknown from then on. */
	remove(): Promise<void> {
		return call(this.#control, 'DELETE');
	}

	/**
	 * Every request since the start or `clearJournal`, with the messages, flow runs and imports that
	 * came of them.
	 */
	journal(): Promise<Journal> {
		return call(`${this.#control}/journal`);
	}

	/** The same in counts. */
	summary(): Promise<JournalSummary> {
		return call(`${this.#control}/journal/summary`);
	}

	clearJournal(): Promise<void> {
		return call(`${this.#control}/journal`, 'DELETE');
	}

	/** Sets some faults and leaves the others; null switches one off. */
	faults(faults: Faults): Promise<void> {
		return call(`${this.#control}/faults`, 'PATCH', faults);
	}

	/** Everything in the workspace. */
	state(): Promise<WorkspaceState> {
		return call(`${this.#control}/state`);
	}

	/** How many records there are. */
	counts(): Promise<WorkspaceCounts> {
		return call(`${this.#control}/counts`);
	}

	/** One contact, by `id:`, `email:` or `phone:`. */
	contact(identifier: string): Promise<Contact> {
		return call(this.#contact(identifier));
	}

	addContacts(contacts: ContactChange[]): Promise<Contact[]> {
		return call(`${this.#control}/contacts`, 'POST', contacts);
	}

	changeContacts(changes: Array<{ identifier: string; changes: ContactChange }>): Promise<void> {
		return call(`${this.#control}/contacts`, 'PATCH', changes);
	}

	removeContacts(identifiers: string[]): Promise<void> {
		return call(`${this.#control}/contacts`, 'DELETE', identifiers);
	}

	/** A contact writes a message on a channel; the name of a flow starts this flow. */
	write(identifier: string, message: string | WrittenMessage): Promise<Message> {
		const written = typeof message === 'string' ? { text: message } : message;
		return call(`${this.#contact(identifier)}/messages`, 'POST', written);
	}

	/** A person answers a contact. */
	reply(identifier: string, text: string, at?: string): Promise<Message> {
		return call(`${this.#contact(identifier)}/replies`, 'POST', { text, at });
	}

	/** The service adds a line to the conversation, for example that somebody was assigned. */
	note(identifier: string, text: string): Promise<Message> {
		return call(`${this.#contact(identifier)}/notes`, 'POST', { text });
	}

	/** All messages of a contact in both directions, oldest first. */
	messages(identifier: string): Promise<Message[]> {
		return call(`${this.#contact(identifier)}/messages`);
	}

	/** Changes a message, for example its text or `deletedAt`. */
	changeMessage(id: string, changes: Partial<Message>): Promise<Message> {
		return call(`${this.#control}/messages/${id}`, 'PATCH', changes);
	}

	/** Removes a message without a trace. */
	removeMessage(id: string): Promise<void> {
		return call(`${this.#control}/messages/${id}`, 'DELETE');
	}

	/** A channel or a connected program refuses what was to reach a contact. */
	logError(
		identifier: string,
		refused: Pick<ErrorLogEntry, 'action'> & Partial<Pick<ErrorLogEntry, 'detail' | 'httpCode'>>,
	): Promise<ErrorLogEntry> {
		return call(`${this.#contact(identifier)}/errors`, 'POST', refused);
	}

	/** Changes a contact's conversation: `botEnabled`, `archivedAt`, `followed` and more. */
	changeConversation(identifier: string, changes: Partial<Conversation>): Promise<Conversation> {
		return call(`${this.#contact(identifier)}/conversation`, 'PATCH', changes);
	}

	/**
	 * Something happens to a contact on a channel; returns the calls of webhooks that it caused.
	 * Changes by the API cause none.
	 */
	happen(happening: Happening): Promise<WebhookCall[]> {
		return call(`${this.#control}/events`, 'POST', happening);
	}

	/** A new contact writes to a channel for the first time. */
	arrive(fields: ContactChange): Promise<{ contact: Contact; deliveries: WebhookCall[] }> {
		return call(`${this.#control}/arrivals`, 'POST', fields);
	}

	/**
	 * Gives a flow a step that calls the external webhooks of these events; none takes the step away.
	 */
	flowCalls(flowId: string, events: string[]): Promise<void> {
		return call(`${this.#control}/flows/${flowId}/step`, 'PUT', { events });
	}

	/** Lets a flow answer what contacts write while the bot is in charge, if no keyword does. */
	setDefaultReply(flowId: string): Promise<void> {
		return call(`${this.#control}/flows/${flowId}/default-reply`, 'PUT');
	}

	/** The broadcasts that the API made, the newest first: how far they are, and one contact's message. */
	broadcasts(contactId = ''): Promise<BroadcastProgress[]> {
		return call(`${this.#control}/broadcasts?${new URLSearchParams({ contactId })}`);
	}

	/** Lets so many minutes pass for broadcasts: all their times move into the past. */
	letBroadcastsRun(minutes: number): Promise<void> {
		return call(`${this.#control}/broadcasts/time`, 'POST', { minutes });
	}

	/** A recipient of a broadcast sees it, clicks in it, or another event happens. */
	react(broadcastId: string, identifier: string, event: RecipientEvent): Promise<void> {
		return call(`${this.#control}/broadcasts/${broadcastId}/reactions`, 'POST', {
			identifier,
			event,
		});
	}

	/** Adds a record of another kind; omitted fields stay empty, except the id. */
	add<Name extends CollectionName>(
		collection: Name,
		record: Partial<Collections[Name]>,
	): Promise<Partial<Collections[Name]> & { id: string }> {
		return call(`${this.#control}/records/${collection}`, 'POST', record);
	}

	/** Changes a record of another kind, for example the status of a broadcast. */
	change<Name extends CollectionName>(
		collection: Name,
		id: string,
		changes: Partial<Collections[Name]>,
	): Promise<Collections[Name]> {
		return call(`${this.#control}/records/${collection}/${id}`, 'PATCH', changes);
	}

	/** Removes a record of another kind. */
	removeRecord(collection: CollectionName, id: string): Promise<void> {
		return call(`${this.#control}/records/${collection}/${id}`, 'DELETE');
	}

	/**
	 * Adds an uploaded file, which an import can then name; the keys of the first row are its
	 * columns.
	 */
	addFile(rows: UploadedFile['rows']): Promise<UploadedFile> {
		return call(`${this.#control}/files`, 'POST', rows);
	}
}

/** A sandbox that runs in another process. */
export class Sandbox implements SandboxAddress {
	constructor(
		readonly url: string,
		readonly otherUrl: string,
		/** Ends the sandbox, if it was started here. */
		readonly stop: () => Promise<void>,
	) {}

	/**
	 * Creates a workspace. With its own token (8 characters or more), no other test disturbs a test.
	 */
	async workspace(token: string, options?: WorkspaceOptions): Promise<SandboxWorkspace> {
		const workspace = new SandboxWorkspace(this.url, token);
		await workspace.reset(options);
		return workspace;
	}

	/** Requests without a valid token, and all that reached the other origin. */
	unknownRequests(containing = ''): Promise<UnknownRequest[]> {
		return call(`${this.url}/_sandbox/unknown-requests?${new URLSearchParams({ containing })}`);
	}

	clearUnknownRequests(): Promise<void> {
		return call(`${this.url}/_sandbox/unknown-requests`, 'DELETE');
	}
}

/** A sandbox that runs already. */
export function connectSandbox({ url, otherUrl }: SandboxAddress): Sandbox {
	return new Sandbox(url, otherUrl, () => Promise.resolve());
}

/** Starts a sandbox in its own process, which ends with this one at the latest. */
export async function startSandbox(): Promise<Sandbox> {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', join(__dirname, 'main.ts'), '--json', '--attached'],
		{
			cwd: join(__dirname, '..'),
			stdio: ['pipe', 'pipe', 'inherit'],
		},
	);
	const ended = new Promise<void>((resolve) => {
		child.once('close', () => resolve());
	});
	const address = await new Promise<SandboxAddress>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) =>
			reject(new Error(`The sandbox ended before it was ready (code ${code})`)),
		);
		createInterface({ input: child.stdout }).once('line', (line) =>
			resolve(JSON.parse(line) as SandboxAddress),
		);
	});
	return new Sandbox(address.url, address.otherUrl, () => {
		child.kill();
		return ended;
	});
}
