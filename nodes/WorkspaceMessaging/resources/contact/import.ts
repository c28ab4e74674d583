import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { importRecord } from '../../contract/undocumented';
import type { Item } from '../../execution/item';
import { defineOperation } from '../../execution/operation';
import { channelType, importFields } from './import/fields';
import { contactOf } from './import/itemsToCsv';
import { maxWaitOf } from './import/runImport';
import { importById, importFile, importItems } from './import/sources';
import { checkFile } from './import/uploadFile';

const { status, totalCount, successCount, failedCount, errorSample } = importRecord.shape;

const bodyOfPickedChannel = contactApi.importContacts.body.partial({ channel: true });

/** Where the contacts come from: a file of the input, the items, or a file of the workspace. */
const sourceOf = (item: Item) => item.parameter('source', 'id');

export const importMany = defineOperation({
	name: 'Import',
	value: 'import',
	action: 'Import contacts',
	description: 'Import many contacts at once from a file or from the items',
	endpoint: contactApi.importContacts,
	fields: importFields,
	output: z.object({
		// False if rows failed.
		success: z.boolean(),
		started: z.literal(true),
		fileId: z.string(),
		importId: z.string().optional(),
		status: status.optional(),
		totalCount: totalCount.optional(),
		successCount: successCount.optional(),
		failedCount: failedCount.optional(),
		errorSample: z
			.array(
				errorSample.unwrap().element.extend({
					// From Items: the number and the values of the item.
					item: z.number().optional(),
					values: z.record(z.string(), z.string()).optional(),
				}),
			)
			.optional(),
		mappedColumns: z.array(z.object({ column: z.string(), field: z.string() })).optional(),
		unusedColumns: z.array(z.string()).optional(),
	}),

	schema(item) {
		const body = item.run.shows(channelType) ? contactApi.importContacts.body : bodyOfPickedChannel;
		return { body: sourceOf(item) === 'id' ? body : body.omit({ fileId: true }) };
	},

	validate(item) {
		maxWaitOf(item);
		if (sourceOf(item) === 'input') checkFile(item);
		if (sourceOf(item) === 'items') contactOf(item);
	},

	async run(item) {
		switch (sourceOf(item)) {
			case 'input':
				return [await importFile(item)];
			case 'items':
				return await importItems(item);
			default:
				return [await importById(item)];
		}
	},
});
