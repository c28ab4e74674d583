import { undocumentedApi } from '../../contract/undocumented';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import { changedRecordsOutput, removeSelectedRecords } from './namedRecords/change';
import { selectionFields, selectionInput } from './namedRecords/fields';
import { findSequences } from './namedRecords/find';

export const removeFromSequences = defineOperation({
	name: 'Remove From Sequences',
	value: 'removeFromSequences',
	action: 'Remove contact from sequences',
	description: 'Remove a contact from sequences, by list, ID or name',
	endpoint: undocumentedApi.removeContactSequences,
	fields: [contactLocator, ...selectionFields('sequence')],
	output: changedRecordsOutput('sequence', 'removed'),
	...selectionInput('sequence'),
	run: (item) =>
		removeSelectedRecords(item, 'sequence', undocumentedApi.removeContactSequences, findSequences),
});
