import type { INodeProperties } from 'n8n-workflow';
import { createTag, limits } from '../../contract';
import { route } from '../../routing/operation';
import { inBody, showFor } from '../shared/fields';
import { folderOfNew } from '../shared/folder';

export const createFields: INodeProperties[] = showFor('tag', 'create', [
	inBody({
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. VIP',
		description: `Name of the tag, ${limits.name.min} to ${limits.name.max} characters; no other tag of the workspace may have it`,
	}),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [folderOfNew],
	},
]);

export const createRouting = route(createTag, createFields);
