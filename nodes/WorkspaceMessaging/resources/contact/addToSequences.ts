import { z } from 'zod/v4';
import { contactOutput } from '../../contacts/output';
import { undocumentedApi } from '../../contract/undocumented';
import { contactLocator } from '../../panel/locators';
import { defineOperation } from '../../run/operation';
import { changeSequences, sequencesFields, sequencesInput } from './sequences';

export const addToSequences = defineOperation({
	name: 'Add to Sequences',
	value: 'addToSequences',
	action: 'Add contact to sequences',
	description: 'Add a contact to sequences, by list, ID or name',
	endpoint: undocumentedApi.addContactSequences,
	fields: [contactLocator, ...sequencesFields],
	output: contactOutput.extend({
		addedSequenceIds: z.array(z.string()),
		addedSequenceNames: z.array(z.string()),
	}),
	...sequencesInput,
	run: async (item) => await changeSequences(item, undocumentedApi.addContactSequences, 'added'),
});
