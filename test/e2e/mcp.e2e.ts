import { NodeHelpers, type INode } from 'n8n-workflow';
import { credentialFor } from '../support/examples';
import { WorkflowBuilder, type FoundOperation } from '../support/n8n/builder';
import type { Definition } from '../support/n8n/definition';
import { loadedDescription, toolDescription } from '../support/n8n/description';
import { DEFAULT_N8N_VERSION } from '../support/n8n/install';
import { connectMcp, type Mcp } from '../support/n8n/mcp';
import { NODE_TYPE, startN8n, type RunningN8n } from '../support/n8n/run';
import { startScriptedModel, type ScriptedModel } from '../support/n8n/scriptedModel';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../support/sandbox/client';

/*
 * Whether an assistant that knows nothing of the node builds workflows that run the first time: with the tools of n8n's
 * own MCP server, from what these say. n8n validates no parameters of community nodes, so they are compared with the
 * definitions here. The 1.x line has no such server.
 */
const describeBuilder = DEFAULT_N8N_VERSION.startsWith('1.') ? describe.skip : describe;

/** Words that a model would search with. n8n shows it five nodes for each. */
const words = [
	...['messaging', 'send messages', 'add tags', 'tag contact', 'create contact', 'contacts', 'start flow'],
	...['whatsapp', 'newsletter', 'chatbot', 'subscribers'],
];

/** An answer to an agent is not longer than this, if nothing else is set. */
const ANSWER_LENGTH = 8000;

/** One of our nodes as a model writes it, with the parameters as code. */
const nodeCode = (
	factory: 'node' | 'tool',
	name: string,
	{ type, version, resource, operation, credentialType }: FoundOperation & Definition,
	parameters: string,
) => `${factory}({
	type: '${type}',
	version: ${version},
	config: {
		name: '${name}',
		parameters: { resource: '${resource}', operation: '${operation}', ${parameters} },
		credentials: { ${credentialType}: newCredential('Workspace Messaging account') }
	},
	output: [{}]
})`;

describeBuilder("an assistant that builds with n8n's MCP server", () => {
	let sandbox: Sandbox;
	let workspace: SandboxWorkspace;
	let n8n: RunningN8n;
	let mcp: Mcp;
	let builder: WorkflowBuilder;

	beforeAll(async () => {
		sandbox = await startSandbox();
		workspace = await sandbox.workspace('token-of-the-builder');
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

	/** Creates a workflow that nothing is wrong with: by our definitions, by n8n, and in the panels of the editor. */
	async function create(code: string): Promise<string> {
		expect(await builder.problemsIn(code)).toEqual([]);
		const { validation, created } = await builder.create(code);
		expect(validation).toEqual({ valid: true, nodeCount: expect.any(Number) });
		expect(created.warnings).toBeUndefined();

		const nodes = (await builder.nodesOf(created.workflowId)).filter(({ type }) =>
			type.startsWith(NODE_TYPE),
		);
		expect(nodes.length).toBeGreaterThan(0);
		const withCredential = created.autoAssignedCredentials.map(({ nodeName }) => nodeName);
		expect(withCredential).toEqual(expect.arrayContaining(nodes.map(({ name }) => name)));
		const descriptions = [loadedDescription(), await toolDescription()];
		const issuesOf = (node: INode) => {
			const description = descriptions.find(({ name }) => name === node.type)!;
			return NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		};
		expect(nodes.map(issuesOf)).toEqual(nodes.map(() => null));
		return created.workflowId;
	}

	it.each(words)('finds the node by "%s"', async (query) => {
		expect(await builder.search(query)).toContain(`- ${NODE_TYPE}\n`);
	});

	it('builds a pipeline that welcomes who signs up', async () => {
		const company = await workspace.add('customFields', { name: 'Company', type: 'shortText' });
		const form = await builder.findNode('form trigger', 'n8n Form Trigger');
		const upsert = await builder.findOperation('create contact', /create.* or update/i);
		const addTags = await builder.findOperation('add tags', /^add .*tags to a contact/i);
		const sendMessage = await builder.findOperation('send messages', /^send text/i);
		const triggerFlow = await builder.findOperation('start flow', /^start .*flow/i);
		const [flow] = await builder.entriesOf(triggerFlow, 'flowId', 'Welcome');

		const whoSignedUp = `identifier: { __rl: true, mode: 'email', value: expr("{{ $('Sign-up Form').item.json.email }}") }`;
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
					{ fieldName: 'Company', fieldLabel: 'Company' }
				]
			}
		}
	},
	output: [{ firstName: 'Nora', email: 'nora@example.com', phone: '+4915112345678', Company: 'Lind' }]
});

const createOrUpdate = ${nodeCode(
			'node',
			'Create or Update Contact',
			upsert,
			`email: expr('{{ $json.email }}'),
			phoneNumber: expr('{{ $json.phone }}'),
			additionalFields: { firstName: expr('{{ $json.firstName }}') },
			withCustomFields: true,
			customFields: { mappingMode: 'autoMapInputData', value: null }`,
		)};

const addTag = ${nodeCode(
			'node',
			'Add Tag',
			addTags,
			`${whoSignedUp}, tagsBy: 'names', tagNames: 'Signed up', createMissing: true`,
		)};

