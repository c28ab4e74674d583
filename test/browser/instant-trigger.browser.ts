import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { furnish } from '../support/browser/workspace';
import { countPolls, textsTo } from '../support/n8n/messages';
import { until } from '../support/n8n/until';

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

/** A published workflow, and its executions before that. */
interface Published {
	id: string;
	before: string[];
}

it(
	'Two published workflows hear the same message: the instant trigger answers within five seconds, the polling trigger adds a tag with its next poll, and each runs once',
	see(async ({ editor, workspace, n8n }) => {
		const { contacts, flows, tags } = await workspace.state();
		const [ann, ben] = contacts;
		const [flow] = flows;
		await workspace.flowCalls(flow.id, ['contact_wrote']);
		await workspace.setDefaultReply(flow.id);
		const chat = await editor.page.context().newPage();
		await chat.goto(workspace.chatUrl);
		const part = (name: string) => chat.locator(`[data-test-id=chat-${name}]`);
		const write = async ({ id }: { id: string }, text: string) => {
			await chat.bringToFront();
			await part('contacts').locator(`[data-id="${id}"]`).click();
			await part('contacts').locator(`[data-id="${id}"][aria-pressed=true]`).waitFor();
			await part('text').fill(text);
			await part('text').press('Enter');
			await part('messages').getByText(text).waitFor();
		};
		/** Opens the Settings tab of the node whose panel is open, and goes back to the canvas. */
		const lookAtSettings = async () => {
			await editor.part('tab-settings').click();
			await editor.parameters.getByText('Request Options', { exact: true }).waitFor();
			await editor.part('tab-params').click();
			await editor.closeNode();
		};
		const publish = async (): Promise<Published> => {
			const id = new URL(editor.page.url()).pathname.split('/').at(-1)!;
			const before = await n8n.client.executionsOf(id);
			await editor.part('workflow-open-publish-modal-button').click();
			await editor.part('workflow-publish-button').click();
			await editor.page.getByText('Got it').click();
			return { id, before };
		};

		await editor.page.bringToFront();
		await editor.newWorkflow();
		await editor.addNode(
			'workspace messaging',
			'Workspace Messaging Instant',
			'On message received',
		);
		await editor.fill('eventName', 'contact_wrote');
		await editor.part('node-execute-button').click();
		await editor.panel.getByText('Listening for test event').first().waitFor();
		await write(ann, 'Hello to the test');
		await editor.page.bringToFront();
		await editor.output.getByText('Hello to the test').first().waitFor();
		await lookAtSettings();
		await editor.addAction('Send message');
		await editor.drag(editor.inputField('contact'), 'identifier');
		await editor.fill('text', 'Thank you, we are on it.');
		await editor.closeNode();
		const instant = await publish();

		await editor.newWorkflow();
		await editor.addNode('workspace messaging', 'Workspace Messaging', 'On message received');
		await editor.part('node-execute-button').click();
		await editor.output.getByText('Hello to the test').first().waitFor();
		await lookAtSettings();
		await editor.addAction('Add tags to contact');
		await editor.drag(editor.inputField('contact'), 'identifier');
		await editor.select('tagIds', 'VIP');
		await editor.page.keyboard.press('Escape');
		await editor.closeNode();
		const polls = await countPolls(workspace);
		const polling = await publish();
		const polledSince = async (count: number) =>
			await until(
				async () => await countPolls(workspace),
				(now) => now > count,
			);
		// The first poll only remembers.
		await polledSince(polls);
		await editor.page.waitForTimeout(3000);

		const begin = Date.now();
		await write(ben, 'Hello to both');
		await part('messages').getByText('Thank you, we are on it.').waitFor();
		expect(Date.now() - begin).toBeLessThan(5000);
		const vip = tags.find(({ name }) => name === 'VIP')!.id;
		await until(
			async () => (await workspace.contact(`id:${ben.id}`)).tags.map(({ id }) => id),
			(ids) => ids.includes(vip),
		);
		await polledSince(await countPolls(workspace));
		const runs = async ({ id, before }: Published) => {
			const ids = (await n8n.client.executionsOf(id)).filter((each) => !before.includes(each));
			const all = await Promise.all(
				ids.map(async (each) => await n8n.client.waitForExecution(each)),
			);
			return all.map(({ status }) => status);
		};
		expect(await runs(instant)).toEqual(['success']);
		expect(await runs(polling)).toEqual(['success']);
		expect(await textsTo(workspace, `id:${ben.id}`)).toEqual(['Thank you, we are on it.']);
		await chat.close();
	}),
);
