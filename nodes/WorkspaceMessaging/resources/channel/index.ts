import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const channels: Resource = {
	name: 'Channel',
	value: 'channel',
	description: 'Inboxes to talk on, such as WhatsApp',
	operations: [getAll],
	default: getAll,
};
