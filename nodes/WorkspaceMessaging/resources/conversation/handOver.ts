import { z } from 'zod/v4';
import { findConversationByContact } from '../../conversations/find';
import { conversationApi } from '../../contract/conversation';
import { oneOf } from '../../contract/values';
import { inBody, toNamedOptions } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import { changeConversation, changeOutput } from '../../conversations/changeConversation';

const inCharge = oneOf(['bot', 'person']);
const botEndpoints = { bot: conversationApi.enableBot, person: conversationApi.disableBot };

export const handOver = defineOperation({
	name: 'Hand Over',
	value: 'handOver',
	action: 'Hand over to person or bot',
	description:
		'Hand a conversation over to a person, for example if the contact asks for one, or back to the bot',
	endpoint: findConversationByContact(conversationApi.disableBot),
	fields: [
		contactLocator,
		inBody({
			displayName: 'Hand Over To',
			name: 'inCharge',
			type: 'options',
			options: toNamedOptions({ bot: 'Bot', person: 'Person' }),
			default: 'person',
			description:
				'After 24 hours with a person, services hand the conversation back to the bot. To choose who answers, use Assign.',
		}),
	],
	schema: { body: z.strictObject({ inCharge }) },
	output: changeOutput.extend({ answeredBy: inCharge }),

	async run(item) {
		const answeredBy = item.body.inCharge;
		return await changeConversation(item, botEndpoints[answeredBy], { answeredBy });
	},
});
