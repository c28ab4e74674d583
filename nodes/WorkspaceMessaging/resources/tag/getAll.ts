import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { listTags } from '../../contract';
import { callOf } from '../../routing/call';
import { limitOf, route } from '../../routing/operation';
import { readList } from '../../routing/pages';
import { contains } from '../shared/contains';
import { keywordFilter, optional, showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('tag', 'getAll', [
	optional('filters', [keywordFilter('e.g. vip', 'Only tags whose name contains this text')]),
	pageOptionsField,
]);

export const getAllRouting = route(listTags, getAllFields, {
	run: async (caller, { query }, context, labels) => {
		const call = callOf(listTags, { query, labels });
		const { keyword } = query as IDataObject & { keyword?: string };
		if (keyword === undefined) return await readList(caller, call, limitOf(context));
		// The API does not document the keyword, so a service may ignore it: then the first tags need not be the wanted ones.
		const tags = await readList(caller, call);
		return tags.filter(({ name }) => contains(String(name), keyword)).slice(0, limitOf(context));
	},
});
