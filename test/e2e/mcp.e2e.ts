import { NodeHelpers, type INode } from 'n8n-workflow';
import { credentialFor, modelCredential } from '../../scripts/examples';
import { WorkflowBuilder, type Operation } from '../support/n8n/builder';
import { loadedDescription, toolDescription } from '../support/n8n/description';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { connectMcp, type Mcp } from '../support/n8n/mcp';
import {
	itemsOf,
	NODE_TYPE,
	startN8n,
	type Execution,
	type RunningN8n,
} from '../../scripts/n8n/run';
import { startScriptedModel, type ScriptedModel, type Turn } from '../support/n8n/scriptedModel';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';

/*
 * Whether an assistant that knows nothing of the node builds workflows that run the first time:
 * with the tools of n8n's own MCP server, from what these say. n8n compares no parameters of
 * community nodes with their definitions; here it is done. The 1.x line has no such server.
 */
const describeBuilder = DEFAULT_N8N_VERSION.startsWith('1.') ? describe.skip : describe;

/** Words that a model would search with. It is shown five nodes for each. */
const words = [
	...[
		'messaging',
		'messaging trigger',
		'send messages',
		'add tags',
		'tag contact',
		'create contact',
		'contacts',
	],
	...[
		'start flow',
		'whatsapp',
		'newsletter',
		'chatbot',
		'subscribers',
		'broadcast',
		'conversation',
	],
];

/** An answer to an agent is not longer than this, if nothing else is set. */
const ANSWER_LENGTH = 8000;

const nora = { firstName: 'Nora', email: 'nora.lind@example.org', phone: '+4915155501234' };

/** One of our nodes as a model writes it, its parameters as code. */
function codeOf(
	factory: 'node' | 'tool',
	name: string,
	{ type, version, resource, operation, credentialType }: Operation,
	parameters: string,
): string {
	return `${factory}({
		type: '${type}',
		version: ${version},
		config: {
			name: '${name}',
			parameters: { resource: '${resource}', operation: '${operation}', ${parameters} },
			credentials: { ${credentialType}: newCredential('Workspace Messaging account') }
		},
		output: [{}]
	})`;
}

