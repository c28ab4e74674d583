import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { findChannelListEndpoint } from '../../service/capabilities';
import { choices } from '../../contract/limits';
import { anyText, boolean, pathValue, pickFields, stringOrNull } from '../../contract/values';
import { broadcastListItem, channel, simpleSequence, workspaceApi } from '../../contract/workspace';
import { simplify, toSortedOptions } from '../../panel/fields';
import { multiSelectLocator } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';
import type { Field } from '../../run/operation';
import { isNotFound, onApiError } from '../../transport/errors/ApiError';
import type { Rows } from '../../service/lists/repeatedReadings';
import { readPages } from '../../service/lists/pages';
import { readRecord } from '../../service/lists/records';
import type { Requester } from '../../transport/request';
import { inboxIds, inboxIdsField } from '../eventFields';
import type { PollingEvent, Watcher } from '../types';
import { watchStates } from './states';
import { WHOLE } from './wholeLists';

const makeStatusesField = (known: readonly string[], records: string): Field => ({
	displayName: 'New Status',
	name: 'statuses',
	type: 'multiOptions',
	options: toSortedOptions(known),
	default: [],
	description: `Statuses that start the workflow. Leave empty for any. To enter another one, use an <a href="https://docs.n8n.io/code/expressions/">expression</a>. Each poll reads all ${records}, 50 per request on most services.`,
});

const statuses = z
	.array(anyText.min(1, 'must not be empty'), 'must be a list of statuses')
	.default([]);

/** With the status at the last poll; null for a new record. */
const withPrevious = { previousStatus: stringOrNull };

const broadcastParameters = z.object({ statuses });

export const broadcastStatusChanged: PollingEvent<typeof broadcastParameters> = {
	name: 'Broadcast Status Changed',
	value: 'broadcastStatusChanged',
	description:
		'When a broadcast is scheduled, starts, or has been sent; Get Recipients then lists who got it',
	fields: [makeStatusesField(choices.broadcastStatuses, 'broadcasts')],
	parameters: broadcastParameters,
	output: broadcastListItem.extend(withPrevious),
	ifNoSample: 'Create a broadcast in the workspace.',
	watch: (client, { parameters }) =>
		watchStatuses(
			() => readPages(client, workspaceApi.listBroadcasts, {}, WHOLE),
			parameters.statuses,
		),
};

const channelParameters = z.object({ statuses, inboxIds });

export const channelStatusChanged: PollingEvent<typeof channelParameters> = {
	name: 'Channel Status Changed',
	value: 'channelStatusChanged',
	description: 'When a channel (inbox) is connected or loses its connection',
	fields: [makeStatusesField(choices.channelStatuses, 'channels'), inboxIdsField],
	parameters: channelParameters,
	output: channel.extend(withPrevious),
	ifNoSample: 'Connect a channel to the workspace, or select other channels.',
	watch: (client, { parameters }) =>
		watchStatuses(() => readWatchedChannels(client, parameters.inboxIds), parameters.statuses),
};

/** Reads the channels, of which the chosen ones count; all if none is chosen. */
async function* readWatchedChannels(client: Requester, ids: string[]): AsyncGenerator<Rows> {
	const endpoint = await findChannelListEndpoint(client, workspaceApi.listChannels);
	const isWatched = ({ id }: IDataObject) => {
		if (ids.length === 0) return true;
		return ids.includes(String(id));
	};
	for await (const { rows } of readPages(client, endpoint, {}, WHOLE)) {
		const watched = rows.filter(isWatched);
		yield { rows: watched };
	}
}

/** Watches the status of records; without chosen ones, each new status is an event. */
const watchStatuses = (read: () => AsyncIterable<Rows>, chosen: string[]): Watcher =>
	watchStates({
		read,
		getState: ({ status }) => String(status),
		isEvent: (status) => chosen.length === 0 || chosen.includes(status),
		makeItem: (record, previous) => ({ ...record, previousStatus: previous }),
	});

const sequenceIdsField = multiSelectLocator(lookups.sequences, 'sequenceIds', {
	description: 'Sequences to watch (one request each per poll). Leave empty to watch all.',
});

const sequenceParameters = z.object({
	sequenceIds: z.array(pathValue, 'must be a list of sequence IDs').default([]),
});

/** A new sequence counts as activated if it is active (part 2.8). */
export const sequenceActiveChanged: PollingEvent<typeof sequenceParameters> = {
	name: 'Sequence Activated or Deactivated',
	value: 'sequenceActiveChanged',
	description: 'When a sequence is switched on or off',
	fields: [sequenceIdsField, simplify],
	parameters: sequenceParameters,
	output: simpleSequence.extend({ previousActive: boolean.nullable() }),
	ifNoSample: 'Create a sequence in the workspace.',
	watch: (client, { parameters: { sequenceIds }, simplify: isSimplified }) =>
		watchStates({
			read: (isFirst) => readWatchedSequences(client, sequenceIds, isFirst),
			getState: ({ active }) => String(active === true),
			isEvent: (state, previous) => state === 'true' || previous !== null,
			makeItem: (record, previous) => {
				const shown = isSimplified ? pickFields(simpleSequence, record) : record;
				const previousActive = previous && previous === 'true';
				return { ...shown, previousActive };
			},
		}),
};

/**
 * Reads all or some sequences. A missing one is an error the first time, when its ID may be wrong;
 * later it was deleted.
 */
async function* readWatchedSequences(
	client: Requester,
	ids: string[],
	isFirst: boolean,
): AsyncGenerator<Rows> {
	if (ids.length === 0) return yield* readPages(client, workspaceApi.listSequences, {}, WHOLE);
	const ifMissing = isFirst ? undefined : onApiError(isNotFound, (): IDataObject[] => []);
	const read = async (sequenceId: string) => {
		const params = { sequenceId };
		const record = readRecord(client, workspaceApi.getSequence, { params });
		return await record.then((found) => [found], ifMissing);
	};
	const found = await Promise.all(ids.map(read));
	yield { rows: found.flat() };
}
