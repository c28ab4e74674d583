import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { objectsIn } from '../transport/guards';
import { workspaceApi, getUserOfMember } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { returnAllOrLimit, simplify } from '../panel/fields';
import { string, stringOrNull } from '../contract/values';

const simpleTeam = z.object({
	id: string,
	name: string,
	members: z.array(z.object({ userId: string, name: stringOrNull, email: stringOrNull })),
});

/**
 * Returns the fields of a team that people use most, with the user ID, name and email of its
 * members.
 */
function simplifyTeam({ id, name, inboxTeamMembers }: IDataObject): IDataObject {
	return {
		id,
		name,
		members: objectsIn(inboxTeamMembers).map((member) => {
			const { name: userName, email } = getUserOfMember(member);
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
