import { deleteTag } from '../../contract/tag';
import { lookups } from '../shared/lookups';
import { deleteOperation } from '../shared/namedRecords';

export const deleteOne = deleteOperation(lookups.tags, 'tagId', deleteTag);
