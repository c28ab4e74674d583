import { tagApi } from '../../contract/tag';
import type { Resource } from '../../run/operation';
import { lookups } from '../../panel/lookups';
import { deleteOperation } from '../namedRecords';
import { create } from './create';
import { getAll } from './getAll';
import { update } from './update';

export const tags: Resource = {
	name: 'Tag',
	value: 'tag',
	description: 'Labels for contacts',
	operations: [create, deleteOperation(lookups.tags, 'tagId', tagApi.deleteTag), getAll, update],
	default: getAll,
};
