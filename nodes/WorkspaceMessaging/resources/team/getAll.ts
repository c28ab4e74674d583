import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { listTeams } from '../../contract';
import type { Operation } from '../../execution/operation';
import { returnAllOrLimit } from '../shared/lists';
import { simplify } from '../shared/simplifyField';

const simpleTeam = z.object({
	id: z.string(),
	name: z.string(),
	members: z.array(
		z.object({ userId: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
	),
});

/** The fields of a team that people use most, with its members as user ID, name and email. */
function simplifyTeam({ id, name, inboxTeamMembers }: IDataObject): IDataObject {
	const members = Array.isArray(inboxTeamMembers) ? (inboxTeamMembers as IDataObject[]) : [];
	return {
		id,
		name,
		members: members.map(({ userId, user }) => {
			const { name: userName, email } = (user ?? {}) as IDataObject;
			return { userId, name: userName, email };
		}),
	};
}

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many teams',
	description: 'Get many teams of the workspace with their members',
	endpoint: listTeams,
	fields: [...returnAllOrLimit, simplify],
	output: simpleTeam,
	simplify: (teams) => teams.map(simplifyTeam),
};
