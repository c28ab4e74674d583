import { tagApi } from '../../contract/tag';
import { tagLookup } from '../../panel/lookups/tags';
import { deleteRecord } from '../shared/deleteRecord';

export const deleteTag = deleteRecord(tagLookup, 'tagId', tagApi.deleteTag);
