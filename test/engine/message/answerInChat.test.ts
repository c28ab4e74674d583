import { chatWithAnn } from '../../support/engine/chat';
import { writesOf } from '../../support/engine/helpers';

test('The node returns the answer of a contact who answers at once', async () => {
	const { workspace, ask, write, ann } = await chatWithAnn();
	const result = await ask({}, async () => await write('Yes!'));
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

test('Another workflow waits in place of the node, and returns what the contact types later', async () => {
	const { workspace, ask, write, subWorkflows } = await chatWithAnn();
	const result = await ask();
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
