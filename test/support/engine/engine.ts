import 'reflect-metadata';
import path from 'node:path';
import { Container } from '@n8n/di';
import { DirectoryLoader, ErrorReporter, ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, setSafeRegexEngine, Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	ICredentialsHelper,
	GenericValue,
	IBinaryKeyData,
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Resource } from '../../../nodes/WorkspaceMessaging/run/operation';

// n8n's own gives up after a quarter of a second by the clock, which on a busy machine can pass
// before it has begun.
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) =>
		input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

const dist = path.resolve(__dirname, '../../../dist');

export const CREDENTIAL = 'workspaceMessagingApi';
export const OUR_NODE = 'n8n-nodes-workspace-messaging.workspaceMessaging';
const FEEDING_NODE = 'test.feed';
const READING_NODE = 'test.read';
export const NODE_NAME = 'Workspace Messaging';

/** Loads a compiled file of the package. The bench runs without Jest and needs no `nodeRequire`. */
export const load = <T>(file: string) =>
	(typeof nodeRequire === 'function' ? nodeRequire : require)(path.join(dist, file)) as T;

const node = load<{ WorkspaceMessaging: new () => INodeType }>(
	'nodes/WorkspaceMessaging/WorkspaceMessaging.node.js',
);
/** The compiled node, completed the way n8n's loader does it. */
export const compiledNode = new node.WorkspaceMessaging();
DirectoryLoader.applyDeclarativeNodeOptionParameters(compiledNode);

/** The resources of the compiled node, with their operations. */
export const { resources: compiledResources } = load<{ resources: Resource[] }>(
	'nodes/WorkspaceMessaging/resources/index.js',
);

const credential = load<{ WorkspaceMessagingApi: new () => ICredentialType }>(
	'credentials/WorkspaceMessagingApi.credentials.js',
);
const compiledCredential = new credential.WorkspaceMessagingApi();

