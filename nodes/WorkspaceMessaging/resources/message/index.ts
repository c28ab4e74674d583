import type { Resource } from '../../run/operation';
import { send } from './send';
import { sendAndWait } from './sendAndWait';

export const messages: Resource = {
	name: 'Message',
	value: 'message',
	description: 'Messages to contacts',
	operations: [send, sendAndWait],
	default: send,
};
