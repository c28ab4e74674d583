import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { testCredential } from './panel/credentialTest';
import { triggerRequestOptions } from './panel/connectionFields';
import { loadOptions } from './panel/loadLists';
import { exampleHint } from './trigger/changes/undelivered';
import { poll } from './trigger/poll';
import { pollingPanel } from './trigger/settings';

export class WorkspaceMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Workspace Messaging Trigger',
		name: 'workspaceMessagingTrigger',
		icon: { light: 'file:workspaceMessaging.svg', dark: 'file:workspaceMessaging.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: pollingPanel.subtitle,
		// The editor shows these words for both nodes.
		description:
			'Send WhatsApp, Messenger and web chat messages; manage contacts and conversations; start when a contact writes, by polling',
		builderHint: {
			searchHint:
				'Polls for messages that contacts write, and for changes, also by the API, the dashboard or an import. To start at once, when a flow sends data or something happens on a channel, use workspaceMessagingInstantTrigger',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-workspace-messaging.workspaceMessagingInstantTrigger',
					relationHint:
						'Starts the workflow at once when a flow sends data or something happens on a channel',
				},
				{
					nodeType: 'n8n-nodes-workspace-messaging.workspaceMessaging',
					relationHint: 'Answers the contact, or changes the contact, its tags and custom fields',
				},
			],
		},
		eventTriggerDescription: 'Looking for a record to show as a sample',
		activationMessage:
			'The trigger now polls at the set times. To try it, make its event happen, and wait for the next poll.',
		hints: [exampleHint],
		defaults: { name: 'Workspace Messaging Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'workspaceMessagingApi', required: true, testedBy: 'testCredential' }],
		properties: [...pollingPanel.fields, triggerRequestOptions],
	};

	methods = { credentialTest: { testCredential }, loadOptions };

	async poll(this: IPollFunctions) {
		return await poll(this);
	}
}
