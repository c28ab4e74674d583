import { listMembers } from '../../contract';
import type { Operation } from '../../execution/operation';
import { keywordFilter, optional } from '../shared/fields';
import { pageOptionsField, returnAllOrLimit } from '../shared/lists';
import { simplify } from '../shared/simplifyField';
import { simpleMember, simplifyMember } from './simplify';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many members',
	description: 'Get many members of the workspace',
	endpoint: listMembers,
	fields: [
		...returnAllOrLimit,
		simplify,
		optional('filters', [keywordFilter('e.g. nathan', 'Only members whose name or email matches this text')]),
		pageOptionsField,
	],
	output: simpleMember,
	simplify: (members) => members.map(simplifyMember),
};
