import type { INodeProperties } from 'n8n-workflow';
import { broadcastStatuses, channelStatuses } from '../contract';
import { contactFilters } from '../resources/contact/filters';
import { optionsOf } from '../resources/shared/fields';
import { simplify } from '../resources/shared/simplifyField';
import { contactEvents, tagEvents } from './events';
import { LARGE_PAGE } from './readPages';

const event: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Broadcast Status Changed',
			value: 'broadcastStatusChanged',
			description: 'When a broadcast is scheduled, begins to be sent, or has been sent',
		},
		{
			name: 'Channel Status Changed',
			value: 'channelStatusChanged',
			description: 'When a channel (inbox) is connected or loses its connection',
		},
		{
			name: 'Contact Created',
			value: 'contactCreated',
			description: `When a contact is new in the workspace. A poll without news costs one request; where the service does not sort contacts by their time, every poll reads all of them, with one request for each ${LARGE_PAGE}, now and then twice.`,
		},
		{
			name: 'Contact Updated',
			value: 'contactUpdated',
			description:
				'When a contact was changed, with the names of the fields that changed where they are known. Costs as much as Contact Created.',
		},
		{
			name: 'Sequence Activated or Deactivated',
			value: 'sequenceActiveChanged',
			description: 'When a sequence is switched on or off',
		},
		{
			name: 'Tag Added to Contact',
			value: 'tagAdded',
			description: 'When a contact gets a tag. Every poll reads all contacts that match the filters.',
		},
		{
			name: 'Tag Removed From Contact',
			value: 'tagRemoved',
			description: 'When a contact loses a tag. Every poll reads all contacts that match the filters.',
		},
	],
	default: 'contactCreated',
};

const readsAll: INodeProperties = {
	displayName: `Tags can only be compared by reading all contacts that match the filters: every poll costs one request for each ${LARGE_PAGE} of them, or more if the service gives fewer at a time. With many contacts, poll less often or add filters.`,
	name: 'readsAllNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { event: [...tagEvents] } },
};

const tagIds: INodeProperties = {
	displayName: 'Tag Names or IDs',
	name: 'tagIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTags' },
	default: [],
	displayOptions: { show: { event: [...tagEvents] } },
	description:
		'The tags to watch, none for any. About 10 characters are remembered for each contact that has one of them. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const broadcastStatus: INodeProperties = {
	displayName: 'New Status',
	name: 'statuses',
	type: 'multiOptions',
	options: optionsOf(broadcastStatuses),
	default: [],
	displayOptions: { show: { event: ['broadcastStatusChanged'] } },
	description: `The statuses that start the workflow when a broadcast gets them, none for any. Every poll reads the list of all broadcasts: one request for each ${LARGE_PAGE}, and one more to find the end.`,
};

const channelStatus: INodeProperties = {
	displayName: 'New Status',
	name: 'statuses',
	type: 'multiOptions',
	options: optionsOf(channelStatuses),
	default: [],
	displayOptions: { show: { event: ['channelStatusChanged'] } },
	description: `The statuses that start the workflow when a channel gets them, none for any. Every poll reads the list of all channels: one request for each ${LARGE_PAGE}, and one more to find the end. The service may know more statuses: name others using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
};

const inboxIds: INodeProperties = {
	displayName: 'Channel Names or IDs',
	name: 'inboxIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getChannels' },
	default: [],
	displayOptions: { show: { event: ['channelStatusChanged'] } },
	description:
		'The channels to watch, none for all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const sequenceIds: INodeProperties = {
	displayName: 'Sequence Names or IDs',
	name: 'sequenceIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getSequences' },
	default: [],
	displayOptions: { show: { event: ['sequenceActiveChanged'] } },
	description:
		'The sequences to watch, which costs one request each and poll. None for all, which reads their list with every poll, where the service has one. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const filters: INodeProperties = {
	...contactFilters,
	displayOptions: { show: { event: [...contactEvents, ...tagEvents] } },
};

const simplifyRecords: INodeProperties = {
	...simplify,
	displayOptions: { show: { event: [...contactEvents, ...tagEvents, 'sequenceActiveChanged'] } },
};

/** All parameters of the trigger; n8n adds when to poll. */
export const triggerFields: INodeProperties[] = [
	event,
	readsAll,
	tagIds,
	broadcastStatus,
	channelStatus,
	inboxIds,
	sequenceIds,
	filters,
	simplifyRecords,
];
