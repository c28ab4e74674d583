import type { INodeProperties } from 'n8n-workflow';
import { createContact } from '../../contract';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { readRecord } from '../../routing/pages';
import { email, firstName, gender, lastName, optional, phoneNumber, showFor } from '../shared/fields';
import { byName, setAfter, valuesBeside, withCustomFields, withWritten } from './customFields';

export const createFields: INodeProperties[] = showFor('contact', 'create', [
	{ ...phoneNumber, required: true },
	{ ...email, required: true },
	{ ...gender, required: true },
	optional('additionalFields', [firstName, lastName]),
	...withCustomFields,
]);

export const createRouting = route(createContact, createFields, {
	run: async (caller, { body }, context, labels) => {
		// Checked first: what is not valid must not come out when the contact exists.
		const values = await valuesBeside(caller, context);
		const created = await readRecord(caller, callOf(createContact, { body, labels }));
		if (!values) return [created];
		await setAfter(caller, `id:${String(created.id)}`, values, 'created');
		return [{ ...withWritten(created, values), customFields: byName(values) }];
	},
});
