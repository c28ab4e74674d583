import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';

/* A workflow that a user builds by mouse asks in the chat, and answers with the answer. */

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-typed-answers', { contacts: 3, service: 'newer' });
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
});

afterAll(async () => {
	await stage?.stop();
});

it(
	'A workflow asks a contact, waits for what the contact types, and answers with it',
	seen(
		() => stage,
		async ({ editor, workspace }) => {
			const [contact] = (await workspace.state()).contacts;
			const chat = await editor.page.context().newPage();
			await chat.goto(workspace.chatUrl);
			const part = (name: string) => chat.locator(`[data-test-id=chat-${name}]`);
			await part('contacts').locator(`[data-id="${contact.id}"]`).click();
			await editor.page.bringToFront();

			await editor.newWorkflowWith('Send message and wait for response');
			await editor.pick('identifier', contact.fullName!);
			await editor.fill('message', 'Which size would you like?');
			await editor.select('answer', 'In the Chat');
			await editor.select('responseType', 'Choices');
			await editor.fill('choices', 'Small');
			await editor.release();
			await editor.page.getByRole('button', { name: 'Add Choice' }).click();
			await editor.fill('choices', 'Large');
			await editor.release();
			expect(await editor.offeredOptions()).toEqual([
				'If Not Understood',
				'If the Contact Has Been Silent',
				'Limit Wait Time',
				'Pause the Bot While Waiting',
			]);

			const running = editor.execute();
			await part('messages').getByText('Which size would you like?').waitFor();
			await part('messages').getByText('2. Large').waitFor();
			await part('charge').getByText('Person answers').waitFor();
			await part('text').fill('large!');
			await part('text').press('Enter');
			await running;
			await editor.output.getByText('large!').first().waitFor();
			await part('charge').getByText('Bot answers').waitFor();
			await editor.closeNode();

			await editor.startAt('Send message and wait for response');
			await editor.addAction('Send message');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.fillExpression('text', 'Noted: {{ $json.data.choice }}');
			await editor.execute();
			await part('messages').getByText('Noted: Large').waitFor();
		},
	),
);
