import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	broadcastListItem,
	broadcastStatuses,
	channel,
	channelStatuses,
	listBroadcasts,
} from '../../contract';
import { channelList } from '../../contacts/list/channels';
import { optionsOf } from '../../resources/shared/fields';
import { multiSelect } from '../../resources/shared/lookupFields';
import { lookups } from '../../resources/shared/lookups';
import type { TriggerEvent, Watch } from '../types';
import { readRecords, WHOLE } from '../lists';
import { watchStatus } from '../watchStatus';
import type { Watched } from '../watchStatus';

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

const inboxIds = multiSelect(lookups.channels, 'inboxIds', {
	description: 'The channels to watch. Leave empty to watch all.',
});

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
	return watchStatus({
		read,
		stateOf: ({ status }) => String(status),
		isNews: (status) => chosen.length === 0 || chosen.includes(status),
		toItem: (record, previousStatus) => ({ ...record, previousStatus }),
	});
}
