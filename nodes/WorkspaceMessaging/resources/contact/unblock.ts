import { z } from 'zod/v4';
import { contactOutput, describeContact } from '../../contacts/output';
import { undocumentedApi } from '../../contract/undocumented';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';

export const unblock = defineOperation({
	name: 'Unblock',
	value: 'unblock',
	action: 'Unblock contact',
	description: 'Unblock a contact, so that its conversation is listed again',
	endpoint: undocumentedApi.unblockContact,
	fields: [contactLocator],
	output: contactOutput.extend({ blocked: z.literal(false) }),

	async run(item) {
		const { params } = item;
		await item.request(undocumentedApi.unblockContact, { params });
		return [{ success: true, ...describeContact(item), blocked: false }];
	},
});
