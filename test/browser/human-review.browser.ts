import { credentialFor, modelCredential } from '../../scripts/examples';
import { startStandInModel } from '../../scripts/standInModel';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { until } from '../support/n8n/until';

let stage: Stage;
let model: Awaited<ReturnType<typeof startStandInModel>>;

beforeAll(async () => {
	stage = await setStage('token-of-the-review', { service: 'newer', contacts: 2 });
	model = await startStandInModel();
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
	await stage.n8n.client.importCredential(modelCredential(model.url));
});

afterAll(async () => {
	await stage?.stop();
	await model?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

it(
	'A person approves by typing what the stand-in model wants to send',
	see(async ({ editor, workspace }) => {
		const [manager, customer] = (await workspace.state()).contacts;
		await editor.newWorkflow();
		// n8n adds the trigger for chat messages by itself.
		await editor.addNode('ai agent', 'AI Agent');
		await editor.part('add-subnode-ai_languageModel-0').click();
		await editor.part('node-creator').waitFor();
		await editor.addNode('openai', 'OpenAI Chat Model');
		// The stand-in for OpenAI has the older API only.
		await editor.field('responsesApiEnabled').locator('.el-switch').click();

		await editor.part('floating-node').click();
		await editor.part('add-subnode-ai_tool-0').click();
		await editor.part('node-creator').waitFor();
		await editor.addNode('workspace messaging', 'Workspace Messaging');
		await editor.fill('contact', String(manager.email));
		await editor.select('answer', 'In the Chat');
		await editor.release();
		await editor.part('add-subnode-ai_tool-0').click();
		await editor.part('node-creator').waitFor();
		await editor.addNode('workspace messaging', 'Workspace Messaging Tool');
		await editor.fill('contact', String(customer.email));
		await editor.letModelDefine('text');
		await editor.closeNode();

		await editor.part('workflow-chat-button').click();
		await editor.part('chat-input').fill('Call send message: Welcome!');
		await editor.part('chat-input').press('Enter');
		const read = async () => (await workspace.journal()).messages;
		const [question] = await until(read, (messages) => messages.length === 1, 60_000);
		expect(question).toMatchObject({
			contactId: manager.id,
			text: expect.stringContaining('Welcome!') as string,
		});

		await workspace.write(`id:${manager.id}`, 'Yes!');
		const [, sent] = await until(read, (messages) => messages.length === 2, 120_000);
		expect(sent).toMatchObject({ contactId: customer.id, text: 'Welcome!' });
	}),
);
