import { listSequences } from '../../contract';
import type { Operation } from '../../execution/operation';
import { pageOptionsField, returnAllOrLimit } from '../shared/lists';
import { simplify } from '../shared/simplifyField';
import { NOT_DOCUMENTED } from '../shared/unsupported';
import { simpleSequence, simplifySequence } from './simplify';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many sequences',
	description: `Get many sequences with their numbers. ${NOT_DOCUMENTED}.`,
	endpoint: listSequences,
	fields: [...returnAllOrLimit, simplify, pageOptionsField],
	output: simpleSequence,
	simplify: (sequences) => sequences.map(simplifySequence),
};
