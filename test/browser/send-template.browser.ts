import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INode } from 'n8n-workflow';
import { credentialFor } from '../../scripts/examples';
import { NODE_TYPE } from '../../scripts/n8n/run';
import type { Channel, Contact } from '../../sandbox/records';
import { seen, setStage, type Stage } from '../support/browser/stage';

const HOUR_MS = 3_600_000;

const pdf = Buffer.from('%PDF-1.7\r\n\0ü');

let stage: Stage;
let website: Server;
let whatsapp: Channel;
let ann: Contact;
let bob: Contact;

beforeAll(async () => {
	website = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/pdf' });
		response.end(pdf);
	});
	await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
	stage = await setStage('token-of-send-template', {
		service: 'newer',
		newest: true,
		contacts: 0,
		faults: { showsChannelTimes: true },
	});
	const { n8n, workspace } = stage;
	await n8n.client.importCredential(credentialFor(workspace));
	const { channels } = await workspace.state();
	whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
	const inboxIds = [whatsapp.id];
	[ann, bob] = await workspace.addContacts([
		{ firstName: 'Ann', email: 'ann@example.com', inboxIds },
		{ firstName: 'Bob', lastName: 'Stone', email: 'bob@example.com', inboxIds },
	]);
});

afterAll(async () => {
	website?.close();
	await stage?.stop();
});

