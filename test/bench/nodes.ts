import { createRequire } from 'node:module';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { installN8n } from '../../scripts/n8n/install';
import { CREDENTIAL } from '../support/engine/engine';
import type { OtherNode } from '../support/engine/engine';

/** A way to send one message for each item, and to read all contacts. */
export interface Contender {
	name: string;
	node?: OtherNode;
	sendMessages(url: string): INodeParameters;
	/** Whether `sendMessages` only evaluates the expressions. */
	sendsNothing?: boolean;
	/** Parameters to send the file of each item; absent where one would have to write the request. */
	sendFiles?(url: string): INodeParameters;
	/** Parameters to read all contacts; absent where one would have to build a loop of nodes. */
	readContacts?(url: string): INodeParameters;
}

const text = '=Hello {{ $json.n }}';

export const ours: Contender = {
	name: 'Workspace Messaging',
	sendMessages: () => ({
		resource: 'message',
		operation: 'send',
		identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		text,
	}),
	sendFiles: () => ({
		resource: 'message',
		operation: 'send',
		identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		text,
		attachments: 'data',
	}),
	readContacts: () => ({
		resource: 'contact',
		operation: 'getAll',
		returnAll: true,
		simplify: false,
	}),
};

/** Loads the newest version of one of n8n's own nodes. */
async function newestOf(className: string): Promise<INodeType> {
	const { bin } = await installN8n();
	const load: NodeJS.Require = createRequire(bin);
	const nodes: Record<string, new () => { nodeVersions: Record<string, INodeType> }> = load(
		`n8n-nodes-base/dist/nodes/${className}/${className}.node.js`,
	);
	const { nodeVersions } = new nodes[className]();
	const [newest] = Object.keys(nodeVersions).sort((a, b) => Number(b) - Number(a));
	return nodeVersions[newest];
}

/** n8n's HTTP Request node with our credential: what people use who know the API. */
export async function httpRequest(): Promise<Contender> {
	const withCredential = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: CREDENTIAL,
	};
	return {
		name: 'HTTP Request',
		node: { name: 'n8n-nodes-base.httpRequest', type: await newestOf('HttpRequest') },
		sendMessages: (url) => ({
			...withCredential,
			method: 'POST',
			url: `=${url}/api/v1/contacts/id:{{ $json.id }}/messages`,
			sendBody: true,
			specifyBody: 'keypair',
			bodyParameters: { parameters: [{ name: 'text', value: text }] },
			options: {},
		}),
		sendFiles: (url) => ({
			...withCredential,
			method: 'POST',
			url: `=${url}/api/v1/contacts/id:{{ $json.id }}/messages`,
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [
					{ parameterType: 'formData', name: 'text', value: text },
					{ parameterType: 'formBinaryData', name: 'files[0]', inputDataFieldName: 'data' },
				],
			},
			options: {},
		}),
		readContacts: (url) => ({
			...withCredential,
			method: 'GET',
			url: `${url}/api/v1/contacts?perPage=100`,
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
						},
						paginationCompleteWhen: 'other',
						completeExpression: '={{ $pageCount >= $response.body.pageCount }}',
						limitPagesFetched: false,
						requestInterval: 0,
					},
				},
			},
		}),
	};
}

/** n8n's Edit Fields node with the expressions of a message: what any node pays for its items. */
export async function editFields(): Promise<Contender> {
	return {
		name: 'Edit Fields',
		node: { name: 'n8n-nodes-base.set', type: await newestOf('Set') },
		sendsNothing: true,
		sendMessages: () => ({
			mode: 'manual',
			assignments: {
				assignments: [
					{ id: 'id', name: 'id', type: 'string', value: '={{ $json.id }}' },
					{ id: 'text', name: 'text', type: 'string', value: text },
				],
			},
			options: {},
		}),
	};
}

/** One request after the other, as hand-written nodes do it. */
export const oneAtATime: Contender = {
	name: 'One at a time',
	node: {
		name: 'test.oneAtATime',
		type: {
			description: {
				displayName: 'One at a Time',
				name: 'oneAtATime',
				group: ['output'],
				version: 1,
				description: 'Sends one request after the other',
				defaults: {},
				inputs: ['main'],
				outputs: ['main'],
				credentials: [{ name: CREDENTIAL }],
				properties: ['task', 'url', 'id', 'text'].map((name) => ({
					displayName: name,
					name,
					type: 'string',
					default: '',
				})),
			},
			async execute(this: IExecuteFunctions) {
				const url = this.getNodeParameter('url', 0) as string;
				const output: INodeExecutionData[] = [];
				if (this.getNodeParameter('task', 0) === 'readContacts') {
					for (let page = 1, pageCount = 1; page <= pageCount; page++) {
						const answer = (await this.helpers.httpRequestWithAuthentication.call(
							this,
							CREDENTIAL,
							{
								url: `${url}/api/v1/contacts`,
								qs: { page, perPage: 100 },
								json: true,
							},
						)) as { data: Array<INodeExecutionData['json']>; pageCount: number };
						({ pageCount } = answer);
						output.push(...answer.data.map((json) => ({ json })));
					}
					return [output];
				}
				for (let item = 0; item < this.getInputData().length; item++) {
					const id = this.getNodeParameter('id', item) as string;
					await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
						method: 'POST',
						url: `${url}/api/v1/contacts/id:${id}/messages`,
						body: { text: this.getNodeParameter('text', item) },
						json: true,
					});
					output.push({ json: { success: true }, pairedItem: { item } });
				}
				return [output];
			},
		} as unknown as INodeType,
	},
	sendMessages: (url) => ({ task: 'sendMessages', url, id: '={{ $json.id }}', text }),
	readContacts: (url) => ({ task: 'readContacts', url }),
};
