import { customFieldApi } from '../../contract/customField';
import type { Resource } from '../shared/describe';
import { lookups } from '../shared/lookups';
import { deleteOperation } from '../shared/namedRecords';
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
