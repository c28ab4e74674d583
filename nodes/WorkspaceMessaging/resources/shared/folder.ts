import type { Field } from '../../execution/operation';
import { inBody } from './fields';

/** The folder that something new is put into (parts 4.2 and 4.3); the API has no list of folders. */
export const folderOfNew: Field = inBody({
	displayName: 'Folder ID',
	name: 'folderId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 4711',
	description: 'Empty for no folder',
});
