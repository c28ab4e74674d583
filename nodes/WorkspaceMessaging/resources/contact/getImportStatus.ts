import { getImport, importRecord } from '../../contract/undocumented';
import type { Operation } from '../../execution/operation';

export const getImportStatus: Operation = {
	name: 'Get Import Status',
	value: 'getImportStatus',
	action: 'Get import status',
	description: 'Tell how an import goes, by its ID',
	endpoint: getImport,
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
};
