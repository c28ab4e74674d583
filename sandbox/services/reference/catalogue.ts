import { workspaceApi } from '../../../nodes/WorkspaceMessaging/contract/workspace';
import { named, page, whole, type PageQuery } from './lists';
import { without, type Broadcast } from '../../records';
import { notFound } from '../../http/problems';
import type { Workspace } from '../../workspace';

interface Paged {
	query: PageQuery;
}

/** What can be read, but not written. */
export const catalogueHandlers = {
	listMembers(
		workspace: Workspace,
		{ query }: { query: PageQuery & { keyword?: string } },
	): unknown {
		const members = named(workspace.tables.members.values(), query.keyword, ({ user, email }) => [
			user.name,
			email,
		]);
		return page(workspace, workspaceApi.listMembers, members, query, (member) =>
			without(member, 'email', 'role'),
		);
	},

	getMember(workspace: Workspace, { params }: { params: { memberId: string } }) {
		return without(workspace.recordOf('members', params.memberId, 'Member'), 'email');
	},

	listTeams(workspace: Workspace): unknown {
		return whole(workspace, [...workspace.tables.teams.values()]);
	},

	listChannels(workspace: Workspace, { query }: Paged): unknown {
		return page(
			workspace,
			workspaceApi.listChannels,
			[...workspace.tables.channels.values()],
			query,
		);
	},

	listSequences(workspace: Workspace, { query }: Paged): unknown {
		return page(
			workspace,
			workspaceApi.listSequences,
			[...workspace.tables.sequences.values()],
			query,
		);
	},

	getSequence(workspace: Workspace, { params }: { params: { sequenceId: string } }) {
		return workspace.recordOf('sequences', params.sequenceId, 'Sequence');
	},

	listBroadcasts(workspace: Workspace, { query }: Paged): unknown {
		const broadcasts = [...workspace.tables.broadcasts.values()];
		return page(workspace, workspaceApi.listBroadcasts, broadcasts, query, (broadcast) =>
			without(broadcast, 'schedulesType'),
		);
	},

	getBroadcast(workspace: Workspace, { params }: { params: { broadcastId: string } }): Broadcast {
		const { broadcasts } = workspace.tables;
		const broadcast =
			broadcasts.get(params.broadcastId) ??
			[...broadcasts.values()].find(({ name }) => name === params.broadcastId);
		if (!broadcast) throw notFound('Broadcast');
		return broadcast;
	},

	listFlows(workspace: Workspace, { query }: Paged): unknown {
		return page(workspace, workspaceApi.listFlows, [...workspace.tables.flows.values()], query);
	},

	listAiAgents(workspace: Workspace, { query }: Paged): unknown {
		return page(
			workspace,
			workspaceApi.listAiAgents,
			[...workspace.tables.aiAgents.values()],
			query,
		);
	},

	getWorkspace(workspace: Workspace): unknown {
		return workspace.faults.settings.workspaceObject
			? workspace.record
			: whole(workspace, [workspace.record]);
	},
};
