import type { Resource } from '../../run/operation';
import { addNote } from './addNote';
import { addTags } from './addTags';
import { addToSequences } from './addToSequences';
import { block } from './block';
import { clearCustomField } from './clearCustomField';
import { count } from './count';
import { create } from './create';
import { deleteOne } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getCustomFields } from './getCustomFields';
import { getImportStatus } from './getImportStatus';
import { getNotes } from './getNotes';
import { importMany } from './import';
import { removeFromSequences } from './removeFromSequences';
import { removeTags } from './removeTags';
import { setCustomFields } from './setCustomFields';
import { setTags } from './setTags';
import { triggerFlow } from './triggerFlow';
import { unblock } from './unblock';
import { update } from './update';
import { upsert } from './upsert';

export const contacts: Resource = {
	name: 'Contact',
	value: 'contact',
	description: 'People',
	operations: [
		addNote,
		addTags,
		addToSequences,
		block,
		clearCustomField,
		count,
		create,
		upsert,
		deleteOne,
		get,
		getCustomFields,
		getImportStatus,
		getAll,
		getNotes,
		importMany,
		removeFromSequences,
		removeTags,
		setCustomFields,
		setTags,
		triggerFlow,
		unblock,
		update,
	],
	default: getAll,
};
