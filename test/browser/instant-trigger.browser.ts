import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { furnish } from '../support/browser/workspace';

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-instant', {
		service: 'newer',
		contacts: 3,
		counts: { tags: 0, customFields: 0, flows: 0 },
		allowPrivateUrls: true,
	});
	await furnish(stage.workspace);
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

it(
	'The instant trigger is set up without an ID typed, and "Listen for test event" receives a call',
	see(async ({ editor, workspace }) => {
		await editor.newWorkflow();
		await editor.addNode(
			'new message',
			'Workspace Messaging Instant',
			'On tag added in a flow or on a channel',
		);
		await editor.pick('tagId', 'VIP');
		await editor.release();
		await editor.part('node-execute-button').click();
		await editor.panel.getByText('Listening for test event').first().waitFor();
		const { contacts, tags } = await workspace.state();
		const tagId = tags.find(({ name }) => name === 'VIP')!.id;
		const calls = await workspace.happen({
			type: 'tagApplied',
			identifier: `id:${contacts[0].id}`,
			sourceId: tagId,
		});
		expect(calls).toMatchObject([{ status: 200 }]);
		await editor.output.getByText('1 item').first().waitFor();
		await editor.output.getByText('VIP').first().waitFor();
		expect(editor.typed).toEqual([]);
	}),
);

it(
	'The panel of Flow Sends Data says that its name comes first, and for how long a flow waits',
	see(async ({ editor }) => {
		await editor.newWorkflow();
		await editor.addNode('new message', 'Workspace Messaging Instant', 'On flow sends data');
		const notice = editor.parameters.getByText('Enter an event name of your own first');
		await notice.waitFor();
		expect(await editor.part('node-execute-button').isDisabled()).toBe(true);
		await editor.fill('eventName', 'order_paid');
		await notice.waitFor({ state: 'detached' });
		expect(await editor.part('node-execute-button').isDisabled()).toBe(false);
		await editor.select('respond', 'When the Workflow Finishes');
		await editor.release();
		await editor.parameters.getByText('A flow waits 15 seconds at most').waitFor();
	}),
);

it(
	'The panel of Message Received says in three steps how a flow calls n8n, asks for the name of the call first, and lists the channels',
	see(async ({ editor, workspace }) => {
		await editor.newWorkflow();
		await editor.addNode('new message', 'Workspace Messaging Instant', 'On message received');
		const steps = editor.parameters.locator('ul li');
		await steps.first().waitFor();
		expect(await steps.allInnerTexts()).toMatchObject([
			expect.stringMatching(/^In the workspace/),
			expect.stringMatching(/^Add the step/),
			expect.stringMatching(/^Publish/),
		]);
		const notice = editor.parameters.getByText('Enter an event name of your own first');
		await notice.waitFor();
		const name = await editor.field('eventName').boundingBox();
		const channels = await editor.field('inboxIds').boundingBox();
		expect(name!.y).toBeLessThan(channels!.y);
		await editor.fill('eventName', 'contact_wrote');
		await notice.waitFor({ state: 'detached' });
		expect(await editor.part('node-execute-button').isDisabled()).toBe(false);
		const [channel] = (await workspace.state()).channels;
		await editor.field('inboxIds').click();
		await editor.page
			.locator('.el-select-dropdown__item:visible', { hasText: channel.name! })
			.click();
		await editor.release();
	}),
);
