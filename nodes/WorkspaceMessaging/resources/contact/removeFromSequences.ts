import { z } from 'zod/v4';
import { contactOutput } from '../../contacts/output';
import { undocumentedApi } from '../../contract/undocumented';
import { contactLocator } from '../../panel/locators';
import { defineOperation } from '../../run/operation';
import { changeSequences, sequencesFields, sequencesInput } from './sequences';

export const removeFromSequences = defineOperation({
	name: 'Remove From Sequences',
	value: 'removeFromSequences',
	action: 'Remove contact from sequences',
	description: 'Remove a contact from sequences, by list, ID or name',
	endpoint: undocumentedApi.removeContactSequences,
	fields: [contactLocator, ...sequencesFields],
	output: contactOutput.extend({
		removedSequenceIds: z.array(z.string()),
		removedSequenceNames: z.array(z.string()),
	}),
	...sequencesInput,
	run: async (item) =>
		await changeSequences(item, undocumentedApi.removeContactSequences, 'removed'),
});
