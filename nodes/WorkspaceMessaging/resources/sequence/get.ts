import { getSequence } from '../../contract';
import type { Operation } from '../../execution/operation';
import { locator } from '../shared/locators';
import { lookups } from '../shared/lookups';
import { simplify } from '../shared/simplifyField';
import { simpleSequence, simplifySequence } from './simplify';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get sequence',
	description: 'Get one sequence with its numbers',
	endpoint: getSequence,
	fields: [
		locator(lookups.sequences, {
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
