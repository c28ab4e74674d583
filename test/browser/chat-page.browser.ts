import { chromium, type Browser, type Page } from 'playwright-core';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { findChromium } from '../support/browser/chromium';

/* The page of the sandbox on which one writes as a contact. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-chat', { service: 'newer', contacts: 3 });
	browser = await chromium.launch({
		executablePath: await findChromium(),
		args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
	});
	page = await browser.newPage();
	await page.goto(workspace.chatUrl);
	await part('contacts').getByRole('button').nth(2).waitFor();
});

afterAll(async () => {
	await browser?.close();
	await sandbox?.stop();
});

const part = (name: string) => page.locator(`[data-test-id=chat-${name}]`);

/** Sends a request to the API, as the node does. */
const callApi = async (path: string, body: object) =>
	await fetch(`${workspace.url}/api/v1/${path}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

async function choose(id: string) {
	await part('contacts').locator(`[data-id="${id}"]`).click();
	await part('contacts').locator(`[data-id="${id}"][aria-pressed=true]`).waitFor();
}

it('The page of the sandbox sends what a contact types and shows what the API answers', async () => {
	const [, contact] = (await workspace.state()).contacts;
	const identifier = `id:${contact.id}`;
	await choose(contact.id);
	await part('text').fill('Where is <b>my order</b>?');
	await part('text').press('Enter');
	await part('messages').getByText('Where is <b>my order</b>?').waitFor();
	expect(await workspace.messages(identifier)).toMatchObject([
		{ text: 'Where is <b>my order</b>?', messageType: 'incoming' },
	]);

	const form = new FormData();
	form.append('text', 'On its way');
	form.append('files[0]', new File(['%PDF'], 'receipt.pdf', { type: 'application/pdf' }));
	await fetch(`${workspace.url}/api/v1/contacts/${identifier}/messages`, {
		method: 'POST',
		headers: { authorization: `Bearer ${workspace.token}` },
		body: form,
	});
	await part('messages').getByText('On its way').waitFor();
	const link = await part('messages')
		.getByRole('link', { name: 'receipt.pdf' })
		.getAttribute('href');
	expect(await (await fetch(link ?? '')).text()).toBe('%PDF');
});

it('The page of the sandbox starts the flow whose name a contact types', async () => {
	await part('text').fill('Welcome');
	await part('send').click();
	await part('messages').getByText('The bot').waitFor();
	expect((await workspace.journal()).flowRuns).toHaveLength(1);
});

it('The page of the sandbox finds a contact by name, email or phone number', async () => {
	const [contact] = (await workspace.state()).contacts;
	for (const word of [contact.fullName, contact.email, contact.phoneNumber]) {
		await part('search').fill(word ?? '');
		await part('contacts').locator(`[data-id="${contact.id}"]`).waitFor();
		expect(await part('contacts').getByRole('button').count()).toBe(1);
	}
	await part('search').fill('nobody');
	expect(await part('contacts').getByRole('button').count()).toBe(0);
	await part('search').fill('');
});

it('The page of the sandbox makes links of the addresses in a message', async () => {
	const [, , contact] = (await workspace.state()).contacts;
	await choose(contact.id);
	await part('text').fill('See https://example.com/a?b=1 or javascript:alert(1)');
	await part('send').click();
	const links = part('messages').getByRole('link');
	await links.first().waitFor();
	expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
		'https://example.com/a?b=1',
	]);
});

it('The page of the sandbox lets happen what webhooks hear: tags, a hand over, a flow', async () => {
	const { contacts, tags } = await workspace.state();
	const identifier = `id:${contacts[1].id}`;
	const contactNow = async () => await workspace.contact(identifier);
	await choose(contacts[1].id);
	await part('tag').selectOption(tags[0].id);
	await part('add-tag').click();
	await part('tags').getByText(tags[0].name).waitFor();
	expect((await contactNow()).tags).toContainEqual(expect.objectContaining({ id: tags[0].id }));
	await part('remove-tag').click();
	await part('tags').getByText(tags[0].name).waitFor({ state: 'detached' });

	await part('charge').getByText('Bot answers').waitFor();
	await part('hand-over').click();
	await part('charge').getByText('Person answers').waitFor();
	expect((await contactNow()).conversation).toMatchObject({ botEnabled: false });
	await part('reply').fill('I am looking');
	await part('reply').press('Enter');
	await part('messages').getByText('I am looking').waitFor();
	await part('hand-over').click();
	await part('charge').getByText('Bot answers').waitFor();

	await workspace.clearJournal();
	await part('flow').selectOption({ label: 'Welcome' });
	await part('start-flow').click();
	await part('messages').getByText('The bot').last().waitFor();
	expect((await workspace.journal()).flowRuns).toHaveLength(1);
});

it('The page of the sandbox shows to whom a conversation is assigned, and the notes about the contact', async () => {
	const { contacts, members, teams } = await workspace.state();
	const identifier = `id:${contacts[2].id}`;
	await choose(contacts[2].id);
	const assigned = part('assigned');
	await assigned.getByText('Assigned to nobody').waitFor();
	await callApi(`conversations/${String(contacts[2].conversation?.id)}/assign`, {
		assignedId: `t_${teams[0].id}`,
	});
	await assigned.getByText(`Assigned to the team ${teams[0].name}`).waitFor();
	await workspace.happen({ type: 'conversationAssigned', identifier, to: members[1].userId });
	await assigned.getByText(`Assigned to ${members[1].user.name}`).waitFor();

	await callApi(`contacts/${identifier}/notes`, { text: 'Asked for <b>a person</b>' });
	const notes = part('notes').getByRole('listitem');
	await notes.getByText('Asked for <b>a person</b>').waitFor();
	await part('note').fill('Calls back on Monday');
	await part('note').press('Enter');
	await notes.getByText('Calls back on Monday').waitFor();
	expect(await part('note').inputValue()).toBe('');
	expect((await workspace.contact(identifier)).contactNotes).toMatchObject([
		{ text: 'Asked for <b>a person</b>', createdById: null },
		{ text: 'Calls back on Monday', createdById: members[0].userId },
	]);
	// The newest is first, and each says who wrote it.
	expect((await notes.allTextContents()).map((text) => text.replace(/ · .*/s, ''))).toEqual([
		`Calls back on Monday${members[0].user.name}`,
		'Asked for <b>a person</b>n8n',
	]);
});

it('The page of the sandbox sends a file and makes no link of an unsafe address', async () => {
	const [contact] = (await workspace.state()).contacts;
	await choose(contact.id);
	await part('file').setInputFiles({
		name: 'a.txt',
		mimeType: 'text/plain',
		buffer: Buffer.from('Grüße'),
	});
	await part('send').click();
	await part('messages').getByRole('link', { name: 'a.txt' }).waitFor();
	await workspace.write(`id:${contact.id}`, {
		attachments: [{ url: 'javascript:alert(1)', name: 'bad' }],
	});
	await part('messages').getByText('bad').waitFor();
	expect(await part('messages').getByRole('link').count()).toBe(1);
});

it('The page of the sandbox shows a template as the contact sees it, and what WhatsApp no longer delivers after a day', async () => {
	const { channels } = await workspace.state();
	const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
	const other = await sandbox.workspace('token-of-the-window', {
		service: 'newer',
		newest: true,
		contacts: 2,
	});
	const state = await other.state();
	const inboxIds = [state.channels.find(({ channel }) => channel === whatsapp.channel)!.id];
	const [ann] = await other.addContacts([{ firstName: 'Ann', lastName: 'Smith', inboxIds }]);
	await other.write(`id:${ann.id}`, 'Where is it?');
	await page.goto(other.chatUrl);
	await choose(ann.id);
	// Who wrote last comes first, with a mark until somebody answers.
	const [first] = await part('contacts').getByRole('button').all();
	expect(await first.innerText()).toContain('Ann Smith');
	expect(await first.getAttribute('class')).toContain('unread');
	await part('window').getByText('WhatsApp delivers all until').waitFor();

	await part('pass-time').click();
	await part('window').getByText('Silent for 24 hours').waitFor();
	const call = async (path: string, body: object) =>
		await fetch(`${other.url}/api/v1/${path}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${other.token}`, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	await call(`contacts/id:${ann.id}/messages`, { text: 'It is on its way' });
	await part('messages').getByText('WhatsApp would not deliver this').waitFor();
	const template = state.templates.find(({ name }) => name === 'invoice')!;
	const conversation = (await other.contact(`id:${ann.id}`)).conversation!;
	await call(`conversations/${String(conversation.id)}/whatsapp-template`, {
		templateId: template.id,
		templateParams: { header: 'https://example.com/a.pdf', 'body.1': 'Ann', 'button.0': 'A-100' },
	});
	await part('messages').getByText('Hi Ann, here is your invoice.').waitFor();
	expect(await part('messages').getByRole('link', { name: '[document]' }).count()).toBe(1);
	await part('messages').getByText('Track', { exact: true }).waitFor();
	await part('messages')
		.getByText(/^n8n · /)
		.last()
		.waitFor();
	expect(await part('messages').getByText('WhatsApp would not deliver this').count()).toBe(1);
});

it('The page of the sandbox shows how far a broadcast is, and that a recipient has it', async () => {
	const other = await sandbox.workspace('token-of-broadcasts', { service: 'newer', newest: true });
	const { contacts, channels, flows } = await other.state();
	const telegram = channels.find(({ channel }) => channel === 'telegram')!;
	const reached = contacts.filter(({ contactInboxes: [inbox] }) => inbox.inboxId === telegram.id);
	await fetch(`${other.url}/api/v1/broadcasts`, {
		method: 'POST',
		headers: { authorization: `Bearer ${other.token}`, 'content-type': 'application/json' },
		body: JSON.stringify({
			...{ channel: 'telegram', subaction: 'telegramAllContacts', flowId: flows[0].id },
			...{ schedulesType: 'now', schedulesAt: null },
		}),
	});
	await page.goto(other.chatUrl);
	await choose(reached[0].id);
	await part('run-broadcasts').click();
	await part('messages')
		.getByText(/^Broadcast “Broadcast .+” · /)
		.waitFor();
	const progress = `sent · ${reached.length} of ${reached.length} sent`;
	await part('broadcasts').getByText(progress, { exact: true }).waitFor();
});

it('The page of the sandbox shows the way to the editor, what starts a workflow, and when n8n polls', async () => {
	await page.setViewportSize({ width: 900, height: 700 });
	await page.goto(workspace.chatUrl);
	await part('contacts').getByRole('button').nth(2).waitFor();
	expect(await part('editor').isVisible()).toBe(false);
	expect(await part('phrases').isVisible()).toBe(false);
	expect(await part('next-poll').isVisible()).toBe(false);

	await workspace.setPage({
		editorUrl: 'http://127.0.0.1:5678/workflow/1',
		phrases: [{ text: 'appointment', starts: 'Book an appointment' }],
	});
	await part('editor').waitFor();
	expect(await part('editor').getAttribute('href')).toBe('http://127.0.0.1:5678/workflow/1');
	const headers = { authorization: `Bearer ${workspace.token}` };
	await fetch(`${workspace.url}/api/v1/conversations`, { headers });
	await part('next-poll')
		.getByText(/^n8n looks for messages at .+, in \d+ s\.$/)
		.waitFor();
	await part('phrases').getByRole('button', { name: 'appointment' }).click();
	expect(await part('text').inputValue()).toBe('appointment');
});

it('The page of the sandbox has the box for the message in view at 900 × 700', async () => {
	const box = await part('send').boundingBox();
	expect(box!.y + box!.height).toBeLessThanOrEqual(700);
	expect(box!.x + box!.width).toBeLessThanOrEqual(900);
	const width = await page.evaluate('document.documentElement.scrollWidth');
	expect(width).toBeLessThanOrEqual(900);
});

it('The page of the sandbox says that n8n waits for the answer of a contact', async () => {
	const [contact] = (await workspace.state()).contacts;
	const field = await workspace.add('customFields', { name: 'n8n question', type: 'longText' });
	await choose(contact.id);
	expect(await part('question').isVisible()).toBe(false);
	const note = async (value: string) =>
		await fetch(`${workspace.url}/api/v1/contacts/id:${contact.id}/custom-fields/${field.id}`, {
			method: 'PUT',
			headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
			body: JSON.stringify({ value }),
		});
	const inAnHour = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
	await note(`${inAnHour} 7301`);
	await part('question').getByText(`n8n waits for ${contact.fullName}'s answer`).waitFor();
	await note('- 7301');
	await part('question').waitFor({ state: 'hidden' });
});
