import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { findChannelType } from '../../channels/list';
import { contactApi } from '../../contract/contact';
import { anyChannel } from '../../contract/limits';
import { importRecord } from '../../contract/undocumented';
import type { Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { oncePerRun } from '../../run/run';
import { describeUnused } from '../../run/unusedColumns';
import { refusedError, stoppedError } from '../../transport/errors/ApiError';
import { apiRequest } from '../../transport/request';
import { pause } from '../../transport/retry/delays';
import { supports } from '../../service/capabilities';
import { refuseTooManyColumns, requireIdentityColumn } from './import/checkColumns';
import { hintAtCompletedNumbers } from './import/completedNumbers';
import { mapColumns, mapColumnsToFieldIds } from './import/columns';
import { getImportCountryCode } from './import/countryCode';
import { channelTypeField, importFields, mapping } from './import/importFields';
import { linkRowsToItems } from './import/failedRows';
import { buildTable, itemToCsvRow, tableToCsv } from './import/itemsToCsv';
import { runImport } from './import/runImport';
import { checkUploadFile, readImportFile, requestFileUploadUrl } from './import/uploadFile';
import { boolean, number, string, strings } from '../../contract/values';

const { status, totalCount, successCount, failedCount, errorSample } = importRecord.shape;

const bodyOfPickedChannel = contactApi.importContacts.body.partial({ channel: true });

/** Where the contacts come from: a file of the input, the items, or a file of the workspace. */
const getSource = (item: Item) => item.parameter('source', 'id');

/** A row of the file that was not imported. */
const skippedRow = errorSample.unwrap().element.extend({
	// From Items: the number and the values of the item.
	item: number.optional(),
	values: z.record(string, string).optional(),
});

export const importMany = defineOperation({
	name: 'Import',
	value: 'import',
	action: 'Import contacts',
	description: 'Import many contacts at once from a file or from the items',
	endpoint: contactApi.importContacts,
	fields: importFields,
	output: z.object({
		// False if rows failed.
		success: boolean,
		status: status.optional(),
		totalCount: totalCount.optional(),
		successCount: successCount.optional(),
		// Contacts that were on the channel already, if there are any.
		existingCount: number.optional(),
		failedCount: failedCount.optional(),
		started: z.literal(true),
		fileId: string,
		importId: string.optional(),
		existingSample: z.array(skippedRow).optional(),
		errorSample: z.array(skippedRow).optional(),
		mappedColumns: z.array(z.object({ column: string, field: string })).optional(),
		unusedColumns: strings.optional(),
	}),

	schema(item) {
		const body = item.run.shows(channelTypeField)
			? contactApi.importContacts.body
			: bodyOfPickedChannel;
		return { body: getSource(item) === 'id' ? body : body.omit({ fileId: true }) };
	},

	validate(item) {
		if (getSource(item) === 'input') checkUploadFile(item);
		if (getSource(item) === 'items') itemToCsvRow(item);
	},

	async run(item) {
		const body = await withMappedIds(item);
		switch (getSource(item)) {
			case 'input':
				return [await importFile(item, body)];
			case 'items':
				return await importItems(item);
			default:
				return [await importById(item, body)];
		}
	},
});

type Body = z.output<typeof contactApi.importContacts.body>;
/** Without Channel Type, the channel comes from the list. */
type ImportBody = Omit<Body, 'fileId' | 'channel'> & Partial<Body>;
type ImportItem = Item<IDataObject, IDataObject, ImportBody>;

/**
 * Returns the request of an import with the IDs of the custom fields that the user mapped columns
 * to by name.
 */
async function withMappedIds(item: ImportItem) {
	const { body } = item;
	const { fieldMapping } = body;
	if (!fieldMapping) return body;
	return { ...body, fieldMapping: await mapColumnsToFieldIds(item, fieldMapping) };
}

/**
 * Returns where the contacts of an import go. Looks up the type of the channel unless the user
 * chose it.
 */
async function findImportDestination(item: ImportItem) {
	const { inboxId, tagId } = item.body;
	let channel: string = item.body.channel ?? anyChannel;
	if (channel === anyChannel) channel = await readChannelType(item);
	return { channel, inboxId, countryCode: getImportCountryCode(item), tagId };
}

async function readChannelType(item: ImportItem) {
	const advice = 'Enter the channel by its ID, and set Channel Type.';
	return await findChannelType(item, item.body.inboxId, advice);
}

/** Imports the file of an item. The files of a run are imported one after the other. */
async function importFile(item: ImportItem, body: ImportBody): Promise<IDataObject> {
	return await item.run.runExclusive(['import'], async () => {
		const file = await readImportFile(item);
		const { fileId, upload } = await requestFileUploadUrl(item, file);
		const destination = await findImportDestination(item);
		await item.upload(upload);
		const isAutomatic = item.value(mapping) === 'automatic';
		const mapped = await mapColumns(item, fileId, body, isAutomatic);
		const { columns, headers, report } = mapped;
		requireIdentityColumn(destination.channel, columns, headers);
		const importBody = { ...columns, fileId, ...destination };
		const outcome = await runImport(item, importBody);
		if (isAutomatic) hintAtUnusedColumns(item, report);
		hintAtCompletedNumbers(item, file, columns.phoneNumber);
		return { ...outcome, ...report };
	});
}

function hintAtUnusedColumns(item: Item, { unusedColumns }: { unusedColumns: string[] }) {
	const named = unusedColumns.filter((column) => column !== '');
	item.hint(describeUnused(named, 'imported'), {
		key: 'unusedColumns',
		summary: '{count} files have columns that were not imported.',
	});
}

/**
 * Imports a file that is in the workspace already. The files of a run are imported one after the
 * other.
 */
async function importById(item: ImportItem, body: ImportBody) {
	return await item.run.runExclusive(['import'], async () => {
		const completed = await completeImport(item, body);
		return await runImport(item, completed, false);
	});
}

/** Adds to the request of an import what the user left out: the type of the channel, the country code. */
async function completeImport(item: ImportItem, body: ImportBody) {
	const { channel = anyChannel, countryCode } = body;
	const isComplete = channel !== anyChannel && getImportCountryCode(item) === countryCode;
	if (isComplete) return body;
	// A service that lists no inboxes is one of the reference (difference 22); it gets what the user
	// entered.
	const listsInboxes = await supports(item, 'inboxes').catch(() => true);
	if (!listsInboxes) return { ...body, channel: body.channel ?? (await readChannelType(item)) };
	const destination = await findImportDestination(item);
	requireIdentityColumn(destination.channel, body);
	return { ...body, ...destination };
}

/**
 * Imports all items of a run as one file with a row for each. The item of the first row has the
 * output; the others have none, and fail if the import does.
 */
async function importItems(item: ImportItem) {
	const { rows, failures } = await buildTable(item);
	const failure = failures.get(item.index);
	if (failure) throw failure;
	if (failures.size > 0 && !item.run.continuesOnFail) {
		// The run ends with its first error, so the invalid item must fail first.
		await pause(0);
		const request = apiRequest(contactApi.importContacts);
		throw stoppedError(request, false);
	}
	const output = await importAllItems(item);
	// The first imported item has the output of all.
	const [first] = rows;
	if (item.index !== first.item) return [];
	const imported = rows.map((row) => row.item);
	item.linkOutputTo(imported);
	return [output];
}

const importAllItems = oncePerRun(async (item: ImportItem): Promise<IDataObject> => {
	const table = await buildTable(item);
	if (table.rows.length === 0)
		throw refusedError(
			'There is nothing to import: all fields of the mapping are empty.',
			'Drag columns of the input into them, or choose Map Automatically.',
		);
	const { csv, columns } = tableToCsv(table);
	refuseTooManyColumns(columns);
	const content = Buffer.from(csv);
	const file = { fileName: 'contacts.csv', mimeType: 'text/csv', content };
	const { fileId, upload } = await requestFileUploadUrl(item, file);
	// n8n has completed the numbers. The service would put the code before all others, too, and reach
	// other people.
	const destination = { ...(await findImportDestination(item)), countryCode: undefined };
	requireIdentityColumn(destination.channel, columns, 'items');
	await item.upload(upload);
	const importBody = { ...columns, fileId, ...destination };
	return await runImport(item, importBody, true, (failed) => linkRowsToItems(item, failed, table));
});
