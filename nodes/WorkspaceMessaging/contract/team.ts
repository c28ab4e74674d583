import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';

/** Team (part 2.6). */
export const team = z.object({
	id: z.string(),
	name: z.string(),
	workspaceId: z.string(),
	inboxTeamMembers: z.array(
		z.object({
			id: z.string(),
			inboxTeamId: z.string(),
			userId: z.string(),
			user: z.object({
				id: z.string(),
				name: z.string().nullable(),
				email: z.string().nullable(),
				image: z.string().nullable(),
				emailVerified: z.boolean(),
				isAnonymous: z.boolean(),
				createdAt: z.iso.datetime().optional(),
				updatedAt: z.iso.datetime().optional(),
			}),
		}),
	),
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
});

export const listTeams = {
	method: 'GET',
	path: '/api/v1/teams',
	status: 200,
	response: z.object({ data: z.array(team) }),
	list: 'onePage',
	idempotent: true,
} satisfies Endpoint;
