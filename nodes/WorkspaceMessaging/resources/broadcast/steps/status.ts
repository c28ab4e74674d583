import type { IDataObject } from 'n8n-workflow';
import { statusNeededTo } from '../../../contract/broadcast';
import type { Endpoint } from '../../../contract/endpoint';
import { workspaceApi } from '../../../contract/workspace';
import { lookups } from '../../../panel/lookups';
import { subjectLocator } from '../../../panel/lookups/locators';
import type { AnyItem } from '../../../run/item';
import { readRecord } from '../../../service/lists/records';
import {
	errorBeforeChange,
	isAnswer,
	mayHaveChanged,
	onApiError,
	refusedError,
} from '../../../transport/errors/ApiError';
import { joinSentences } from '../../../transport/errors/sentences';
import { quoted } from '../../../values/labels';

/** The broadcast that an operation is about. Names are not unique, so it has an ID. */
export const broadcastToChange = subjectLocator(lookups.broadcasts, 'broadcastId');

/** Reads a broadcast. Throws an `ApiError` that says that nothing was changed. */
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

/** Returns the error for a step that needs another status than the broadcast has. */
export function wrongStatusError({ id, name, status }: IDataObject, step: keyof typeof needs) {
	const text = String(status);
	const meaning = meanings[text] ?? `has the status ${quoted(text)}`;
	const isScheduled = text === statusNeededTo.moveToDraft;
	const advice = isScheduled ? 'Use Stop first; it is a draft again then.' : undefined;
	return refusedError(
		`The broadcast ${quoted(String(name))} (${String(id)}) ${meaning}.`,
		joinSentences(needs[step], advice),
	);
}

/**
 * Sends the request of a step from one status to another. Returns undefined if it is done. If the
 * service refused it, or its answer was lost, returns the error and the broadcast as it is now, which
 * shows what became of it. Throws the error if the broadcast cannot be read, and any other error.
 */
export async function sendStep(
	item: AnyItem,
	endpoint: Endpoint,
	broadcastId: string,
	body?: IDataObject,
) {
	return await item.request(endpoint, { params: { broadcastId }, body }).then(
		() => undefined,
		onApiError(
			(error) => mayHaveChanged(error) || isAnswer(error),
			async (error) => {
				const now = await readBroadcast(item, broadcastId).catch(() => {
					throw error;
				});
				return { error, now };
			},
		),
	);
}
