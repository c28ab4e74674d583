import { resolve } from 'node:path';
import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { countSteps, stepsOf } from '../support/browser/steps';

/*
 * What a new user does by mouse, with how many clicks, drags and typed fields.
 * answer-who-writes.browser.ts counts those of an answer.
 */

const HOUR_MS = 3_600_000;

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-easy-tasks', { service: 'newer', newest: true, contacts: 0 });
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
	await countSteps(stage.editor);
});

afterAll(async () => {
	await stage?.stop();
});

beforeEach(() => {
	stage.editor.typed.length = 0;
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

it(
	'Conversations that nobody has read for a day go to a team, with a note, in 34 steps and without an expression',
	see(async ({ editor, workspace }) => {
		const { teams, channels } = await workspace.state();
		const inboxIds = [channels[0].id];
		const [late, read, today] = await workspace.addContacts(
			['Late', 'Read', 'Today'].map((firstName) => ({ firstName, inboxIds })),
		);
		const write = async ({ id }: { id: string }, hours: number) => {
			const at = new Date(Date.now() - hours * HOUR_MS).toISOString();
			await workspace.write(`id:${id}`, { text: 'Hello?', at });
		};
		await write(late, 30);
		await write(read, 30);
		await workspace.changeConversation(`id:${read.id}`, {
			agentLastReadAt: new Date().toISOString(),
		});
		await write(today, 2);
		await editor.newWorkflow();
		await stepsOf(editor);

		await editor.addManualTrigger();
		await editor.addAction('Get many conversations');
		await editor.addOption('Contact Wrote Before');
		await editor.fill('contactWroteBefore', '24');
		// A tip of n8n covers the button while the field is in use.
		await editor.release();
		await editor.addOption('States');
		await editor.select('states', 'Unread');
		await editor.page.keyboard.press('Escape');
		await editor.execute();
		await editor.output.getByText('1 item', { exact: true }).first().waitFor();
		await editor.closeNode();
		await editor.addAction('Assign conversation');
		await editor.drag(editor.inputField('contact'), 'identifier');
		await editor.select('assignTo', 'Team');
		await editor.pick('teamId', teams[0].name);
		await editor.execute();
		await editor.output.getByText('1 item', { exact: true }).first().waitFor();
		await editor.closeNode();
		await editor.addAction('Add note to contact');
		await editor.drag(editor.inputField('contact'), 'identifier');
		await editor.fill('text', 'Nobody has read this for a day');
		await editor.execute();
		await editor.output.getByText('1 item', { exact: true }).first().waitFor();
		expect(await stepsOf(editor)).toBeLessThanOrEqual(34);
		expect(editor.typed).toEqual(['24', 'Nobody has read this for a day']);

		const after = await Promise.all(
			[late, read, today].map(async ({ id }) => await workspace.contact(`id:${id}`)),
		);
		expect(
			after.map(({ conversation, contactNotes }) => [
				conversation?.assignedInboxTeamId,
				contactNotes.length,
			]),
		).toEqual([
			[teams[0].id, 1],
			[null, 0],
			[null, 0],
		]);
	}),
);

it(
	'A template with two values is sent in 15 steps',
	see(async ({ editor, workspace }) => {
		const { channels } = await workspace.state();
		const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
		const [ann] = await workspace.addContacts([
			{ firstName: 'Ann', email: 'ann@example.com', inboxIds: [whatsapp.id] },
		]);
		await editor.newWorkflow();
		await stepsOf(editor);

		await editor.addManualTrigger();
		await editor.addAction('Send WhatsApp template');
		await editor.pick('identifier', 'ann@example.com');
		await editor.pick('templateId', 'Hi ▢, your order ▢ is on its way.');
		await editor.field('body_1').waitFor();
		await editor.fill('body_1', 'Ann');
		await editor.fill('body_2', 'A-100');
		await editor.execute();
		await editor.output.getByText('Hi Ann, your order A-100 is on its way.').first().waitFor();
		expect(await stepsOf(editor)).toBeLessThanOrEqual(15);
		expect(editor.typed).toEqual(['Ann', 'A-100']);
		expect((await workspace.journal()).templates).toMatchObject([
			{ contactId: ann.id, delivered: true },
		]);
	}),
);

it.each([
	['new-leads.json', 'Trigger Flow', 'flowId', 'Welcome', 'Trigger Flow', 'createContact'],
	[
		'leads-import.json',
		'Import Contacts',
		'inboxId',
		'WhatsApp Süd',
		'Import Contacts',
		'importContacts',
	],
	['sort-inbox.json', 'Assign to Team', 'teamId', '', 'Get Inbox', 'listConversations'],
])(
	'The recipe %s is imported from its file and runs, in 9 steps, after one thing is picked in %s',
	async (file, node, field, picked, lastNode, operation) => {
		await see(async ({ editor, workspace }) => {
			const { teams } = await workspace.state();
			await workspace.clearJournal();
			await editor.newWorkflow();
			await stepsOf(editor);
			await editor.part('workflow-menu').click();
			const choosing = editor.page.waitForEvent('filechooser');
			await editor.option('Import').hover();
			await editor.option('From file').click();
			await (await choosing).setFiles(resolve(__dirname, '../../examples', file));
			await editor.node(node).waitFor();
			await editor.openNode(node);
			await editor.pick(field, picked || teams[0].name);
			await editor.closeNode();
			await editor.part('execute-workflow-button').click();
			await editor.succeeded(lastNode).waitFor();
			expect(await stepsOf(editor)).toBeLessThanOrEqual(9);
			expect(editor.typed).toEqual([]);
			expect(await editor.part('node-issues').count()).toBe(0);
			expect((await workspace.summary()).byOperation[operation]).toBeGreaterThan(0);
		})();
	},
);

/** Shows the output as a table, and returns how far to the right its cell with the text ends. */
async function rightEdgeOf(text: string, { editor }: Stage): Promise<number> {
	await editor.output.getByText(text).first().waitFor();
	await editor.output.locator('[data-test-id="radio-button-table"]').click();
	const cell = editor.output.locator('td').filter({ hasText: text }).first();
	await cell.waitFor();
	const { x, width } = (await cell.boundingBox())!;
	return x + width;
}

it(
	'A received message, a transcript and the preview of a template are seen in the table without scrolling, at 1,440 pixels',
	see(async (all) => {
		const { editor, workspace } = all;
		const { channels } = await workspace.state();
		const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
		const [bea] = await workspace.addContacts([
			{ firstName: 'Bea', email: 'bea@example.com', inboxIds: [whatsapp.id] },
		]);
		await workspace.write(`id:${bea.id}`, 'Where is my order?');
		const size = editor.page.viewportSize()!;
		await editor.page.setViewportSize({ width: 1440, height: 900 });

		await editor.newWorkflow();
		await editor.addNode('workspace messaging', 'Workspace Messaging', 'On message received');
		await editor.part('node-execute-button').click();
		expect(await rightEdgeOf('Where is my order?', all)).toBeLessThanOrEqual(1440);

		await editor.newWorkflow();
		await editor.addManualTrigger();
		await editor.addAction('Get messages of conversation');
		await editor.pick('identifier', 'bea@example.com');
		await editor.select('messageFormat', 'Transcript');
		await editor.execute();
		expect(await rightEdgeOf('Bea: Where is my order?', all)).toBeLessThanOrEqual(1440);

		await editor.newWorkflow();
		await editor.addManualTrigger();
		await editor.addAction('Send WhatsApp template');
		await editor.pick('identifier', 'bea@example.com');
		await editor.pick('templateId', 'Hi ▢, your order ▢ is on its way.');
		await editor.field('body_1').waitFor();
		await editor.fill('body_1', 'Bea');
		await editor.fill('body_2', 'A-100');
		await editor.addOption('Preview');
		await editor.execute();
		expect(await rightEdgeOf('preview', all)).toBeLessThanOrEqual(1440);
		expect(await rightEdgeOf('Hi Bea, your order A-100 is on its way.', all)).toBeLessThanOrEqual(
			1440,
		);
		await editor.page.setViewportSize(size);
	}),
);
