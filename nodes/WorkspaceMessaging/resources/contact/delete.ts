import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../execution/operation';
import { contactDeleteOptions, contactLocator } from '../shared/locators';
import { deleteUndocumented, missingContact } from '../shared/undocumented';
import { contactOutput, describeContact } from './shared/contactOutput';
import { isGone } from '../../contacts/customFields/resolveContact';

export const deleteOne = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete contact',
	description: 'Delete a contact permanently',
	endpoint: contactApi.deleteContact,
	fields: [contactLocator, contactDeleteOptions],
	output: contactOutput.extend({ deleted: z.boolean() }),

	async run(item) {
		const { params } = item;
		if (isGone(item)) return [{ success: true, ...describeContact(item), deleted: false }];
		const findMissing = async () => await missingContact(item, params.identifier);
		const deleted = await deleteUndocumented(item, contactApi.deleteContact, findMissing);
		return [{ success: true, ...describeContact(item), deleted }];
	},
});
