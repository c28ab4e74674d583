import { z } from 'zod/v4';
import type { Endpoint } from '../../contract/endpoint';
import { boolean, string } from '../../contract/values';
import { ignoreMissing, optional } from '../../panel/fields';
import type { Lookup } from '../../panel/lookups/lookup';
import { subjectLocator } from '../../panel/lookups/locators';
import { defineOperation } from '../../run/operation';
import { deleteIfExists } from './deleteIfExists';

/**
 * Returns the operation that deletes a record that people choose from a list.
 *
 * @param name of the path parameter with its ID
 */
export const deleteRecord = (lookup: Lookup, name: string, endpoint: Endpoint) =>
	defineOperation({
		name: 'Delete',
		value: 'delete',
		action: `Delete ${lookup.noun}`,
		description: `Delete a ${lookup.noun} permanently`,
		endpoint,
		fields: [subjectLocator(lookup, name), optional('options', [ignoreMissing])],
		output: z.object({ success: z.literal(true), deleted: boolean, [name]: string }),

		async run(item) {
			const deleted = await deleteIfExists(item, endpoint);
			return [{ success: true, deleted, ...item.params }];
		},
	});
