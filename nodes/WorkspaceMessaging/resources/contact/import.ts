import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { anyChannel } from '../../contract/limits';
import { importRecord, undocumentedApi } from '../../contract/undocumented';
import type { Item } from '../../execution/item';
import { defineOperation } from '../../execution/operation';
import { oncePerRun } from '../../execution/run';
import { isUnsupported, rejected, stoppedError } from '../../transport/errors/ApiError';
import { apiRequest } from '../../transport/request';
import { pause } from '../../transport/retry';
import { mapColumns, requireIdentity } from './import/columns';
import { channelType, importFields } from './import/fields';
import { contactOf, countryCodeOf, tableOf, tableToCsv, withItems } from './import/itemsToCsv';
import { maxWaitOf, runImport } from './import/runImport';
import { checkFile, readFile, requestUploadUrl } from './import/uploadFile';
import { typeOfChannel } from './shared/contactFields';

const { status, totalCount, successCount, failedCount, errorSample } = importRecord.shape;

const bodyOfPickedChannel = contactApi.importContacts.body.partial({ channel: true });

/** Where the contacts come from: a file of the input, the items, or a file of the workspace. */
const sourceOf = (item: Item) => item.parameter('source', 'id');

export const importMany = defineOperation({
	name: 'Import',
	value: 'import',
	action: 'Import contacts',
	description: 'Import many contacts at once from a file or from the items',
	endpoint: contactApi.importContacts,
	fields: importFields,
	output: z.object({
		// False if rows failed.
		success: z.boolean(),
		started: z.literal(true),
		fileId: z.string(),
		importId: z.string().optional(),
		status: status.optional(),
		totalCount: totalCount.optional(),
		successCount: successCount.optional(),
		failedCount: failedCount.optional(),
		errorSample: z
			.array(
				errorSample.unwrap().element.extend({
					// From Items: the number and the values of the item.
					item: z.number().optional(),
					values: z.record(z.string(), z.string()).optional(),
				}),
			)
			.optional(),
		mappedColumns: z.array(z.object({ column: z.string(), field: z.string() })).optional(),
		unusedColumns: z.array(z.string()).optional(),
	}),

	schema(item) {
		const body = item.run.shows(channelType) ? contactApi.importContacts.body : bodyOfPickedChannel;
		return { body: sourceOf(item) === 'id' ? body : body.omit({ fileId: true }) };
	},

	validate(item) {
		maxWaitOf(item);
		if (sourceOf(item) === 'input') checkFile(item);
		if (sourceOf(item) === 'items') contactOf(item);
	},

	async run(item) {
		switch (sourceOf(item)) {
			case 'input':
				return [await importFile(item)];
			case 'items':
				return await importItems(item);
			default:
				return [await importById(item)];
		}
	},
});

type Body = z.output<typeof contactApi.importContacts.body>;
/** Without Channel Type, the channel comes from the list. */
type ImportItem = Item<IDataObject, IDataObject, Omit<Body, 'fileId' | 'channel'> & Partial<Body>>;

/** Where the contacts of an import go. Looks up the type of the channel unless the user chose it. */
async function destinationOf(item: ImportItem) {
	const { inboxId, channel = anyChannel, tagId } = item.body;
	return {
		channel: channel === anyChannel ? await lookUpType(item, inboxId) : channel,
		inboxId,
		countryCode: countryCodeOf(item),
		tagId,
	};
}

const lookUpType = async (item: ImportItem, inboxId: string) =>
	await typeOfChannel(item, inboxId, 'Enter the channel by its ID, and set Channel Type.');

/** Imports the file of an item. The files of a run are imported one after the other. */
async function importFile(item: ImportItem): Promise<IDataObject> {
	return await item.run.runExclusive(['import'], async () => {
		const file = await readFile(item);
		const { fileId, upload } = await requestUploadUrl(item, file);
		const destination = await destinationOf(item);
		await item.upload(upload);
		const isAutomatic = item.parameter('mapping', 'automatic') === 'automatic';
		const { columns, headers, report } = await mapColumns(item, fileId, item.body, isAutomatic);
		requireIdentity(destination.channel, columns, headers);
		return { ...(await runImport(item, { ...columns, fileId, ...destination })), ...report };
	});
}

/** Imports a file that is in the workspace already. The files of a run are imported one after the other. */
async function importById(item: ImportItem): Promise<IDataObject> {
	return await item.run.runExclusive(['import'], async () => {
		const { body } = item;
		const { channel = anyChannel, countryCode, inboxId } = body;
		const isComplete = channel !== anyChannel && countryCodeOf(item) === countryCode;
		if (isComplete) return await runImport(item, body, false);
		// A service that lists no inboxes is one of the reference; it gets what the user entered.
		if (!(await listsInboxes(item))) {
			const type = body.channel ?? (await lookUpType(item, inboxId));
			return await runImport(item, { ...body, channel: type }, false);
		}
		const destination = await destinationOf(item);
		requireIdentity(destination.channel, body);
		return await runImport(item, { ...body, ...destination }, false);
	});
}

/**
 * Whether the service lists inboxes, even if the token may not read them. Each run asks again: the answer for an older release
 * of the service would make the import fail.
 */
const listsInboxes = oncePerRun(
	async (item: Item) =>
		await item.request(undocumentedApi.listInboxes, { query: { perPage: 1 } }).then(
			() => true,
			(error: unknown) => !isUnsupported(error),
		),
);

/**
 * Imports all items of a run as one file with a row for each. The item of the first row has the output; the others have none,
 * and fail if the import does.
 */
async function importItems(item: ImportItem): Promise<IDataObject[]> {
	const table = await tableOf(item);
	const failure = table.failures.get(item.index);
	if (failure) throw failure;
	if (table.failures.size > 0 && !item.run.continuesOnFail) {
		// The run ends with its first error, which must be that of the item that is not valid.
		await pause(0);
		throw stoppedError(apiRequest(contactApi.importContacts), false);
	}
	const output = await importOfAllItems(item);
	if (item.index !== table.rows[0].item) return [];
	item.doneFor = table.rows.map((row) => row.item);
	return [output];
}

const importOfAllItems = oncePerRun(async (item: ImportItem): Promise<IDataObject> => {
	const table = await tableOf(item);
	if (table.rows.length === 0) throw rejected('There is nothing to import: all items are empty.');
	const { csv, columns } = tableToCsv(table);
	const content = Buffer.from(csv);
	const file = { fileName: 'contacts.csv', mimeType: 'text/csv', content };
	const { fileId, upload } = await requestUploadUrl(item, file);
	const destination = await destinationOf(item);
	requireIdentity(destination.channel, columns, 'items');
	await item.upload(upload);
	const output = await runImport(item, { ...columns, fileId, ...destination });
	const { errorSample } = output;
	return errorSample ? { ...output, errorSample: withItems(item, errorSample, table) } : output;
});
