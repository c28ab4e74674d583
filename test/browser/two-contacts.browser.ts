import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { countSteps, stepsOf } from '../support/browser/steps';
import { countPolls } from '../support/n8n/messages';
import { until } from '../support/n8n/until';

/* A workflow that a user builds and publishes by mouse asks everyone who writes. */

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-two-contacts', { service: 'newer', contacts: 2 });
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
	await countSteps(stage.editor);
});

afterAll(async () => {
	await stage?.stop();
});

it(
	'Two contacts write in the same minute: both are asked, and both answers go on, after 27 steps at most',
	seen(
		() => stage,
		async ({ editor, workspace }) => {
			const [ann, ben] = (await workspace.state()).contacts;
			await workspace.write(`id:${ann.id}`, 'A message from before');
			const chat = await editor.page.context().newPage();
			await chat.goto(workspace.chatUrl);
			const part = (name: string) => chat.locator(`[data-test-id=chat-${name}]`);
			const open = async ({ id }: { id: string }) => {
				await part('contacts').locator(`[data-id="${id}"]`).click();
				await part('contacts').locator(`[data-id="${id}"][aria-pressed=true]`).waitFor();
			};
			const textsTo = async ({ id }: { id: string }) =>
				(await workspace.messages(`id:${id}`)).map(({ text }) => text);
			const write = async (contact: { id: string }, text: string) => {
				await open(contact);
				await part('text').fill(text);
				await part('text').press('Enter');
				const read = async () => await textsTo(contact);
				await until(read, (texts) => texts.at(-1) === text, 10_000);
			};

			await editor.page.bringToFront();
			await editor.newWorkflow();
			await stepsOf(editor);
			await editor.addNode('workspace messaging', 'Workspace Messaging', 'On message received');
			await editor.part('node-execute-button').click();
			await editor.output.getByText('A message from before').first().waitFor();
			await editor.closeNode();
			await editor.addAction('Send message and wait for response');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.fill('message', 'May we ship on Friday? Please type yes or no.');
			await editor.select('answer', 'In the Chat');
			await editor.closeNode();
			await editor.addAction('Send message');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.fillExpression('text', '{{ $json.data.approved ? "It ships." : "It waits." }}');
			await editor.closeNode();
			const polls = await countPolls(workspace);
			await editor.part('workflow-open-publish-modal-button').click();
			await editor.part('workflow-publish-button').click();
			await editor.page.getByText('Got it').click();
			expect(await stepsOf(editor)).toBeLessThanOrEqual(27);

			// The first poll only remembers.
			await until(
				async () => await countPolls(workspace),
				(count) => count > polls,
			);
			await editor.page.waitForTimeout(3000);
			await chat.bringToFront();
			await write(ann, 'Hello from the first');
			await write(ben, 'Hello from the second');
			for (const [contact, answer] of [
				[ann, 'yes'],
				[ben, 'no'],
			] as const) {
				await open(contact);
				await part('messages').getByText('May we ship on Friday?').waitFor();
				await write(contact, answer);
			}
			for (const [contact, end] of [
				[ann, 'It ships.'],
				[ben, 'It waits.'],
			] as const) {
				await open(contact);
				await part('messages').getByText(end).waitFor();
				expect((await textsTo(contact)).slice(-3, -2)).toEqual([
					'May we ship on Friday? Please type yes or no.',
				]);
			}
		},
	),
);
