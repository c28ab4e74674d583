import { getMember, member } from '../../contract';
import type { Operation } from '../../execution/operation';
import { locator } from '../shared/locators';
import { lookups } from '../shared/lookups';
import { simplify } from '../shared/simplifyField';
import { simpleMember, simplifyMember } from './simplify';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get member',
	description: 'Get one member of the workspace with its role',
	endpoint: getMember,
	fields: [
		locator(lookups.members, {
			displayName: 'Member',
			name: 'memberId',
			required: true,
			inPath: true,
		}),
		simplify,
	],
	output: simpleMember.extend({ role: member.shape.role }),
	simplify: (members) => members.map(simplifyMember),
};
