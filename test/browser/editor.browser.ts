import type { IDataObject } from 'n8n-workflow';
import { credentialFor } from '../../scripts/examples';
import { NODE_TYPE } from '../../scripts/n8n/run';
import { LIST_NOTE } from '../support/browser/editor';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { furnish } from '../support/browser/workspace';

const TOKEN = 'token-of-the-editor';

let stage: Stage;

beforeAll(async () => {
	stage = await setStage(TOKEN, { contacts: 120, counts: { tags: 0, customFields: 0, flows: 0 } });
	await furnish(stage.workspace);
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

describe('The search of the editor', () => {
	beforeAll(async () => {
		await stage.editor.newWorkflow();
	});

	it.each(['workspace messaging', 'whatsapp', 'sms', 'crm', 'broadcast'])(
		'finds the node by "%s"',
		async (word) => {
			await see(async ({ editor }) => {
				// What an earlier search found must be gone first.
				await editor.searchNodes('no node is called so');
				await editor.part('node-creator-no-results').waitFor();
				const found = await editor.searchNodes(word);
				await found.filter({ hasText: 'Workspace Messaging' }).first().waitFor();
			})();
		},
	);

	it(
		'shows a description of each operation',
		see(async ({ editor }) => {
			await editor.newWorkflow();
			await editor.addManualTrigger();
			await editor.addNode('workspace messaging', 'Workspace Messaging');
			const actions = editor.part('node-creator-item-name');
			const labels = [
				'Send message',
				'Create or update contact',
				'Add tags to contact',
				'Trigger flow for contact',
				'Get many broadcasts',
			];
			for (const label of labels) {
				await actions.filter({ hasText: new RegExp(`^${label}$`) }).waitFor();
			}
			await editor.picture('actions', editor.part('node-creator'));
		}),
	);
});

describe('The credential', () => {
	it(
		'says what is wrong until it is correct',
		see(async ({ editor, sandbox }) => {
			await editor.newWorkflowWith('Get many channels');
			await editor.part('node-credentials-empty-state').getByRole('button').click();
			await editor.fill('baseUrl', `${sandbox.url}/some/page`);
			await editor.fill('accessToken', TOKEN);
			await editor.saveRefusedCredential("A server answers at the Base URL, but it isn't the API");

			await editor.fill('baseUrl', 'http://127.0.0.1:9');
			await editor.saveRefusedCredential(
				"The service at 127.0.0.1:9 can't be reached: it refuses connections.",
			);

			await editor.fill('baseUrl', sandbox.url);
			await editor.fill('accessToken', 'token-of-nobody');
			await editor.saveRefusedCredential('The service rejected the access token.');
			await editor.release();
			await editor.picture('credential-refused', editor.credential);

			await editor.fill('accessToken', TOKEN);
			await editor.saveCredential();

			await editor.part('credential-edit-button').click();
			await editor.credential.getByText('Connection tested successfully').waitFor();
			await editor.release();
			await editor.picture('credential', editor.credential);
			await editor.page.keyboard.press('Escape');
			await editor.credential.waitFor({ state: 'hidden' });
		}),
	);
});

describe('The panel of the node', () => {
	beforeAll(async () => {
		// Whatever became of the tests above, the ones below have one credential, which n8n chooses by
		// itself.
		const { client } = stage.n8n;
		const stored = await client.request<Array<{ id: string }>>('GET', '/credentials');
		for (const { id } of stored) await client.request('DELETE', `/credentials/${id}`);
		await client.importCredential(credentialFor(stage.workspace));
	});

	it(
		'picks a contact from a list with search and pages',
		see(async ({ editor }) => {
			await editor.newWorkflowWith('Get contact');
			const entries = await editor.openList('identifier');
			// A page has 50; on a slow machine, n8n reads the next one before it has drawn the first.
			expect([50, 100]).toContain(await entries.count());

			await entries.last().hover();
			await editor.page.mouse.wheel(0, 5000);
			await entries.nth(50).waitFor();

			await editor.searchList('kowalski');
			await entries.filter({ hasNotText: 'Kowalski' }).first().waitFor({ state: 'hidden' });
			await entries.filter({ hasText: 'Zoë Kowalski – contact3@example.com' }).waitFor();
			await editor.picture('pick-contact', editor.parameters);
			await entries.filter({ hasText: 'Omar Kowalski – contact30@example.com' }).click();

			await editor.execute();
			await editor.output.getByText('contact30@example.com').first().waitFor();
		}),
	);

	it(
		'sends a message to the contact on the channel from the list',
		see(async ({ editor, workspace }) => {
			await workspace.clearJournal();
			await editor.newWorkflowWith('Send message');
			await editor.openList('identifier');
			await editor.searchList('contact30@');
			await editor.part('rlc-item').filter({ hasText: 'Omar Kowalski' }).click();
			await editor.fill('text', 'x'.repeat(1001));
			const hint = editor.panel.getByText('The message has more than 1,000 characters.');
			await hint.waitFor();
			await editor.fill('text', 'Hello Omar, your order is on its way.');
			await hint.waitFor({ state: 'hidden' });
			const channels = await editor.openList('inboxId');
			await editor.searchList('whats');
			await channels.filter({ hasText: 'Website' }).waitFor({ state: 'hidden' });
			await channels.filter({ hasText: 'WhatsApp Süd – WhatsApp' }).click();
			await editor.parameters.getByText('Up to 1,000 characters').waitFor();

			await editor.execute();
			await editor.output.getByText('queued').first().waitFor();
			await editor.release();
			await editor.picture('send-message', editor.panel);

			const { contacts, channels: inboxes } = await workspace.state();
			const { messages } = await workspace.journal();
			expect(messages).toEqual([
				expect.objectContaining({
					contactId: contacts.find(({ email }) => email === 'contact30@example.com')?.id,
					inboxId: inboxes.find(({ name }) => name === 'WhatsApp Süd')?.id,
					text: 'Hello Omar, your order is on its way.',
				}),
			]);
		}),
	);

	/**
	 * Starts a workflow that is run by hand with these rows, and sends a message to the contact of
	 * each.
	 */
	async function sendToRows({ editor, n8n, workspace }: Stage, rows: IDataObject[]): Promise<void> {
		const workflow = await n8n.client.importWorkflow({
			name: 'Rows',
			nodes: [
				{
					id: 'rows',
					name: 'Rows',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				},
			],
			connections: {},
			pinData: { Rows: rows.map((json) => ({ json })) },
		});
		await editor.openWorkflow(workflow);
		// What is added is put behind the node that is chosen.
		await editor.node('Rows').click();
		await editor.addAction('Send message');
		await editor.drag(editor.inputField('Email'), 'identifier');
		await editor.fill('text', 'Your order is on its way.');
		await workspace.clearJournal();
	}

	it(
		'accepts an email that the user drags to an ID',
		see(async (all) => {
			const { editor, workspace } = all;
			await sendToRows(all, [{ Name: 'Omar', Email: 'contact30@example.com' }]);
			// n8n chooses this mode by itself for what is dragged, and this is what it calls "ID".
			expect(await editor.mode('identifier')).toBe('By ID');

			await editor.execute();
			await editor.output.getByText('queued').first().waitFor();
			const { id } = await workspace.contact('email:contact30@example.com');
			const { messages } = await workspace.journal();
			expect(messages).toEqual([
				expect.objectContaining({ contactId: id, text: 'Your order is on its way.' }),
			]);
		}),
	);

	it(
		'sends the failed rows to the error output, each with its error',
		see(async (all) => {
			const { editor, workspace } = all;
			await sendToRows(all, [
				{ Name: 'Omar', Email: 'contact30@example.com' },
				{ Name: 'Nobody', Email: 'nobody@example.com' },
				{ Name: 'Typo', Email: 'typo.example.com' },
			]);
			await editor.setting('onError', 'Continue (using error output)');

			await editor.execute();
			expect(await editor.branch('Error')).toEqual([
				{
					Name: 'Nobody',
					Email: 'nobody@example.com',
					error: expect.stringContaining('No contact has the email nobody@example.com') as string,
				},
				{
					Name: 'Typo',
					Email: 'typo.example.com',
					error: expect.stringContaining('but is "typo.example.com"') as string,
				},
			]);
			expect(await editor.branch('Success')).toEqual([
				expect.objectContaining({ contact: 'email:contact30@example.com', queued: 'true' }),
			]);
			const { id } = await workspace.contact('email:contact30@example.com');
			const { messages } = await workspace.journal();
			expect(messages.map(({ contactId }) => contactId)).toEqual([id]);
		}),
	);

	it(
		'shows the fields of an answer before the first run, and the user can drag them',
		see(async ({ editor, workspace }) => {
			await editor.newWorkflowWith('Get many contacts');
			// What an earlier test's picker was still reading does not count.
			await workspace.clearJournal();
			await editor.closeNode();
			await editor.addAction('Send message');

			await editor.part('schema-preview-warning').waitFor();
			for (const name of ['id', 'fullName', 'email', 'tags', 'customFields']) {
				await editor.inputField(name).waitFor();
			}
			await editor.drag(editor.inputField('id'), 'identifier');
			await editor.field('identifier').getByText('{{ $json.id }}').waitFor();
			await editor.release();
			await editor.picture('field-preview', editor.part('ndv-input-panel'), editor.parameters);
			expect((await workspace.journal()).requests).toEqual([]);
		}),
	);

	it(
		'gives each custom field an input of its type',
		see(async ({ editor, workspace }) => {
			await editor.newWorkflowWith('Set custom fields of contact');
			await editor.pick('identifier', 'contact119@example.com');
			const mapper = editor.part('resource-mapper-container');
			for (const name of ['Loyalty Points', 'Wants Catalogue', 'Work Email']) {
				await editor.addCustomField(name);
			}
			const { customFields } = await workspace.state();
			const idOf = (wanted: string) => customFields.find(({ name }) => name === wanted)?.id ?? '';
			await mapper.getByText('Loyalty Points', { exact: true }).waitFor();
			await editor.fill(idOf('Loyalty Points'), '42');
			await editor.field(idOf('Wants Catalogue')).locator('.el-switch').click();
			await editor.fill(idOf('Work Email'), 'work@example.com');
			await editor.release();
			await editor.picture('custom-fields', editor.parameters);

			await editor.execute();
			await editor.output.getByText('work@example.com').first().waitFor();
			const { contactCustomFields } = await workspace.contact('email:contact119@example.com');
			expect(
				Object.fromEntries(
					contactCustomFields.map(({ customFieldId, value }) => [customFieldId, value]),
				),
			).toMatchObject({
				[idOf('Loyalty Points')]: '42',
				[idOf('Wants Catalogue')]: 'true',
				[idOf('Work Email')]: 'work@example.com',
			});
		}),
	);

	it(
		'shows no warning at the dropdown of a new node, whether or not n8n knows its list yet',
		see(async ({ editor }) => {
			await editor.newWorkflow();
			await editor.addManualTrigger();
			const loaded = editor.page.waitForResponse(/dynamic-node-parameters\/options/);
			await editor.addAction('Add tags to contact');
			expect((await loaded).ok()).toBe(true);
			await editor.field('tagIds').click();
			const note = editor.option(LIST_NOTE);
			await note.or(editor.option('VIP')).first().waitFor();
			if (await note.isVisible()) await editor.refreshList('tagIds');
			await editor.select('tagIds', 'VIP');
			expect(await editor.part('parameter-issues').count()).toBe(0);
		}),
	);

	it(
		'picks several tags from a list',
		see(async ({ editor, workspace }) => {
			await editor.newWorkflowWith('Add tags to contact');
			await editor.pick('identifier', 'contact118@example.com');
			await editor.select('tagIds', 'Berlin', 'VIP', 'Newsletter');
			await editor.release();
			await editor.picture('tags', editor.parameters);

			await editor.execute();
			await editor.output.getByText('addedTagIds').first().waitFor();
			const { tags } = await workspace.contact('email:contact118@example.com');
			expect(tags.map(({ name }) => name)).toEqual(
				expect.arrayContaining(['Berlin', 'VIP', 'Newsletter']),
			);
		}),
	);

	it(
		'says which value is wrong and what it should be',
		see(async ({ editor, workspace }) => {
			await editor.newWorkflowWith('Create contact');
			// What an earlier test's picker was still reading does not count.
			await workspace.clearJournal();
			await editor.fill('email', 'nathan@example.com');
			await editor.fill('phoneNumber', '0151 2345');

			await editor.execute();
			await editor
				.part('node-error-message')
				.getByText(
					'Phone Number must be 10 to 20 digits, with an optional leading +, but is "0151 2345"',
				)
				.waitFor();
			await editor.output.getByText('Nothing was sent.').waitFor();
			await editor.release();
			await editor.picture('error', editor.parameters, editor.output);
			expect((await workspace.journal()).requests).toEqual([]);
		}),
	);

	it(
		'says at a dropdown why n8n cannot load its list',
		see(async ({ editor, n8n: { client } }) => {
			const name = 'A service that is down';
			const data = { baseUrl: 'http://127.0.0.1:9', accessToken: TOKEN };
			const type = 'workspaceMessagingApi';
			const id = await client.importCredential({ name, type, data });
			const node = {
				id: 'tags',
				name: 'Add tags',
				type: NODE_TYPE,
				typeVersion: 1,
				position: [0, 0] as [number, number],
				parameters: {
					resource: 'contact',
					operation: 'addTags',
					identifier: { __rl: true, mode: 'id', value: '11' },
					tagIds: ['11'],
				},
				credentials: { [type]: { id, name } },
			};
			const workflow = await client.importWorkflow({ name, nodes: [node], connections: {} });
			await editor.openWorkflow(workflow);
			await editor.openNode(node.name);
			await editor.part('parameter-issues').hover();
			await editor.page
				.getByText("n8n can't load the list. The service at 127.0.0.1:9 can't be reached")
				.first()
				.waitFor();
			await client.request('DELETE', `/credentials/${id}`);
		}),
	);
});
