import { credentialFor, modelCredential } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { furnish } from '../support/browser/workspace';
import { startScriptedModel, type ScriptedModel } from '../support/n8n/scriptedModel';

const contact = { Contact_Email__Phone_or_ID: 'contact3@example.com' };

let stage: Stage;
let model: ScriptedModel;

beforeAll(async () => {
	stage = await setStage('token-of-the-agent', {
		contacts: 20,
		counts: { tags: 0, customFields: 0, flows: 0 },
	});
	await furnish(stage.workspace);
	model = await startScriptedModel([
		() => ({ tool: 'Get_contact_in_Workspace_Messaging', args: contact }),
		(result) => ({
			tool: 'Add_tags_to_contact_in_Workspace_Messaging',
			args: {
				...contact,
				Tag_Names: `${emailIn(result) === 'contact3@example.com' ? 'VIP' : 'Berlin'}`,
			},
		}),
		() => ({
			tool: 'Send_message_in_Workspace_Messaging',
			args: { ...contact, Message: 'Thank you, Zoë. You are a VIP now.' },
		}),
		() => ({ say: 'Zoë is a VIP now, and I have thanked her.' }),
	]);
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
	await stage.n8n.client.importCredential(modelCredential(model.url));
});

afterAll(async () => {
	await stage?.stop();
	await model?.stop();
});

/** The email of the contact that a tool returned. */
const emailIn = (result: string) => (JSON.parse(result) as Array<{ email?: string }>)[0].email;

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

/**
 * Adds a tool to the agent from the agent's panel, and lets the model define some of its fields.
 */
async function addTool(
	{ editor }: Stage,
	[resource, operation, ...fields]: string[],
): Promise<void> {
	await editor.part('add-subnode-ai_tool-0').click();
	await editor.part('node-creator').waitFor();
	await editor.addNode('workspace messaging', 'Workspace Messaging Tool');
	await editor.select('resource', resource);
	await editor.select('operation', operation);
	for (const field of fields) await editor.letModelDefine(field);
}

it(
	'The user builds an agent with three tools, and it does what a chat message asks for',
	see(async (all) => {
		const { editor, workspace } = all;
		await editor.newWorkflow();
		// n8n adds the trigger for chat messages by itself.
		await editor.addNode('ai agent', 'AI Agent');
		await editor.part('add-subnode-ai_languageModel-0').click();
		await editor.part('node-creator').waitFor();
		await editor.addNode('openai', 'OpenAI Chat Model');
		// The stand-in for OpenAI has the older API only.
		await editor.field('responsesApiEnabled').locator('.el-switch').click();

		const agent = editor.part('floating-node');
		await agent.click();
		await addTool(all, ['Contact', 'Get', 'contact']);
		for (const tool of [
			['Contact', 'Add Tags', 'contact', 'tagNames'],
			['Message', 'Send', 'contact', 'text'],
		]) {
			await agent.click();
			// The agent's tools lie on the button that adds another one, until the user clicks them.
			await editor.part('floating-subnode').last().click();
			await addTool(all, tool);
		}
		await editor.release();
		await editor.picture('tool', editor.parameters);
		await editor.closeNode();

		await editor.part('workflow-chat-button').click();
		await editor
			.part('chat-input')
			.fill('contact3@example.com has bought again: make her a VIP and thank her.');
		await editor.part('chat-input').press('Enter');
		await editor
			.part('canvas-chat')
			.getByText('Zoë is a VIP now, and I have thanked her.')
			.waitFor();

		const zoe = await workspace.contact('email:contact3@example.com');
		expect(zoe.tags.map(({ name }) => name)).toEqual(['VIP']);
		const { messages } = await workspace.journal();
		expect(messages.map(({ contactId, text }) => [contactId, text])).toEqual([
			[zoe.id, 'Thank you, Zoë. You are a VIP now.'],
		]);
		expect(editor.typed).toEqual([]);
	}),
);
