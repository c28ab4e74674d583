import { z } from 'zod/v4';
import { contactOutput, describeContact } from '../../contacts/output';
import { undocumentedApi } from '../../contract/undocumented';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import { notice } from '../../panel/fields';

/** Says what a block does: people expect that it stops messages. */
const blockNotice = notice(
	'blockNotice',
	'Blocking hides the conversation until the next message from or to the contact.',
);

export const block = defineOperation({
	name: 'Block',
	value: 'block',
	action: 'Block contact',
	description: 'Block a contact until its next message',
	endpoint: undocumentedApi.blockContact,
	fields: [contactLocator, blockNotice],
	output: contactOutput.extend({ blocked: z.literal(true) }),

	async run(item) {
		const { params } = item;
		await item.request(undocumentedApi.blockContact, { params });
		return [{ success: true, ...describeContact(item), blocked: true }];
	},
});
