import type { IDataObject } from 'n8n-workflow';

/** The fields of a team that people use most, with its members as user ID, name and email. */
export function simplifyTeam(team: IDataObject): IDataObject {
	const { id, name, inboxTeamMembers } = team;
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
