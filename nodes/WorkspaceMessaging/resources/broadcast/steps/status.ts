import type { IDataObject } from 'n8n-workflow';
import { workspaceApi } from '../../../contract/workspace';
import { lookups } from '../../../panel/lookups';
import { subjectLocator } from '../../../panel/lookups/locators';
import type { AnyItem } from '../../../run/item';
import { readRecord } from '../../../service/lists/records';
import {
	errorBeforeChange,
	isNotFound,
	isRefusal,
	refusedError,
	type ApiError,
} from '../../../transport/errors/ApiError';
import { joinSentences } from '../../../transport/errors/sentences';
import { quoted } from '../../../values/labels';

/** The broadcast that an operation is about. Names are not unique, so it has an ID. */
export const broadcastToChange = subjectLocator(lookups.broadcasts, 'broadcastId');

/** Reads a broadcast before a step. */
export const readBroadcast = async (item: AnyItem, broadcastId: string): Promise<IDataObject> =>
	await readRecord(item, workspaceApi.getBroadcast, { params: { broadcastId } }).catch(
		errorBeforeChange('changed'),
	);

/** What each status means. */
const meanings: Record<string, string> = {
	draft: 'is a draft',
	scheduled: 'is scheduled',
	sending: 'is being sent',
	sent: 'has been sent',
	cancelled: 'was stopped',
	failed: 'was sent, but nobody got it',
};

/** What each step needs. */
const needs = {
	schedule: 'Only a draft can be scheduled.',
	stop: 'Only a broadcast that is scheduled or being sent can be stopped.',
	delete: 'Only a draft can be deleted.',
};

/** Returns the error for a step that a broadcast can't take in its status. */
export function wrongStatusError({ id, name, status }: IDataObject, step: keyof typeof needs) {
	const text = String(status);
	const meaning = meanings[text] ?? `has the status ${quoted(text)}`;
	const isBeforeStop = text === 'scheduled' && step !== 'stop';
	return refusedError(
		`The broadcast ${quoted(String(name))} (${String(id)}) ${meaning}.`,
		joinSentences(
			needs[step],
			isBeforeStop ? 'Use Stop first; it is a draft again then.' : undefined,
		),
	);
}

/**
 * Whether the status of a broadcast says what became of a step: its answer is lost, or the status
 * has changed before it.
 */
export const isSettledByStatus = (error: ApiError): boolean =>
	error.details.outcome === 'unknown' ||
	(error.details.reason !== 'operationMissing' && (isNotFound(error) || isRefusal(error)));
