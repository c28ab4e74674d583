import { getContactCustomFields } from '../../contract';
import type { IDataObject } from 'n8n-workflow';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { readList } from '../../routing/pages';
import { contactLocator } from '../shared/locators';
import { missingContact, tryUndocumented } from '../shared/undocumented';

export const getCustomFieldsRouting = route(getContactCustomFields, [contactLocator], {
	run: async (caller, { params }) => {
		let values: IDataObject[] = [];
		await tryUndocumented(
			getContactCustomFields,
			async () => await missingContact(caller, params.identifier),
			async () => {
				values = await readList(caller, callOf(getContactCustomFields, { params }));
			},
		);
		return values;
	},
});
