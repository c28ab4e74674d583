import { z } from 'zod/v4';
import { named } from '../reference/lists';
import { without, type Channel, type Member, type Sequence } from '../../records';
import type { Workspace } from '../../workspace';
import { operation, type Operations } from './router';
import { proceedAll } from './broadcasts/sending';
import { clampedPaging, holds, paged, slice, sort, sorted, strictPaging } from './inputs';
import { notFound, systemError } from './problems';

/** Channels may hold the platform's own id, which the reference does not describe. */
type ChannelRecord = Channel & { sourceId?: string };

const platformsWithNames = ['telegram', 'instagram'];

/** The platform's own id of a channel (page, phone number, or user name): no operation takes it. */
function sourceIdOf({ id, channel, sourceId }: ChannelRecord): string {
	if (sourceId !== undefined) return sourceId;
	return platformsWithNames.includes(channel) ? `shop_${id.slice(-4)}` : `1000${id.slice(-11)}`;
}

const connected = ({ tables }: Workspace) =>
	[...tables.channels.values()].filter(({ status }) => status === 'connected');

const inboxQuery = z.object({
	page: z.number().int().min(1).default(1),
	perPage: z.number().int().min(1).optional(),
});

/** One page of inboxes; its `pageCount` is right only where at most 50 a page were asked for. */
function inboxPage(
	records: Channel[],
	{ page, perPage }: z.output<typeof inboxQuery>,
	show: (record: Channel) => unknown,
) {
	const shown = slice(records, { page, perPage: Math.min(perPage ?? 20, 50) });
	return { data: shown.map(show), pageCount: Math.ceil(records.length / (perPage ?? 10)) };
}

const namedQuery = z.object({
	...strictPaging,
	name: z.string().optional(),
	folderId: z.string().optional(),
	active: z.boolean().optional(),
	sort,
});
const columns = ['name', 'createdAt', 'updatedAt'];

/** What a list keeps by name and folder; folder `0` is the root. */
const kept = (
	record: { name: string; active: boolean; folderId?: string | null },
	{ name, folderId, active }: { name?: string; folderId?: string; active?: boolean },
) =>
	(!name || holds(record.name, name)) &&
	(folderId === undefined || (record.folderId ?? '0') === folderId) &&
	(active === undefined || record.active === active);

/** A sequence as newer services show it. */
const showSequence = (sequence: Sequence) => ({
	...without(sequence, 'subscribers', 'messages', 'openRate', 'ctr'),
	stepsCount: 1,
	subscribersCount: sequence.subscribers,
});

function sequenceOf({ tables }: Workspace, sequenceId: string): Sequence {
	const sequence = tables.sequences.get(sequenceId);
	if (!sequence) throw notFound('Sequence');
	return sequence;
}

const showMember = (member: Member) => without(member, 'email', 'role');

const shared = {
	listMembers: operation(
		z.object({ ...clampedPaging(20), keyword: z.string().optional(), sort }),
		({ workspace }, query) => {
			const members = named(workspace.tables.members.values(), query.keyword, ({ user, email }) => [
				user.name,
				email,
			]);
			return paged(members, query, showMember);
		},
	),
	getMember: operation(z.object({ memberId: z.string() }), ({ workspace }, { memberId }) => {
		const member = workspace.tables.members.get(memberId);
		if (!member) throw notFound('Member');
		return without(member, 'email');
	}),
	getBroadcast: operation(z.object({ idOrName: z.string() }), ({ workspace }, { idOrName }) => {
		proceedAll(workspace);
		const { tables } = workspace;
		const broadcast =
			tables.broadcasts.get(idOrName) ??
			[...tables.broadcasts.values()].find(({ name }) => name === idOrName);
		if (!broadcast) throw notFound('Broadcast');
		return broadcast;
	}),
} satisfies Operations;

const nothing = z.object({});

/** Operations that some builds of both kinds have. */
export const listTeams = operation(nothing, ({ workspace }) => ({
	data: [...workspace.tables.teams.values()],
}));
export const getWorkspace = operation(nothing, ({ workspace }) => workspace.record);

/** What can be read, but not written, in newer services. */
export const newerCatalogue = {
	...shared,
	listTeams,
	getToken: operation(nothing, ({ workspace }) => ({
		workspaceId: workspace.record.id,
		permission: workspace.options.token?.readOnly ? 'read' : 'full',
		scopes: workspace.options.token?.scopes ?? null,
	})),
	listInboxes: operation(inboxQuery, ({ workspace }, query) =>
		inboxPage(connected(workspace), query, (inbox) => ({ ...inbox, sourceId: sourceIdOf(inbox) })),
	),
	listChannels: operation(inboxQuery, ({ workspace }, query) =>
		inboxPage(connected(workspace), query, ({ name, channel, status, ...inbox }) => ({
			id: sourceIdOf({ name, channel, status, ...inbox }),
			name,
			channel,
			status,
		})),
	),
	listFlows: operation(
		namedQuery.extend({ active: z.boolean().default(true) }),
		({ workspace }, query) => {
			const flows = [...workspace.tables.flows.values()]
				.map(({ id, name, active }) => ({ id, name, folderId: null, active: active !== false }))
				.filter((flow) => kept(flow, query));
			return paged(sorted(flows, query.sort, columns), query);
		},
	),
	listSequences: operation(namedQuery, ({ workspace }, query) => {
		const sequences = [...workspace.tables.sequences.values()].reverse();
		return paged(
			sorted(
				sequences.filter((sequence) => kept(sequence, query)),
				query.sort,
				columns,
			),
			query,
			showSequence,
		);
	}),
	getSequence: operation(z.object({ id: z.string() }), ({ workspace }, { id }) =>
		showSequence(sequenceOf(workspace, id)),
	),
} satisfies Operations;

/** Such lists want a user who is logged in, and take no token for one. */
const forUsersOnly = operation(nothing, () => {
	throw systemError('User is not associated with this workspace');
});

/** The same in older services. */
export const olderCatalogue = {
	...shared,
	getWorkspace,
	listBroadcasts: forUsersOnly,
	listChannels: forUsersOnly,
	listConversations: forUsersOnly,
	listErrorLogs: forUsersOnly,
	listSequences: forUsersOnly,
	getSequence: forUsersOnly,
	listFlows: operation(nothing, ({ workspace }) => ({
		data: [...workspace.tables.flows.values()]
			.filter(({ active }) => active !== false)
			.map(({ id, name }) => ({ id, name })),
	})),
} satisfies Operations;
