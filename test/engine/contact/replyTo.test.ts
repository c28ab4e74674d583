import type { INodeParameters } from 'n8n-workflow';
import { by, once, received, writesOf } from '../../support/engine/helpers';
import { testWorkspace, workspaceWithAnn } from '../../support/engine/workspace';

const reply = (
	id: string,
	replyToMessageId: string,
	more: INodeParameters = {},
): INodeParameters => {
	const { options = {}, ...rest } = more;
	return {
		resource: 'message',
		operation: 'send',
		identifier: by('id', id),
		text: 'Yes',
		options: { replyToMessageId, ...(options as INodeParameters) },
		...rest,
	};
};

/** Ann has written on two channels; the first message is on the first one. */
async function annHasWritten() {
	const made = await workspaceWithAnn({ service: 'newer' });
	const { workspace, ann } = made;
	const [first, second] = (await workspace.state()).channels;
	const question = await workspace.write(`id:${ann.id}`, { text: 'Ready?', inboxId: first.id });
	await workspace.write(`id:${ann.id}`, { text: 'Hm', inboxId: second.id });
	await workspace.clearJournal();
	return { ...made, id: ann.id, question, first, second };
}

describe('Reply To', () => {
	test('quotes a message, and returns the ID of the new one', async () => {
		const { run, workspace, id, question } = await annHasWritten();
		const { json, error } = await run(reply(id, question.id));
		expect(error).toBeUndefined();
		const sent = (await workspace.messages(`id:${id}`)).at(-1)!;
		expect(sent).toMatchObject({ text: 'Yes', parentId: question.id });
		expect(json).toMatchObject([
			{ success: true, replyToMessageId: question.id, messageId: sent.id },
		]);
		expect((await writesOf(workspace))[0].body).toMatchObject({
			text: 'Yes',
			replyToMessageId: question.id,
			replyToMessageCreatedAt: question.createdAt,
		});
	});

	test('takes the time of the message from the input if that shows it', async () => {
		const { run, workspace, id, question } = await annHasWritten();
		const conversation = { id: question.conversationId };
		const simple = { messageId: question.id, receivedAt: question.createdAt };
		const contact = { id };
		const inputs = [
			{ contact, conversation, ...simple },
			{ contact, conversation, id: question.id, createdAt: question.createdAt },
			{
				contact,
				conversation,
				messageId: '1',
				receivedAt: '2026-01-01T00:00:00.000Z',
				messages: [simple],
			},
		];
		await run(reply(id, question.id), inputs);
		const requests = await received(workspace);
		expect(requests).toHaveLength(inputs.length);
		for (const { body } of requests)
			expect(body).toMatchObject({ replyToMessageCreatedAt: question.createdAt });
	});

	test('sends all parts of a long text on the same channel, and quotes once', async () => {
		const { run, workspace, id, question, second } = await annHasWritten();
		const long = { text: 'word '.repeat(300), options: { splitLongText: true } };
		const { json } = await run(reply(id, question.id, long));
		const sent = (await workspace.messages(`id:${id}`)).slice(-2);
		expect(sent.map(({ parentId }) => parentId)).toEqual([question.id, null]);
		expect(json).toMatchObject([{ messages: 2, messageId: sent[0].id }]);
		const { messages } = await workspace.journal();
		expect(messages.map(({ inboxId }) => inboxId)).toEqual([second.id, second.id]);
	});

	test('works with files', async () => {
		const { run, workspace, id, question } = await annHasWritten();
		const data = { data: 'aGk=', fileName: 'a.txt', mimeType: 'text/plain' };
		const { json, error } = await run(reply(id, question.id, { attachments: 'data' }), [{}], {
			files: [{ data }],
		});
		expect(error).toBeUndefined();
		const sent = (await workspace.messages(`id:${id}`)).at(-1)!;
		expect(sent).toMatchObject({ parentId: question.id, attachments: [{ name: 'a.txt' }] });
		expect(json).toMatchObject([{ messageId: sent.id, attachments: [{ fileName: 'a.txt' }] }]);
	});

	test('refuses a message that the conversation does not have, before it sends anything', async () => {
		const { run, workspace, id } = await annHasWritten();
		const { error } = await run(reply(id, '4711'));
		expect(error?.message).toContain('No message has the ID 4711.');
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('refuses a record in place of an ID', async () => {
		const { run, workspace, id } = await annHasWritten();
		const { error } = await run(reply(id, '={{ $json.message }}'), [{ message: { id: '1' } }]);
		expect(error?.message).toBe(
			'Reply To must be an ID made of digits only, but is an object [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
	});

	test.each(['=abc', '={{ $json.contact }}'])('refuses %s as an ID', async (entered) => {
		const { run, workspace, id } = await annHasWritten();
		const { error } = await run(reply(id, entered), [{ contact: 'x' }]);
		expect(error?.message).toMatch(/^Reply To must be an ID made of digits only, but is "/);
		expect(await received(workspace)).toEqual([]);
	});

	test('is not sent twice after a lost answer', async () => {
		const { run, workspace, id, question } = await annHasWritten();
		await workspace.faults({ dropAfter: { match: { operation: 'replyToMessage' }, times: 1 } });
		const { error } = await run(reply(id, question.id));
		expect(error).toBeUndefined();
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test('says what to do on a service that cannot quote', async () => {
		const { run, workspace, id, question } = await annHasWritten();
		await workspace.faults({ missing: { replyToMessage: 404 } });
		const { error } = await run({ ...reply(id, question.id), ...once });
		expect(error?.message).toMatch(
			/^This service doesn't offer this operation \(404\)\. Nothing was sent\./,
		);
		expect(error?.message).toContain('Instead, remove Reply To.');
	});

	test('is refused on a service without conversations', async () => {
		const { run, workspace } = await testWorkspace({ contacts: 1 });
		const [{ id }] = (await workspace.state()).contacts;
		const { error } = await run(reply(id, '4711'));
		expect(error?.message).toContain("This service doesn't have conversations.");
		expect(await writesOf(workspace)).toEqual([]);
	});
});
