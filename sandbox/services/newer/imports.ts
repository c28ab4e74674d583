import { z } from 'zod/v4';
import type { StoredContact } from '../reference/contacts';
import { fitsField, withValues } from '../reference/customFieldValues';
import { parseCsv, tableOf } from '../../files/csv';
import { sheetCells } from '../../files/xlsx';
import type { Channel, UploadedFile } from '../../records';
import type { ImportRun } from '../../journal';
import type { ImportRecord, Workspace } from '../../workspace';
import { addOnInbox, isOnInbox } from './contacts';
import { newConversation } from './conversations/conversation';
import { operation, type Operations } from './router';
import { holds, id, paged, sort, sorted, strictPaging } from './inputs';
import { e164 } from './phone';
import { invalidInput, notFound, problem } from './problems';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const extensions: Record<string, string> = { 'text/csv': '.csv', [xlsx]: '.xlsx' };
const largestFile = 20_000_000;

const column = z.string().max(255).optional();
const importBody = z.object({
	fileId: id,
	channel: z.string(),
	inboxId: id,
	phoneNumber: column,
	contactId: column,
	email: column,
	firstName: column,
	lastName: column,
	fieldMapping: z
		.array(z.object({ column: z.string(), customFieldId: z.string() }))
		.max(10)
		.optional(),
	tagId: id.optional(),
	countryCode: z
		.string()
		.regex(/^(\+\d{1,4})?$/)
		.optional(),
	timezone: z.string().optional(),
});
const newerImportBody = importBody.extend({ sourceUserId: column });

type ImportBody = z.output<typeof newerImportBody>;
type Row = Record<string, string>;

/** Names of columns that are understood, without regard to case, spaces and punctuation. */
const knownColumns: Record<string, readonly string[]> = {
	contactId: ['contactid', 'id', 'subscriberid', 'psid', 'uid'],
	phoneNumber: ['phonenumber', 'phone', 'mobile', 'mobilephone', 'tel', 'telephone', 'sốđiệnthoại'],
	email: ['email', 'emailaddress', 'mail'],
	firstName: ['firstname', 'givenname', 'tên'],
	lastName: ['lastname', 'surname', 'familyname', 'họ'],
	sourceUserId: ['sourceuserid'],
};

function suggestColumns(headers: readonly string[]): Record<string, string> {
	const plain = (header: string) => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return Object.fromEntries(
		Object.entries(knownColumns).flatMap(([field, names]) => {
			const header = headers.find((each) => names.includes(plain(each)));
			return header === undefined ? [] : [[field, header]];
		}),
	);
}

/** An error of imports: newer services have a status for each, older ones say 400. */
const importProblem = ({ service }: Workspace, status: number, code: string, message: string) =>
	problem(service === 'older' ? 400 : status, code, message);

/** Refuses an import without the column that identifies its contacts. */
function refuseNameless(
	workspace: Workspace,
	{ channel, phoneNumber, sourceUserId, contactId }: ImportBody,
): void {
	if (channel === 'whatsapp') {
		if (!phoneNumber && !sourceUserId) {
			const message = 'Phone number or WhatsApp User ID is required for WhatsApp imports';
			throw invalidInput(workspace, 'phoneNumber', message);
		}
	} else if (!contactId) {
		throw invalidInput(workspace, 'contactId', 'Contact ID is required');
	}
}

