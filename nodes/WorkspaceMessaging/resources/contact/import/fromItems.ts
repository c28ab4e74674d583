import type { IDataObject } from 'n8n-workflow';
import { rejected, stoppedError } from '../../../transport/errors/errors';
import { refuseN8nFiles } from '../../../transport/n8nFiles';
import { pause } from '../../../transport/pause';
import { apiRequest } from '../../../transport/request';
import { importContacts } from '../../../contract';
import type { Item } from '../../../execution/item';
import { requestUploadUrl } from './requestUploadUrl';
import { runImport } from './runImport';
import { identitiesOn } from './columns';
import { checkContent } from './file';
import { contactColumnNames, contactColumns, fileOf, tableOf, valuesOf } from './itemsToCsv';
import type { Table } from './itemsToCsv';
import { destinationOf } from './destination';

/**
 * Imports all items of a run as one file, each as a row of it. Whichever item comes first does it for all of them, and puts
 * out what came of it; the others put out nothing, and fail if the import does.
 */
export async function importItems(item: Item): Promise<IDataObject[]> {
	const table = await item.run.once('table to import', async () => await tableOf(item));
	const failure = table.failures.get(item.index);
	if (failure) throw failure;
	if (table.failures.size > 0 && !item.run.continuesOnFail) {
		// The error of the item that is not valid is the one to be seen, so it comes first.
		await pause(0);
		throw stoppedError(apiRequest(importContacts), false);
	}
	const outcome = await item.run.once('import of all items', async () => await importTable(item, table));
	if (item.index !== table.rows[0].item) return [];
	item.doneFor = table.rows.map((row) => row.item);
	return [outcome];
}

async function importTable(item: Item, table: Table): Promise<IDataObject> {
	const { rows } = table;
	if (rows.length === 0) throw rejected('There is nothing to import: the fields of all items are empty.');
	const { csv, columns } = fileOf(table);
	refuseN8nFiles(csv);
	const content = Buffer.from(csv);
	checkContent(content.length, 'The table of all items');
	const file = { fileName: 'contacts.csv', mimeType: 'text/csv', content };
	const { fileId, upload } = await requestUploadUrl(item, file);
	const target = await destinationOf(item);
	refuseNameless(target.channel, table);
	await item.upload(upload);
	const outcome = await runImport(item, { fileId, ...target, ...columns });
	const { errorSample } = outcome as { errorSample?: IDataObject[] };
	return { ...outcome, ...(errorSample && { errorSample: withItems(item, errorSample, table) }) };
}

/** Says that an import cannot do without what people are told apart by on a channel, where no item has it. */
function refuseNameless(channel: string, { rows }: Table) {
	const names = contactColumnNames.filter((name) => identitiesOn(channel).includes(name));
	if (rows.some(({ contact }) => names.some((name) => contact[name]))) return;
	const labels = names.map((name) => contactColumns[name]).join(' or ');
	throw rejected(
		`An import into a channel of the type ${channel} needs ${labels}, which is empty in all items.`,
	);
}

/**
 * Failed rows with their item and its values, if it is certain which rows they are. The API does not say how rows are
 * counted: a number beyond the last row proves that the header is row 1, unless lines of a cell could count, too.
 */
function withItems(item: Item, failed: IDataObject[], { rows }: Table): IDataObject[] {
	const hasLineBreak = rows.some((row) => Object.values(valuesOf(row)).some((text) => /[\r\n]/.test(text)));
	if (hasLineBreak || !failed.some(({ row }) => row === rows.length + 1)) {
		if (failed.length > 0) item.hint('In errorSample, rows are numbered as the service counts them.');
		return failed;
	}
	return failed.map((entry) => {
		const row = rows[Number(entry.row) - 2];
		return row ? { ...entry, item: row.item, values: valuesOf(row) } : entry;
	});
}
