import {
	ContactStore,
	fullNameOf,
	newContact,
	type StoredContact,
} from './services/reference/contacts';
import { FaultPlan } from './faults/faults';
import { WorkspaceJournal, type ImportRun } from './journal';
import {
	collectionNames,
	without,
	type CollectionName,
	type Collections,
	type Contact,
	type ErrorLogEntry,
	type UploadedFile,
	type WorkspaceCounts,
	type WorkspaceRecord,
	type WorkspaceState,
} from './records';
import { conflict, invalid, notFound } from './http/problems';
import { MessageStore } from './services/newer/conversations/messageStore';
import { IdempotencyKeys } from './services/newer/idempotency';
import { MediaLibrary } from './services/newer/mediaLibrary';
import type { ExternalWebhook, Webhook } from './services/newer/webhooks/webhook';
import type { ServiceName } from './services/names';
import type { WorkspaceOptions } from './options';

type Tables = { [Name in CollectionName]: Map<string, Collections[Name]> };

/** What an import asks for. */
export interface ImportRequest {
	fileId: string;
	channel: string;
	inboxId: string;
	countryCode?: string;
	phoneNumber?: string;
	contactId?: string;
	email?: string;
	firstName?: string;
	lastName?: string;
	tagId?: string;
	fieldMapping?: Array<{ column: string; customFieldId: string }>;
}

/** An import as newer services show it. */
export interface ImportRecord {
	id: string;
	fileId: string;
	fileName: string;
	status: 'pending' | 'processing' | 'completed' | 'failed';
	totalCount: number;
	processedCount: number;
	successCount: number;
	failedCount: number;
	errorMessage: string | null;
	errorSample: Array<{ row?: number; reason: string }> | null;
	startedAt: number;
	completedAt: string | null;
	createdAt: string;
	updatedAt: string;
}

const columnFields = ['phoneNumber', 'contactId', 'email', 'firstName', 'lastName'] as const;

/** A little below 2^63. Most ids start here: as JS numbers, many neighbours would be one. */
const firstLargeId = 7_301_444_403_311_000_000n;
const firstSmallId = 1001n;

/**
 * One workspace: its records, its faults, and what was done to it. `newWorkspace` makes one that is
 * not empty.
 */
export class Workspace {
	readonly service: ServiceName;
	readonly contacts: ContactStore;
	readonly tables = Object.fromEntries(collectionNames.map((name) => [name, new Map()])) as Tables;
	readonly files = new Map<string, UploadedFile>();
	/** Ids of files for which the service returned an upload address. */
	readonly expectedFiles = new Set<string>();
	/** Imports by id, of newer and older services; the last one started comes last. */
	readonly imports = new Map<string, ImportRecord>();
	/** What newer services remember of the header `Idempotency-Key`. */
	readonly idempotencyKeys = new IdempotencyKeys();
	/** What was written and answered; newer and older services only. */
	readonly messages = new MessageStore();
	readonly media = new MediaLibrary();
	/** What channels refused, newest first; newer services only. */
	readonly errorLog: ErrorLogEntry[] = [];
	/** Webhooks by id, and the addresses that steps of flows call; newer services only. */
	readonly webhooks = new Map<string, Webhook>();
	readonly externalWebhooks = new Map<string, ExternalWebhook>();
	/** Flows with a step that calls other programs: the names of its events by the flow's id. */
	readonly flowSteps = new Map<string, readonly string[]>();
	/** The flow that answers what no keyword answers. */
	defaultReply?: string;
	readonly journal = new WorkspaceJournal();
	/** Stops the calls that still wait for an answer when the workspace closes. */
	readonly end = new AbortController();
	readonly faults: FaultPlan;
	readonly record: WorkspaceRecord;
	readonly importMs: number;
	/** The number of contacts at the start: an estimate that the service never renews. */
	contactsAtFirst = 0;
	readonly #clientIds = new Set<string>();
	#ids = 0n;
	#runningImport: NodeJS.Timeout | undefined;

	constructor(readonly options: WorkspaceOptions) {
		this.service = options.service ?? 'reference';
		this.contacts = new ContactStore(this.service !== 'reference');
		this.faults =
			this.service === 'reference'
				? new FaultPlan(options.faults ?? {})
				: new FaultPlan(options.faults ?? {}, null);
		this.importMs = options.importMs ?? 100;
		this.record = { id: this.nextId(), name: 'Café Süd & Co.' };
	}

	/** The next id: a 64-bit integer in decimals, every fifth a short one. */
	nextId(): string {
		const number = this.#ids++;
		return String((number % 5n === 4n ? firstSmallId : firstLargeId) + number);
	}

	/** Adds a contact as if it were created now. */
	addContact(fields: Partial<StoredContact>): StoredContact {
		return this.contacts.add(newContact(this.nextId(), new Date().toISOString(), fields));
	}

	/** Changes a contact; its `updatedAt` moves on, even within one millisecond. */
	changeContact(contact: StoredContact, changes: Partial<StoredContact>): void {
		this.contacts.change(contact, { updatedAt: after(contact.updatedAt), ...changes });
	}

	/** Returns the contact that a request names, or throws a 404. */
	contactOf(identifier: string): StoredContact {
		const contact = this.contacts.find(identifier);
		if (!contact) throw notFound('Contact');
		return contact;
	}

	/** Returns a record that a request names, or throws a 404. */
	recordOf<Name extends CollectionName>(table: Name, id: string, what: string): Collections[Name] {
		const record = this.tables[table].get(id);
		if (!record) throw notFound(what);
		return record;
	}

	/** Whether a message with this `clientId` was not delivered yet; from then on it was. */
	isNewMessage(clientId: string | undefined): boolean {
		if (clientId === undefined) return true;
		const isNew = !this.#clientIds.has(clientId);
		this.#clientIds.add(clientId);
		return isNew;
	}

