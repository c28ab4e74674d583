import type { INodeProperties } from 'n8n-workflow';
import { createTag, limits } from '../../contract';
import { route } from '../../routing/operation';
import { nameField, optional, showFor } from '../shared/fields';
import { folderOfNew } from '../shared/folder';

export const createFields: INodeProperties[] = showFor('tag', 'create', [
	nameField(
		'e.g. VIP',
		`Name of the tag, ${limits.name.min} to ${limits.name.max} characters; no other tag of the workspace may have it`,
	),
	optional('additionalFields', [folderOfNew]),
]);

export const createRouting = route(createTag, createFields);
