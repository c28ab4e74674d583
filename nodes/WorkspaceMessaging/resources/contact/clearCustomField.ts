import type { INodeProperties } from 'n8n-workflow';
import { clearContactCustomField } from '../../contract';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { contactLocator, locator } from '../shared/locators';
import { deleteOptions, ignoresMissing, missingContact, tryUndocumented } from '../shared/undocumented';
import { definitionsOf } from './customFieldBook';

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
	deleteOptions,
]);

export const clearCustomFieldRouting = route(
	clearContactCustomField,
	[contactLocator, ...clearCustomFieldFields],
	{
		run: async (caller, { params }, context, labels) => {
			const field = String(params.customFieldId);
			const cleared = await tryUndocumented(
				clearContactCustomField,
				async () => {
					const contact = await missingContact(caller, params.identifier);
					if (contact !== undefined) return contact;
					const isField = (await definitionsOf(caller, context)).has(field);
					return isField ? undefined : `custom field with the ID or name ${field}`;
				},
				async () => void (await caller.send(callOf(clearContactCustomField, { params, labels }))),
				ignoresMissing(context),
			);
			return [{ success: true, cleared, contact: params.identifier, clearedCustomField: field }];
		},
	},
);
