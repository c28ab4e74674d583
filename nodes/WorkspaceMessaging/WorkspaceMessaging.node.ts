import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { testCredential } from './panel/credentialTest';
import { listSearch, loadOptions, resourceMapping } from './panel/loadLists';
import { resources } from './resources';
import { answerLink, waitingWebhooks } from './resources/message/question/webhook';
import { longTextHint } from './resources/message/send';
import { buildBuilderHint, buildOperations, buildProperties, buildSubtitle } from './node/describe';
import { requestOptions } from './node/requestOptions';

export class WorkspaceMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Workspace Messaging',
		name: 'workspaceMessaging',
		icon: { light: 'file:workspaceMessaging.svg', dark: 'file:workspaceMessaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Send WhatsApp, Messenger and web chat messages; manage contacts and conversations',
		builderHint: buildBuilderHint(resources),
		defaults: { name: 'Workspace Messaging' },
		usableAsTool: true,
		hints: [longTextHint],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'workspaceMessagingApi', required: true, testedBy: 'testCredential' }],
		waitingNodeTooltip: 'Waits until the contact answers through the link in the message',
		webhooks: waitingWebhooks,
		requestDefaults: {},
		properties: [...buildProperties(resources), requestOptions],
	};

	customOperations = buildOperations(resources);

	webhook = answerLink;

	methods = {
		credentialTest: { testCredential },
		listSearch,
		loadOptions,
		resourceMapping,
	};
}