beforeEach(async () => {
	await stage.workspace.clearJournal();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

/**
 * Picks a template from the list, which it searches by name, and waits for the input of a place.
 */
async function pickTemplate({ editor }: Stage, label: string, place: string): Promise<void> {
	await editor.openList('templateId');
	await editor.searchList(label.split(' ')[0]);
	await editor.part('rlc-item').filter({ hasText: label }).click();
	await editor.field(place).waitFor();
}

/** Returns the labels of the inputs for the places of the template. */
async function placeLabels({ editor }: Stage): Promise<string[]> {
	const labels = await editor.part('mapping-fields-container').locator('label').allInnerTexts();
	// The first label is that of the whole; below a label are the buttons to change how its value is
	// set.
	return labels.slice(1).map((label) => label.split('\n')[0]);
}

/** Returns some columns of the output as n8n's table shows them, its rows sorted. */
async function readOutput({ editor }: Stage, columns: string[]): Promise<string[][]> {
	await editor.output.getByText('2 items', { exact: true }).waitFor();
	await editor.output.locator('[data-test-id="radio-button-table"]').click();
	const rows = editor.output.locator('table tr');
	await rows.nth(2).waitFor();
	const [names, ...cells] = await Promise.all(
		(await rows.all()).map(async (row) =>
			(await row.locator('th, td').allInnerTexts()).map((text) => text.trim()),
		),
	);
	return cells.map((row) => columns.map((column) => row[names.indexOf(column)])).sort();
}

it(
	'The user picks a template of the channel, drags a name into it, reads a preview, and sends it once to each contact',
	see(async (all) => {
		const { editor, workspace } = all;
		await editor.newWorkflowWith('Get many contacts');
		await editor.execute();
		await editor.output.getByText('2 items').first().waitFor();
		await editor.closeNode();
		await editor.addAction('Send WhatsApp template');
		await editor.drag(editor.inputField('id'), 'identifier');
		expect(await editor.parameters.getByText('Template Parameters').count()).toBe(0);

		expect(await (await editor.openList('inboxId')).allInnerTexts()).toEqual([whatsapp.name]);
		await editor.part('rlc-item').first().click();
		expect(await (await editor.openList('templateId')).allInnerTexts()).toEqual([
			'appointment – en_US: Hi ▢, see you at ▢. Not at ▢? Tell us.',
			'flash_sale – en_US: Hi ▢, save 20 % with this code.',
			'invoice – en_US: Hi ▢, here is your invoice.',
			'new_collection – en_US: Our new collection is here.',
			'order_shipped – de: Hallo ▢, deine Bestellung ▢ ist unterwegs.',
			'order_shipped – en_US: Hi ▢, your order ▢ is on its way.',
			'pickup_point – en_US: Order ▢ waits for you here.',
			'two_products – en_US: Two ideas for you, ▢:',
			'welcome – en_US: Hi ▢, welcome to ▢!',
			'win_back – en_US: Hi ▢, we have not heard from each other for a while. Can we …',
		]);
		await editor.searchList('SHIPPED');
		await editor.part('rlc-item').nth(2).waitFor({ state: 'detached' });
		await editor.part('rlc-item').filter({ hasText: 'en_US' }).click();
		await editor.drag(editor.inputField('firstName'), 'body_1');
		await editor.execute();
		const error = editor.part('node-error-message');
		await error.waitFor();
		expect(await error.innerText()).toBe(
			'"Text 2 of 2: your order ▢ is on its way." of the template must not be empty [item 0]',
		);
		await editor.fill('body_2', 'A-100');
		expect(await placeLabels(all)).toEqual([
			'Text 1 of 2: Hi ▢, your order … is on',
			'Text 2 of 2: your order ▢ is on its way.',
		]);
		await editor.addOption('Preview');
		await editor.execute();
		const texts = [
			'Hi Ann, your order A-100 is on its way.',
			'Hi Bob, your order A-100 is on its way.',
		];
		expect(await readOutput(all, ['text', 'sent'])).toEqual(texts.map((text) => [text, 'preview']));
		await editor.output
			.getByText(
				'Preview: nothing was sent. Without Preview, n8n would send 2 messages for 2 items.',
			)
			.waitFor();
		expect((await workspace.journal()).templates).toEqual([]);
		await editor.release();
		await editor.output.getByText('text', { exact: true }).first().scrollIntoViewIfNeeded();
		// The whole panel fits into a higher window.
		const size = editor.page.viewportSize()!;
		await editor.page.setViewportSize({ ...size, height: 1000 });
		await editor.parameters.getByText('Resource', { exact: true }).scrollIntoViewIfNeeded();
		await editor.picture('send-template', editor.parameters, editor.output);
		await editor.page.setViewportSize(size);

		await editor.field('preview').hover();
		await editor.parameters.getByTitle('Delete').last().click();
		await editor.execute();
		await editor.output.getByText('template', { exact: true }).first().waitFor();
		expect(await readOutput(all, ['text', 'sent'])).toEqual(
			texts.map((text) => [text, 'template']),
		);
		const { templates } = await workspace.journal();
		expect(templates).toHaveLength(2);
		expect(templates).toEqual(
			expect.arrayContaining(
				[ann, bob].map(({ id, firstName }) =>
					expect.objectContaining({
						contactId: id,
						inboxId: whatsapp.id,
						params: { 'body.1': firstName, 'body.2': 'A-100' },
						delivered: true,
					}),
				),
			),
		);
	}),
);

it(
	'The user sends an invoice with a downloaded PDF, whose input says what to enter',
	see(async (all) => {
		const { editor, workspace } = all;
		await editor.newWorkflow();
		await editor.addManualTrigger();
		await editor.addNode('http request', 'HTTP Request');
		await editor.fill(
			'url',
			`http://127.0.0.1:${(website.address() as AddressInfo).port}/invoice.pdf`,
		);
		await editor.execute();
		await editor.output.getByText('invoice.pdf').first().waitFor();
		await editor.closeNode();
		await editor.addAction('Send WhatsApp template');
		await editor.pick('identifier', 'ann@example.com');
		await pickTemplate(all, 'invoice', 'header');
		expect(await placeLabels(all)).toEqual([
			'Document: field or URL',
			'Text: Hi ▢, here is your invoice.',
			'Button: track/▢',
		]);
		await editor.fill('header', 'data');
		await editor.fill('body_1', 'Ann');
		await editor.fill('button_0', 'A-100');
		await editor.execute();
		await editor.output.getByText('Hi Ann, here is your invoice.').first().waitFor();

		const { templates, uploads } = await workspace.journal();
		expect(uploads).toEqual([
			expect.objectContaining({
				fileName: 'invoice.pdf',
				contentType: 'application/pdf',
				size: pdf.length,
				sha256: createHash('sha256').update(pdf).digest('hex'),
			}),
		]);
		expect(templates).toEqual([
			expect.objectContaining({
				contactId: ann.id,
				params: {
					header: expect.stringMatching(/^https:\/\/.*\/invoice\.pdf$/) as string,
					'body.1': 'Ann',
					'button.0': 'A-100',
				},
				delivered: true,
			}),
		]);
	}),
);

/**
 * Opens Send Template in a stored workflow that gets Ann and Bob and sends `order_shipped` to both.
 */
async function openStored({ editor, n8n, workspace }: Stage): Promise<void> {
	const { templates } = await workspace.state();
	const template = templates.find(
		({ name, language }) => name === 'order_shipped' && language === 'en_US',
	)!;
	const ours = (name: string, x: number, parameters: INode['parameters']): INode => ({
		...{ id: name, name, type: NODE_TYPE, typeVersion: 1, parameters, position: [x, 0] },
		credentials: { workspaceMessagingApi: { id: null, name: '' } },
	});
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	const workflow = await n8n.client.importWorkflow({
		name: 'Orders',
		nodes: [
			{
				...{ id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
				...{ position: [0, 0], parameters: {} },
			},
			ours('Contacts', 200, { resource: 'contact', operation: 'getAll', returnAll: true }),
			ours('Send', 400, {
				resource: 'message',
				operation: 'sendTemplate',
				identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				templateId: { __rl: true, mode: 'list', value: template.id },
				templateParams: {
					mappingMode: 'defineBelow',
					value: { body_1: '={{ $json.firstName }}', body_2: 'A-100' },
				},
			}),
		],
		connections: { Start: to('Contacts'), Contacts: to('Send') },
	});
	await editor.openWorkflow(workflow);
	// While an expression of the node has no data, n8n does not load the inputs of another template.
	await editor.openNode('Contacts');
	await editor.execute();
	await editor.output.getByText('2 items').first().waitFor();
	await editor.closeNode();
	await editor.openNode('Send');
	await editor.field('body_1').waitFor();
}

it(
	'With the option, a contact who wrote an hour ago gets the text, and one who wrote 25 hours ago gets the template',
	see(async (all) => {
		const { editor, workspace } = all;
		const write = async ({ id }: Contact, hours: number) => {
			const at = new Date(Date.now() - hours * HOUR_MS).toISOString();
			await workspace.write(`id:${id}`, { text: 'Hi', inboxId: whatsapp.id, at });
		};
		await write(ann, 1);
		await write(bob, 25);
		await openStored(all);
		await editor.addOption('Text Within 24 Hours');
		await editor.fill('textIfRecent', 'Your order A-100 is on its way.');
		await editor.execute();
		expect(await readOutput(all, ['email', 'sent', 'text'])).toEqual([
			['ann@example.com', 'message', 'Your order A-100 is on its way.'],
			['bob@example.com', 'template', 'Hi Bob, your order A-100 is on its way.'],
		]);
		const { templates, messages } = await workspace.journal();
		expect(messages).toEqual([
			expect.objectContaining({
				contactId: ann.id,
				inboxId: whatsapp.id,
				text: 'Your order A-100 is on its way.',
			}),
		]);
		expect(templates).toEqual([expect.objectContaining({ contactId: bob.id, delivered: true })]);
	}),
);

it(
	'Another template brings other inputs, and an empty place of one contact stops the run before anything is sent',
	see(async (all) => {
		const { editor, workspace } = all;
		await openStored(all);
		await pickTemplate(all, 'welcome', 'body_name');
		expect(await placeLabels(all)).toEqual([
			'Text 1 of 2: Hi ▢, welcome to …!',
			'Text 2 of 2: welcome to ▢!',
		]);
		expect(await editor.field('body_1').count()).toBe(0);
		await editor.drag(editor.inputField('lastName'), 'body_name');
		await editor.fill('body_shop', 'Café Süd');
		await editor.execute();
		const error = editor.part('node-error-message');
		await error.waitFor();
		expect(await error.innerText()).toBe(
			'"Text 1 of 2: Hi ▢, welcome to …!" of the template must not be empty [item 1]',
		);
		await editor.output.getByText('Nothing was sent.').waitFor();
		const { templates, messages } = await workspace.journal();
		expect([templates, messages]).toEqual([[], []]);
	}),
);
