import type { IDataObject } from 'n8n-workflow';
import { ApiError, partiallyDone, sentence } from '../../../transport/errors/errors';
import { readRecord } from '../../../transport/pagination';
import { getImport } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import type { Backoff } from './backoff';

const ENDED = ['completed', 'failed'];

/** Whether an import has not come to its end, as far as its record shows. */
export const isRunning = ({ status, completedAt }: IDataObject) =>
	!ENDED.includes(String(status)) && !completedAt;

/**
 * Waits for the end of an import that has been started, as long as there is time, with its progress in n8n's log.
 * Returns it as the service shows it last. Throws an `ApiError` when it fails, or when nobody can say how it goes.
 */
export async function waitForEnd(item: Item, importId: string, patience: Backoff): Promise<IDataObject> {
	try {
		for (;;) {
			const record = await readStatus(item, importId);
			if (!isRunning(record)) return refuseFailed(record);
			item.run.waitsFor = `the import ${importId} (${describeProgress(record)})`;
			if (!(await patience.wait())) return record;
			if (patience.signal?.aborted)
				throw new ApiError(`The execution was cancelled, but the import ${importId} goes on.`, {
					outcome: 'unknown',
				});
		}
	} finally {
		item.run.waitsFor = undefined;
	}
}

/** How far an import is: `40 of 120 rows`. */
export const describeProgress = ({ processedCount = 0, totalCount = 0 }: IDataObject) =>
	`${Number(processedCount).toLocaleString('en-US')} of ${Number(totalCount).toLocaleString('en-US')} rows`;

async function readStatus(item: Item, importId: string): Promise<IDataObject> {
	return await readRecord(item, getImport, { params: { importId } }).catch((error: ApiError) => {
		const later = 'Get Import Status with this ID tells later';
		throw partiallyDone(
			error,
			`The import ${importId} was started, but how it goes cannot be read; ${later}.`,
		);
	});
}

function refuseFailed(record: IDataObject): IDataObject {
	if (record.status !== 'failed') return record;
	const { id, errorMessage, successCount } = record;
	const said = String(errorMessage ?? '');
	const count = Number(successCount);
	throw new ApiError(`The import ${String(id)} failed${said ? `: ${sentence(said)}` : '.'}`, {
		outcome: count === 0 ? 'refused' : 'unknown',
		cause: `Before that it created ${count.toLocaleString('en-US')} ${count === 1 ? 'contact' : 'contacts'}.`,
		serverMessage: said,
	});
}