/** Imports one row; the reason when nothing came of it. */
function importRow(
	workspace: Workspace,
	body: ImportBody,
	inbox: Channel,
	row: Row,
): string | undefined {
	const cell = (name: string | undefined) => (name !== undefined && row[name]) || undefined;
	const phone = cell(body.phoneNumber);
	// A phone number that cannot be read is dropped.
	const countryCode = body.countryCode || workspace.options.defaultCountryCode;
	const phoneNumber = (phone && e164(phone, countryCode)) || null;
	const platformId =
		body.channel === 'whatsapp'
			? (phoneNumber?.slice(1) ?? cell(body.sourceUserId))
			: cell(body.contactId);
	if (platformId === undefined) return phone ? 'Invalid phone' : 'Missing identity';
	if (isOnInbox(workspace, inbox.id, platformId)) return 'Contact already exists on this inbox';
	const holder = phoneNumber === null ? undefined : workspace.contacts.find(`phone:${phoneNumber}`);
	const entries = (body.fieldMapping ?? []).flatMap(({ column: name, customFieldId }) => {
		const field = workspace.tables.customFields.get(customFieldId);
		const value = cell(name);
		return field && value !== undefined && fitsField(field, value) ? [{ field, value }] : [];
	});
	const tagIds = body.tagId === undefined ? [] : [body.tagId];
	const values = withValues(workspace, holder ?? { values: new Map() }, entries);
	if (holder) {
		joinInbox(workspace, holder, inbox.id, platformId, {
			tagIds: [...holder.tagIds, ...tagIds],
			values,
		});
		return undefined;
	}
	const fields = {
		phoneNumber,
		email: cell(body.email) ?? null,
		firstName: cell(body.firstName) ?? null,
		lastName: cell(body.lastName) ?? null,
		tagIds,
		values,
	};
	addOnInbox(workspace, inbox, fields, platformId);
	return undefined;
}

/** Adds this inbox to a contact that has the phone number of a row and only other inboxes. */
function joinInbox(
	workspace: Workspace,
	contact: StoredContact,
	inboxId: string,
	platformId: string,
	changes: Partial<StoredContact>,
): void {
	workspace.changeContact(contact, {
		...changes,
		inboxIds: [...new Set([...contact.inboxIds, inboxId])],
		platformIds: { ...contact.platformIds, [inboxId]: platformId },
		conversation: contact.conversation ?? newConversation(workspace, contact.id),
	});
}

/** The most failed rows that an answer lists. */
const sampledErrors = 10;

function work(
	workspace: Workspace,
	body: ImportBody,
	inbox: Channel,
	file: UploadedFile,
	record: ImportRecord,
) {
	const errors: NonNullable<ImportRecord['errorSample']> = [];
	let created = 0;
	for (const [index, row] of file.rows.entries()) {
		const reason = importRow(workspace, body, inbox, row);
		if (reason === undefined) created++;
		// The first row of the file is its header.
		else errors.push({ row: index + 2, reason });
	}
	const now = new Date().toISOString();
	Object.assign(record, {
		status: 'completed',
		processedCount: file.rows.length,
		successCount: created,
		failedCount: errors.length,
		errorSample: errors.length > 0 ? errors.slice(0, sampledErrors) : null,
		completedAt: now,
		updatedAt: now,
	});
	return created;
}

function start(workspace: Workspace, body: ImportBody): { importId: string } {
	refuseNameless(workspace, body);
	if (workspace.importRunning) {
		const message =
			'An import is already in progress for this workspace. Please wait for it to complete.';
		throw importProblem(workspace, 409, 'contactImportAlreadyRunning', message);
	}
	const file = workspace.files.get(body.fileId);
	if (!file)
		throw importProblem(workspace, 404, 'contactImportFileNotFound', 'Import file not found');
	const inbox = workspace.tables.channels.get(body.inboxId);
	if (!inbox || inbox.channel !== body.channel) {
		throw importProblem(workspace, 404, 'contactImportInboxNotFound', 'Inbox not found');
	}
	const now = new Date().toISOString();
	const record: ImportRecord = {
		id: workspace.nextId(),
		fileId: file.id,
		fileName: file.fileName ?? 'people.csv',
		status: 'pending',
		totalCount: file.rows.length,
		processedCount: 0,
		successCount: 0,
		failedCount: 0,
		errorMessage: null,
		errorSample: null,
		startedAt: Date.now(),
		completedAt: null,
		createdAt: now,
		updatedAt: now,
	};
	workspace.imports.set(record.id, record);
	const run: ImportRun = {
		at: record.startedAt,
		fileId: file.id,
		inboxId: inbox.id,
		channel: inbox.channel,
		done: false,
		created: 0,
		updated: 0,
	};
	workspace.journal.imports.push(run);
	workspace.runImport(() => {
		const { importFailure } = workspace.options;
		if (importFailure !== undefined) {
			const failedAt = new Date().toISOString();
			Object.assign(record, { status: 'failed', errorMessage: importFailure, updatedAt: failedAt });
			return;
		}
		run.created = work(workspace, body, inbox, file, record);
		run.done = true;
	});
	return { importId: record.id };
}

