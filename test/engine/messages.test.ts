import { testWorkspace } from './workspace';

const send = (more = {}) => ({
	resource: 'contact',
	operation: 'sendMessage',
	identifier: { __rl: true, mode: 'email', value: 'ann@example.com' },
	text: 'Hello',
	...more,
});

async function withAnn() {
	const test = await testWorkspace({ contacts: 0 });
	await test.workspace.addContacts([{ email: 'ann@example.com', phoneNumber: '+4915100000001' }]);
	await test.workspace.clearJournal();
	return test;
}

test('every message has a client ID: the same for a repetition, another for another item or execution', async () => {
	const { run, workspace } = await withAnn();
	await run(send(), [{}, {}], { executionId: '7' });
	await run(send(), [{}, {}], { executionId: '7' });
	await run(send(), [{}], { executionId: '8' });
	const { requests, messages } = await workspace.journal();
	const ids = requests.map(({ body }) => (body as { clientId: string }).clientId);
	expect(new Set(ids.slice(0, 2))).toEqual(new Set(ids.slice(2, 4)));
	expect(new Set(ids).size).toBe(3);
	for (const id of ids) expect(BigInt(id)).toBeLessThan(2n ** 63n);
	// The repeated execution delivered nothing again.
	expect(messages).toHaveLength(3);
});

test('"Retry On Fail" of n8n sends nobody a message twice', async () => {
	const { run, workspace } = await withAnn();
	await workspace.addContacts([{ email: 'bob@example.com', phoneNumber: '+4915100000002' }]);
	await workspace.faults({ fail: [{ match: { pathPattern: 'bob' }, times: 1, status: 404 }] });
	const { error } = await run(
		send({ identifier: { __rl: true, mode: 'email', value: '={{ $json.to }}' } }),
		[{ to: 'ann@example.com' }, { to: 'bob@example.com' }],
		{ retryOnFail: { maxTries: 3, waitBetweenTries: 10 } },
	);
	expect(error).toBeUndefined();
	const { messages, requests } = await workspace.journal();
	expect(messages).toHaveLength(2);
	expect(requests.length).toBeGreaterThan(2);
});

test('a lost answer is asked for again, and the message is there once', async () => {
	const { run, workspace } = await withAnn();
	await workspace.faults({ dropAfter: { times: 1 } });
	const { json, error } = await run(send());
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ success: true, contact: 'email:ann@example.com', text: 'Hello' }]);
	const { messages, requests } = await workspace.journal();
	expect([requests.length, messages.length]).toEqual([2, 1]);
});

test('long text is refused, or split at a pause and sent in order', async () => {
	const { run, workspace } = await withAnn();
	const text = Array.from({ length: 60 }, (_, n) => `This is sentence number ${n} of a long message.`).join(
		' ',
	);
	const refused = await run(send({ text }));
	expect(refused.error?.message).toMatch(/^Text must be 1 to 1000 characters long, but has \d+ characters/);

	const { json } = await run(
		send({
			text,
			options: { splitLongText: true, nodeId: '5', flowId: (await workspace.state()).flows[0].id },
		}),
	);
	expect(json).toMatchObject([{ success: true, messages: 3 }]);
	const { messages } = await workspace.journal();
	expect(messages.map((message) => message.text).join(' ')).toBe(text);
	for (const message of messages) expect(message.text?.length).toBeLessThanOrEqual(1000);
	expect(messages.map(({ flowId }) => flowId !== undefined)).toEqual([false, false, true]);
	expect(messages[0].text).toMatch(/\.$/);
});

test('when a later part fails, the error says how much was sent', async () => {
	const { run, workspace } = await withAnn();
	await workspace.faults({
		fail: [{ match: { operation: 'sendMessage' }, after: false, status: 403, rate: 1, times: 1 }],
	});
	const parameters = send({ text: 'word '.repeat(300), options: { splitLongText: true } });
	const first = await run(parameters);
	expect(first.error?.message).not.toContain('sent before');

	// The second message of a contact that may get one only.
	await workspace.faults({
		fail: null,
		rateLimit: { requests: 1, windowMs: 60_000, kind: 'fixed', tell: 'none' },
	});
	const second = await run({ ...parameters, requestOptions: { giveUpAfter: 0 } });
	expect(second.error?.message).toContain(
		'Of the 2 messages that the text was split into, the first was sent before.',
	);
});

test('messages of several items to one contact arrive in the order of the items', async () => {
	const { run, workspace } = await withAnn();
	await workspace.faults({ latencyMs: [1, 40] });
	const items = Array.from({ length: 8 }, (_, n) => ({ n }));
	await run(send({ text: '=m{{ $json.n }}' }), items);
	expect((await workspace.journal()).messages.map(({ text }) => text)).toEqual(items.map(({ n }) => `m${n}`));
});

test('blank text that is too long is refused, not lost', async () => {
	const { run } = await withAnn();
	const { error } = await run(send({ text: ' '.repeat(1001), options: { splitLongText: true } }));
	expect(error?.message).toMatch(/^Text must not be blank/);
});
