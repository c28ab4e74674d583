import type { INodeProperties } from 'n8n-workflow';
import { clearContactCustomField } from '../../contract';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { contactLocator, locator } from '../shared/locators';

export const clearCustomFieldFields: INodeProperties[] = showFor('contact', 'clearCustomField', [
	locator({
		displayName: 'Custom Field',
		name: 'customFieldId',
		required: true,
		description: 'The custom field whose value to remove from the contact',
		thing: 'a custom field',
		searchListMethod: 'searchCustomFields',
		inPath: true,
		anyId: true,
	}),
]);

export const clearCustomFieldRouting = route(
	clearContactCustomField,
	[contactLocator, ...clearCustomFieldFields],
	{
		run: async (caller, { params }, _context, labels) => {
			await caller.send(callOf(clearContactCustomField, { params, labels }));
			return [{ success: true, contact: params.identifier, clearedCustomField: params.customFieldId }];
		},
	},
);
