import type { Resource } from '../../run/operation';
import { addTags } from './addTags';
import { clearCustomField } from './clearCustomField';
import { count } from './count';
import { create } from './create';
import { deleteOne } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getCustomFields } from './getCustomFields';
import { getImportStatus } from './getImportStatus';
import { importMany } from './import';
import { removeTags } from './removeTags';
import { setCustomFields } from './setCustomFields';
import { setTags } from './setTags';
import { triggerFlow } from './triggerFlow';
import { update } from './update';
import { upsert } from './upsert';

export const contacts: Resource = {
	name: 'Contact',
	value: 'contact',
	description: 'People',
	operations: [
		addTags,
		clearCustomField,
		count,
		create,
		upsert,
		deleteOne,
		get,
		getCustomFields,
		getImportStatus,
		getAll,
		importMany,
		removeTags,
		setCustomFields,
		setTags,
		triggerFlow,
		update,
	],
	default: getAll,
};
