import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../../../execution/item';
import { Backoff } from './backoff';
import { sourceOf, waitSettings } from './settings';
import { startImport } from './start';
import { describeProgress, isRunning, waitForEnd } from './wait';

/** The numbers of an import that are put out. */
const counts = ['totalCount', 'successCount', 'failedCount'];

/**
 * Starts an import, waits for its end where that is wanted, and returns what there is to say of it. One that is still
 * running when the time is over is no failure: the output says so, and how to ask again.
 */
export async function runImport(item: Item, body: IDataObject): Promise<IDataObject> {
	const settings = waitSettings(item);
	const patience = new Backoff(settings, item.run.context.getExecutionCancelSignal());
	// Several files of one run wait for each other, as there can be one import at a time.
	const own = item.run.once('own import', () => ({ mayRun: false }));
	settings.forOthers ||= own.mayRun;
	const importId = await startImport(item, body, patience, sourceOf(item) !== 'id');
	own.mayRun = true;
	// The reference has no answer here; services that can tell how an import goes give the ID to ask by.
	const started = { success: true, started: true, fileId: body.fileId, ...(importId && { importId }) };
	if (!settings.forEnd) return started;
	if (!importId) {
		item.hint('This service does not tell how an import goes, so its end was not waited for.');
		return started;
	}
	const record = await waitForEnd(item, importId, patience);
	own.mayRun = isRunning(record);
	if (own.mayRun) item.hint(stillRunning(record, settings.maxMinutes));
	return {
		...started,
		status: record.status,
		...Object.fromEntries(counts.map((name) => [name, record[name]])),
		errorSample: record.errorSample ?? [],
	};
}

const stillRunning = (record: IDataObject, minutes: number) =>
	`The import ${String(record.id)} is still running after ${minutes} min (${describeProgress(record)}). Use Get Import Status with this ID to see how it ends.`;
