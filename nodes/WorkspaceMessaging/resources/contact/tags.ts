import type { INodeProperties } from 'n8n-workflow';
import { limits } from '../../contract';
import { inBody } from '../shared/fields';

/** The tags that are added to a contact, or removed from it. */
export const tagsField: INodeProperties = inBody({
	displayName: 'Tag Names or IDs',
	name: 'tagIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTags' },
	default: [],
	required: true,
	description: `${limits.tagIds.min} to ${limits.tagIds.max} tags. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
});
