import { customFieldApi } from '../../contract/customField';
import type { Resource } from '../../run/operation';
import { lookups } from '../../panel/lookups';
import { deleteOperation } from '../namedRecords';
import { create } from './create';
import { getAll } from './getAll';
import { update } from './update';

export const customFields: Resource = {
	name: 'Custom Field',
	value: 'customField',
	description: 'Extra contact fields',
	operations: [
		create,
		deleteOperation(lookups.customFields, 'customFieldId', customFieldApi.deleteCustomField),
		getAll,
		update,
	],
	default: getAll,
};
