import type { INodeParameters } from 'n8n-workflow';
import { toolOf } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';

async function messageTool(options: INodeParameters = {}) {
	const { workspace } = await testWorkspace({ contacts: 2 });
	const { contacts } = await workspace.state();
	await workspace.clearJournal();
	const newTool = () =>
		toolOf(workspace, {
			resource: 'message',
			operation: 'send',
			contact: '={{ $json.to }}',
			text: '={{ $json.text }}',
			options,
		});
	const delivered = async () =>
		(await workspace.journal()).messages.map(({ contactId, text }) => [contactId, text]);
	return { newTool, call: newTool(), delivered, ids: contacts.map(({ id }) => id) };
}

test('A tool delivers two messages of one agent to one contact', async () => {
	const { call, delivered, ids } = await messageTool();
	await call({ to: ids[0], text: 'first' });
	await call({ to: ids[0], text: 'second' });
	expect(await delivered()).toEqual([
		[ids[0], 'first'],
		[ids[0], 'second'],
	]);
});

test('A tool keeps simultaneous calls of one agent apart', async () => {
	const { call, delivered, ids } = await messageTool();
	await Promise.all([call({ to: ids[0], text: 'for A' }), call({ to: ids[1], text: 'for B' })]);
	expect((await delivered()).sort()).toEqual(
		[
			[ids[0], 'for A'],
			[ids[1], 'for B'],
		].sort(),
	);
});

test('A tool delivers the messages for two items of an agent, each of which counts its calls from 0', async () => {
	const { newTool, delivered, ids } = await messageTool();
	await newTool()({ to: ids[0], text: 'for item 0' });
	await newTool()({ to: ids[0], text: 'for item 1' });
	expect(await delivered()).toEqual([
		[ids[0], 'for item 0'],
		[ids[0], 'for item 1'],
	]);
});

test('A tool accepts a call again with the same Client ID, and delivers the message once', async () => {
	const { call, delivered, ids } = await messageTool({ clientId: '7' });
	const [first] = await call({ to: ids[0], text: 'hello' });
	const [second] = await call({ to: ids[0], text: 'hello' });
	expect(second).toEqual(first);
	expect(await delivered()).toEqual([[ids[0], 'hello']]);
});