const welcome = ${nodeCode(
			'node',
			'Send Message',
			sendMessage,
			`${whoSignedUp}, text: expr("Welcome, {{ $('Sign-up Form').item.json.firstName }}!")`,
		)};

const startFlow = ${nodeCode(
			'node',
			'Start Flow',
			triggerFlow,
			`${whoSignedUp}, flowId: { __rl: true, mode: 'list', value: '${flow.value}', cachedResultName: '${flow.name}' }`,
		)};

export default workflow('welcome', 'Welcome pipeline')
	.add(signUp)
	.to(createOrUpdate)
	.to(addTag)
	.to(welcome)
	.to(startFlow);
`);
		const formData = {
			firstName: 'Nora',
			email: 'nora.lind@example.org',
			phone: '+4915155501234',
			Company: 'Lind & Co',
		};
		expect(await builder.run(workflowId, 'Sign-up Form', { formData })).toBe('success');

		const contact = await workspace.contact('email:nora.lind@example.org');
		expect(contact).toMatchObject({ firstName: 'Nora', phoneNumber: '+4915155501234' });
		expect(contact.tags.map(({ name }) => name)).toEqual(['Signed up']);
		expect(contact.contactCustomFields).toMatchObject([{ customFieldId: company.id, value: 'Lind & Co' }]);
		const { messages, flowRuns, requests } = await workspace.journal();
		expect(messages).toMatchObject([{ contactId: contact.id, text: 'Welcome, Nora!' }]);
		expect(flowRuns).toMatchObject([{ contactId: contact.id, flowId: flow.value }]);
		console.log(requests.map((r) => [r.operation, r.status].join(' ')));
	});

	describe('and an agent whose tools are such nodes', () => {
		const text = 'You get our newsletter from now on.';
		const given: string[] = [];
		let model: ScriptedModel;

		beforeAll(async () => {
			await workspace.reset();
			await workspace.addContacts([{ email: 'nora.lind@example.org', firstName: 'Nora', lastName: 'Lind' }]);
			const contact = 'nora.lind@example.org';
			const after =
				(next: (answer: string) => { tool: string; args: object } | { say: string }) => (answer: string) => {
					given.push(answer);
					return next(answer) as never;
				};
			model = await startScriptedModel([
				() => ({ tool: 'Add_Tags', args: { contact, tags: 'Newsleter' } }),
				after((error) => ({ tool: 'Add_Tags', args: { contact, tags: nearName(error, 'Newsleter') } })),
				after(() => ({ tool: 'Send_Message', args: { contact, text } })),
				after(() => ({ tool: 'Find_Contacts', args: { keyword: 'example' } })),
				after(() => ({ say: 'Nora gets the newsletter.' })),
			]);
			await n8n.client.importCredential({
				name: 'OpenAI account',
				type: 'openAiApi',
				data: { apiKey: 'none', url: model.url },
			});
			const chat = await builder.findNode('chat trigger', 'Chat Trigger');
			const agent = await builder.findNode('ai agent', 'AI Agent');
			const chatModel = await builder.findNode('openai chat model', 'OpenAI Chat Model');
			const addTags = await builder.findOperation('add tags', /^add .*tags to a contact/i, true);
			const sendMessage = await builder.findOperation('send messages', /^send text/i, true);
			const find = await builder.findOperation('contacts', /^get many contacts/i, true);
			const who = "contact: fromAi('contact', 'Email, phone number with + or ID of the contact')";
			const workflowId = await create(`
import { workflow, node, trigger, languageModel, tool, newCredential, fromAi } from '@n8n/workflow-sdk';

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
		parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, responsesApiEnabled: false },
		credentials: { openAiApi: newCredential('OpenAI account') }
	}
});

const addTags = ${nodeCode('tool', 'Add Tags', addTags, `${who}, tagsBy: 'names', tagNames: fromAi('tags', 'Names of tags')`)};

const sendMessage = ${nodeCode('tool', 'Send Message', sendMessage, `${who}, text: fromAi('text', 'The message')`)};

const find = ${nodeCode('tool', 'Find Contacts', find, "filters: { keyword: fromAi('keyword', 'A part of a name or email') }")};

const agent = node({
	type: '${agent.type}',
	version: ${agent.version},
	config: {
		name: 'Support Agent',
		parameters: { options: { systemMessage: 'You look after contacts with Add Tags, Send Message and Find Contacts.' } },
		subnodes: { model: chatModel, tools: [addTags, sendMessage, find] }
	},
	output: [{ output: 'Done' }]
});

export default workflow('support', 'Support agent').add(chat).to(agent);
`);
			await workspace.clearJournal();
			const question = { chatInput: 'Subscribe nora.lind@example.org to the newsletter, and tell her.' };
			expect(await builder.run(workflowId, 'Chat', question)).toBe('success');
		});

		afterAll(async () => {
			await model?.stop();
		});

		it('runs', async () => {
			console.log(given);
			const { messages, flowRuns, requests } = await workspace.journal();
			console.log(requests.map((r) => [r.operation, r.status].join(' ')));
		});
	});
});

/** The name in an error that is nearest to one that was wrong: all that a model has to go by. */
function nearName(error: string, wrong: string): string {
	const names = error.split(/[^\p{L}]+/u);
	return names.find((name) => name !== wrong && name.startsWith(wrong.slice(0, 6))) ?? '';
}
