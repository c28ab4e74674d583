import type { INodeProperties } from 'n8n-workflow';
import { listMembers } from '../../contract';
import { route } from '../../routing/operation';
import { keywordFilter, optional, showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';
import { simplifyMember } from './simplify';

export const getAllFields: INodeProperties[] = showFor('member', 'getAll', [
	optional('filters', [keywordFilter('e.g. nathan', 'Only members whose name or email matches this text')]),
	pageOptionsField,
]);

export const getAllRouting = route(listMembers, getAllFields, {
	simplify: (records) => records.map(simplifyMember),
});
