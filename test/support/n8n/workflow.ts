import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
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

/** The place for the credential of our nodes. */
export const ourCredential = { workspaceMessagingApi: { id: null, name: '' } };
