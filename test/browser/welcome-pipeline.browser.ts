import { seen, setStage, type Stage } from '../support/browser/stage';
import { furnish } from '../support/browser/workspace';

const TOKEN = 'token-of-the-pipeline';

const person = { 'First Name': 'Nora', Email: 'nora.lind@example.org', Phone: '+4915155501234' };

let stage: Stage;

beforeAll(async () => {
	stage = await setStage(TOKEN, { contacts: 20, counts: { tags: 0, customFields: 0, flows: 0 } });
	await furnish(stage.workspace);
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

/** Starts something that opens the form in a window of its own, and fills in that form. */
async function submitForm(
	{ editor }: Stage,
	answers: Record<string, string>,
	start: () => Promise<void>,
) {
	const opened = editor.page.waitForEvent('popup');
	await start();
	const form = await opened;
	for (const [label, answer] of Object.entries(answers)) await form.getByLabel(label).fill(answer);
	await form.getByRole('button', { name: 'Submit' }).click();
	await form.getByText('Your response has been recorded').waitFor();
	await form.close();
}

describe('The user builds the welcome pipeline in the editor', () => {
	it(
		'which starts with a form',
		see(async (all) => {
			const { editor } = all;
			await editor.newWorkflow();
			await editor.addNode('form', 'n8n Form', 'On new n8n Form event');
			await editor.fill('formTitle', 'Join us');
			for (const label of Object.keys(person)) {
				await editor.part('fixed-collection-add').last().click();
				await editor.fill('fieldLabel', label);
			}
			await submitForm(all, person, async () => await editor.part('node-execute-button').click());
			await editor.output.getByText(person.Email).waitFor();
			await editor.closeNode();
		}),
	);

	it(
		'which connects to the workspace and creates or updates the contact',
		see(async ({ editor, sandbox }) => {
			await editor.addAction('Create or update contact');
			await editor.part('node-credentials-empty-state').getByRole('button').click();
			await editor.fill('baseUrl', sandbox.url);
			await editor.fill('accessToken', TOKEN);
			await editor.saveCredential();

			await editor.drag(editor.inputField('Email'), 'email');
			await editor.drag(editor.inputField('Phone'), 'phoneNumber');
			await editor.addOption('First Name');
			await editor.drag(editor.inputField('First Name'), 'firstName');
			await editor.release();
			await editor.picture('map-contact', editor.part('ndv-input-panel'), editor.parameters);
			await editor.closeNode();
		}),
	);

	it(
		'which adds a tag',
		see(async ({ editor }) => {
			await editor.addAction('Add tags to contact');
			await editor.drag(editor.inputField('id'), 'identifier');
			await editor.select('tagIds', 'New Customer', 'Newsletter');
			await editor.closeNode();
		}),
	);

	it(
		'which sends a message on a channel',
		see(async ({ editor }) => {
			await editor.addAction('Send message');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.fill('text', 'Welcome! How can we help you?');
			await editor.pick('inboxId', 'WhatsApp Süd');
			await editor.closeNode();
		}),
	);

	it(
		'which triggers a flow',
		see(async ({ editor }) => {
			await editor.addAction('Trigger flow for contact');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.pick('flowId', 'Welcome');
			await editor.closeNode();
		}),
	);

	it(
		'and runs it',
		see(async (all) => {
			const { editor, workspace } = all;
			await submitForm(
				all,
				person,
				async () => await editor.part('execute-workflow-button').click(),
			);
			await editor.part('canvas-node-status-success').nth(4).waitFor();
			await editor.canvasPicture('welcome-pipeline');

			const contact = await workspace.contact(`email:${person.Email}`);
			expect(contact).toMatchObject({ firstName: person['First Name'], phoneNumber: person.Phone });
			expect(contact.tags.map(({ name }) => name).sort()).toEqual(['New Customer', 'Newsletter']);
			const { channels, flows } = await workspace.state();
			const { messages, flowRuns } = await workspace.journal();
			expect(messages).toEqual([
				expect.objectContaining({
					contactId: contact.id,
					inboxId: channels.find(({ name }) => name === 'WhatsApp Süd')?.id,
					text: 'Welcome! How can we help you?',
				}),
			]);
			expect(flowRuns).toEqual([
				expect.objectContaining({
					contactId: contact.id,
					flowId: flows.find(({ name }) => name === 'Welcome')?.id,
				}),
			]);
		}),
	);

	it(
		'without typing an ID',
		see(async ({ editor, workspace }) => {
			const { contacts, tags, channels, flows } = await workspace.state();
			const ids = new Set([...contacts, ...tags, ...channels, ...flows].map(({ id }) => id));
			expect(editor.typed.length).toBeGreaterThan(0);
			expect(editor.typed.filter((text) => ids.has(text))).toEqual([]);
		}),
	);
});
