import { customFieldApi, customFieldListItem } from '../../contract/customField';
import { defineOperation } from '../../run/operation';
import { keywordField, optional, returnAllOrLimit } from '../../panel/fields';
import { readByName } from '../shared/readByName';

export const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many custom fields',
	description: 'Get many custom fields of the workspace with their IDs, names and types',
	endpoint: customFieldApi.listCustomFields,
	fields: [
		...returnAllOrLimit,
		optional('filters', [
			keywordField(
				'e.g. birthday',
				'Only custom fields whose name contains this text, in any case',
			),
		]),
	],
	output: customFieldListItem,
	run: (item) => readByName(item, customFieldApi.listCustomFields),
});
