import { z } from 'zod/v4';
import { refusedError } from '../../transport/errors/ApiError';
import { customFieldApi } from '../../contract/customField';
import { choices } from '../../contract/limits';
import { defineOperation } from '../../run/operation';
import { optional } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { customFieldMapper, writeMode } from '../../panel/customFields';
import { valuesByName, writeValues } from '../../contacts/customFields/contactValues';
import { hasMappedValues, readMappedValues } from '../../contacts/customFields/mappedValues';
import { contactOutput, describeContact } from '../../contacts/output';
import { string } from '../../contract/values';

export const setCustomFields = defineOperation({
	name: 'Set Custom Fields',
	value: 'setCustomFields',
	action: 'Set custom fields of contact',
	description: 'Write values of custom fields of a contact',
	endpoint: customFieldApi.setContactCustomFields,
	fields: [contactLocator, customFieldMapper, optional('options', [writeMode])],
	output: contactOutput.extend({
		operation: z.enum(choices.customFieldOperations),
		customFields: z.record(string, z.unknown()),
	}),

	// `run` checks the values, because it has to read the fields of the workspace first.
	schema: () => ({ body: undefined }),

	validate(item) {
		if (!hasMappedValues(item)) throw new Error('Fill in at least one of the custom fields');
	},

	async run(item) {
		const { identifier } = item.params;
		const operation = item.value(writeMode);
		const values = await readMappedValues(item, operation);
		if (values.length === 0) throw refusedError('Fill in at least one of the custom fields.');
		await writeValues(item, identifier, values, { operation });
		return [
			{ success: true, ...describeContact(item), operation, customFields: valuesByName(values) },
		];
	},
});
