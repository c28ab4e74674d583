import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { credentialFor } from '../../scripts/examples';

const pdf = Buffer.from('%PDF-1.7\r\n\0ü');
const content = { size: pdf.length, sha256: createHash('sha256').update(pdf).digest('hex') };

let stage: Stage;
let website: Server;

beforeAll(async () => {
	website = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf);
	});
	await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
	stage = await setStage('token-of-attachments', { service: 'newer', contacts: 20 });
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
});

afterAll(async () => {
	website.close();
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

describe('The user attaches a PDF to a message by mouse', () => {
	it(
		'from another node that downloads it',
		see(async ({ editor, n8n, workspace }) => {
			const { port } = website.address() as AddressInfo;
			const workflow = await n8n.client.importWorkflow({
				name: 'Download',
				nodes: [
					{
						id: 'start',
						name: 'Start',
						type: 'n8n-nodes-base.manualTrigger',
						typeVersion: 1,
						position: [0, 0],
						parameters: {},
					},
					{
						id: 'download',
						name: 'Download',
						type: 'n8n-nodes-base.httpRequest',
						typeVersion: 4.2,
						position: [200, 0],
						parameters: { url: `http://127.0.0.1:${port}/invoice.pdf`, options: {} },
					},
				],
				connections: { Start: { main: [[{ node: 'Download', type: 'main', index: 0 }]] } },
			});
			await editor.openWorkflow(workflow);
			await editor.node('Download').click();
			await editor.addAction('Send message to contact');
			await editor.pick('identifier', 'contact3@example.com');
			await editor.fill('attachments', 'data');
			await editor.execute();
			await editor.output.getByText('invoice.pdf').first().waitFor();

			const { id } = await workspace.contact('email:contact3@example.com');
			expect((await workspace.journal()).messages).toEqual([
				expect.objectContaining({
					contactId: id,
					files: [{ fileName: 'invoice.pdf', contentType: 'application/pdf', ...content }],
				}),
			]);
		}),
	);

	it(
		'from a form, by dragging its field',
		see(async ({ editor, workspace }) => {
			await workspace.clearJournal();
			await editor.newWorkflow();
			await editor.addNode('form', 'n8n Form', 'On new n8n Form event');
			await editor.fill('formTitle', 'Invoice');
			await editor.part('fixed-collection-add').last().click();
			await editor.fill('fieldLabel', 'Invoice PDF');
			await editor.select('fieldType', 'File');
			const opened = editor.page.waitForEvent('popup');
			await editor.part('node-execute-button').click();
			const form = await opened;
			await form
				.locator('input[type=file]')
				.setInputFiles({ name: 'Rechnung März.pdf', mimeType: 'application/pdf', buffer: pdf });
			await form.getByRole('button', { name: 'Submit' }).click();
			await form.getByText('Your response has been recorded').waitFor();
			await form.close();
			await editor.output.getByText('Rechnung März.pdf').first().waitFor();
			await editor.closeNode();

			await editor.addAction('Send message to contact');
			await editor.pick('identifier', 'contact3@example.com');
			// n8n shows the files themselves first, from where nothing can be dragged.
			await editor.part('ndv-input-panel').locator('[data-test-id="radio-button-schema"]').click();
			await editor.drag(editor.inputField('Invoice PDF'), 'attachments');
			await editor.execute();
			await editor.output.getByText('queued').first().waitFor();

			expect((await workspace.journal()).messages).toEqual([
				expect.objectContaining({
					files: [{ fileName: 'Rechnung März.pdf', contentType: 'application/pdf', ...content }],
				}),
			]);
		}),
	);
});
