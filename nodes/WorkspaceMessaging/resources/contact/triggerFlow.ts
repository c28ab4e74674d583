import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { optional } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { sendingChannel } from '../../panel/sendingChannel';
import { locator } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';
import { contactOutput, describeContact } from '../../contacts/output';
import { refuseGoneFlow } from '../shared/existingRecords';
import { string } from '../../contract/values';

export const triggerFlow = defineOperation({
	name: 'Trigger Flow',
	value: 'triggerFlow',
	action: 'Trigger flow for contact',
	description: 'Start an automation flow for a contact',
	endpoint: contactApi.triggerFlow,
	fields: [
		contactLocator,
		locator(lookups.flows, 'flowId', { required: true }),
		optional('options', [sendingChannel]),
	],
	output: contactOutput.extend({
		triggered: z.literal(true),
		flowId: string,
		inboxId: string.optional(),
	}),

	async run(item) {
		const { params, body } = item;
		await refuseGoneFlow(item, body.flowId);
		await item.request(contactApi.triggerFlow, { params, body });
		return [{ success: true, ...describeContact(item), triggered: true, ...body }];
	},
});
