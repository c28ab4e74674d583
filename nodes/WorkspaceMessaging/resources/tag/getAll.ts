import { listTags, tag } from '../../contract';
import type { Operation } from '../../execution/operation';
import { keywordFilter, optional } from '../shared/fields';
import { pageOptionsField, returnAllOrLimit } from '../shared/lists';
import { readByName } from '../shared/readByName';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many tags',
	description: 'Get many tags with their IDs',
	endpoint: listTags,
	fields: [
		...returnAllOrLimit,
		optional('filters', [keywordFilter('e.g. vip', 'Only tags whose name contains this text')]),
		pageOptionsField,
	],
	output: tag,
	run: async (item) => await readByName(item, listTags),
};
