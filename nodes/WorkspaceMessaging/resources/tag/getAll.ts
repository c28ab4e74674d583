import { tag, tagApi } from '../../contract/tag';
import { defineOperation } from '../../run/operation';
import { keywordField, optional, returnAllOrLimit } from '../../panel/fields';
import { readByName } from '../shared/readByName';

export const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many tags',
	description: 'Get many tags with their IDs',
	endpoint: tagApi.listTags,
	fields: [
		...returnAllOrLimit,
		optional('filters', [keywordField('e.g. vip', 'Only tags whose name contains this text')]),
	],
	output: tag,
	run: (item) => readByName(item, tagApi.listTags),
});
