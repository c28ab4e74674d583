import { customFieldListItem, listCustomFields } from '../../contract';
import type { Operation } from '../../execution/operation';
import { keywordFilter, optional } from '../shared/fields';
import { pageOptionsField, returnAllOrLimit } from '../shared/lists';
import { readByName } from '../shared/readByName';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many custom fields',
	description: 'Get many custom fields of the workspace with their IDs, names and types',
	endpoint: listCustomFields,
	fields: [
		...returnAllOrLimit,
		optional('filters', [
			keywordFilter(
				'e.g. birthday',
				'Only custom fields whose name contains this text, in upper or lower case',
			),
		]),
		pageOptionsField,
	],
	output: customFieldListItem,
	run: async (item) => await readByName(item, listCustomFields),
};
