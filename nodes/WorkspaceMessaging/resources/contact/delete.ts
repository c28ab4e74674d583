import type { INodeProperties } from 'n8n-workflow';
import { deleteContact } from '../../contract';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { deleteOptions, ignoresMissing, missingContact, tryUndocumented } from '../shared/undocumented';

export const deleteFields: INodeProperties[] = showFor('contact', 'delete', [deleteOptions]);

export const deleteRouting = route(deleteContact, [contactLocator, ...deleteFields], {
	run: async (caller, { params }, context) => {
		const deleted = await tryUndocumented(
			deleteContact,
			async () => await missingContact(caller, params.identifier),
			async () => void (await caller.send(callOf(deleteContact, { params }))),
			ignoresMissing(context),
		);
		return [{ success: true, deleted, contact: params.identifier }];
	},
});
