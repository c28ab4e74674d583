import { tag, tagApi } from '../../contract/tag';
import { defineOperation } from '../../execution/operation';
import { keywordFilter, optional, pageOptionsField, returnAllOrLimit } from '../shared/fields';
import { readByName } from '../shared/namedRecords';

export const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many tags',
	description: 'Get many tags with their IDs',
	endpoint: tagApi.listTags,
	fields: [
		...returnAllOrLimit,
		optional('filters', [keywordFilter('e.g. vip', 'Only tags whose name contains this text')]),
		pageOptionsField,
	],
	output: tag,
	run: async (item) => await readByName(item, tagApi.listTags),
});
