import { getSequence } from '../../contract';
import type { Operation } from '../../execution/operation';
import { locator } from '../shared/locators';
import { pickLists } from '../shared/pickLists';
import { simplify } from '../shared/simplifyField';
import { simpleSequence, simplifySequence } from './simplify';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get sequence',
	description: 'Get one sequence with its numbers',
	endpoint: getSequence,
	fields: [
		locator(pickLists.sequences, {
			displayName: 'Sequence',
			name: 'sequenceId',
			required: true,
			inPath: true,
			anyId: true,
		}),
		simplify,
	],
	output: simpleSequence,
	simplify: (sequences) => sequences.map(simplifySequence),
};
