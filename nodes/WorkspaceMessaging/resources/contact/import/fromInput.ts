import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../../../execution/item';
import { requestUploadUrl } from './requestUploadUrl';
import { runImport } from './runImport';
import { mapColumns, requireIdentity } from './columns';
import type { Columns } from './columns';
import { readFile } from './file';
import { destinationOf } from './destination';

/** Imports the file that an item brings along. The files of a run are imported one after the other. */
export async function importFile(item: Item): Promise<IDataObject> {
	return await item.run.runExclusive(['import'], async () => {
		const file = await readFile(item);
		const { fileId, upload } = await requestUploadUrl(item, file);
		const target = await destinationOf(item);
		await item.upload(upload);
		const isAutomatic = item.parameter('mapping', 'automatic') === 'automatic';
		const { columns, headers, report } = await mapColumns(item, fileId, namedColumns(item), isAutomatic);
		requireIdentity(target.channel, columns, headers);
		return { ...(await runImport(item, { fileId, ...target, ...columns })), ...report };
	});
}

/** The columns that the user has named. */
function namedColumns({ body }: Item): Columns {
	const { phoneNumber, contactId, email, firstName, lastName, fieldMapping } = body as Columns;
	const named = { phoneNumber, contactId, email, firstName, lastName, fieldMapping };
	return Object.fromEntries(Object.entries(named).filter(([, column]) => column !== undefined));
}
