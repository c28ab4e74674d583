import type { Page } from 'playwright-core';
import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { furnish } from '../support/browser/workspace';

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-messages', {
		service: 'newer',
		contacts: 0,
		counts: { tags: 0, customFields: 0, flows: 0 },
	});
	await furnish(stage.workspace);
	const { channels, tags } = await stage.workspace.state();
	const whatsApp = channels.find(({ name }) => name === 'WhatsApp Süd')!;
	const vip = tags.find(({ name }) => name === 'VIP')!;
	await stage.workspace.addContacts([
		{ firstName: 'Nora', lastName: 'Lind', tagIds: [vip.id], inboxIds: [whatsApp.id] },
	]);
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

/** Opens the page of the sandbox on which one writes as a contact, and writes. */
async function writeOnPage(
	{ editor, workspace }: Stage,
	contact: string,
	text: string,
): Promise<Page> {
	const page = await editor.page.context().newPage();
	const part = (name: string) => page.locator(`[data-test-id=chat-${name}]`);
	await page.goto(workspace.chatUrl);
	await part('search').fill(contact);
	await part('contacts').getByRole('button', { name: contact }).click();
	await part('name').getByText(contact).waitFor();
	await part('text').fill(text);
	await part('text').press('Enter');
	await part('messages').getByText(text).waitFor();
	return page;
}

it(
	'Message Received is set up without an ID typed, and Fetch Test Event shows a message that a contact has written',
	see(async (all) => {
		const { editor } = all;
		const page = await writeOnPage(all, 'Nora Lind', 'Where is my order?');
		await page.close();
		await editor.newWorkflow();
		await editor.addNode('incoming message', 'Workspace Messaging', 'On message received');
		await editor.select('inboxIds', 'WhatsApp Süd – WhatsApp');
		await editor.page.keyboard.press('Escape');
		await editor.select('inCharge', 'Bot');
		await editor.addRow('Add Condition', 'Tag');
		await editor.select('tagIds', 'VIP');
		await editor.page.keyboard.press('Escape');
		await editor.addOption('Group Messages (Seconds)');
		await editor.release();
		await editor.part('node-execute-button').click();
		await editor.output.getByText('1 item').first().waitFor();
		for (const shown of ['Where is my order?', 'Nora Lind', 'WhatsApp Süd'])
			await editor.output.getByText(shown).first().waitFor();
		await editor.output.locator('[data-test-id="radio-button-schema"]').click();
		await editor.field('event').scrollIntoViewIfNeeded();
		await editor.release();
		await editor.picture('message-received', editor.parameters, editor.output);
		expect(editor.typed).toEqual([]);
	}),
);

it(
	'The test event of Message Not Delivered says that it is an example, which no other event does',
	see(async ({ editor }) => {
		await editor.newWorkflow();
		await editor.addNode('not delivered', 'Workspace Messaging', 'On message not delivered');
		await editor.part('node-execute-button').click();
		const hint = editor.output.getByText('this is an example, because no message has failed yet');
		await hint.waitFor();
		await editor.select('event', 'Contact Created');
		await hint.waitFor({ state: 'hidden' });
	}),
);
