import { deleteCustomField } from '../../contract/customField';
import { lookups } from '../shared/lookups';
import { deleteOperation } from '../shared/namedRecords';

export const deleteOne = deleteOperation(lookups.customFields, 'customFieldId', deleteCustomField);