describeBuilder('An assistant with the MCP server of n8n', () => {
	let sandbox: Sandbox;
	let workspace: SandboxWorkspace;
	let n8n: RunningN8n;
	let mcp: Mcp;
	let builder: WorkflowBuilder;

	beforeAll(async () => {
		sandbox = await startSandbox();
		workspace = await sandbox.workspace('token-of-the-builder');
		// Its own: the server of n8n gives nodes any credential that fits.
		n8n = await startN8n();
		await n8n.client.importCredential(credentialFor(workspace));
		mcp = await connectMcp(n8n);
		builder = new WorkflowBuilder(mcp);
	});

	afterAll(async () => {
		await mcp?.close();
		await n8n?.stop();
		await sandbox?.stop();
	});

	/**
	 * Creates a workflow that nobody has anything against: not the definitions, not n8n, not the
	 * panels of the editor.
	 */
	async function create(code: string): Promise<string> {
		expect(await builder.problemsIn(code)).toEqual([]);
		const { validation, created } = await builder.create(code);
		expect(validation).toEqual({ valid: true, nodeCount: expect.any(Number) });
		expect(created.warnings).toBeUndefined();

		const nodes = await builder.nodesOf(created.workflowId);
		const ours = nodes.filter(({ type }) => type.startsWith(NODE_TYPE));
		expect(ours.length).toBeGreaterThan(0);
		const withCredential = created.autoAssignedCredentials.map(({ nodeName }) => nodeName);
		expect(withCredential).toEqual(expect.arrayContaining(ours.map(({ name }) => name)));
		const descriptions = [loadedDescription(), await toolDescription()];
		const issuesOf = (node: INode) => {
			const description = descriptions.find(({ name }) => name === node.type)!;
			return NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		};
		expect(ours.map(issuesOf)).toEqual(ours.map(() => null));
		return created.workflowId;
	}

	async function run(workflowId: string, triggerName: string, inputs: object): Promise<Execution> {
		return await n8n.client.waitForExecution(await builder.start(workflowId, triggerName, inputs));
	}

	it.each(words)('finds the node by "%s"', async (query) => {
		expect(await builder.search(query)).toContain(`- ${NODE_TYPE}\n`);
	});

	it('finds the trigger with the node', async () => {
		expect(await builder.search('new contact')).toContain(
			`- ${NODE_TYPE}Trigger: "Starts the workflow`,
		);
		await builder.findNode('messaging', 'Workspace Messaging Trigger');
	});

	it('would notice parameters that the definitions do not have', async () => {
		const addTags = await builder.findOperation('add tags', /^add .*tags to a contact/i);
		const codeWith = (parameters: string) => `
			export default workflow('tags', 'Tags').add(${codeOf('node', 'Add Tags', addTags, parameters)});
		`;
		expect(
			await builder.problemsIn(codeWith("tagsBy: 'name', labels: 'VIP', contact: '1'")),
		).toEqual([
			'Add Tags: tagsBy cannot be name',
			'Add Tags: labels is not there',
			'Add Tags: contact is not there',
		]);
		expect(
			await builder.problemsIn(
				codeWith("tagsBy: 'names', identifier: { __rl: true, mode: 'name', value: '1' }"),
			),
		).toEqual(['Add Tags: tagNames is missing', 'Add Tags: identifier.mode cannot be name']);
	});

	it('builds a pipeline that welcomes new contacts', async () => {
		const company = await workspace.add('customFields', { name: 'Company', type: 'shortText' });
		const form = await builder.findNode('form trigger', 'n8n Form Trigger');
		const upsert = await builder.findOperation('create contact', /create.* or update/i);
		const addTags = await builder.findOperation('add tags', /^add .*tags to a contact/i);
		const sendMessage = await builder.findOperation('send messages', /^send text/i);
		const triggerFlow = await builder.findOperation('start flow', /^start .*flow/i);
		const [flow] = await builder.entriesOf(triggerFlow, 'flowId', 'Welcome');

		const createOrUpdate = codeOf(
			'node',
			'Create or Update Contact',
			upsert,
			`email: expr('{{ $json.email }}'), phoneNumber: expr('{{ $json.phone }}'),
			additionalFields: { firstName: expr('{{ $json.firstName }}') },
			withCustomFields: true,
			customFields: { mappingMode: 'defineBelow', value: { Company: expr('{{ $json.company }}') } }`,
		);
		const whoSignedUp = `identifier: {
			__rl: true, mode: 'email', value: expr("{{ $('Sign-up Form').item.json.email }}")
		}`;
		const addTag = codeOf(
			'node',
			'Add Tag',
			addTags,
			`${whoSignedUp}, tagsBy: 'names', tagNames: 'Signed up', createMissing: true`,
		);
		const welcome = codeOf(
			'node',
			'Send Message',
			sendMessage,
			`${whoSignedUp}, text: expr("Welcome, {{ $('Sign-up Form').item.json.firstName }}!")`,
		);
		const startFlow = codeOf(
			'node',
			'Start Flow',
			triggerFlow,
			`${whoSignedUp},
			flowId: { __rl: true, mode: 'list', value: '${flow.value}', cachedResultName: '${flow.name}' }`,
		);
		const workflowId = await create(`
			import { workflow, node, trigger, newCredential, expr } from '@n8n/workflow-sdk';

			const signUp = trigger({
				type: '${form.type}',
				version: ${form.version},
				config: {
					name: 'Sign-up Form',
					parameters: {
						formTitle: 'Join us',
						formFields: {
							values: [
								{ fieldName: 'firstName', fieldLabel: 'First Name' },
								{ fieldName: 'email', fieldLabel: 'Email', fieldType: 'email' },
								{ fieldName: 'phone', fieldLabel: 'Phone' },
								{ fieldName: 'company', fieldLabel: 'Company' }
							]
						}
					}
				},
				output: [{ firstName: 'Nora', email: 'nora@example.com', phone: '+4915112345678', company: 'Lind' }]
			});
			const createOrUpdate = ${createOrUpdate};
			const addTag = ${addTag};
			const welcome = ${welcome};
			const startFlow = ${startFlow};

			export default workflow('welcome', 'Welcome pipeline')
				.add(signUp)
				.to(createOrUpdate)
				.to(addTag)
				.to(welcome)
				.to(startFlow);
		`);
		const { status } = await run(workflowId, 'Sign-up Form', {
			formData: { ...nora, company: 'Lind & Co' },
		});

		expect(status).toBe('success');
		const contact = await workspace.contact(`email:${nora.email}`);
		expect(contact).toMatchObject({ firstName: 'Nora', phoneNumber: nora.phone });
		expect(contact.tags.map(({ name }) => name)).toEqual(['Signed up']);
		expect(contact.contactCustomFields).toMatchObject([
			{ customFieldId: company.id, value: 'Lind & Co' },
		]);
		const { messages, flowRuns } = await workspace.journal();
		expect(messages).toMatchObject([{ contactId: contact.id, text: 'Welcome, Nora!' }]);
		expect(flowRuns).toMatchObject([{ contactId: contact.id, flowId: flow.value }]);
	});

	describe('gives an AI Agent node tools, and the agent', () => {
		const wrongName = 'Newsleter';
		const text = 'You get our newsletter from now on.';
		/** What the agent's model got of its tools, in the order of its calls. */
		const answers: string[] = [];
		let model: ScriptedModel;
		let execution: Execution;

		/** A turn that knows what the tool before it has answered. */
		const after = (turn: (answer: string) => Turn) => (answer: string) => {
			answers.push(answer);
			return turn(answer);
		};

		beforeAll(async () => {
			await workspace.reset();
			const contact = nora.email;
			model = await startScriptedModel([
				() => ({ tool: 'Create_or_Update_Contact', args: nora }),
				after(() => ({ tool: 'Add_Tags', args: { contact, tags: wrongName } })),
				after((error) => ({
					tool: 'Add_Tags',
					args: { contact, tags: nearNameIn(error, wrongName) },
				})),
				after(() => ({ tool: 'Send_Message', args: { contact, text } })),
				after(() => ({ tool: 'Find_Contacts', args: { keyword: 'example' } })),
				after((found) => ({ say: `Nora has the tags ${tagsIn(found, contact)}.` })),
			]);
			await n8n.client.importCredential(modelCredential(model.url));

			const chat = await builder.findNode('chat trigger', 'Chat Trigger');
			const agent = await builder.findNode('ai agent', 'AI Agent');
			const chatModel = await builder.findNode('openai chat model', 'OpenAI Chat Model');
			const memory = await builder.findNode('simple memory', 'Simple Memory');
			const upsert = await builder.findOperation('messaging', /create.* or update/i, 'tool');
			const addTags = await builder.findOperation('add tags', /^add .*tags to a contact/i, 'tool');
			const sendMessage = await builder.findOperation('send messages', /^send text/i, 'tool');
			const getMany = await builder.findOperation('contacts', /^get many contacts/i, 'tool');

			const createOrUpdate = codeOf(
				'tool',
				'Create or Update Contact',
				upsert,
				`email: fromAi('email', 'Email address'), phoneNumber: fromAi('phone', 'Phone number'),
				additionalFields: { firstName: fromAi('firstName', 'First name') }`,
			);
			const who = "contact: fromAi('contact', 'Email, phone number with + or ID of the contact')";
			const addTag = codeOf(
				'tool',
				'Add Tags',
				addTags,
				`${who}, tagsBy: 'names', tagNames: fromAi('tags', 'Names of tags, separated by commas')`,
			);
			const send = codeOf(
				'tool',
				'Send Message',
				sendMessage,
				`${who}, text: fromAi('text', 'The message')`,
			);
			const find = codeOf(
				'tool',
				'Find Contacts',
				getMany,
				"filters: { keyword: fromAi('keyword', 'A part of a name, email or phone number') }",
			);
			const workflowId = await create(`
				import {
					workflow, node, trigger, languageModel, memory, tool, newCredential, fromAi
				} from '@n8n/workflow-sdk';

				const chat = trigger({
					type: '${chat.type}',
					version: ${chat.version},
					config: { name: 'Chat', parameters: {} },
					output: [{ chatInput: 'Hello' }]
				});
				const chatModel = languageModel({
					type: '${chatModel.type}',
					version: ${chatModel.version},
					config: {
						name: 'Model',
						parameters: {
							model: { __rl: true, mode: 'id', value: 'scripted' },
							responsesApiEnabled: false
						},
						credentials: { openAiApi: newCredential('OpenAI account') }
					}
				});
				const chatMemory = memory({
					type: '${memory.type}',
					version: ${memory.version},
					config: { name: 'Memory', parameters: {} }
				});
				const createOrUpdate = ${createOrUpdate};
				const addTag = ${addTag};
				const send = ${send};
				const find = ${find};
				const agent = node({
					type: '${agent.type}',
					version: ${agent.version},
					config: {
						name: 'Support Agent',
						parameters: { options: { systemMessage: 'You look after the contacts of a workspace.' } },
						subnodes: {
							model: chatModel,
							memory: chatMemory,
							tools: [createOrUpdate, addTag, send, find]
						}
					},
					output: [{ output: 'Done' }]
				});

				export default workflow('support', 'Support agent').add(chat).to(agent);
			`);
			await workspace.clearJournal();
			execution = await run(workflowId, 'Chat', {
				chatInput: `Add Nora, ${nora.email}, ${nora.phone}, to the newsletter, and tell her.`,
			});
		});

		afterAll(async () => {
			await model?.stop();
		});

		it('sees the actions and inputs of each tool', () => {
			const tools = (model.requests[0].tools ?? []).map(({ function: tool }) => [
				tool.description,
				Object.keys(tool.parameters.properties),
			]);
			expect(Object.fromEntries(tools)).toEqual({
				'Create or update contact in Workspace Messaging': ['email', 'phone', 'firstName'],
				'Add tags to contact in Workspace Messaging': ['contact', 'tags'],
				'Send message in Workspace Messaging': ['contact', 'text'],
				'Get many contacts in Workspace Messaging': ['keyword'],
			});
		});

		it('corrects its calls after an error', () => {
			const [, error] = answers;
			expect(error).toContain(`There is no tag named \\"${wrongName}\\". Nothing was changed.`);
			expect(nearNameIn(error, wrongName)).toBe('Newsletter');
		});

		it('completes its task and does nothing twice', async () => {
			expect(execution.status).toBe('success');
			const { requests, messages } = await workspace.journal();
			const written = requests
				.filter(({ method }) => method !== 'GET')
				.map(({ operation }) => operation);
			expect(written).toEqual(['createContact', 'addContactTags', 'sendMessage']);
			const contact = await workspace.contact(`email:${nora.email}`);
			expect(contact).toMatchObject({ firstName: 'Nora', phoneNumber: nora.phone });
			expect(contact.tags.map(({ name }) => name)).toEqual(['Newsletter']);
			expect(messages).toMatchObject([{ contactId: contact.id, text }]);
		});

		it('reads many contacts in an answer that fits', () => {
			const answer = answers[4];
			expect(answer.length).toBeLessThanOrEqual(ANSWER_LENGTH);
			const records = JSON.parse(answer) as Array<{ note?: string }>;
			expect(records.length).toBeGreaterThan(20);
			expect(records.at(-1)?.note).toContain('more records are not shown');
			const [{ json }] = itemsOf(execution, 'Support Agent');
			expect(json.output).toBe('Nora has the tags Newsletter.');
			expect(model.requests).toHaveLength(6);
		});
	});

	// What n8n has an assistant build that is asked for an agent, and not for a workflow.
	it('gives an agent of n8n tools that work', async () => {
		await workspace.reset();
		await workspace.addContacts([{ email: nora.email, firstName: nora.firstName }]);
		await workspace.clearJournal();
		const wrongName = 'Newsleter';
		const contact = nora.email;
		const model = await startScriptedModel([
			() => ({ tool: 'add_tags', args: { contact, tags: wrongName } }),
			(error) => ({ tool: 'add_tags', args: { contact, tags: nearNameIn(error, wrongName) } }),
			() => ({ tool: 'get_contact', args: { contact } }),
			(found) => ({ say: /"tags":\[(.*?)\]/.exec(found)?.[1] ?? found }),
		]);
		try {
			const credential = await n8n.client.importCredential(
				modelCredential(model.url, 'OpenAI account of the agent'),
			);
			const addTags = await builder.findOperation('add tags', /^add .*tags to a contact/i, 'tool');
			const get = await builder.findOperation('contacts', /^get one contact/i, 'tool');
			const fromAi = (name: string, description: string) =>
				`={{ $fromAI('${name}', '${description}', 'string') }}`;
			const who = { contact: fromAi('contact', 'Email, phone number with + or ID of the contact') };
			const nodes = [
				{
					...{ name: 'add_tags', type: addTags.type, typeVersion: addTags.version },
					parameters: {
						...{ resource: addTags.resource, operation: addTags.operation, ...who },
						...{ tagsBy: 'names', tagNames: fromAi('tags', 'Names of tags, separated by commas') },
					},
				},
				{
					...{ name: 'get_contact', type: get.type, typeVersion: get.version },
					parameters: { resource: get.resource, operation: get.operation, ...who },
				},
			];
			expect(await builder.problemsOf(nodes)).toEqual([]);
			const credentials = { [get.credentialType]: await builder.credentialOf(get.credentialType) };
			const agentId = await builder.createAgent('Support agent', {
				model: 'openai/scripted',
				credential,
				instructions: 'You look after the contacts of a workspace.',
				tools: nodes.map(({ name, type, typeVersion, parameters }) => ({
					...{ type: 'node', name, description: `Calls ${name}` },
					node: {
						nodeType: type,
						nodeTypeVersion: typeVersion,
						nodeParameters: parameters,
						credentials,
					},
				})),
			});

			expect(await builder.callAgent(agentId, `Add ${contact} to the newsletter.`)).toBe(
				'"Newsletter"',
			);
			const { requests } = await workspace.journal();
			const written = requests
				.filter(({ method }) => method !== 'GET')
				.map(({ operation }) => operation);
			expect(written).toEqual(['addContactTags']);
		} finally {
			await model.stop();
		}
	});
});

/** The name in an error that is nearest to a wrong one: all that a model has to go by. */
function nearNameIn(error: string, wrong: string): string {
	const names = error.split(/[^\p{L}]+/u);
	return names.find((name) => name !== wrong && name.startsWith(wrong.slice(0, 6))) ?? '';
}

function tagsIn(found: string, email: string): string {
	const records = JSON.parse(found) as Array<{ email?: string; tags: string[] }>;
	return records.find((record) => record.email === email)?.tags.join() ?? 'none';
}
