import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { credentialFor } from '../../scripts/examples';
import { itemsOf, NODE_TYPE, useN8n, type RunningN8n } from '../../scripts/n8n/run';
import { findChromium } from '../support/browser/chromium';
import { Editor } from '../support/browser/editor';
import { sideBySide } from '../support/browser/pictures';

/*
 * The page of a question, as a contact sees it on a phone: from the link in the message to the
 * thank-you.
 */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-answers', { contacts: 1 });
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
	browser = await chromium.launch({
		executablePath: await findChromium(),
		args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
	});
});

afterAll(async () => {
	await browser?.close();
	await n8n?.stop();
	await sandbox?.stop();
});

beforeEach(async () => {
	await workspace.clearJournal();
	const context = await browser.newContext({
		viewport: { width: 360, height: 640 },
		deviceScaleFactor: 2,
		isMobile: true,
		hasTouch: true,
		colorScheme: 'light',
	});
	page = await context.newPage();
	problems = [];
	page.on('console', (message) => problems.push(message.text()));
	page.on('pageerror', ({ message }) => problems.push(message));
	page.on('request', (request) => {
		if (!request.url().startsWith(n8n.address)) problems.push(request.url());
	});
});

afterEach(async () => {
	await page.context().close();
});

/** Asks a question and opens its link. */
async function openQuestion(parameters: INodeParameters): Promise<string> {
	const { contacts } = await workspace.state();
	const workflow = await n8n.client.importWorkflow({
		name: 'Ask',
		nodes: [
			{
				...{ id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
				...{ position: [0, 0], parameters: {} },
			},
			{
				...{ id: 'ask', name: 'Ask', type: NODE_TYPE, typeVersion: 1, position: [200, 0] },
				parameters: {
					...{ resource: 'message', operation: 'sendAndWait' },
					identifier: { __rl: true, mode: 'id', value: contacts[0].id },
					...parameters,
				},
				credentials: { workspaceMessagingApi: { id: null, name: '' } },
			},
		],
		connections: { Start: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
	});
	const { id } = await n8n.client.run(workflow);
	const [{ text }] = (await workspace.journal()).messages;
	await page.goto(/http\S+/.exec(text!)![0]);
	return id;
}

/** The data of the answer that the workflow continues with. */
async function answerOf(id: string): Promise<unknown> {
	let execution = await n8n.client.waitForExecution(id);
	for (; execution.status === 'waiting'; execution = await n8n.client.waitForExecution(id))
		await sleep(200);
	return itemsOf(execution, 'Ask')[0].json.data;
}

/**
 * Expects that nothing is cut off or too small for a finger, and that the browser reported no
 * problem.
 */
async function expectFits(): Promise<void> {
	const sizes = await page.evaluate(`({
		width: document.documentElement.scrollWidth,
		buttons: [...document.querySelectorAll('button, textarea')].map((field) => {
			const { left, right, height } = field.getBoundingClientRect();
			return { left, right, height };
		}),
	})`);
	const { width, buttons } = sizes as { width: number; buttons: Array<Record<string, number>> };
	expect(width).toBe(360);
	for (const { left, right, height } of buttons) {
		expect(height).toBeGreaterThanOrEqual(48);
		expect([left >= 16, right <= 344]).toEqual([true, true]);
	}
	expect(problems).toEqual([]);
}

/** Makes a test whose error says where a picture of the failed page is. */
const seen = (test: () => Promise<void>) => async () => {
	try {
		await test();
	} catch (error) {
		const path = join(await mkdtemp(join(tmpdir(), 'answer-page-')), 'failed.png');
		await page.screenshot({ path });
		throw new Error(`The page at that moment: ${path}`, { cause: error });
	}
};

describe('The answer page on a phone', () => {
	it(
		'lets a contact approve with a tap and shows a thank-you',
		seen(async () => {
			const id = await openQuestion({
				message: 'Hello Nora, your order 4711 is ready.\n\nMay we ship it on Friday?',
				approvalOptions: {
					values: { approvalType: 'double', approveLabel: 'Yes, please', declineLabel: 'No' },
				},
				options: {
					pageTitle: 'Your order',
					thankYouText: 'Thank you, Nora. We ship it on Friday.',
				},
			});
			await expectFits();
			const asked = await page.screenshot();
			await page.getByRole('button', { name: 'Yes, please' }).tap();
			await page.getByText('Thank you, Nora.').waitFor();
			await expectFits();
			await sideBySide(browser, 'answer-page', [asked, await page.screenshot()]);
			expect(await answerOf(id)).toMatchObject({ approved: true });
		}),
	);

	it(
		'accepts an answer that a contact writes',
		seen(async () => {
			const id = await openQuestion({
				message: 'Where shall we leave the parcel?',
				responseType: 'freeText',
				options: { buttonLabel: 'Absenden' },
			});
			await expectFits();
			await page
				.getByRole('textbox', { name: 'Where shall we leave the parcel?' })
				.fill('With Mr. Müller <3');
			await page.getByRole('button', { name: 'Absenden' }).tap();
			await page.getByText('Thank you.').waitFor();
			expect(await answerOf(id)).toMatchObject({ text: 'With Mr. Müller <3' });
		}),
	);

	it(
		'lets a contact pick one of many long choices in dark mode',
		seen(async () => {
			await page.emulateMedia({ colorScheme: 'dark' });
			const choices = [
				'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(2),
				...'123456789',
			];
			const id = await openQuestion({
				message: `Which one?\n${'x'.repeat(300)}`,
				responseType: 'choices',
				choices,
			});
			await expectFits();
			expect(
				await page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor"),
			).toBe('rgb(26, 32, 42)');
			await page.getByRole('button', { name: '9', exact: true }).tap();
			await page.getByText('Thank you.').waitFor();
			expect(await answerOf(id)).toMatchObject({ choice: '9' });
		}),
	);

	it(
		'shows a contact who opens the link after the answer that the question is closed',
		seen(async () => {
			const id = await openQuestion({ message: 'Really?' });
			const link = page.url();
			await page.getByRole('button', { name: 'Decline' }).tap();
			await page.getByText('Thank you.').waitFor();
			expect(await answerOf(id)).toMatchObject({ approved: false });
			await page.goto(link);
			await page.getByText('No action required').waitFor();
		}),
	);
});

it('The human review step of an agent shows the fields of an approval and no others', async () => {
	const editor = await Editor.open(n8n);
	try {
		const review = {
			...{ id: 'review', name: 'Review', type: `${NODE_TYPE}HitlTool`, typeVersion: 1 },
			parameters: {},
			credentials: { workspaceMessagingApi: { id: null, name: '' } },
		};
		const nodes = [{ ...review, position: [0, 0] as [number, number] }];
		await editor.openWorkflow(
			await n8n.client.importWorkflow({ name: 'Review', nodes, connections: {} }),
		);
		await editor.openNode('Review');
		// Behind a label are the words of the editor's own buttons.
		const labels = (await editor.parameters.locator('label').allInnerTexts()).map(
			(label) => label.trim().split('\n')[0],
		);
		expect(labels.slice(labels.indexOf('Message'), labels.indexOf('Options') + 1)).toEqual([
			'Message',
			'Contact Email, Phone or ID',
			'Answer',
			'Approval Options',
			'Channel',
			'Options',
		]);
		expect(await editor.offeredOptions()).toContain('Limit Wait Time');
	} finally {
		await editor.close();
	}
});
