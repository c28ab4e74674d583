import { importRecord, undocumentedApi } from '../../contract/undocumented';
import { defineOperation } from '../../run/operation';
import { readRecord } from '../../service/lists/records';
import { separateExisting } from './import/failedRows';
import { number } from '../../contract/values';

export const getImportStatus = defineOperation({
	name: 'Get Import Status',
	value: 'getImportStatus',
	action: 'Get import status',
	description: 'Get the progress of an import',
	endpoint: undocumentedApi.getImport,
	fields: [
		{
			displayName: 'Import ID',
			name: 'importId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 4711',
			description: 'From the output of Import',
		},
	],
	// Contacts that were on the channel already, if there are any, do not count as failed.
	output: importRecord.extend({
		existingCount: number.optional(),
		existingSample: importRecord.shape.errorSample.optional(),
	}),

	async run(item) {
		const { params } = item;
		const record = await readRecord(item, undocumentedApi.getImport, { params });
		const { existingCount, existingSample, failedCount, errorSample } = separateExisting(record);
		if (existingCount === undefined) return [record];
		return [{ ...record, existingCount, existingSample, failedCount, errorSample }];
	},
});
