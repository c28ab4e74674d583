import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

export const simpleMember = z.object({
	id: z.string(),
	userId: z.string(),
	name: z.string().nullable(),
	createdAt: z.iso.datetime(),
});

/** The fields of a member that people use most, with those of the user beside them. */
export function simplifyMember(member: IDataObject): IDataObject {
	const { id, userId, role, user, createdAt } = member;
	const simple: IDataObject = { id, userId, name: (user as IDataObject | undefined)?.name ?? null };
	// Only the answer for a single member has a role.
	if (role !== undefined) simple.role = role;
	return { ...simple, createdAt };
}
