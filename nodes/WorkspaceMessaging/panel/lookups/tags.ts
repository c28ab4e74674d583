import { tagApi } from '../../contract/tag';
import { toLabel, type Lookup } from './lookup';

/** The tags of the workspace. */
export const tagLookup = {
	endpoint: tagApi.listTags,
	noun: 'tag' as const,
	searchMethod: 'searchTags',
	optionsMethod: 'getTags',
	label: (record) => toLabel(record),
} satisfies Lookup;
