import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { ignoreMissing, optional } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { deleteIfExists } from '../shared/deleteIfExists';
import { contactOutput, describeContact } from '../../contacts/output';
import { foundNoContact } from '../../contacts/setContactId';
import { boolean } from '../../contract/values';

export const deleteOne = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete contact',
	description: 'Delete a contact permanently',
	endpoint: contactApi.deleteContact,
	fields: [contactLocator, optional('options', [ignoreMissing])],
	output: contactOutput.extend({ deleted: boolean }),

	async run(item) {
		let deleted = false;
		if (!foundNoContact(item)) deleted = await deleteIfExists(item, contactApi.deleteContact);
		return [{ success: true, ...describeContact(item), deleted }];
	},
});
