import type { Resource } from '../../run/operation';
import { cancelQuestion } from './cancelQuestion';
import { checkAnswer } from './question/chat/checkAnswer';
import { send } from './send';
import { sendAndWait } from './sendAndWait';
import { sendTemplate } from './sendTemplate';

export const messages: Resource = {
	name: 'Message',
	value: 'message',
	description: 'Messages to contacts',
	operations: [cancelQuestion, send, sendAndWait, sendTemplate],
	hidden: [checkAnswer],
	default: send,
};