/** An import as it stands now: it waits for a quarter of its time, and is worked on in the rest. */
function show({ importMs }: Workspace, { startedAt, ...record }: ImportRecord) {
	const share = importMs > 0 ? (Date.now() - startedAt) / importMs : 1;
	const progress =
		record.status === 'pending' && share >= 0.25
			? {
					status: 'processing',
					processedCount: Math.floor(record.totalCount * Math.min((share - 0.25) / 0.75, 0.99)),
				}
			: {};
	return { ...record, ...progress, userId: null, type: 'contacts' };
}

const uploadBody = z.object({
	fileName: z.string().min(1).max(255),
	mimeType: z.string().min(1).max(255),
	fileSize: z.number().int().positive(),
});

/** The only operation of imports in older services, which accept no file. */
export const olderImport = operation(importBody, ({ workspace }, body) => start(workspace, body));

/** Imports of newer services. */
export const newerImports = {
	createImportUpload: operation(
		uploadBody,
		({ workspace, storage }, { fileName, mimeType, fileSize }) => {
			const extension = extensions[mimeType];
			if (extension === undefined || !fileName.toLowerCase().endsWith(extension)) {
				throw problem(400, 'importUnsupportedFileType', 'Unsupported file type');
			}
			if (fileSize > largestFile) throw problem(400, 'importFileTooLarge', 'File is too large');
			const fileId = workspace.nextId();
			const keep = (content: Buffer) => {
				const table =
					mimeType === xlsx ? tableOf(sheetCells(content)) : parseCsv(content.toString());
				workspace.files.set(fileId, { id: fileId, fileName, ...table });
			};
			const presignedPostUrl = storage.expect({ workspace, fileId, fileName, mimeType, keep });
			workspace.expectedFiles.add(fileId);
			const path = `imports/${fileId}/${fileName}`;
			return { fileId, presignedPostUrl, publicUrl: `${storage.url}/${path}`, path };
		},
	),
	getImportHeaders: operation(z.object({ fileId: z.string() }), ({ workspace }, { fileId }) => {
		const file = workspace.files.get(fileId);
		if (!file && !workspace.expectedFiles.has(fileId)) {
			throw problem(404, 'contactImportFileNotFound', 'Import file not found');
		}
		if (!file || file.columns.length === 0) {
			throw problem(400, 'importUnableToReadHeaders', 'Unable to read headers');
		}
		return { headers: file.columns, suggestedColumnMap: suggestColumns(file.columns) };
	}),
	importContacts: operation(newerImportBody, ({ workspace }, body) => start(workspace, body)),
	getImport: operation(z.object({ id: z.string() }), ({ workspace }, { id: importId }) => {
		const record = workspace.imports.get(importId);
		if (!record) throw notFound('Import');
		return show(workspace, record);
	}),
	listImports: operation(
		z.object({
			...strictPaging,
			status: z.string().optional(),
			keyword: z.string().optional(),
			sort,
		}),
		({ workspace }, query) => {
			const imports = [...workspace.imports.values()]
				.reverse()
				.map((record) => show(workspace, record))
				.filter(
					({ status, fileName }) =>
						(!query.status || status === query.status) &&
						(!query.keyword || holds(fileName, query.keyword)),
				);
			return paged(sorted(imports, query.sort, ['createdAt', 'updatedAt', 'fileName']), query);
		},
	),
} satisfies Operations;