	/** Refuses a name that another record of the table has. */
	refuseTakenName(table: 'tags' | 'customFields', name: string, self?: string): void {
		for (const record of this.tables[table].values()) {
			if (record.name === name && record.id !== self)
				throw conflict(`The name "${name}" is already used`);
		}
	}

	/** Refuses a body that refers to records that are not there. */
	refuseUnknown(table: CollectionName, fields: Record<string, string | undefined>): void {
		const issues = Object.entries(fields)
			.filter(([, id]) => id !== undefined && !this.tables[table].has(id))
			.map(([field]) => ({ path: [field], message: 'does not exist' }));
		if (issues.length > 0) throw invalid(...issues);
	}

	/** A contact as the API shows it. */
	show(contact: StoredContact): Contact {
		const { tagIds, inboxIds, values } = contact;
		const fields = without(
			contact,
			'tagIds',
			'inboxIds',
			'values',
			'sequenceIds',
			'platformIds',
			'whatsappUser',
		);
		return {
			...fields,
			fullName: fullNameOf(contact),
			location: null,
			workspaceId: this.record.id,
			contactCustomFields: [...values].map(([customFieldId, value]) => ({
				...value,
				contactId: contact.id,
				customFieldId,
			})),
			tags: tagIds.flatMap((id) => this.tables.tags.get(id) ?? []),
			contactInboxes: inboxIds.map((inboxId) => ({ inboxId, contactId: contact.id })),
		};
	}

	/** Starts an import, which runs on after the request is answered. */
	startImport(request: ImportRequest): void {
		if (this.importRunning) throw conflict('An import is already running');
		this.refuseUnknown('channels', { inboxId: request.inboxId });
		this.refuseUnknown('tags', { tagId: request.tagId });
		const file = this.files.get(request.fileId);
		if (!file) throw invalid({ path: ['fileId'], message: 'does not exist' });
		const missing = columnFields
			.filter((field) => request[field] !== undefined && !file.columns.includes(request[field]))
			.map((field) => ({
				path: [field] as Array<string | number>,
				message: 'is no column of the file',
			}));
		for (const [index, { column, customFieldId }] of (request.fieldMapping ?? []).entries()) {
			const path = ['fieldMapping', index];
			if (!file.columns.includes(column)) {
				missing.push({ path: [...path, 'column'], message: 'is no column of the file' });
			}
			if (!this.tables.customFields.has(customFieldId)) {
				missing.push({ path: [...path, 'customFieldId'], message: 'does not exist' });
			}
		}
		if (missing.length > 0) throw invalid(...missing);
		const { fileId, inboxId, channel } = request;
		const run: ImportRun = {
			at: Date.now(),
			fileId,
			inboxId,
			channel,
			done: false,
			created: 0,
			updated: 0,
		};
		this.journal.imports.push(run);
		this.runImport(() => {
			for (const row of file.rows) this.#importRow(request, row, run);
			run.done = true;
		});
	}

	/** Does the work of an import when its time is over. */
	runImport(work: () => void): void {
		this.#runningImport = setTimeout(() => {
			work();
			this.#runningImport = undefined;
		}, this.importMs);
	}

	/** Whether an import is running; there is one at a time. */
	get importRunning(): boolean {
		return this.#runningImport !== undefined;
	}

	/** How many records there are. */
	counts(): WorkspaceCounts {
		const tables = Object.entries(this.tables).map(([name, table]) => [name, table.size]);
		return { contacts: this.contacts.size, ...Object.fromEntries(tables) } as WorkspaceCounts;
	}

	/** Everything there is. */
	state(): WorkspaceState {
		const tables = Object.entries(this.tables).map(([name, table]) => [name, [...table.values()]]);
		return {
			workspace: this.record,
			contacts: [...this.contacts.values()].map((contact) => this.show(contact)),
			files: [...this.files.values()],
			importRunning: this.importRunning,
			...Object.fromEntries(tables),
		} as WorkspaceState;
	}

	/** Stops what still runs. */
	close(): void {
		this.end.abort();
		clearTimeout(this.#runningImport);
	}

	#importRow(request: ImportRequest, row: Record<string, string>, run: ImportRun): void {
		const cell = (field: (typeof columnFields)[number]) => {
			const column = request[field];
			return (column !== undefined && row[column]) || null;
		};
		const phone = cell('phoneNumber');
		const now = new Date().toISOString();
		const reach = {
			email: cell('email'),
			phoneNumber: phone && !phone.startsWith('+') ? `${request.countryCode ?? ''}${phone}` : phone,
		};
		const known = this.contacts.findByReach(reach);
		const values = new Map(known?.values);
		for (const { column, customFieldId } of request.fieldMapping ?? []) {
			values.set(customFieldId, {
				id: this.nextId(),
				createdAt: now,
				updatedAt: now,
				value: row[column] ?? '',
			});
		}
		const fields = {
			firstName: cell('firstName') ?? known?.firstName ?? null,
			lastName: cell('lastName') ?? known?.lastName ?? null,
			ref: cell('contactId') ?? known?.ref ?? null,
			tagIds: [
				...new Set([
					...(known?.tagIds ?? []),
					...(request.tagId === undefined ? [] : [request.tagId]),
				]),
			],
			inboxIds: [...new Set([...(known?.inboxIds ?? []), request.inboxId])],
			values,
		};
		if (known) {
			this.changeContact(known, fields);
			run.updated++;
		} else {
			this.addContact({ ...reach, ...fields });
			run.created++;
		}
	}
}

/** Returns the time, at least a millisecond later than the last one that it returned. */
export function after(time: string): string {
	return new Date(Math.max(Date.now(), Date.parse(time) + 1)).toISOString();
}
