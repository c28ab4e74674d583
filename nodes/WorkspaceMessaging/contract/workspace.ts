import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { pagedList, type Endpoint } from './endpoint';
import {
	boolean,
	dateTime,
	dateTimeOrNull,
	number,
	numericId,
	pathValue,
	search,
	someText,
	string,
	stringOrNull,
	timestamps,
} from './values';

/*
 * The workspace, and what the API only reads of it: members, teams, flows, AI agents, channels,
 * sequences, broadcasts.
 */

/** Workspace; the reference names the endpoint without its response (part 4.6). */
export const workspace = z.looseObject({ id: string, name: string });

const permissions = z.object({
	superAdmin: boolean,
	analytics: boolean,
	flows: boolean,
	contacts: boolean,
	onlyAssignedContacts: boolean,
	emailAndPhone: boolean,
	broadcast: boolean,
	ecommerce: boolean,
});

/** Member as its list returns it: without role (part 2.5). */
const memberListItem = z.object({
	id: string,
	workspaceId: string,
	userId: string,
	permissions,
	user: z.object({ id: string, name: stringOrNull, image: stringOrNull }),
	...timestamps,
});

/** One member (part 2.5). */
export const member = memberListItem.extend({ role: z.enum(['owner', 'agent']) });

const teamMember = z.object({
	id: string,
	inboxTeamId: string,
	userId: string,
	user: z.object({
		id: string,
		name: stringOrNull,
		email: stringOrNull,
		image: stringOrNull,
		emailVerified: boolean,
		isAnonymous: boolean,
		createdAt: dateTime.optional(),
		updatedAt: dateTime.optional(),
	}),
});

/** Team (part 2.6). */
export const team = z.object({
	id: string,
	name: string,
	workspaceId: string,
	inboxTeamMembers: z.array(teamMember),
	...timestamps,
});

/** Flow; the reference names its list without the response (part 4.6). */
export const flow = z.looseObject({
	id: string,
	name: string,
	active: boolean.optional(),
});

/** AI agent; the reference names its list without path and response (part 4.6). */
export const aiAgent = z.looseObject({ id: string, name: string });

/**
 * Channel, also called inbox (part 2.7). Services may have more types and statuses than the
 * reference names.
 */
export const channel = z.object({
	id: string,
	name: string,
	channel: string,
	status: string,
});

/** Sequence (part 2.8). */
export const sequence = z.object({
	id: string,
	name: string,
	active: boolean,
	subscribers: number,
	messages: number,
	openRate: number.nullable(),
	ctr: number.nullable(),
	folderId: stringOrNull,
	workspaceId: string,
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
	id: string,
	name: string,
	/** Null on services, of a draft that is to be sent at once. */
	schedulesAt: dateTimeOrNull,
	contactCount: number.nullable(),
	flowId: stringOrNull,
	status: string,
});

/** One broadcast (part 2.9). */
export const broadcast = broadcastListItem.extend({ schedulesType: z.enum(['now', 'future']) });

/** The user of a member; empty if the service shows none. */
export const getUserOfMember = ({ user }: IDataObject): IDataObject => Object(user);

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
