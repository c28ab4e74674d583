import type { INodeProperties } from 'n8n-workflow';
import { setContactCustomFields } from '../../contract';
import { route } from '../../routing/operation';
import { optional, showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import {
	byName,
	checkedValues,
	customFieldMapper,
	customFieldOperation,
	hasValues,
	refused,
	writeValues,
} from './customFields';

export const setCustomFieldsFields: INodeProperties[] = showFor('contact', 'setCustomFields', [
	customFieldMapper,
	optional('options', [customFieldOperation]),
]);

export const setCustomFieldsRouting = route(
	setContactCustomFields,
	[contactLocator, ...setCustomFieldsFields],
	{
		// The values are checked against the fields of the workspace, which have to be read first.
		accepts: (context) => {
			if (!hasValues(context)) throw new Error('Custom Fields must hold at least one value');
			return { body: undefined };
		},

		run: async (caller, { params }, context) => {
			const operation = context.getNodeParameter('options.writeMode', 'set') as string;
			const values = await checkedValues(caller, context, operation);
			if (values.length === 0) throw refused('Custom Fields must hold at least one value.');
			await writeValues(caller, String(params.identifier), values, operation);
			return [{ success: true, contact: params.identifier, operation, customFields: byName(values) }];
		},
	},
);
