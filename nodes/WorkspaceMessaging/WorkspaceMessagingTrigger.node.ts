import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { testCredential } from './methods/credentialTest';
import { loadOptions } from './methods/lists';
import { eventSubtitle, triggerFields } from './trigger/settings';
import { poll } from './trigger/poll';

export class WorkspaceMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Workspace Messaging Trigger',
		name: 'workspaceMessagingTrigger',
		icon: { light: 'file:workspaceMessaging.svg', dark: 'file:workspaceMessaging.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle,
		// The editor shows these words for both nodes.
		description:
			'Send messages and manage contacts, tags and flows of a messaging-automation workspace, or start the workflow when something in it changes',
		defaults: { name: 'Workspace Messaging Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'workspaceMessagingApi', required: true, testedBy: 'testCredential' }],
		properties: triggerFields,
	};

	methods = { credentialTest: { testCredential }, loadOptions };

	poll = poll;
}
