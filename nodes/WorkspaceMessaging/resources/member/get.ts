import type { INodeProperties } from 'n8n-workflow';
import { getMember } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { locator } from '../shared/locators';
import { simplifyMember } from './simplify';

export const getFields: INodeProperties[] = showFor('member', 'get', [
	locator({
		displayName: 'Member',
		name: 'memberId',
		required: true,
		description: 'The member of the workspace',
		thing: 'a member',
		searchListMethod: 'searchMembers',
		inPath: true,
	}),
]);

export const getRouting = route(getMember, getFields, { simplify: (records) => records.map(simplifyMember) });
