import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { readList } from '../api/pagination';
import { CUSTOM_FIELDS_METHOD } from '../resources/contact/conditions/fields';
import { customFieldSubject } from '../resources/contact/conditions/given';
import { pickLists } from '../resources/shared/pickLists';
import type { PickList } from '../resources/shared/pickLists';
import { connect } from './connect';
import { withIds } from './entries';

/** Makes the function that fills a dropdown with a whole list, sorted by name. */
function options({ endpoint, endpointOf, toEntry }: Pick<PickList, 'endpoint' | 'endpointOf' | 'toEntry'>) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const client = await connect(this);
			const records = await readList(client, (await endpointOf?.(client)) ?? endpoint);
			return withIds(records.map(toEntry)).sort((a, b) => a.name.localeCompare(b.name));
		} catch (error) {
			// The editor shows nothing but this message.
			const message = `The list cannot be shown. ${(error as Error).message} Switch the field to Expression and enter the ID, or several separated by commas.`;
			throw new NodeApiError(this.getNode(), { message }, { message });
		}
	};
}

/** What fills dropdowns, by the names that the fields use. */
export const loadOptions = Object.fromEntries([
	...Object.values<PickList>(pickLists).flatMap((list) =>
		list.optionsMethod ? [[list.optionsMethod, options(list)] as const] : [],
	),
	[CUSTOM_FIELDS_METHOD, options({ ...pickLists.customFields, toEntry: toConditionField })],
]);

/** A custom field with what it is compared as, for the fields that fit it to show. */
function toConditionField(record: IDataObject) {
	return { ...pickLists.customFields.toEntry(record), value: customFieldSubject(record) };
}
