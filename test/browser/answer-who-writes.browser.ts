import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { countSteps, stepsOf } from '../support/browser/steps';
import { furnish } from '../support/browser/workspace';

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-answers', {
		service: 'newer',
		contacts: 3,
		allowPrivateUrls: true,
	});
	await furnish(stage.workspace);
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
	await countSteps(stage.editor);
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

const lastMessage = async ({ workspace }: Stage) => (await workspace.journal()).messages.at(-1);

it(
	'Two nodes answer everyone who writes, after twelve clicks, drags and typed fields from an empty canvas',
	see(async (all) => {
		const { editor, workspace } = all;
		const [, ann] = (await workspace.state()).contacts;
		await workspace.write(`id:${ann.id}`, 'Where is my order?');
		await editor.newWorkflow();
		await stepsOf(editor);

		await editor.addNode('workspace messaging', 'Workspace Messaging', 'On message received');
		await editor.part('node-execute-button').click();
		await editor.output.getByText('Where is my order?').first().waitFor();
		await editor.closeNode();
		await editor.addAction('Send message');
		await editor.drag(editor.inputField('contact'), 'identifier');
		await editor.fill('text', 'On its way!');
		expect(await stepsOf(editor)).toBeLessThanOrEqual(12);

		await editor.execute();
		await editor.output.getByText('1 item').first().waitFor();
		expect(await lastMessage(all)).toMatchObject({ contactId: ann.id, text: 'On its way!' });
	}),
);

it(
	'An answer goes out where the contact wrote, and quotes the message: both are dragged',
	see(async (all) => {
		const { editor, workspace } = all;
		const { contacts, channels } = await workspace.state();
		const who = `id:${contacts[2].id}`;
		const telegram = channels.find(({ channel }) => channel === 'telegram')!;
		await workspace.write(who, 'On the first channel');
		const changes = { firstName: 'Ann', lastName: 'Smith' };
		await workspace.changeContacts([{ identifier: who, changes }]);
		const question = await workspace.write(who, { text: 'On Telegram?', inboxId: telegram.id });
		await editor.newWorkflow();
		await editor.addNode('workspace messaging', 'Workspace Messaging', 'On message received');
		await editor.part('node-execute-button').click();
		await editor.output.getByText('On Telegram?').first().waitFor();
		await editor.closeNode();
		await editor.addAction('Send message');
		await editor.drag(editor.inputField('contact'), 'identifier');
		await editor.fill('text', 'Yes, there.');
		await editor.drag(editor.inputField('channel'), 'inboxId');
		await editor.release();
		await editor.picture('answer-who-writes', editor.part('ndv-input-panel'), editor.parameters);
		await editor.addOption('Reply To');
		await editor.drag(editor.inputField('messageId'), 'replyToMessageId');
		await editor.addOption('If the Contact Has Been Silent');
		await editor.execute();
		await editor.output.getByText('1 item').first().waitFor();
		expect(await lastMessage(all)).toMatchObject({ text: 'Yes, there.', inboxId: telegram.id });
		expect((await workspace.messages(who)).at(-1)).toMatchObject({ parentId: question.id });
	}),
);

it(
	'The contact of the instant trigger is dragged, too',
	see(async (all) => {
		const { editor, workspace } = all;
		const [first] = (await workspace.state()).contacts;
		await editor.newWorkflow();
		await editor.addNode('new message', 'Workspace Messaging Instant', 'On conversation archived');
		await editor.part('node-execute-button').click();
		await editor.panel.getByText('Listening for test event').first().waitFor();
		const calls = await workspace.happen({ type: 'archived', identifier: `id:${first.id}` });
		expect(calls).toMatchObject([{ status: 200 }]);
		await editor.output.getByText('1 item').first().waitFor();
		await editor.closeNode();
		await editor.addAction('Send message');
		await editor.drag(editor.inputField('contact'), 'identifier');
		await editor.fill('text', 'We are here again.');
		await editor.execute();
		await editor.output.getByText('1 item').first().waitFor();
		expect(await lastMessage(all)).toMatchObject({
			contactId: first.id,
			text: 'We are here again.',
		});
	}),
);
