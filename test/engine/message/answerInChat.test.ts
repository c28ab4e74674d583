import type { INodeParameters } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/options';
import { by, writesOf } from '../../support/engine/helpers';
import { skipPauses } from '../../support/engine/skipPauses';
import { SubWorkflows } from '../../support/engine/subWorkflows';
import { workspaceWithAnn } from '../../support/engine/workspace';

/** The pauses between the looks of the node itself. */
const LOOK_MS = 5000;

const ask = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'sendAndWait',
	identifier: by('email', 'ann@example.com'),
	message: 'May we ship on Friday?',
	answer: 'chat',
	...more,
});

async function chat(options: WorkspaceOptions = { service: 'newer' }) {
	const test = await workspaceWithAnn(options);
	const { workspace, ann } = test;
	const subWorkflows = new SubWorkflows({
		baseUrl: workspace.url,
		accessToken: workspace.token,
	});
	const { executeWorkflow } = subWorkflows;
	return {
		...test,
		subWorkflows,
		write: async (text: string) => await workspace.write(`id:${ann.id}`, text),
		ask: async (more?: INodeParameters) =>
			await test.run(ask(more), [{ order: 1 }], { executeWorkflow }),
	};
}

test('returns the answer of a contact who answers at once', async () => {
	const { workspace, ask, write, ann } = await chat();
	const stop = skipPauses(LOOK_MS, async () => await write('Yes!'));
	const result = await ask();
	stop();
	expect(result.error).toBeUndefined();
	expect(result.json).toEqual([
		{
			contact: 'email:ann@example.com',
			contactId: ann.id,
			email: 'ann@example.com',
			phoneNumber: '+4915100000001',
			data: {
				answer: 'Yes!',
				approved: true,
				understood: true,
				respondedAt: expect.any(String),
			},
			message: expect.objectContaining({ text: 'Yes!', direction: 'incoming' }),
		},
	]);
	expect((await writesOf(workspace)).map(({ path }) => path.split('/').at(-1))).toEqual([
		'disable-bot',
		'messages',
		'enable-bot',
	]);
});

test('waits in another workflow, and returns what the contact types later', async () => {
	const { workspace, ask, write, subWorkflows } = await chat();
	const stop = skipPauses(LOOK_MS);
	const result = await ask();
	stop();
	expect(result.error).toBeUndefined();
	expect(new Date(result.run.waitTill!).getFullYear()).toBe(2999);
	await subWorkflows.wake();
	expect(subWorkflows.waitTill).toBeDefined();
	await write('no');
	const [{ json, pairedItem }] = await subWorkflows.wake();
	expect(json.data).toMatchObject({ answer: 'no', approved: false });
	expect(pairedItem).toEqual({ item: 0 });
	expect((await workspace.journal()).messages).toHaveLength(1);
});
