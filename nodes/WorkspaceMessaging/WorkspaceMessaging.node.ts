import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { testCredential } from './methods/credentialTest';
import { listSearch, loadOptions, resourceMapping } from './methods/lists';
import { resources } from './resources';
import { waitingWebhooks, webhook } from './resources/contact/ask/webhook';
import { longTextHint } from './resources/contact/sendMessage';
import { builderHintOf, customOperationsOf, propertiesOf, subtitleOf } from './resources/shared/describe';
import { requestOptions } from './execution/requestOptions';

export class WorkspaceMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Workspace Messaging',
		name: 'workspaceMessaging',
		icon: { light: 'file:workspaceMessaging.svg', dark: 'file:workspaceMessaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: subtitleOf(resources),
		description:
			'Send messages and manage contacts, tags, flows and more of a messaging-automation workspace',
		builderHint: builderHintOf(resources),
		defaults: { name: 'Workspace Messaging' },
		usableAsTool: true,
		hints: [longTextHint],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'workspaceMessagingApi', required: true, testedBy: 'testCredential' }],
		waitingNodeTooltip: 'Waits until the contact answers by the link in the message',
		webhooks: waitingWebhooks,
		requestDefaults: {},
		properties: [...propertiesOf(resources), requestOptions],
	};

	customOperations = customOperationsOf(resources);

	webhook = webhook;

	methods = {
		credentialTest: { testCredential },
		listSearch,
		loadOptions,
		resourceMapping,
	};
}
