import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { numericId, pathValue, search, someText, timestamps } from './values';
import { pagedList } from './endpoint';

/*
 * The workspace, and what the API only reads of it: members, teams, flows, AI agents, channels,
 * sequences, broadcasts.
 */

/** Workspace; the reference names the endpoint without its response (part 4.6). */
export const workspace = z.looseObject({ id: z.string(), name: z.string() });

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

/** Flow; the reference names its list without the response (part 4.6). */
export const flow = z.looseObject({
	id: z.string(),
	name: z.string(),
	active: z.boolean().optional(),
});

/** AI agent; the reference names its list without path and response (part 4.6). */
export const aiAgent = z.looseObject({ id: z.string(), name: z.string() });

/**
 * Channel, also called inbox (part 2.7). Services may have more types and statuses than the
 * reference names.
 */
export const channel = z.object({
	id: z.string(),
	name: z.string(),
	channel: z.string(),
	status: z.string(),
});

/** Sequence (part 2.8). */
export const sequence = z.object({
	id: z.string(),
	name: z.string(),
	active: z.boolean(),
	subscribers: z.number(),
	messages: z.number(),
	openRate: z.number().nullable(),
	ctr: z.number().nullable(),
	folderId: z.string().nullable(),
	workspaceId: z.string(),
	...timestamps,
});

/** The fields of a sequence that people use most. */
export const simpleSequence = sequence.pick({
	id: true,
	name: true,
	active: true,
	subscribers: true,
	messages: true,
	openRate: true,
	ctr: true,
});

/** Broadcast as its list returns it (part 2.9). */
export const broadcastListItem = z.object({
	id: z.string(),
	name: z.string(),
	schedulesAt: z.iso.datetime(),
	contactCount: z.number().nullable(),
	flowId: z.string().nullable(),
	status: z.string(),
});

/** One broadcast (part 2.9). */
export const broadcast = broadcastListItem.extend({ schedulesType: z.enum(['now', 'future']) });

/** The calls about the workspace and its parts. */
export const workspaceApi = {
	getWorkspace: {
		method: 'GET',
		path: '/api/v1/workspaces',
		response: z.object({ data: z.array(workspace) }),
		list: 'onePage',
		undocumented: {},
	},

	listMembers: pagedList('/api/v1/members', memberListItem, search),

	getMember: {
		method: 'GET',
		path: '/api/v1/members/{memberId}',
		params: z.strictObject({ memberId: numericId }),
		response: member,
	},

	listTeams: {
		method: 'GET',
		path: '/api/v1/teams',
		response: z.object({ data: z.array(team) }),
		list: 'onePage',
	},

	listFlows: {
		...pagedList('/api/v1/flows', flow, {}),
		undocumented: {},
	},

	listAiAgents: {
		...pagedList('/api/v1/ai-agents', aiAgent, {}),
		undocumented: {},
	},

	listChannels: pagedList('/api/v1/channels', channel, {
		includes: z.array(someText, 'must be a list of names').optional(),
	}),

	getSequence: {
		method: 'GET',
		path: '/api/v1/sequences/{sequenceId}',
		params: z.strictObject({ sequenceId: pathValue }),
		response: sequence,
	},

	listSequences: {
		...pagedList('/api/v1/sequences', sequence, {}),
		undocumented: { instead: 'enter the IDs of sequences' },
	},

	listBroadcasts: pagedList('/api/v1/broadcasts', broadcastListItem, {}),

	getBroadcast: {
		method: 'GET',
		path: '/api/v1/broadcasts/{broadcastId}',
		params: z.strictObject({ broadcastId: pathValue }),
		response: broadcast,
	},
} satisfies Record<string, Endpoint>;
