import { z } from 'zod/v4';
import { importContacts, importContactsBody } from '../../contract';
import { importRecord } from '../../contract/undocumented';
import type { Operation } from '../../execution/operation';
import { importFields } from './import/fields';
import { checkFile } from './import/file';
import { importById } from './import/fromId';
import { importFile } from './import/fromInput';
import { importItems } from './import/fromItems';
import { contactOf } from './import/itemsToCsv';
import { sourceOf, waitSettings } from './import/settings';

const { status, totalCount, successCount, failedCount, errorSample } = importRecord.shape;
const failedRow = errorSample.unwrap().element.extend({
	/** Number of the input item, and what it says, where items were imported. */
	item: z.number().optional(),
	values: z.record(z.string(), z.string()).optional(),
});

export const importMany: Operation = {
	name: 'Import',
	value: 'import',
	action: 'Import contacts',
	description: 'Import many contacts at once from a file or from the items',
	endpoint: importContacts,
	fields: importFields,
	output: z.object({
		success: z.literal(true),
		started: z.literal(true),
		fileId: z.string(),
		importId: z.string().optional(),
		status: status.optional(),
		totalCount: totalCount.optional(),
		successCount: successCount.optional(),
		failedCount: failedCount.optional(),
		errorSample: z.array(failedRow).optional(),
		mappedColumns: z.array(z.object({ column: z.string(), field: z.string() })).optional(),
		unusedColumns: z.array(z.string()).optional(),
	}),

	schema: (item) => (sourceOf(item) === 'id' ? {} : { body: importContactsBody.omit({ fileId: true }) }),

	validate(item) {
		waitSettings(item);
		if (sourceOf(item) === 'input') checkFile(item);
		if (sourceOf(item) === 'items') contactOf(item);
	},

	async run(item) {
		switch (sourceOf(item)) {
			case 'input':
				return [await importFile(item)];
			case 'items':
				return await importItems(item);
			case 'id':
				return [await importById(item)];
		}
	},
};
