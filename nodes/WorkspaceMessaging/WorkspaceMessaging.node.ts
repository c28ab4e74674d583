import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { testCredential } from './credentialTest';
import { listSearch, loadOptions, resourceMapping } from './listSearch';
import { aiAgentFields, aiAgentOperations } from './resources/aiAgent';
import { broadcastFields, broadcastOperations } from './resources/broadcast';
import { channelFields, channelOperations } from './resources/channel';
import { contactFields, contactOperations } from './resources/contact';
import { longTextHint } from './resources/contact/sendMessage';
import { customFieldFields, customFieldOperations } from './resources/customField';
import { flowFields, flowOperations } from './resources/flow';
import { memberFields, memberOperations } from './resources/member';
import { sequenceFields, sequenceOperations } from './resources/sequence';
import { returnAllOrLimit } from './resources/shared/lists';
import { requestOptions } from './resources/shared/requestOptions';
import { simplifyMany, simplifyOne } from './resources/shared/simplifyField';
import { subtitleOf } from './resources/shared/subtitle';
import { tagFields, tagOperations } from './resources/tag';
import { teamOperations } from './resources/team';
import { workspaceOperations } from './resources/workspace';
import { customOperationsOf } from './routing/customOperations';

const operations = [
	aiAgentOperations,
	broadcastOperations,
	channelOperations,
	contactOperations,
	customFieldOperations,
	flowOperations,
	memberOperations,
	sequenceOperations,
	tagOperations,
	teamOperations,
	workspaceOperations,
];

const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'AI Agent', value: 'aiAgent' },
			{ name: 'Broadcast', value: 'broadcast' },
			{ name: 'Channel', value: 'channel' },
			{ name: 'Contact', value: 'contact' },
			{ name: 'Custom Field', value: 'customField' },
			{ name: 'Flow', value: 'flow' },
			{ name: 'Member', value: 'member' },
			{ name: 'Sequence', value: 'sequence' },
			{ name: 'Tag', value: 'tag' },
			{ name: 'Team', value: 'team' },
			{ name: 'Workspace', value: 'workspace' },
		],
		default: 'contact',
	},
	...operations,
	...returnAllOrLimit,
	simplifyMany,
	...aiAgentFields,
	...broadcastFields,
	...channelFields,
	...contactFields,
	...customFieldFields,
	...flowFields,
	...memberFields,
	...sequenceFields,
	...tagFields,
	simplifyOne,
	requestOptions,
];

export class WorkspaceMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Workspace Messaging',
		name: 'workspaceMessaging',
		icon: { light: 'file:workspaceMessaging.svg', dark: 'file:workspaceMessaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Work with contacts, messages, tags, flows and more of a messaging-automation workspace',
		defaults: { name: 'Workspace Messaging' },
		usableAsTool: true,
		hints: [longTextHint],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'workspaceMessagingApi', required: true, testedBy: 'testCredential' }],
		requestDefaults: {},
		properties,
	};

	customOperations = customOperationsOf(properties);

	methods = {
		credentialTest: { testCredential },
		listSearch,
		loadOptions,
		resourceMapping,
	};
}
