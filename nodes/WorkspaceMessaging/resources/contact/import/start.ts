import type { IDataObject } from 'n8n-workflow';
import { ApiError, rejected } from '../../../transport/errors/errors';
import { readPages } from '../../../transport/pagination';
import { pause } from '../../../transport/pause';
import { rethrow } from '../../../transport/rethrow';
import { importContacts } from '../../../contract';
import { listImports } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import type { Backoff } from './backoff';

/** An import is looked for among so many of the newest. */
const PAGE = { perPage: 50, pages: () => 1 };
/** When it is looked for: at once, and later, as the service can still be busy with it. */
const LOOKS_AFTER_MS = [0, 1000, 3000];

/**
 * Starts an import (part 4.1) and returns its ID, where the service gives one. There can be one at a time: where another is
 * running, this waits for it, if it may.
 *
 * When the answer is lost, the import is looked for by its file, and never started a second time. The error of one that is
 * not found says that nobody knows.
 *
 * @param isOwnFile whether the file was uploaded for this import, so that any import of it is this one
 */
export async function startImport(
	item: Item,
	body: IDataObject,
	patience: Backoff,
	isOwnFile: boolean,
): Promise<string | undefined> {
	for (;;) {
		try {
			const answer = (await item.request(importContacts, { body })) as IDataObject | undefined;
			return idOf(answer?.importId);
		} catch (error) {
			if (!(error instanceof ApiError)) return await rethrow(error);
			if (error.details.outcome === 'unknown') {
				const importId = isOwnFile ? await importOf(item, body.fileId, patience.signal) : undefined;
				return importId ?? (await rethrow(error));
			}
			if (!patience.settings.forOthers || error.details.reason !== 'importRunning')
				return await rethrow(error);
			await waitForOthers(item, patience);
		}
	}
}

const idOf = (value: unknown) => (value === undefined || value === null ? undefined : String(value));

async function waitForOthers(item: Item, patience: Backoff) {
	item.run.waitsFor = 'another import of the workspace to end';
	const hasWaited = await patience.wait();
	item.run.waitsFor = undefined;
	if (!hasWaited)
		throw rejected(
			`Another import was still running in the workspace after ${patience.settings.maxMinutes} min.`,
			'Try again when it has ended, or set a longer Max Wait.',
		);
}

/** The ID of the import of a file; undefined when there is none, or nobody knows. */
async function importOf(item: Item, fileId: unknown, signal?: AbortSignal): Promise<string | undefined> {
	try {
		for (const ms of LOOKS_AFTER_MS) {
			await pause(ms, signal);
			const newest = readPages(item, listImports, {}, PAGE);
			for await (const { rows } of newest) {
				const found = rows.find((row) => row.fileId === fileId);
				if (found) return idOf(found.id);
				break;
			}
		}
	} catch {
		// What the first request has ended with says more than that nobody could look.
	}
	return undefined;
}
