import type { Resource } from '../../run/operation';
import { create } from './create';
import { deleteBroadcast } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getRecipients } from './getRecipients';
import { schedule } from './schedule';
import { stop } from './stop';

export const broadcasts: Resource = {
	name: 'Broadcast',
	value: 'broadcast',
	description: 'Messages to many contacts (newsletters)',
	operations: [create, deleteBroadcast, get, getAll, getRecipients, schedule, stop],
	default: getAll,
};
