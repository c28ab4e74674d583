import { deleteCustomField, listCustomFields } from '../../contract';
import type { INodeProperties } from 'n8n-workflow';
import { showFor } from '../shared/fields';
import { locator } from '../shared/locators';
import { deleteOptions, routeDelete } from '../shared/undocumented';

export const deleteFields: INodeProperties[] = showFor('customField', 'delete', [
	locator({
		displayName: 'Custom Field',
		name: 'customFieldId',
		required: true,
		description: 'The custom field to delete',
		thing: 'a custom field',
		searchListMethod: 'searchCustomFields',
		inPath: true,
	}),
	deleteOptions,
]);

export const deleteRouting = routeDelete(deleteCustomField, listCustomFields, deleteFields);
