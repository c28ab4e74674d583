import { undocumentedApi } from '../../contract/undocumented';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import {
	changedRecordsOutput,
	describeChangedRecords,
	getRecordsToAdd,
} from './namedRecords/change';
import { selectionFields, selectionInput } from './namedRecords/fields';
import { findSequences } from './namedRecords/find';
import { sendWithOthers } from './namedRecords/send';

export const addToSequences = defineOperation({
	name: 'Add to Sequences',
	value: 'addToSequences',
	action: 'Add contact to sequences',
	description: 'Add a contact to sequences, by list, ID or name',
	endpoint: undocumentedApi.addContactSequences,
	fields: [contactLocator, ...selectionFields('sequence')],
	output: changedRecordsOutput('sequence', 'added'),
	...selectionInput('sequence'),

	async run(item) {
		const names = await getRecordsToAdd(item, 'sequence', findSequences);
		await sendWithOthers(item, 'sequence', undocumentedApi.addContactSequences, names.keys());
		return describeChangedRecords(item, 'sequence', 'added', names);
	},
});
