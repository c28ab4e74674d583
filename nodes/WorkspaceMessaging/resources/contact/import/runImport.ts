import type { IDataObject } from 'n8n-workflow';
import {
	ApiError,
	onApiError,
	partiallyDoneError,
	refusedError,
} from '../../../transport/errors/ApiError';
import { endSentence, joinSentences } from '../../../transport/errors/sentences';
import { objectsIn, toObject } from '../../../transport/guards';
import { readPagedList } from '../../../service/lists/pages';
import { readRecord } from '../../../service/lists/records';
import { pause } from '../../../transport/retry/delays';
import { contactApi } from '../../../contract/contact';
import { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import { counted } from '../../../values/labels';
import { refuseTooManyColumns } from './checkColumns';
import type { Columns } from './columnNames';
import { getImportCountryCode } from './countryCode';
import {
	describeExisting,
	describeFailedRows,
	explainFailedRows,
	separateExisting,
	type SkippedRows,
} from './failedRows';
import { ifAnotherRuns, maxWait, onFailedRows } from './importFields';

const FIRST_INTERVAL_MS = 500;
const LONGEST_INTERVAL_MS = 10_000;

/** An import whose answer was lost is one of the newest. */
const IMPORTS_SEARCHED = 50;
/**
 * When it is looked for: at once, and again after pauses, because the service can still be busy
 * with it.
 */
const LOOKS_AFTER_MS = [0, 1000, 3000];

/**
 * Waits, each time longer, and returns true; returns false at once if the time of an import is
 * over.
 */
type Backoff = () => Promise<boolean>;

/** One import waits for others and for its own end with the same backoff. */
function createBackoff(item: Item): Backoff {
	const maxMinutes = item.value(maxWait);
	const signal = item.run.cancelSignal;
	const deadline = performance.now() + maxMinutes * 60_000;
	let pauseMs = FIRST_INTERVAL_MS;
	return async () => {
		const left = deadline - performance.now();
		if (left <= 0) return false;
		await pause(Math.min(pauseMs, left), signal);
		pauseMs = Math.min(pauseMs * 1.5, LONGEST_INTERVAL_MS);
		return true;
	};
}

/**
 * Whether an import that this run started may still be running; then its other imports wait for it.
 */
const ownImport = oncePerRun(() => ({ mayRun: false }));

/**
 * Starts an import, waits for its end if the user wants that, and returns its output. An import
 * that takes longer is no failure: the output has its status, and a hint says how to see its end.
 *
 * @param isOwnFile whether the file was uploaded for this import alone
 * @param linkToItems adds the items that rows come from, if that is certain
 */
export async function runImport(
	item: Item,
	body: IDataObject & Columns,
	isOwnFile = true,
	linkToItems = (rows: IDataObject[]) => rows,
): Promise<IDataObject> {
	refuseTooManyColumns(body);
	const backoff = createBackoff(item);
	const own = ownImport(item);
	const waitsForOthers = own.mayRun || item.value(ifAnotherRuns) === 'wait';
	const importId = await startImport(item, body, waitsForOthers ? backoff : undefined, isOwnFile);
	own.mayRun = true;
	const ids = { started: true, fileId: body.fileId, ...(importId && { importId }) };
	const started = { success: true, ...ids };
	// An expression can return the switch as text.
	if (String(item.parameter('waitForCompletion', false)) !== 'true') return started;
	if (!importId) {
		item.hint("This service doesn't report the progress of imports, so the node didn't wait.");
		return started;
	}
	const record = await waitForEnd(item, importId, backoff);
	own.mayRun = isRunning(record);
	if (record.status === 'failed') throw failedImport(record);
	// All rows that the service lists show how it counts them.
	const errorSample = linkToItems(objectsIn(record.errorSample));
	const skipped = separateExisting({ ...record, errorSample });
	if (own.mayRun) hintAtRunningImport(item, importId, record);
	else reportSkippedRows(item, skipped, record, body);
	return describeImport(record, skipped, ids);
}

/** Returns the output of an import: what people look for comes first. */
function describeImport(record: IDataObject, skipped: SkippedRows, ids: IDataObject): IDataObject {
	const { status, totalCount, successCount } = record;
	const { existingCount, existingSample, failedCount, errorSample } = skipped;
	const hasExisting = existingCount !== undefined;
	return {
		success: failedCount === 0,
		status,
		totalCount,
		successCount,
		...(hasExisting && { existingCount }),
		failedCount,
		...ids,
		...(hasExisting && { existingSample }),
		errorSample,
	};
}

/** Says that the node no longer waits for an import, and how to see its end. */
function hintAtRunningImport(item: Item, importId: string, record: IDataObject) {
	const minutes = item.value(maxWait);
	const rows = describeRows(record);
	item.hint(
		`The import ${importId} is still running after ${minutes} min (${rows}). Use Get Import Status with this ID to see how it ends.`,
		{ key: 'stillRunning', summary: '{count} imports are still running.' },
	);
}

/**
 * Starts an import (API §4.1) and returns its ID if the service answers with one. A workspace has
 * one import at a time. If the answer is lost, the import is found by its file if no other has it;
 * it is never started a second time.
 *
 * @param backoff waits for other imports; without it, another import is an error
 */
async function startImport(
	item: Item,
	body: IDataObject,
	backoff: Backoff | undefined,
	isOwnFile: boolean,
): Promise<string | undefined> {
	const goOn = async (error: ApiError) => {
		const { outcome, reason } = error.details;
		if (outcome === 'unknown') {
			const importId = isOwnFile ? await findImport(item, body.fileId) : undefined;
			if (importId === undefined) throw error;
			return importId;
		}
		if (reason !== 'importRunning' || !backoff) throw error;
		await waitForOther(item, backoff);
		return await startImport(item, body, backoff, isOwnFile);
	};
	const answer = item.request(contactApi.importContacts, { body });
	return await answer.then(readImportId).catch(onApiError(() => true, goOn));
}

/** Reads the ID of an import that a service has started; older services return none. */
function readImportId(answer: unknown) {
	const { importId } = toObject(answer);
	return importId ? String(importId) : undefined;
}

/** Waits a while for another import. Throws an `ApiError` when the time is over. */
async function waitForOther(item: Item, backoff: Backoff) {
	item.run.waitsFor = 'another import of the workspace to end';
	const hasWaited = await backoff();
	item.run.waitsFor = undefined;
	if (hasWaited) return;
	throw refusedError(
		`Another import was still running in the workspace after ${item.value(maxWait)} min.`,
		'Try again when it has finished, or increase Max Wait.',
	);
}

/**
 * Looks for the import of a file and returns its ID; undefined if there is none, or the imports
 * cannot be read.
 */
async function findImport(item: Item, fileId: unknown) {
	try {
		for (const ms of LOOKS_AFTER_MS) {
			await pause(ms, item.run.cancelSignal);
			const imports = await readPagedList(
				item,
				undocumentedApi.listImports,
				{ query: { perPage: IMPORTS_SEARCHED } },
				IMPORTS_SEARCHED,
			);
			const found = imports.find((record) => record.fileId === fileId);
			if (found) return String(found.id);
		}
	} catch {
		// The error of the import itself says more.
	}
	return undefined;
}

const isRunning = ({ status }: IDataObject) => status !== 'completed' && status !== 'failed';

/**
 * Waits for the end of an import as long as there is time, and reports its progress in n8n's log.
 * Returns the record that the service shows last. Throws an `ApiError` if its progress cannot be
 * read.
 */
async function waitForEnd(item: Item, importId: string, backoff: Backoff) {
	const params = { importId };
	const explain = (error: ApiError) => {
		throw partiallyDoneError(
			error,
			`The import ${importId} was started, but its progress can't be read; try Get Import Status with this ID later.`,
		);
	};
	try {
		for (;;) {
			const record = await readRecord(item, undocumentedApi.getImport, { params }).catch(explain);
			if (!isRunning(record)) return record;
			const rows = describeRows(record);
			item.run.waitsFor = `the import ${importId} (${rows})`;
			const hasTime = await backoff();
			if (!hasTime) return record;
		}
	} finally {
		item.run.waitsFor = undefined;
	}
}

/** The progress of an import: `40 of 120 rows`. */
const describeRows = ({ processedCount = 0, totalCount = 0 }: IDataObject) =>
	`${Number(processedCount).toLocaleString('en-US')} of ${Number(totalCount).toLocaleString('en-US')} rows`;

/**
 * Shows at the output which rows of an import were not imported, or throws an `ApiError` if the user
 * wants that for failed ones.
 */
function reportSkippedRows(
	item: Item,
	skipped: SkippedRows,
	{ totalCount, successCount }: IDataObject,
	destination: IDataObject,
) {
	if (skipped.existingCount !== undefined) {
		const existing = describeExisting(skipped);
		item.hint(existing, {
			key: 'existingContacts',
			summary: '{count} imports have contacts that were on the channel already.',
		});
	}
	if (skipped.failedCount === 0) return;
	const what = describeFailedRows(skipped, totalCount);
	const { channel } = destination;
	const explained = explainFailedRows(skipped, {
		channel,
		countryCode: getImportCountryCode(item),
	});
	if (item.value(onFailedRows) === 'continue') {
		const hint = joinSentences(what, explained);
		item.hint(hint, { key: 'failedRows', summary: '{count} imports have failed rows.' });
		return;
	}
	const imported = Number(successCount);
	const advice = joinSentences(explained, 'Correct the failed rows and import them again.');
	const others = `The other ${counted(imported, 'row was', 'rows were')} imported.`;
	throw new ApiError(what, {
		outcome: imported === 0 ? 'refused' : 'partlyDone',
		cause: imported === 0 ? 'No row was imported.' : others,
		advice,
	});
}

function failedImport({ id, errorMessage, successCount }: IDataObject) {
	const said = String(errorMessage ?? '');
	const why = said ? `: ${endSentence(said)}` : '.';
	const count = Number(successCount);
	return new ApiError(`The import ${String(id)} failed${why}`, {
		outcome: count === 0 ? 'refused' : 'partlyDone',
		cause: `Before that it created ${counted(count, 'contact')}.`,
		serverMessage: said,
	});
}
