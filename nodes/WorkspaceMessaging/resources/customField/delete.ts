import { customFieldApi } from '../../contract/customField';
import { lookups } from '../../panel/lookups';
import { deleteRecord } from '../shared/deleteRecord';

export const deleteCustomField = deleteRecord(
	lookups.customFields,
	'customFieldId',
	customFieldApi.deleteCustomField,
);
