import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { compiledNode, NODE_NAME, workflowOf } from '../../support/engine/engine';
import { by, once, writesOf } from '../../support/engine/helpers';
import { workspaceWithAnn } from '../../support/engine/workspace';

const send = (more = {}) => ({
	resource: 'message',
	operation: 'send',
	identifier: { __rl: true, mode: 'email', value: 'ann@example.com' },
	text: 'Hello',
	...more,
});

describe('Send Message', () => {
	test('sends every message with a Client ID that a retry keeps and that no other item or execution has', async () => {
		const { run, workspace } = await workspaceWithAnn();
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

	test('gives other Client IDs in another n8n or workflow, even if the execution has the same number', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const settings = Container.get(InstanceSettings);
		const { instanceId } = settings;
		const sendBy = async (n8n: string, workflowId: string) => {
			Object.assign(settings, { instanceId: n8n });
			await run(send(), [{}], { executionId: '7', workflowId });
		};
		await sendBy('one', 'w1');
		await sendBy('one', 'w1');
		await sendBy('two', 'w1');
		await sendBy('two', 'w2');
		Object.assign(settings, { instanceId });
		const { requests, messages } = await workspace.journal();
		expect(requests).toHaveLength(4);
		expect(messages).toHaveLength(3);
	});

	test('refuses a text that contains [object Object]', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const { error } = await run(send({ text: '=Hi {{ $json.person }}' }), [
			{ person: { name: 'Ann' } },
		]);
		expect(error?.message).toBe(
			'Message contains [object Object]. Point the expression at one of its fields. [item 0]',
		);
		expect((await workspace.journal()).requests).toEqual([]);
	});

	test('sends nobody a message twice with "Retry On Fail"', async () => {
		const { run, workspace } = await workspaceWithAnn();
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

	test('retries after a lost answer, and the message arrives once', async () => {
		const { run, workspace } = await workspaceWithAnn();
		await workspace.faults({ dropAfter: { times: 1 } });
		const { json, error } = await run(send());
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ success: true, contact: 'email:ann@example.com', text: 'Hello' },
		]);
		const { messages, requests } = await workspace.journal();
		expect([requests.length, messages.length]).toEqual([2, 1]);
	});

	test('refuses a long text, or splits it at pauses and sends the parts in order', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const text = Array.from(
			{ length: 60 },
			(_, n) => `This is sentence number ${n} of a long message.`,
		).join(' ');
		const refused = await run(send({ text }));
		expect(refused.error?.message).toMatch(
			/^Message must be 1 to 1,000 characters long \(to send a longer one, add Split Long Text\), but has [\d,]+ characters/,
		);

		const { json } = await run(
			send({
				text,
				options: {
					splitLongText: true,
					nodeId: '5',
					flowId: (await workspace.state()).flows[0].id,
				},
			}),
		);
		expect(json).toMatchObject([{ success: true, messages: 4 }]);
		const { messages } = await workspace.journal();
		const texts = messages.slice(0, 3).map((message) => message.text ?? '');
		expect(texts.join(' ')).toBe(text);
		for (const part of texts) expect(part.length).toBeLessThanOrEqual(1000);
		// A service would lose the flow of a request that has a text, too.
		expect(messages.map(({ flowId }) => flowId !== undefined)).toEqual([false, false, false, true]);
		expect(messages[0].text).toMatch(/\.$/);
	});

	test('sends all parts of a long text if the user sets a Client ID, which only the first part has', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const text = 'word '.repeat(500);
		await run(send({ text, options: { splitLongText: true, clientId: '7' } }));
		const { requests, messages } = await workspace.journal();
		const ids = requests.map(({ body }) => (body as { clientId: string }).clientId);
		expect(ids[0]).toBe('7');
		expect(new Set(ids).size).toBe(3);
		expect(messages).toHaveLength(3);
	});

	test('says how many messages it sent when a later one fails', async () => {
		const { run, workspace } = await workspaceWithAnn();
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
		expect(second.error?.message).toMatch(
			/^The first of 2 messages was sent; the others were not\. .*429/,
		);
		expect(second.error?.message).not.toContain('Nothing was changed');
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test('says how many messages it sent when the outcome of a later one is unknown', async () => {
		const { run, workspace } = await workspaceWithAnn();
		await workspace.faults({
			fail: [{ match: { operation: 'sendMessage' }, status: 500, rate: 0.4 }],
			seed: 3,
		});
		const { error } = await run({
			...send({ text: 'word '.repeat(2000), options: { splitLongText: true } }),
			...once,
		});
		const { messages } = await workspace.journal();
		expect(messages.length).toBeGreaterThan(1);
		expect(error?.message).toMatch(
			new RegExp(
				`^The first ${messages.length} of 10 messages were sent; the next one may have been sent, the others were not\\. `,
			),
		);
	});

	test('Send Message refuses half an emoji in a text without files, too', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const { error } = await run(send({ text: '={{ "Hi \ud83d" }}' }));
		expect(error?.message).toBe(
			'Message must not contain half a character (a lone surrogate) [item 0]',
		);
		expect((await workspace.journal()).requests).toEqual([]);
		expect((await run(send({ text: 'Hi \ud83d\ude00' }))).error).toBeUndefined();
	});

	test.each(['setCustomFields', 'upsert'])(
		'%s refuses half an emoji in a custom field',
		async (operation) => {
			const { run, workspace } = await workspaceWithAnn();
			const { id, name } = (await workspace.state()).customFields.find(
				({ type }) => type === 'shortText',
			)!;
			const { error } = await run({
				resource: 'contact',
				operation,
				identifier: by('email', 'ann@example.com'),
				email: 'ann@example.com',
				withCustomFields: true,
				customFields: { mappingMode: 'defineBelow', value: { [id]: '={{ "Hi \ud83d" }}' } },
			});
			expect(error?.message).toContain(`Custom field ${name} must not contain half a character`);
			expect(await writesOf(workspace)).toEqual([]);
		},
	);

	describe('Send Message with the same Client ID in several items', () => {
		const numbered = send({ options: { clientId: '={{ $json.number }}' } });
		const items = ['7', '8', '007', '8'].map((number) => ({ number }));
		const rule = (item: number, owner: number, number: string) =>
			`Client ID must be unique, but item ${owner} also has "${number}". The service would deliver only one of the messages. [item ${item}]`;

		test('refuses the later ones before it sends anything', async () => {
			const { run, workspace } = await workspaceWithAnn();
			const { error } = await run(numbered, items, {
				retryOnFail: { maxTries: 2, waitBetweenTries: 0 },
			});
			expect(error?.message).toBe(rule(2, 0, '007'));
			expect(error?.description).toBe(
				`Nothing was sent. n8n counts from 0: item 2 is the 3rd. More problems: ${rule(3, 1, '8')}.`,
			);
			expect((await workspace.journal()).requests).toEqual([]);
		});

		test('sends the first ones if On Error lets the others go on', async () => {
			const { run, workspace } = await workspaceWithAnn();
			const { json } = await run(numbered, items, { onError: 'continueRegularOutput' });
			expect(json.map(({ clientId, error }) => clientId ?? error)).toEqual([
				'7',
				'8',
				rule(2, 0, '007'),
				rule(3, 1, '8'),
			]);
			expect((await workspace.journal()).messages).toHaveLength(2);
		});

		test('sends the first valid one', async () => {
			const { run, workspace } = await workspaceWithAnn();
			const { json } = await run(
				send({ text: '={{ $json.text }}', options: { clientId: '7' } }),
				[{ text: '' }, { text: 'Hello' }],
				{ onError: 'continueRegularOutput' },
			);
			expect(json[1]).toMatchObject({ success: true, clientId: '7' });
			expect((await workspace.journal()).messages).toHaveLength(1);
		});

		test('sends a message again in another try', async () => {
			const { run, workspace } = await workspaceWithAnn();
			await workspace.faults({
				fail: [{ match: { operation: 'sendMessage' }, status: 404, times: 1 }],
			});
			const { error } = await run(numbered, items.slice(0, 2), {
				retryOnFail: { maxTries: 2, waitBetweenTries: 10 },
			});
			expect(error).toBeUndefined();
			expect((await workspace.journal()).messages).toHaveLength(2);
		});
	});

	test('sends the messages of several items to one contact in the order of the items', async () => {
		const { run, workspace } = await workspaceWithAnn();
		await workspace.faults({ latencyMs: [1, 40] });
		const items = Array.from({ length: 8 }, (_, n) => ({ n }));
		await run(send({ text: '=m{{ $json.n }}' }), items);
		expect((await workspace.journal()).messages.map(({ text }) => text)).toEqual(
			items.map(({ n }) => `m${n}`),
		);
	});

	test('refuses a blank text that is too long, which would be lost', async () => {
		const { run } = await workspaceWithAnn();
		const { error } = await run(send({ text: ' '.repeat(1001), options: { splitLongText: true } }));
		expect(error?.message).toMatch(/^Message must not be blank/);
	});
});

describe('The hint of Send Message that the text is too long', () => {
	const [hint] = compiledNode.description.hints ?? [];
	const isShown = (parameters: INodeParameters) => {
		const workflow = workflowOf({ parameters });
		const item = { json: { long: 'x'.repeat(1001) } };
		return workflow.expression.getParameterValue(
			hint.displayCondition!,
			null,
			0,
			0,
			NODE_NAME,
			[item],
			'manual',
			{},
		);
	};

	test.each([
		['a short text', send(), false],
		['as much as goes into one message', send({ text: 'x'.repeat(1000) }), false],
		['more than goes into one message', send({ text: 'x'.repeat(1001) }), true],
		['a long text from the input', send({ text: '={{ $json.long }}' }), true],
		[
			'a text that is split',
			send({ text: 'x'.repeat(1001), options: { splitLongText: true } }),
			false,
		],
		['no text', send({ text: '' }), false],
		['another operation', { resource: 'tag', operation: 'create', name: 'x'.repeat(1001) }, false],
	])('is visible for %s: %p', (_, parameters, shown) => {
		expect(isShown(parameters)).toBe(shown);
		expect(hint.message).toBe(
			'The message has more than 1,000 characters. Add the option Split Long Text, or shorten it.',
		);
	});
});
