import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { isUnsupported, rejected, stoppedError } from '../../../transport/errors/ApiError';
import { pause } from '../../../transport/retry';
import { apiRequest } from '../../../transport/request';
import { contactApi } from '../../../contract/contact';
import { anyChannel } from '../../../contract/limits';
import { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { oncePerRun } from '../../../execution/run';
import { typeOfChannel } from '../shared/contactFields';
import { mapColumns, requireIdentity } from './columns';
import { countryCodeOf, tableOf, tableToCsv, withItems } from './itemsToCsv';
import { runImport } from './runImport';
import { readFile, requestUploadUrl } from './uploadFile';

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
export async function importFile(item: ImportItem): Promise<IDataObject> {
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
export async function importById(item: ImportItem): Promise<IDataObject> {
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
export async function importItems(item: ImportItem): Promise<IDataObject[]> {
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
