import { resolve } from 'node:path';
import type { Locator } from 'playwright-core';
import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { until } from '../support/n8n/until';
import { zoneAt } from '../support/timeZones';

/* Somebody imports the two examples that write to many people, and runs them by mouse. */

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-campaigns', {
		...{ service: 'newer', newest: true, contacts: 0 },
		counts: { tags: 0 },
	});
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Imports an example by the menu of an empty workflow. */
async function importExample({ editor }: Stage, file: string): Promise<void> {
	await editor.newWorkflow();
	await editor.part('workflow-menu').click();
	await editor.part('workflow-menu-item-import').hover();
	const chooser = editor.page.waitForEvent('filechooser');
	await editor.part('workflow-menu-item-import-from-file').click();
	await (await chooser).setFiles(resolve(__dirname, '../../examples', file));
	await editor.part('canvas-node').first().waitFor();
}

/** The channel with templates. */
async function whatsappOf({ workspace }: Stage): Promise<string> {
	const { channels } = await workspace.state();
	return channels.find(({ channel, name }) => channel === 'whatsapp' && name.endsWith('Süd'))!.id;
}

/** Takes a picture in a window that is high enough for all fields. */
async function highPicture({ editor }: Stage, name: string, height: number, parts: Locator[]) {
	const size = editor.page.viewportSize()!;
	await editor.page.setViewportSize({ ...size, height });
	await editor.release();
	await editor.parameters.getByText('Resource', { exact: true }).scrollIntoViewIfNeeded();
	await editor.picture(name, ...parts);
	await editor.page.setViewportSize(size);
}

it(
	'The user runs the example Win back, which reaches one of two people, and runs it again: only the other one gets the template',
	see(async (all) => {
		const { editor, workspace } = all;
		const lost = {
			...{ subscribedAt: daysAgo(400), createdAt: daysAgo(400), lastReadAt: daysAgo(90) },
			...{ inboxIds: [await whatsappOf(all)], timezone: zoneAt(12) },
		};
		const { id: stop } = await workspace.add('tags', { name: 'No campaigns' });
		const [ann, cid] = await workspace.addContacts([
			{ ...lost, firstName: 'Ann', lastName: 'Smith' },
			{ ...lost, firstName: 'Cid', lastName: 'Stone' },
			{ ...lost, firstName: 'Has written STOP', tagIds: [stop] },
		]);
		const pathPattern = String((await workspace.contact(`id:${ann.id}`)).conversation?.id);
		await workspace.faults({
			fail: [{ match: { pathPattern, method: 'POST' }, status: 403, times: 1 }],
		});

		await importExample(all, 'win-back.json');
		await editor.openNode('Get Lost Contacts');
		await editor.select('tagIds', 'No campaigns');
		await editor.page.keyboard.press('Escape');
		await editor.closeNode();
		await editor.openNode('Send Template');
		await editor.pickBy('templateId', 'From list');
		await editor.pick('templateId', 'win_back');
		await editor.field('body_1').waitFor();
		await editor.closeNode();

		const run = async () => {
			await editor.part('execute-workflow-button').click();
			await editor.succeeded('Add to Report').waitFor();
			await editor.openNode('Send Template');
			return await editor.branch('Success');
		};
		expect(await run()).toMatchObject([{ fullName: 'Cid Stone', sent: 'template' }]);
		expect(await editor.branch('Error')).toHaveLength(1);
		await editor.closeNode();
		await editor.part('clear-execution-data-button').click();

		const again = await run();
		expect(again).toHaveLength(2);
		expect(again).toContainEqual(
			expect.objectContaining({ fullName: 'Cid Stone', skipped: 'true', reason: 'sentBefore' }),
		);
		expect(again).toContainEqual(
			expect.objectContaining({ fullName: 'Ann Smith', sent: 'template' }),
		);
		const hint = 'Send Once passed over 1 item whose contact had the tag "sent: win-back".';
		await editor.output.getByText(hint).waitFor();
		const { templates } = await workspace.journal();
		expect(templates.map(({ contactId }) => contactId)).toEqual([cid.id, ann.id]);
		await editor.output.locator('[data-test-id="radio-button-json"]').click();
		await highPicture(all, 'send-once', 1000, [editor.parameters, editor.output]);
	}),
);

it(
	'A colleague approves the Monthly broadcast by the link, a recipient has it on the page, and who did not get it is in the list',
	see(async (all) => {
		const { editor, workspace } = all;
		const inboxIds = [await whatsappOf(all)];
		const { id: newsletter } = await workspace.add('tags', { name: 'Newsletter' });
		const reader = { inboxIds, tagIds: [newsletter], lastName: 'Reader' };
		const [nora, ann, bob] = await workspace.addContacts([
			{ firstName: 'Nora', lastName: 'Novak', inboxIds },
			{ ...reader, firstName: 'Ann' },
			{ ...reader, firstName: 'Bob' },
		]);
		const refusal = '(#131026) Message undeliverable';
		await workspace.faults({ broadcastRefusals: { [bob.id]: refusal } });

		await importExample(all, 'monthly-broadcast.json');
		await editor.openNode('Create Draft');
		await editor.pick('templateId', 'win_back');
		// Key by key: n8n takes what comes at once for an expression of its own.
		await editor.field('body_1').locator('input').pressSequentially('{{first_name}}');
		await editor.pick('tagId', 'Newsletter');
		await highPicture(all, 'broadcast', 1240, [editor.parameters]);
		await editor.closeNode();
		await editor.openNode('Ask Colleague');
		await editor.pick('identifier', 'Nora Novak');
		await editor.closeNode();
		// Long enough to let the broadcast go out meanwhile.
		await editor.openNode('Three Hours Later');
		await editor.select('resume', 'After Time Interval');
		await editor.fill('amount', '10');
		await editor.closeNode();
		await editor.part('execute-workflow-button').click();

		const chat = await editor.page.context().newPage();
		await chat.goto(workspace.chatUrl);
		const part = (name: string) => chat.locator(`[data-test-id=chat-${name}]`);
		const open = async ({ id }: { id: string }) =>
			await part('contacts').locator(`[data-id="${id}"]`).click();
		await open(nora);
		const answer = chat.waitForEvent('popup');
		await part('messages').getByRole('link').click();
		await (await answer).getByRole('button', { name: 'Send it', exact: true }).click();
		const read = async () => await workspace.broadcasts();
		await until(read, ([first]) => first?.status === 'scheduled', 60_000);
		await workspace.letBroadcastsRun(48 * 60);
		await open(ann);
		await part('messages').getByText('Hi Ann, we have not heard from each other').waitFor();
		await part('messages')
			.getByText(/^Broadcast “Newsletter .+” · /)
			.waitFor();
		expect(await workspace.messages(`id:${bob.id}`)).toEqual([]);

		await editor.page.bringToFront();
		await editor.succeeded('Add Row').waitFor();
		await editor.openNode('Add Row');
		await editor.output.getByText(refusal).first().waitFor();
		await editor.output.getByText('Bob Reader').first().waitFor();
	}),
);
