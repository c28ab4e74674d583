import { readList } from '../../api/pagination';
import { listTags, tag } from '../../contract';
import type { Operation } from '../../execution/operation';
import { contains } from '../shared/contains';
import { keywordFilter, optional } from '../shared/fields';
import { pageOptionsField, returnAllOrLimit } from '../shared/lists';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many tags',
	description: 'Get many tags of the workspace with their IDs and names',
	endpoint: listTags,
	fields: [
		...returnAllOrLimit,
		optional('filters', [keywordFilter('e.g. vip', 'Only tags whose name contains this text')]),
		pageOptionsField,
	],
	output: tag,

	async run(item) {
		const { query, limit } = item;
		const { keyword } = query;
		if (keyword === undefined) return await readList(item, listTags, { query }, limit);
		// The API does not document the keyword, so a service may ignore it: then the first tags need not be the wanted ones.
		const tags = await readList(item, listTags, { query });
		return tags.filter(({ name }) => contains(String(name), String(keyword))).slice(0, limit);
	},
};
