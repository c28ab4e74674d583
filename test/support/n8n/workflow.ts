import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { NODE_TYPE } from '../../../scripts/n8n/run';

/** A node of a workflow. The action node has a credential, which the import fills in. */
export const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): INode => ({
	id: randomUUID(),
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
	...(type === NODE_TYPE && { credentials: { ...ourCredential } }),
});

/** The end of a connection that leads to a node. */
export const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });

/** A workflow whose manual trigger leads to these nodes, one after the other. */
export function chain(name: string, nodes: INode[], more: IConnections = {}) {
	const names = ['Start', ...nodes.map((each) => each.name)];
	const connections: IConnections = Object.fromEntries(
		names.slice(0, -1).map((from, index) => [from, { main: [[to(names[index + 1])]] }]),
	);
	return {
		name,
		nodes: [node('Start', 'n8n-nodes-base.manualTrigger', 1, {}), ...nodes],
		connections: { ...connections, ...more },
	};
}

/** The place for the credential of our nodes. */
export const ourCredential = { workspaceMessagingApi: { id: null, name: '' } };
