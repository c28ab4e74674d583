import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const channels: Resource = {
	name: 'Channel',
	value: 'channel',
	operations: [getAll],
	default: getAll,
};
