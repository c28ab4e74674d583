import { importRecord, undocumentedApi } from '../../contract/undocumented';
import { defineOperation } from '../../run/operation';

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
	output: importRecord,
});
