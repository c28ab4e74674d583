import { z } from 'zod/v4';
import { deleteContact } from '../../contract';
import type { Operation } from '../../execution/operation';
import { contactDeleteOptions, deleted } from '../shared/deleting';
import { contactLocator } from '../shared/locators';
import { missingContact, NOT_DOCUMENTED, requestUndocumented } from '../shared/unsupported';
import { doneTo } from './shared/output';
import { isGone } from '../../contacts/customFields/resolveContact';

export const deleteOne: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete contact',
	description: `Delete a contact permanently. ${NOT_DOCUMENTED}.`,
	endpoint: deleteContact,
	fields: [contactLocator, contactDeleteOptions],
	output: doneTo.extend({ deleted: z.boolean() }),

	async run(item) {
		const { params } = item;
		if (isGone(item)) return [{ success: true, deleted: false, contact: params.identifier }];
		const findMissing = async () => await missingContact(item, params.identifier);
		const request = requestUndocumented(item, deleteContact, { params }, findMissing);
		return [{ success: true, deleted: await deleted(item, request), contact: params.identifier }];
	},
};
