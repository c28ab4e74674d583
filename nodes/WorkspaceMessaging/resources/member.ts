import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { member, workspaceApi, getUserOfMember } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { keywordField, optional, returnAllOrLimit, simplify } from '../panel/fields';
import { subjectLocator } from '../panel/lookups/locators';
import { lookups } from '../panel/lookups';
import { dateTime, string, stringOrNull } from '../contract/values';

const simpleMember = z.object({
	id: string,
	userId: string,
	name: stringOrNull,
	createdAt: dateTime,
});

/** Returns the fields of a member that people use most; only a single member has a role. */
function simplifyMember(member: IDataObject): IDataObject {
	const { id, userId, role, createdAt } = member;
	return {
		id,
		userId,
		name: getUserOfMember(member).name ?? null,
		...(role !== undefined && { role }),
		createdAt,
	};
}

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get member',
	description: 'Get one member of the workspace with their role',
	endpoint: workspaceApi.getMember,
	fields: [subjectLocator(lookups.members, 'memberId'), simplify],
	output: simpleMember.extend({ role: member.shape.role }),
	simplify: (members) => members.map(simplifyMember),
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many members',
	description: 'Get many members of the workspace',
	endpoint: workspaceApi.listMembers,
	fields: [
		...returnAllOrLimit,
		simplify,
		optional('filters', [
			keywordField('e.g. nathan', 'Only members whose name or email matches this text'),
		]),
	],
	output: simpleMember,
	simplify: (members) => members.map(simplifyMember),
});

export const members: Resource = {
	name: 'Member',
	value: 'member',
	description: 'Users of the workspace',
	operations: [get, getAll],
	default: getAll,
};
