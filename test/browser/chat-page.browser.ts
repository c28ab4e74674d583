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
	await page.locator('[data-test-id=chat-contact] option').nth(2).waitFor({ state: 'attached' });
});

afterAll(async () => {
	await browser?.close();
	await sandbox?.stop();
});

const part = (name: string) => page.locator(`[data-test-id=chat-${name}]`);

it('The page of the sandbox sends what a contact types and shows what the API answers', async () => {
	const [, contact] = (await workspace.state()).contacts;
	const identifier = `id:${contact.id}`;
	await part('contact').selectOption(contact.id);
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
	const link = await part('messages').getByRole('link', { name: 'receipt.pdf' }).getAttribute('href');
	expect(await (await fetch(link ?? '')).text()).toBe('%PDF');
});

it('The page of the sandbox starts the flow whose name a contact types', async () => {
	await part('text').fill('Welcome');
	await part('send').click();
	await part('messages').getByText('The bot').waitFor();
	expect((await workspace.journal()).flowRuns).toHaveLength(1);
});

it('The page of the sandbox sends a file and makes no link of an unsafe address', async () => {
	const [contact] = (await workspace.state()).contacts;
	await part('contact').selectOption(contact.id);
	await part('file').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Grüße') });
	await part('send').click();
	await part('messages').getByRole('link', { name: 'a.txt' }).waitFor();
	await workspace.write(`id:${contact.id}`, { attachments: [{ url: 'javascript:alert(1)', name: 'bad' }] });
	await part('messages').getByText('bad').waitFor();
	expect(await part('messages').getByRole('link').count()).toBe(1);
	if (process.env.CHAT_PICTURE) await page.screenshot({ path: process.env.CHAT_PICTURE });
});
