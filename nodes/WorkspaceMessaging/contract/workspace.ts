import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { numericId, pagedList, search, timestamps } from './values';

/* The workspace, and what the API only reads of it: its members, teams, flows and AI agents. */

/** Workspace; the reference names the endpoint without its response (part 4.6). */
export const workspace = z.looseObject({ id: z.string(), name: z.string() });

export const getWorkspace = {
	method: 'GET',
	path: '/api/v1/workspaces',
	response: z.object({ data: z.array(workspace) }),
	list: 'onePage',
	undocumented: {},
} satisfies Endpoint;

const permissions = z.object({
	superAdmin: z.boolean(),
	analytics: z.boolean(),
	flows: z.boolean(),
	contacts: z.boolean(),
	onlyAssignedContacts: z.boolean(),
	emailAndPhone: z.boolean(),
	broadcast: z.boolean(),
	ecommerce: z.boolean(),
});

/** Member as its list returns it: without role (part 2.5). */
const memberListItem = z.object({
	id: z.string(),
	workspaceId: z.string(),
	userId: z.string(),
	permissions,
	user: z.object({ id: z.string(), name: z.string().nullable(), image: z.string().nullable() }),
	...timestamps,
});

/** One member (part 2.5). */
export const member = memberListItem.extend({ role: z.enum(['owner', 'agent']) });

export const listMembers = pagedList('/api/v1/members', memberListItem, search);

export const getMember = {
	method: 'GET',
	path: '/api/v1/members/{memberId}',
	params: z.strictObject({ memberId: numericId }),
	response: member,
} satisfies Endpoint;

const teamMember = z.object({
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
});

/** Team (part 2.6). */
export const team = z.object({
	id: z.string(),
	name: z.string(),
	workspaceId: z.string(),
	inboxTeamMembers: z.array(teamMember),
	...timestamps,
});

export const listTeams = {
	method: 'GET',
	path: '/api/v1/teams',
	response: z.object({ data: z.array(team) }),
	list: 'onePage',
} satisfies Endpoint;

/** Flow; the reference names its list without the response (part 4.6). */
export const flow = z.looseObject({ id: z.string(), name: z.string(), active: z.boolean().optional() });

export const listFlows = {
	...pagedList('/api/v1/flows', flow, {}),
	undocumented: {},
} satisfies Endpoint;

/** AI agent; the reference names its list without path and response (part 4.6). */
export const aiAgent = z.looseObject({ id: z.string(), name: z.string() });

export const listAiAgents = {
	...pagedList('/api/v1/ai-agents', aiAgent, {}),
	undocumented: {},
} satisfies Endpoint;
