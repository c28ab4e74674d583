import type { INodeProperties } from 'n8n-workflow';
import { createContact } from '../../contract';
import { callOf } from '../../routing/call';
import { isSimplified, route } from '../../routing/operation';
import { readRecord } from '../../routing/pages';
import { email, firstName, gender, lastName, optional, phoneNumber, showFor } from '../shared/fields';
import { simplify } from '../shared/simplify';
import { andCustomFields, withCustomFields } from './customFields';
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
		const { result, customFields } = await andCustomFields(caller, context, async () => {
			const created = await readRecord(caller, callOf(createContact, { body, labels }));
			return { identifier: `id:${String(created.id)}`, result: created, done: 'created' };
		});
		const [shown] = isSimplified(context) ? await simplifyContacts([result], caller, context) : [result];
		return [{ ...shown, ...(customFields && { customFields }) }];
	},
});
