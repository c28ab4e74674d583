import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { workspaceApi } from '../contract/workspace';
import { defineOperation } from '../execution/operation';
import type { Resource } from './shared/describe';
import { returnAllOrLimit, simplify } from './shared/fields';
import { userOf } from './shared/lookups';

const simpleTeam = z.object({
	id: z.string(),
	name: z.string(),
	members: z.array(
		z.object({ userId: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
	),
});

/** Returns the fields of a team that people use most, with the user ID, name and email of its members. */
function simplifyTeam({ id, name, inboxTeamMembers }: IDataObject): IDataObject {
	const members = Array.isArray(inboxTeamMembers) ? (inboxTeamMembers as IDataObject[]) : [];
	return {
		id,
		name,
		members: members.map((member) => {
			const { name: userName, email } = userOf(member);
			return { userId: member.userId, name: userName, email };
		}),
	};
}

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many teams',
	description: 'Get many teams of the workspace with their members',
	endpoint: workspaceApi.listTeams,
	fields: [...returnAllOrLimit, simplify],
	output: simpleTeam,
	simplify: (teams) => teams.map(simplifyTeam),
});

export const teams: Resource = {
	name: 'Team',
	value: 'team',
	description: 'Groups of members that share a channel',
	operations: [getAll],
	default: getAll,
};
