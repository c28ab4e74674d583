import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import type { Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { optional } from '../../panel/fields';
import { contactLocator, sendingChannel } from '../../panel/contactLocator';
import { locator } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';
import { contactOutput, describeContact } from '../../contacts/output';
import { refuseGoneFlow } from '../shared/existingRecords';
import { string } from '../../contract/values';
import { checkSendOnce, passedOverOutput, sendOnceOption } from '../shared/sendOnce/option';
import { sendOnce } from '../shared/sendOnce/sendOnce';

type FlowItem = Item<{ identifier: string }, object, z.output<typeof contactApi.triggerFlow.body>>;

export const triggerFlow = defineOperation({
	name: 'Trigger Flow',
	value: 'triggerFlow',
	action: 'Trigger flow for contact',
	description: 'Start an automation flow for a contact',
	endpoint: contactApi.triggerFlow,
	fields: [
		contactLocator,
		locator(lookups.flows, 'flowId', { required: true }),
		optional('options', [sendingChannel, sendOnceOption]),
	],
	output: contactOutput.extend({
		triggered: z.literal(true).optional(),
		flowId: string.optional(),
		inboxId: string.optional(),
		...passedOverOutput,
	}),
	validate: checkSendOnce,

	run: sendOnce(async (item: FlowItem, send) => {
		const { params, body } = item;
		await refuseGoneFlow(item, body.flowId);
		await send(async () => await item.request(contactApi.triggerFlow, { params, body }));
		return [{ success: true, ...describeContact(item), triggered: true, ...body }];
	}),
});
