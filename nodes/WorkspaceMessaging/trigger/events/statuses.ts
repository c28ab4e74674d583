import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { isNotFound, recover } from '../../transport/errors/ApiError';
import { readPages, readRecord } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { choices } from '../../contract/limits';
import { anyText, numericId, pathValue } from '../../contract/values';
import { broadcastListItem, channel, workspaceApi } from '../../contract/workspace';
import type { Field } from '../../execution/operation';
import { channelList } from '../../contacts/list/channels';
import { simpleSequence, simplifySequence } from '../../resources/sequence';
import { optionsOf, simplify } from '../../resources/shared/fields';
import { multiSelect } from '../../resources/shared/lookupFields';
import { lookups } from '../../resources/shared/lookups';
import { WHOLE } from '../lists';
import type { Rows } from '../lists';
import { compareWithSnapshot } from '../snapshot';
import type { Snapshot } from '../snapshot';
import type { TriggerEvent, Watcher } from '../types';

const statusesField = (statuses: readonly string[], records: string): Field => ({
	displayName: 'New Status',
	name: 'statuses',
	type: 'multiOptions',
	options: optionsOf(statuses),
	default: [],
	description: `Statuses that start the workflow. Leave empty for any. To name another one, use an <a href="https://docs.n8n.io/code/expressions/">expression</a>. Each poll reads all ${records} (one request per ${WHOLE.perPage}).`,
});
const statuses = z.array(anyText.min(1, 'must not be empty'), 'must be a list of statuses').default([]);

const broadcastParameters = z.object({ statuses });

const broadcastStatusChanged: TriggerEvent<typeof broadcastParameters> = {
	name: 'Broadcast Status Changed',
	value: 'broadcastStatusChanged',
	description: 'When a broadcast is scheduled, begins to be sent, or has been sent',
	fields: [statusesField(choices.broadcastStatuses, 'broadcasts')],
	parameters: broadcastParameters,
	output: broadcastListItem.extend({ previousStatus: z.string().nullable() }),
	watch: (client, { parameters }) =>
		watchStates(
			() => readPages(client, workspaceApi.listBroadcasts, {}, WHOLE),
			statusIn(parameters.statuses),
		),
};

export const inboxIdsField = multiSelect(lookups.channels, 'inboxIds', {
	description: 'Channels to watch. Leave empty to watch all.',
});

const channelParameters = z.object({
	statuses,
	inboxIds: z.array(numericId, 'must be a list of channel IDs').default([]),
});

const channelStatusChanged: TriggerEvent<typeof channelParameters> = {
	name: 'Channel Status Changed',
	value: 'channelStatusChanged',
	description: 'When a channel (inbox) is connected or loses its connection',
	fields: [statusesField(choices.channelStatuses, 'channels'), inboxIdsField],
	parameters: channelParameters,
	output: channel.extend({ previousStatus: z.string().nullable() }),
	watch: (client, { parameters }) =>
		watchStates(() => readChannels(client, parameters.inboxIds), statusIn(parameters.statuses)),
};

async function* readChannels(client: Requester, ids: string[]): AsyncGenerator<Rows> {
	for await (const { rows } of readPages(client, await channelList(client), {}, WHOLE))
		yield { rows: rows.filter(({ id }) => ids.length === 0 || ids.includes(String(id))) };
}

const sequenceIdsField = multiSelect(lookups.sequences, 'sequenceIds', {
	description: 'Sequences to watch (one request each per poll). Leave empty to watch all.',
});

const sequenceParameters = z.object({
	sequenceIds: z.array(pathValue, 'must be a list of sequence IDs').default([]),
});

/** A new sequence counts as activated if it is active (part 2.8). */
const sequenceActiveChanged: TriggerEvent<typeof sequenceParameters> = {
	name: 'Sequence Activated or Deactivated',
	value: 'sequenceActiveChanged',
	description: 'When a sequence is switched on or off',
	fields: [sequenceIdsField, simplify],
	parameters: sequenceParameters,
	output: simpleSequence.extend({ previousActive: z.boolean().nullable() }),
	watch: (client, { parameters: { sequenceIds }, simplify: isSimplified }) =>
		watchStates((isFirst) => readSequences(client, sequenceIds, isFirst), {
			stateOf: ({ active }) => String(active === true),
			isEvent: (state, previous) => state === 'true' || previous !== null,
			toItem: (record, previous) => ({
				...(isSimplified ? simplifySequence(record) : record),
				previousActive: previous === null ? null : previous === 'true',
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

/** The states of records, and which changes of them are events. */
interface States {
	stateOf(record: IDataObject): string;
	/** Whether it is an event that a record gets a state; `previous` is null for a new record. */
	isEvent(state: string, previous: string | null): boolean;
	toItem(record: IDataObject, previous: string | null): IDataObject;
}

/** The status of records as their state; if the user chose none, each new status is an event. */
const statusIn = (chosen: string[]): States => ({
	stateOf: ({ status }) => String(status),
	isEvent: (status) => chosen.length === 0 || chosen.includes(status),
	toItem: (record, previousStatus) => ({ ...record, previousStatus }),
});

/** Compares the state of each record (part 3) with its state at the last poll; `isFirst` if there was none. */
function watchStates(read: (isFirst: boolean) => AsyncIterable<Rows>, states: States): Watcher {
	const { stateOf, isEvent, toItem } = states;
	return {
		async poll(memory: Snapshot | undefined) {
			const statesOf = (record: IDataObject) => [stateOf(record)];
			const { changes, snapshot } = await compareWithSnapshot(() => read(!memory), statesOf, memory);
			const items: IDataObject[] = [];
			let mustSave = false;
			for (const {
				record,
				added: [state],
				removed: [previous = null],
			} of changes) {
				if (isEvent(state, previous)) items.push(toItem(record, previous));
				// The return of a record to its previous state can be an event.
				else mustSave ||= previous !== null && isEvent(previous, state);
			}
			return { items, memory: snapshot, mustSave };
		},

		async sample() {
			const records: IDataObject[] = [];
			for await (const { rows } of read(true)) records.push(...rows);
			const record = records.find((each) => isEvent(stateOf(each), null)) ?? records[0];
			return record && toItem(record, null);
		},
	};
}
