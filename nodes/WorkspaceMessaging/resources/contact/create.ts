import type { INodeProperties } from 'n8n-workflow';
import { createContact } from '../../contract';
import { callOf } from '../../routing/call';
import { isSimplified, route } from '../../routing/operation';
import { readRecord } from '../../routing/pages';
import { email, firstName, gender, lastName, optional, phoneNumber, showFor } from '../shared/fields';
import { simplify } from '../shared/simplifyField';
import { byName, setAfter, valuesBeside, withCustomFields, withWritten } from './customFields';
import { simplifyContacts } from './simplify';

export const createFields: INodeProperties[] = showFor('contact', 'create', [
	{ ...phoneNumber, required: true },
	{ ...email, required: true },
	{ ...gender, required: true },
	optional('additionalFields', [firstName, lastName]),
	...withCustomFields,
	simplify,
]);

export const createRouting = route(createContact, createFields, {
	run: async (caller, { body }, context, labels) => {
		// Checked first: what is not valid must not come out when the contact exists.
		const values = await valuesBeside(caller, context);
		const created = await readRecord(caller, callOf(createContact, { body, labels }));
		if (values) await setAfter(caller, `id:${String(created.id)}`, values, 'created');
		const contact = values ? withWritten(created, values) : created;
		const [shown] = isSimplified(context) ? await simplifyContacts([contact], caller, context) : [contact];
		return [{ ...shown, ...(values && { customFields: byName(values) }) }];
	},
});
