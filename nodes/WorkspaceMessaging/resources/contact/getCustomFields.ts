import { getContactCustomFields } from '../../contract';
import type { IDataObject } from 'n8n-workflow';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { readList } from '../../routing/pages';
import { contactLocator } from '../shared/locators';
import { contactExists, tryUndocumented } from '../shared/missing';

export const getCustomFieldsRouting = route(getContactCustomFields, [contactLocator], {
	run: async (caller, { params }, context) => {
		let values: IDataObject[] = [];
		await tryUndocumented(
			context,
			getContactCustomFields,
			async () => await contactExists(caller, params),
			async () => {
				values = await readList(caller, callOf(getContactCustomFields, { params }));
			},
		);
		return values;
	},
});
