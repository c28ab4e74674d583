import type { Resource } from '../../run/operation';
import { assign } from './assign';
import { changeState } from './changeState';
import { get } from './get';
import { getAll } from './getAll';
import { getMessages } from './getMessages';
import { handOver } from './handOver';

export const conversations: Resource = {
	name: 'Conversation',
	value: 'conversation',
	description: 'Messages between contacts, the bot and members of the workspace',
	operations: [assign, changeState, get, getAll, getMessages, handOver],
	default: getAll,
};
