import { getImport, importRecord } from '../../contract/undocumented';
import type { Operation } from '../../execution/operation';
import { NOT_DOCUMENTED } from '../shared/unsupported';

export const getImportStatus: Operation = {
	name: 'Get Import Status',
	value: 'getImportStatus',
	action: 'Get import status',
	description: `Tell how an import goes, by its ID. ${NOT_DOCUMENTED}.`,
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
