import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { isNotFound, recover } from '../../transport/errors/ApiError';
import { readPages } from '../../transport/lists/pages';
import { readRecord } from '../../transport/lists/records';
import type { Requester } from '../../transport/request';
import { anyText, numericId, pathValue, pickFields } from '../../contract/values';
import { simpleSequence, workspaceApi } from '../../contract/workspace';
import { findListEndpoint } from '../../contacts/channels';
import { compareWithSnapshot, WHOLE } from './wholeLists';
import type { Rows, Snapshot } from './wholeLists';
import type { TriggerEvent, Watcher } from '../types';

const statuses = z.array(anyText.min(1, 'must not be empty'), 'must be a list of statuses').default([]);

const broadcastParameters = z.object({ statuses });

const broadcastStatusChanged: TriggerEvent<typeof broadcastParameters> = {
	value: 'broadcastStatusChanged',
	parameters: broadcastParameters,
	ifNoSample: 'Create a broadcast in the workspace.',
	watch: (client, { parameters }) =>
		watchStatuses(() => readPages(client, workspaceApi.listBroadcasts, {}, WHOLE), parameters.statuses),
};

const channelParameters = z.object({
	statuses,
	inboxIds: z.array(numericId, 'must be a list of channel IDs').default([]),
});

const channelStatusChanged: TriggerEvent<typeof channelParameters> = {
	value: 'channelStatusChanged',
	parameters: channelParameters,
	ifNoSample: 'Connect a channel to the workspace, or select other channels.',
	watch: (client, { parameters }) =>
		watchStatuses(() => readWatchedChannels(client, parameters.inboxIds), parameters.statuses),
};

async function* readWatchedChannels(client: Requester, ids: string[]): AsyncGenerator<Rows> {
	const endpoint = await findListEndpoint(client, workspaceApi.listChannels);
	for await (const { rows } of readPages(client, endpoint, {}, WHOLE))
		yield { rows: rows.filter(({ id }) => ids.length === 0 || ids.includes(String(id))) };
}

const sequenceParameters = z.object({
	sequenceIds: z.array(pathValue, 'must be a list of sequence IDs').default([]),
});

/** A new sequence counts as activated if it is active (part 2.8). */
const sequenceActiveChanged: TriggerEvent<typeof sequenceParameters> = {
	value: 'sequenceActiveChanged',
	parameters: sequenceParameters,
	ifNoSample: 'Create a sequence in the workspace.',
	watch: (client, { parameters: { sequenceIds }, simplify: isSimplified }) =>
		watchStates({
			read: (isFirst) => readSequences(client, sequenceIds, isFirst),
			getState: ({ active }) => String(active === true),
			isEvent: (state, previous) => state === 'true' || previous !== null,
			makeItem: (record, previous) => ({
				...(isSimplified ? pickFields(simpleSequence, record) : record),
				previousActive: previous && previous === 'true',
			}),
		}),
};

export const statusEvents = [broadcastStatusChanged, channelStatusChanged, sequenceActiveChanged];

/** Reads all or some sequences. A missing one is an error the first time, when its ID may be wrong; later it was deleted. */
async function* readSequences(client: Requester, ids: string[], isFirst: boolean): AsyncGenerator<Rows> {
	if (ids.length === 0) return yield* readPages(client, workspaceApi.listSequences, {}, WHOLE);
	const ifMissing = isFirst ? undefined : recover(isNotFound, (): IDataObject[] => []);
	const read = async (sequenceId: string) =>
		await readRecord(client, workspaceApi.getSequence, { params: { sequenceId } }).then(
			(record) => [record],
			ifMissing,
		);
	yield { rows: (await Promise.all(ids.map(read))).flat() };
}

/** Records with a state, and which changes of it are events. */
interface States {
	/** Reads the records; `isFirst` if there was no poll before. */
	read(isFirst: boolean): AsyncIterable<Rows>;
	getState(record: IDataObject): string;
	/** Whether it is an event that a record gets a state; `previous` is null for a new record. */
	isEvent(state: string, previous: string | null): boolean;
	makeItem(record: IDataObject, previous: string | null): IDataObject;
}

/** Watches the status of records; without chosen ones, each new status is an event. */
const watchStatuses = (read: States['read'], chosen: string[]) =>
	watchStates({
		read,
		getState: ({ status }) => String(status),
		isEvent: (status) => chosen.length === 0 || chosen.includes(status),
		makeItem: (record, previousStatus) => ({ ...record, previousStatus }),
	});

/** Compares the state of each record (part 3) with its state at the last poll. */
function watchStates({ read, getState, isEvent, makeItem }: States): Watcher {
	return {
		async poll(memory: Snapshot | undefined) {
			const readAll = () => read(!memory);
			const { changes, snapshot } = await compareWithSnapshot(readAll, (each) => [getState(each)], memory);
			const items: IDataObject[] = [];
			let mustSave = false;
			for (const { record, added, removed } of changes) {
				const [state] = added;
				const [previous = null] = removed;
				if (isEvent(state, previous)) items.push(makeItem(record, previous));
				// The return of a record to its previous state can be an event.
				else mustSave ||= previous !== null && isEvent(previous, state);
			}
			return { items, memory: snapshot, mustSave };
		},

		async sample() {
			let first: IDataObject | undefined;
			for await (const { rows } of read(true)) {
				const found = rows.find((record) => isEvent(getState(record), null));
				if (found) return makeItem(found, null);
				first ??= rows[0];
			}
			return first && makeItem(first, null);
		},
	};
}
