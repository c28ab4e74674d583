import type { INode } from 'n8n-workflow';
import {
	credentialFor,
	exampleFiles,
	modelCredential,
	nodeOf,
	pick,
	readExample,
} from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { furnish } from '../support/browser/workspace';

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-the-canvas', {
		contacts: 3,
		counts: { tags: 0 },
		service: 'newer',
	});
	await furnish(stage.workspace);
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
	await stage.n8n.client.importCredential(modelCredential('http://127.0.0.1:1/v1'));
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

/** Notes of the page: the beginning of each, and whether it has more text than it shows. */
const NOTES = `[...document.querySelectorAll('[data-test-id="sticky"]')].map((note) => ({
	text: note.textContent.trim().slice(0, 40),
	isCut: [note, ...note.querySelectorAll('*')].some(
		({ clientHeight, scrollHeight }) => clientHeight > 30 && scrollHeight > clientHeight + 1,
	),
}))`;

it(
	'Each note of the examples shows all of its text',
	see(async ({ editor, n8n }) => {
		// All on one canvas, because n8n takes ten seconds to open one.
		const notes = exampleFiles().flatMap((file, index) =>
			readExample(file)
				.nodes.filter(isNote)
				.map((note) => ({
					...note,
					id: `${file} ${note.name}`,
					name: `${file} ${note.name}`,
					position: [note.position[0], note.position[1] + 2000 * index] as [number, number],
				})),
		);
		// The canvas is open when it shows a node that is not a note.
		const nodes = [nodeOf(readExample('new-leads.json'), 'Leads'), ...notes];
		await editor.openWorkflow(
			await n8n.client.importWorkflow({ name: 'Notes', nodes, connections: {} }),
		);
		await editor.part('zoom-to-fit').click();
		const shown = (await editor.page.evaluate(NOTES)) as Array<{ text: string; isCut: boolean }>;
		expect(shown).toHaveLength(notes.length);
		expect(shown.filter(({ isCut }) => isCut)).toEqual([]);
	}),
);

it.each([
	'answer-message.json',
	'answer-at-once.json',
	'voice-note.json',
	'stop-and-start.json',
	'not-delivered.json',
	'csv-import.json',
	'pdf-to-segment.json',
	'ask-three-people.json',
	'book-appointment.json',
	'approve-by-typing.json',
	'remind-in-chat.json',
	'nightly-sync.json',
	'order-paid.json',
	'support-agent.json',
	'sort-inbox.json',
	'win-back.json',
	'monthly-broadcast.json',
])('No node of the recipe %s has an open issue once its lists are picked', async (file) => {
	await see(async ({ editor, n8n, workspace }) => {
		const workflow = readExample(file);
		const { channels, contacts, tags, teams, templates } = await workspace.state();
		if (['sort-inbox.json', 'not-delivered.json'].includes(file))
			pick(workflow, 'Assign to Team', 'teamId', teams, 'Support');
		if (file === 'csv-import.json')
			pick(workflow, 'Import Contacts', 'inboxId', channels, 'WhatsApp Süd');
		if (file === 'win-back.json')
			Object.assign(nodeOf(workflow, 'Get Lost Contacts').parameters.conditions as object, {
				tags: [{ listOperator: 'notIn', tagIds: [tags[0].id] }],
			});
		if (file === 'monthly-broadcast.json') {
			pick(workflow, 'Create Draft', 'templateId', templates, 'win_back');
			pick(workflow, 'Create Draft', 'tagId', tags, 'Newsletter');
			const [{ id }] = contacts;
			pick(workflow, 'Ask Colleague', 'identifier', [{ id, name: 'Nora' }], 'Nora');
		}
		const nodes = workflow.nodes.filter((node) => !isNote(node));
		await editor.openWorkflow(await n8n.client.importWorkflow({ ...workflow, nodes }));
		await editor
			.part('canvas-node')
			.nth(nodes.length - 1)
			.waitFor();
		expect(await editor.part('node-issues').count()).toBe(0);
		await editor.canvasPicture(`recipe-${file.replace('.json', '')}`);
	})();
});
