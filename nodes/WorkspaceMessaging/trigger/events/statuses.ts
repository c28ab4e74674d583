import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	broadcastListItem,
	broadcastStatuses,
	channel,
	channelStatuses,
	listBroadcasts,
} from '../../contract';
import { channelList } from '../../resources/channel/channelList';
import { optionsOf } from '../../resources/shared/fields';
import type { TriggerEvent, Watch } from '../event';
import { readRecords, WHOLE } from '../lists';
import { Snapshot } from '../snapshot';
import type { StoredSnapshot } from '../snapshot';

const broadcastStatus: INodeProperties = {
	displayName: 'New Status',
	name: 'statuses',
	type: 'multiOptions',
	options: optionsOf(broadcastStatuses),
	default: [],
	description: `The statuses that start the workflow when a broadcast gets them, none for any. Every poll reads the list of all broadcasts: one request for each ${WHOLE.perPage}, and one more to find the end.`,
};

export const broadcastStatusChanged: TriggerEvent = {
	option: {
		name: 'Broadcast Status Changed',
		value: 'broadcastStatusChanged',
		description: 'When a broadcast is scheduled, begins to be sent, or has been sent',
	},
	fields: [broadcastStatus],
	sharedFields: [],
	output: broadcastListItem.extend({ previousStatus: z.string().nullable() }),
	watch: (client, { statuses }) =>
		watchStatuses(async (isFirst) => await readRecords(client, listBroadcasts, isFirst), statuses),
};

const channelStatus: INodeProperties = {
	displayName: 'New Status',
	name: 'statuses',
	type: 'multiOptions',
	options: optionsOf(channelStatuses),
	default: [],
	description: `The statuses that start the workflow when a channel gets them, none for any. Every poll reads the list of all channels: one request for each ${WHOLE.perPage}, and one more to find the end. The service may know more statuses: name others using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
};

const inboxIds: INodeProperties = {
	displayName: 'Channel Names or IDs',
	name: 'inboxIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getChannels' },
	default: [],
	description:
		'The channels to watch, none for all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const channelStatusChanged: TriggerEvent = {
	option: {
		name: 'Channel Status Changed',
		value: 'channelStatusChanged',
		description: 'When a channel (inbox) is connected or loses its connection',
	},
	fields: [channelStatus, inboxIds],
	sharedFields: [],
	output: channel.extend({ previousStatus: z.string().nullable() }),
	watch: (client, { statuses, inboxIds: ids }) =>
		watchStatuses(async (isFirst) => {
			const channels = await readRecords(client, await channelList(client), isFirst);
			return ids.length === 0 ? channels : channels.filter(({ id }) => ids.includes(String(id)));
		}, statuses),
};

/** Watches for statuses that are among the chosen ones, or for any when none is chosen. */
function watchStatuses(read: Watched['read'], chosen: string[]): Watch {
	return watchStates({
		read,
		stateOf: ({ status }) => String(status),
		isNews: (status) => chosen.length === 0 || chosen.includes(status),
		toItem: (record, previousStatus) => ({ ...record, previousStatus }),
	});
}

/** What is watched, and how it is put out. */
interface Watched {
	/** Reads all records that are watched; `isFirst` when nothing is remembered yet. */
	read(isFirst: boolean): Promise<IDataObject[]>;
	stateOf(record: IDataObject): string;
	/** Whether it is news that a record has this state now; `previous` is null for a record that was not there. */
	isNews(state: string, previous: string | null): boolean;
	toItem(record: IDataObject, previous: string | null): IDataObject;
}

/** Watches the state of records (part 3) by comparing it with the one that each had at the last poll. */
export function watchStates({ read, stateOf, isNews, toItem }: Watched): Watch {
	return {
		async poll(memory: StoredSnapshot | undefined) {
			const snapshot = new Snapshot(memory);
			const items: IDataObject[] = [];
			let mustPersist = false;
			for (const record of await read(!memory)) {
				const state = stateOf(record);
				const change = snapshot.add(String(record.id), [state]);
				if (!memory || !change || change.added.length === 0) continue;
				const previous = change.removed[0] ?? null;
				if (isNews(state, previous)) items.push(toItem(record, previous));
				// It is news when the record comes back to the state that it has left now.
				else if (previous !== null && isNews(previous, state)) mustPersist = true;
			}
			return { items, memory: snapshot.toStored(), mustPersist };
		},

		async sample() {
			const records = await read(true);
			const record = records.find((each) => isNews(stateOf(each), null)) ?? records[0];
			return record && toItem(record, null);
		},
	};
}
