import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { testCredential } from '../../panel/credentialTest';
import { triggerRequestOptions } from '../../panel/connectionFields';
import { listSearch, loadOptions } from '../../panel/loadLists';
import { receiveCall } from './receive';
import { webhookMethods } from './registration';
import { instantPanel } from './settings';

/** Has its own folder, because n8n takes one output schema for all triggers of a folder. */
export class WorkspaceMessagingInstantTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Workspace Messaging Instant Trigger',
		name: 'workspaceMessagingInstantTrigger',
		icon: {
			light: 'file:../../workspaceMessaging.svg',
			dark: 'file:../../workspaceMessaging.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: instantPanel.subtitle,
		description:
			'Starts at once when a contact writes, a flow sends data or a conversation changes',
		builderHint: {
			searchHint:
				'A webhook that registers itself. The service calls it only for what happens on a channel or in a flow. For every message that contacts write, and for changes by the API, the dashboard or an import, use workspaceMessagingTrigger, which polls',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-workspace-messaging.workspaceMessagingTrigger',
					relationHint:
						'Polls for messages that contacts write, and for changes of contacts, tags, channels and more',
				},
				{
					nodeType: 'n8n-nodes-workspace-messaging.workspaceMessaging',
					relationHint: 'Answers the contact, or changes the contact, its tags and custom fields',
				},
			],
		},
		triggerPanel: { header: 'Receive an event from your workspace' },
		eventTriggerDescription:
			'Run the flow, or make the event happen on a channel, as a contact would',
		activationMessage:
			'The service will call n8n when the event happens. The first call can take a minute. To try it, run the flow, or make the event happen on a channel, as a contact would.',
		defaults: { name: 'Workspace Messaging Instant Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'workspaceMessagingApi', required: true, testedBy: 'testCredential' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: instantPanel.responseMode,
				// An empty answer: the service only looks at its status.
				responseData: 'noData',
			},
		],
		properties: [...instantPanel.fields, triggerRequestOptions],
	};

	methods = { credentialTest: { testCredential }, listSearch, loadOptions };

	webhookMethods = webhookMethods;

	webhook = receiveCall;
}
