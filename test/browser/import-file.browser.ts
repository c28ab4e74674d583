import { seen, setStage, type Stage } from '../support/browser/stage';

const TOKEN = 'token-of-the-import';

/** A file as a German Excel writes it, in UTF-8 with a byte order mark. */
const csv = [
	'\uFEFFMobile;First name;Surname;Loyalty level;Remark',
	'+4915112345678;Zoë;Müller;Gold;"came by; twice"',
	'nobody knows;Cem;Aydın;;',
	'+4915112345679;Ann;Lee;Silver;',
	'',
].join('\r\n');

let stage: Stage;

beforeAll(async () => {
	stage = await setStage(TOKEN, { contacts: 0, counts: { customFields: 0 }, service: 'newer' });
	await stage.workspace.add('customFields', { name: 'Loyalty Level', type: 'shortText' });
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

describe('The user imports a CSV file in the editor', () => {
	it(
		'with semicolons from a form',
		see(async ({ editor }) => {
			await editor.newWorkflow();
			await editor.addNode('form', 'n8n Form', 'On new n8n Form event');
			await editor.fill('formTitle', 'Leads');
			await editor.part('fixed-collection-add').last().click();
			await editor.fill('fieldLabel', 'data');
			await editor.select('fieldType', 'File');
			const opened = editor.page.waitForEvent('popup');
			await editor.part('node-execute-button').click();
			const form = await opened;
			await form
				.locator('input[type="file"]')
				.setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
			await form.getByRole('button', { name: 'Submit' }).click();
			await form.getByText('Your response has been recorded').waitFor();
			await form.close();
			await editor.output.getByText('leads.csv').first().waitFor();
			await editor.closeNode();
		}),
	);

	it(
		'that the node uploads, maps by its column names and imports',
		see(async ({ editor, sandbox, workspace }) => {
			await editor.addAction('Import contacts');
			await editor.part('node-credentials-empty-state').getByRole('button').click();
			await editor.fill('baseUrl', sandbox.url);
			await editor.fill('accessToken', TOKEN);
			await editor.saveCredential();

			await editor.pick('inboxId', 'WhatsApp Süd');
			// The list says which type the channel has.
			expect(await editor.parameters.getByText('Channel Type').count()).toBe(0);
			await editor.release();
			await editor.picture('import', editor.parameters);
			await editor.execute();
			await editor.output.getByText('completed').first().waitFor();
			await editor.output.getByText('Invalid phone').first().waitFor();

			const { contacts, channels } = await workspace.state();
			expect(
				contacts.map(({ firstName, lastName, phoneNumber, contactCustomFields }) => [
					firstName,
					lastName,
					phoneNumber,
					contactCustomFields[0].value,
				]),
			).toEqual([
				['Zoë', 'Müller', '+4915112345678', 'Gold'],
				['Ann', 'Lee', '+4915112345679', 'Silver'],
			]);
			const { uploads, imports } = await workspace.journal();
			expect(uploads).toMatchObject([{ fileName: 'leads.csv', contentType: 'text/csv' }]);
			expect(imports).toMatchObject([
				{ inboxId: channels.find(({ name }) => name === 'WhatsApp Süd')?.id, done: true },
			]);
			expect(editor.typed.filter((text) => /^\d+$/.test(text))).toEqual([]);
		}),
	);
});
