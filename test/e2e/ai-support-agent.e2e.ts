import { credentialFor, nodeOf, readExample, modelCredential } from '../../scripts/examples';
import { useN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { startScriptedModel, type ScriptedModel } from '../support/n8n/scriptedModel';

/**
 * What an agent may get to read of one tool call; a list of contacts in full would be ten times as
 * long.
 */
const SMALL = 4000;

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let model: ScriptedModel;
let answer: string;
let secondAnswer: string;

const question = 'Please add Nora Lind and welcome her as a VIP.';

/** Results of the tools, in the order of the calls. */
const toolResults: string[] = [];

/** The ID of the first contact that a tool returned. */
const idIn = (result: string) => /"id":\s*"(\d+)"/.exec(result)?.[1] ?? '';

/** The error that a tool returned in place of a result. */
const errorIn = (result: string) => (JSON.parse(result) as Array<{ error?: string }>)[0].error;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-agent');
	const heard = (result: string) => {
		toolResults.push(result);
		return result;
	};
	const person = { Email: 'nora.lind@example.org', First_Name: 'Nora', Last_Name: 'Lind' };
	let nora = '';
	model = await startScriptedModel([
		() => ({ tool: 'Find_contacts', args: { Keyword: 'example.com' } }),
		(result) => {
			heard(result);
			return {
				tool: 'Create_or_update_a_contact',
				args: { ...person, Phone_Number: '0151/555' },
			};
		},
		(result) => {
			heard(result);
			return {
				tool: 'Create_or_update_a_contact',
				args: { ...person, Phone_Number: '+4915155501234' },
			};
		},
		(result) => {
			nora = idIn(heard(result));
			return {
				tool: 'Add_tags_to_a_contact',
				args: { Contact: nora, Tag_Names: 'Very important' },
			};
		},
		(result) => {
			heard(result);
			return {
				tool: 'Add_tags_to_a_contact',
				args: { Contact: nora, Tag_Names: 'VIP, Newsletter' },
			};
		},
		(result) => {
			heard(result);
			return {
				tool: 'Create_or_update_a_contact',
				args: { Contact: nora, Last_Name: 'Lind-Berg' },
			};
		},
		(result) => {
			heard(result);
			return {
				tool: 'Send_a_message_to_a_contact',
				args: { Contact: nora, Text: 'Welcome, Nora! You are a VIP now.' },
			};
		},
		(result) => {
			heard(result);
			return { say: 'Nora Lind is a contact now, has her tags, and has been told.' };
		},
		() => ({ say: 'It was Nora Lind.' }),
	]);
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
	await n8n.client.importCredential(modelCredential(model.url));

	const workflow = readExample('ai-support-agent.json');
	// From outside the editor, only a public chat can be talked to.
	const chat = nodeOf(workflow, 'Chat');
	chat.parameters.public = true;
	const workflowId = await n8n.client.importWorkflow(workflow);
	await n8n.client.activate(workflowId);
	answer = await n8n.client.chat(chat.webhookId ?? '', question);
	secondAnswer = await n8n.client.chat(chat.webhookId ?? '', 'Who was that again?');
});

afterAll(async () => {
	await n8n?.stop();
	await model?.stop();
	await sandbox?.stop();
});

it('The support agent gives the model tools with descriptions of their actions and inputs', () => {
	const tools = (model.requests[0].tools ?? []).map(({ function: tool }) => tool);
	expect(tools.map(({ name }) => name).sort()).toEqual([
		'Add_tags_to_a_contact',
		'Create_or_update_a_contact',
		'Find_contacts',
		'Send_a_message_to_a_contact',
	]);
	for (const { description, parameters } of tools) {
		expect(description).toMatch(/^[A-Z].{20,}\.$/);
		const fields = Object.values(parameters.properties);
		expect(fields.length).toBeGreaterThan(0);
		expect(fields.every((field) => (field.description ?? '').length > 10)).toBe(true);
	}
});

it('The support agent gets small results', () => {
	const [found] = toolResults;
	const records = JSON.parse(found) as Array<{ note?: string }>;
	// Five contacts, and what there is besides.
	expect(records).toHaveLength(6);
	expect(records[5].note).toContain(
		'not shown. To get more, use a narrower filter or a higher Limit.',
	);
	expect(found.length).toBeLessThan(SMALL);
});

it('The support agent learns which value is wrong and what it must be', () => {
	const [, wrongPhone, , wrongTag] = toolResults.map(errorIn);
	expect(wrongPhone).toContain('Phone Number must be 10 to 20 digits, with an optional leading +');
	expect(wrongPhone).toContain('0151/555');
	expect(wrongTag).toContain('There is no tag named "Very important"');
	expect(wrongTag).toContain('Nothing was changed');
	expect(wrongTag).toContain('VIP');
});

it('The support agent completes its task after it corrects its calls', async () => {
	const contact = await workspace.contact('email:nora.lind@example.org');
	// A change takes no more than the ID and what is new.
	expect(contact).toMatchObject({
		firstName: 'Nora',
		lastName: 'Lind-Berg',
		phoneNumber: '+4915155501234',
	});
	expect(contact.tags.map(({ name }) => name).sort()).toEqual(['Newsletter', 'VIP']);
	const { messages } = await workspace.journal();
	expect(messages.map(({ contactId, text }) => [contactId, text])).toEqual([
		[contact.id, 'Welcome, Nora! You are a VIP now.'],
	]);
	expect(answer).toBe('Nora Lind is a contact now, has her tags, and has been told.');
});

it('The support agent remembers earlier messages', () => {
	const { messages } = model.requests.at(-1)!;
	const said = messages
		.filter(({ role }) => role !== 'system' && role !== 'tool')
		.map(({ content }) => content);
	expect(said[0]).toContain(question);
	// n8n 1.x puts the calls of the tools in front of it.
	expect(said.some((text) => String(text).endsWith(answer))).toBe(true);
	expect(said.at(-1)).toContain('Who was that again?');
	expect(secondAnswer).toBe('It was Nora Lind.');
});