/** Stands for the nodes before our node: returns its items. */
const feedingNode = {
	description: {
		displayName: 'Feed',
		name: 'feed',
		group: ['input'],
		version: 1,
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute(this: { getInputData(): INodeExecutionData[] }) {
		return [this.getInputData()];
	},
} as unknown as INodeType;

/** Stands for the nodes after our node: evaluates an expression for each item. */
const readingNode = {
	description: {
		displayName: 'Read',
		name: 'read',
		group: ['transform'],
		version: 1,
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	},
	async execute(this: IExecuteFunctions) {
		const read = (_: unknown, index: number) => ({
			json: { value: this.getNodeParameter('value', index) as GenericValue },
			pairedItem: { item: index },
		});
		return [this.getInputData().map(read)];
	},
} as unknown as INodeType;

/**
 * A node type that tests may put in place of ours, such as n8n's own HTTP Request node in the
 * bench.
 */
export interface OtherNode {
	name: string;
	type: INodeType;
}

/** A node that items pass before they reach ours. */
export interface NodeBetween extends OtherNode {
	parameters?: INodeParameters;
}

export interface Credential {
	baseUrl: string;
	accessToken: string;
	requestsPerMinute?: number;
}

export interface RunOptions {
	parameters: INodeParameters;
	credential: Credential;
	/** The `json` of each input item; one empty item when left out. */
	items?: IDataObject[];
	/** The files of each input item, by their fields. */
	files?: IBinaryKeyData[];
	onError?: INode['onError'];
	retryOnFail?: { maxTries: number; waitBetweenTries: number };
	executeOnce?: boolean;
	alwaysOutputData?: boolean;
	/** How often the execution runs our node, each time with the same items, as in a loop. */
	passes?: number;
	executionId?: string;
	workflowId?: string;
	/** Why n8n runs the workflow: in production, unless a test is about manual runs. */
	mode?: WorkflowExecuteMode;
	node?: OtherNode;
	/** Nodes between the feeding node and ours, in their order. */
	between?: NodeBetween[];
	/** Where items have their files; next to their JSON by default. */
	binaryMode?: 'combined';
	/** The expression that the nodes after our two outputs evaluate for each item. */
	readBehind?: string;
	/** Called with a function that cancels the execution. */
	onStarted?: (cancel: () => void) => void;
	/** The workflow's own settings. */
	settings?: IWorkflowSettings;
	/** Runs the workflows that our node calls. */
	executeWorkflow?: IWorkflowExecuteAdditionalData['executeWorkflow'];
}

/** An error as n8n shows it. */
export interface ShownError {
	/** What n8n shows first: the error's own message. */
	headline: string;
	description?: string | null;
	/** All of it as one text; see `shownError`. */
	message: string;
	context?: IDataObject;
	httpCode?: string | null;
}

export interface RunResult {
	/** Output items of our node, by output. */
	outputs: INodeExecutionData[][];
	/** `json` of the items of the first output. */
	json: IDataObject[];
	/** The results of the nodes after our outputs, by output. */
	readBehind: unknown[][];
	/** Why the execution failed, when it did. */
	error?: ShownError;
	/** What n8n shows next to the output. */
	hints: string[];
	/** All that n8n would keep of this execution, as text. */
	kept: string;
	run: IRun;
}

/**
 * Knows one credential. Whoever holds the credential can change it, as a user does in the editor.
 */
class CredentialsHelper {
	constructor(private readonly credential: Credential) {}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async getDecrypted() {
		return { requestsPerMinute: 1_000_000, ...this.credential };
	}

	getCredentialsProperties() {
		return compiledCredential.properties;
	}

	async preAuthentication() {
		return undefined;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		options: IHttpRequestOptions,
	) {
		const { authenticate } = compiledCredential;
		if (typeof authenticate !== 'function')
			throw new Error('The credential authenticates by a function');
		return await authenticate.call(compiledCredential, credentials, options);
	}
}

Container.set(ErrorReporter, { error: () => {}, warn: () => {} } as unknown as ErrorReporter);

/** The nodes after our outputs. */
const BEHIND = ['Behind', 'Behind errors'];

/** A workflow of a feeding node, our node and, if a test needs them, nodes after it. */
export function workflowOf({
	parameters,
	onError,
	retryOnFail,
	executeOnce,
	alwaysOutputData,
	passes = 1,
	workflowId = 'test',
	node = { name: OUR_NODE, type: compiledNode },
	binaryMode,
	readBehind,
	between = [],
	settings,
}: Pick<
	RunOptions,
	| 'parameters'
	| 'onError'
	| 'retryOnFail'
	| 'executeOnce'
	| 'alwaysOutputData'
	| 'passes'
	| 'workflowId'
	| 'node'
	| 'binaryMode'
	| 'readBehind'
	| 'between'
	| 'settings'
>): Workflow {
	const types: Record<string, INodeType> = {
		[FEEDING_NODE]: feedingNode,
		[node.name]: node.type,
		[READING_NODE]: readingNode,
	};
	// A node between can be ours, too; its name on the canvas is the one of its place.
	for (const { name, type } of between) types[typeOf(name, type)] = type;
	const chain = ['Feed', ...between.map(({ name }) => name), NODE_NAME];
	const readers = readBehind === undefined ? [] : BEHIND;
	const nodeTypes = {
		getByName: (name: string) => types[name],
		getByNameAndVersion: (name: string) => types[name],
		getKnownTypes: () => ({}),
	} as unknown as INodeTypes;
	const { version } = node.type.description;
	const nodes: INode[] = [
		{
			id: 'feed',
			name: 'Feed',
			type: FEEDING_NODE,
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'ours',
			name: NODE_NAME,
			type: node.name,
			typeVersion: Array.isArray(version) ? Math.max(...version) : version,
			position: [200, 0],
			parameters,
			credentials: { [CREDENTIAL]: { id: '1', name: 'Workspace' } },
			...(onError && { onError }),
			...(retryOnFail && { retryOnFail: true, ...retryOnFail }),
			...(executeOnce && { executeOnce }),
			...(alwaysOutputData && { alwaysOutputData }),
		},
		...between.map(
			({ name, type, parameters: own = {} }): INode => ({
				id: name,
				name,
				type: typeOf(name, type),
				typeVersion: 1,
				position: [100, 0],
				parameters: own,
				credentials: { [CREDENTIAL]: { id: '1', name: 'Workspace' } },
			}),
		),
		...readers.map(
			(name): INode => ({
				id: name,
				name,
				type: READING_NODE,
				typeVersion: 1,
				position: [400, 0],
				parameters: { value: readBehind! },
			}),
		),
	];
	return new Workflow({
		id: workflowId,
		nodes,
		connections: {
			...Object.fromEntries(
				chain.slice(1).map((to, from) => {
					const times = to === NODE_NAME ? passes : 1;
					const ends = Array.from({ length: times }, () => ({
						node: to,
						type: 'main' as const,
						index: 0,
					}));
					return [chain[from], { main: [ends] }];
				}),
			),
			[NODE_NAME]: { main: readers.map((name) => [{ node: name, type: 'main', index: 0 }]) },
		},
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', ...(binaryMode && { binaryMode }), ...settings },
	});
}

const typeOf = (name: string, type: INodeType) =>
	type === compiledNode ? OUR_NODE : `test.${name}`;

/** What n8n gives to everything that runs, with this credential. */
export function additionalDataOf(credential: Credential, executionId = '1', nodes: INode[] = []) {
	const url = 'http://127.0.0.1:5678/';
	return {
		credentialsHelper: new CredentialsHelper(credential) as unknown as ICredentialsHelper,
		executionId,
		currentNodeExecutionIndex: 0,
		restApiUrl: url,
		instanceBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		variables: {},
		hooks: new ExecutionLifecycleHooks('manual', executionId, {
			id: 'test',
			name: 'test',
			nodes,
			connections: {},
			active: false,
		} as never),
	} as unknown as IWorkflowExecuteAdditionalData;
}

/**
 * An error of the API with its headline and description as one message, the number of the item at
 * its end, so that a test can look for a sentence without knowing where n8n shows it. The message
 * of an item that is not valid stays as it is.
 */
export function shownError(
	error: Partial<ShownError> & Pick<Error, 'name' | 'message'>,
): ShownError {
	const { name, message, description, context, httpCode } = error;
	if (name !== 'NodeApiError')
		return { headline: message, description, message, context, httpCode };
	const [, headline = message, number = ''] = /^(.*?)( \[item \d+\])?$/s.exec(message) ?? [];
	const text = [headline, description].filter(Boolean).join(' ') + number;
	return { headline: message, description, message: text, context, httpCode };
}

/**
 * Runs a workflow of a feeding node and ours through n8n's real engine, with real HTTP.
 * Never throws for a failed execution: the error is part of the result.
 */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const { credential, items = [{}], files = [] } = options;
	const workflow = workflowOf(options);
	const executionId = options.executionId ?? `${Math.floor(Math.random() * 1e9)}`;
	const additionalData = additionalDataOf(credential, executionId, Object.values(workflow.nodes));
	if (options.executeWorkflow) additionalData.executeWorkflow = options.executeWorkflow;

	const start: IExecuteData = {
		node: workflow.getNode('Feed')!,
		data: {
			main: [items.map((json, item) => ({ json, binary: files[item], pairedItem: { item } }))],
		},
		source: null,
	};
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [start] },
	} as never);
	const { mode = 'trigger' } = options;
	const execution = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(
		workflow,
	);
	options.onStarted?.(() => void execution.cancel());
	const run = await execution;
	const task = run.data.resultData.runData[NODE_NAME]?.at(-1);
	const outputs = (task?.data?.main ?? []).map((output) => output ?? []);
	return {
		outputs,
		json: (outputs[0] ?? []).map(({ json }) => json),
		readBehind: BEHIND.map((name) =>
			(run.data.resultData.runData[name]?.at(-1)?.data?.main[0] ?? []).map(
				({ json }) => json.value,
			),
		),
		error: run.data.resultData.error && shownError(run.data.resultData.error),
		hints: (task?.hints ?? []).map(({ message }) => message),
		kept: JSON.stringify(run.data),
		run,
	};
}
