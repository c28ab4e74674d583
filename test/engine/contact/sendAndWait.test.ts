import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chatWithAnn } from '../../support/engine/chat';
import type { RunResult } from '../../support/engine/engine';
import { by, once, shownOf } from '../../support/engine/helpers';
import { skipPauses } from '../../support/engine/skipPauses';
import { TOOL, toolOf } from '../../support/engine/tool';
import { workspaceWithAnn } from '../../support/engine/workspace';
import { limitWait } from '../../support/limitWait';

/* What n8n does with the link and the answer is in test/e2e/send-and-wait.e2e.ts. */

const ask = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'sendAndWait',
	identifier: by('email', 'ann@example.com'),
	message: 'May we ship on Friday?',
	...more,
});

/** Until when the execution waits; undefined if it does not. */
const waitOf = ({ run }: RunResult) => run.waitTill && new Date(run.waitTill).getTime();

const question = ({ run }: RunResult) =>
	run.data.executionData?.contextData['node:Workspace Messaging']?.question as
		| IDataObject
		| undefined;

const HOUR = 3_600_000;

describe('Send and Wait for Response', () => {
	test('sends the message with one link, and waits for a day', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const result = await run(ask());
		const { messages } = await workspace.journal();
		expect(messages).toHaveLength(1);
		expect(messages[0].text).toMatch(/^May we ship on Friday\?\n\nhttp:\S+signature=\w+$/);
		expect(waitOf(result)! - Date.now()).toBeGreaterThan(23.9 * HOUR);
		expect(waitOf(result)! - Date.now()).toBeLessThanOrEqual(24 * HOUR);
	});

	test('places the link where the message says {link}, and the page shows the message without it', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const result = await run(ask({ message: 'Please answer here: {link}\nThank you!' }));
		const [{ text }] = (await workspace.journal()).messages;
		expect(text).toMatch(/^Please answer here: http:\S+\nThank you!$/);
		expect(question(result)?.message).toBe('Please answer here: \nThank you!');
	});

	test.each<[string, INodeParameters, number]>([
		['2 hours', limitWait({ resumeAmount: 2, resumeUnit: 'hours' }), 2 * HOUR],
		['999 years', limitWait({ resumeAmount: 365 * 999 }), 365 * 999 * 24 * HOUR],
		['half a minute', limitWait({ resumeAmount: 0.5, resumeUnit: 'minutes' }), HOUR / 120],
		[
			'a number that comes as text',
			limitWait({ resumeAmount: '={{ " 1.5 " }}', resumeUnit: '={{ "Hours" }}' }),
			1.5 * HOUR,
		],
		[
			'a time that an expression returns',
			limitWait({ limitType: 'atSpecifiedTime', maxDateAndTime: '={{ $now.plus({ hours: 3 }) }}' }),
			3 * HOUR,
		],
		[
			'a date object that an expression returns',
			limitWait({
				limitType: 'atSpecifiedTime',
				maxDateAndTime: '={{ new Date(Date.now() + 10800000) }}',
			}),
			3 * HOUR,
		],
	])('waits for %s', async (_, parameters, ms) => {
		const { run } = await workspaceWithAnn();
		const result = await run(ask(parameters));
		expect(result.error).toBeUndefined();
		expect(Math.abs(waitOf(result)! - Date.now() - ms)).toBeLessThan(20_000);
	});

	test('waits without an end with No Limit', async () => {
		const { run } = await workspaceWithAnn();
		const result = await run(ask(limitWait({ limitType: 'noLimit' })));
		expect(waitOf(result)! - Date.now()).toBeGreaterThan(365 * 24 * HOUR);
	});

	test.each<[string, INodeParameters, string]>([
		['a blank message', { message: ' ' }, 'Message must not be blank'],
		[
			'a message that is too long with its link',
			{ message: 'x'.repeat(990) },
			'Message must have at most 1,000 characters with its link, but has 1,',
		],
		[
			'no choices',
			{ responseType: 'choices', choices: '={{ ["", " "] }}' },
			'Choices must have at least one entry',
		],
		[
			'a number that an expression does not return',
			limitWait({ resumeAmount: '={{ $json.missing }}', resumeUnit: 'hours' }),
			'The expression of Amount returns nothing for this item.',
		],
		[
			'a time that an expression does not return',
			limitWait({ limitType: 'atSpecifiedTime', maxDateAndTime: '={{ $json.missing }}' }),
			'Wait Until must be a date and time, but its expression returns nothing for this item',
		],
		['no time', limitWait({ resumeAmount: 0 }), 'Amount must be above 0, but is "0"'],
		[
			'a time that is over',
			limitWait({ limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T00:00:00' }),
			'Wait Until must be in the future, but is "2020-01-01T00:00:00"',
		],
		[
			'a time that is none',
			limitWait({ limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' }),
			'Wait Until must be a date and time, but is "soon"',
		],
		[
			'a date that is none',
			limitWait({ limitType: 'atSpecifiedTime', maxDateAndTime: '={{ new Date("soon") }}' }),
			'Wait Until must be a date and time, but is "Invalid Date"',
		],
		[
			'a number of days that ends at no date',
			limitWait({ resumeAmount: 2e8 }),
			'The wait must end within 1,000 years. To wait without an end, choose No Limit under Limit Type',
		],
		[
			'a wait of more than a thousand years',
			limitWait({ resumeAmount: 365_001 }),
			'within 1,000 years',
		],
		[
			'a date after more than a thousand years',
			limitWait({ limitType: 'atSpecifiedTime', maxDateAndTime: '4000-01-01T00:00:00' }),
			'within 1,000 years',
		],
		[
			'an unknown response type',
			{ responseType: '={{ "poll" }}' },
			'Response Type must be one of approval, choices, freeText, but is "poll"',
		],
	])('refuses %s before it sends anything', async (_, parameters, message) => {
		const { run, workspace } = await workspaceWithAnn();
		const result = await run(ask(parameters));
		expect(shownOf(result)).toContain(message);
		expect(waitOf(result)).toBeUndefined();
		expect((await workspace.journal()).requests).toEqual([]);
	});

	describe.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'with On Error: %s',
		(onError) => {
			test.each<[string, INodeParameters]>([
				['contacts', { identifier: by('email', '={{ $json.email }}') }],
				['questions', { message: '={{ $json.email }}?' }],
				['choices', { responseType: 'choices', choices: '={{ [$json.email] }}' }],
			])(
				'refuses items with several %s before it sends anything, and says how to ask several contacts',
				async (_, parameters) => {
					const { run, workspace } = await workspaceWithAnn();
					const emails = ['ann@example.com', 'ann@example.com', 'bob@example.com'];
					const items = emails.map((email) => ({ email }));
					const result = await run(ask(parameters), items, { onError });
					const sentence =
						'This operation asks one contact one question, but the input has 3 items that differ. Put a Loop Over Items';
					const shown =
						onError === 'stopWorkflow'
							? [shownOf(result)]
							: result.json.map(({ error }) => String(error));
					expect(shown).toHaveLength(onError === 'stopWorkflow' ? 1 : 3);
					for (const text of shown) expect(text).toContain(sentence);
					expect(waitOf(result)).toBeUndefined();
					expect((await workspace.journal()).messages).toEqual([]);
				},
			);
		},
	);

	test('asks once if all items are one contact with the same question, and returns the first item', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const until = limitWait({
			limitType: 'atSpecifiedTime',
			maxDateAndTime: '={{ $now.plus({ hours: 2, seconds: $itemIndex }) }}',
		});
		const result = await run(ask(until), [{ text: 'Hi' }, { text: 'A question' }, { text: '?' }]);
		expect(result.error).toBeUndefined();
		expect(result.json).toEqual([{ text: 'Hi' }]);
		expect(result.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(waitOf(result)).toBeDefined();
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test('asks once in the chat, too, and an answer is one item', async () => {
		const { run, workspace, ann, question: inChat, subWorkflows } = await chatWithAnn();
		const { executeWorkflow } = subWorkflows;
		const stop = skipPauses(5000);
		const items = [{ text: 'Hi' }, { text: 'A question' }];
		const result = await run(inChat(), items, { executeWorkflow }).finally(stop);
		expect(result.json).toEqual([{ text: 'Hi' }]);
		expect((await workspace.journal()).messages).toHaveLength(1);
		await workspace.write(`id:${ann.id}`, 'yes');
		const output = await subWorkflows.wake();
		expect(output).toMatchObject([{ json: { data: { approved: true } }, pairedItem: { item: 0 } }]);
	});

	test('reports the error for each item if the one question to their contact cannot be sent', async () => {
		const { run, workspace } = await workspaceWithAnn();
		await workspace.faults({ fail: [{ status: 400, match: { operation: 'sendMessage' } }] });
		const result = await run(ask(), [{}, {}], { onError: 'continueRegularOutput' });
		expect(result.json).toEqual([
			{ error: expect.any(String) as unknown },
			{ error: expect.any(String) as unknown },
		]);
		expect(waitOf(result)).toBeUndefined();
		const { requests } = await workspace.journal();
		expect(requests.filter(({ operation }) => operation === 'sendMessage')).toHaveLength(1);
	});

	test('the link has the same length in every n8n, so a message fits in all of them or in none', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const settings = Container.get(InstanceSettings);
		const { instanceId } = settings;
		const runIn = async (n8n: string, message: string) => {
			Object.assign(settings, { instanceId: n8n });
			return await run(ask({ message }), [{}], { executionId: '111111' });
		};
		await runIn('first', 'x');
		const room = 1000 - ((await workspace.journal()).messages[0].text!.length - 1);
		await workspace.clearJournal();
		for (let n = 0; n < 30; n++) {
			expect((await runIn(`n8n ${n}`, 'x'.repeat(room))).error).toBeUndefined();
			expect(shownOf(await runIn(`n8n ${n}`, 'x'.repeat(room + 1)))).toContain(
				'Message must have at most 1,000 characters with its link, but has 1,001',
			);
		}
		Object.assign(settings, { instanceId });
		const { messages } = await workspace.journal();
		expect(messages.map(({ text }) => text?.length)).toEqual(Array(30).fill(1000));
	});

	test('asks with the words that the user entered', async () => {
		const { run } = await workspaceWithAnn();
		const labels = { approvalType: 'single', approveLabel: ' Ja ', declineLabel: 'Nein' };
		const single = await run(ask({ approvalOptions: { values: labels } }));
		expect(question(single)).toMatchObject({
			contact: { contact: 'email:ann@example.com', email: 'ann@example.com' },
			form: { type: 'approval', approve: 'Ja' },
		});
		expect(question(single)?.form).not.toHaveProperty('decline');
		const options = { buttonLabel: 'Senden', pageTitle: 'Lieferung', thankYouText: 'Danke!' };
		const text = await run(ask({ responseType: 'freeText', options }));
		expect(question(text)).toMatchObject({
			form: { type: 'freeText', button: 'Senden' },
			title: 'Lieferung',
			thankYou: 'Danke!',
		});
		const choices = await run(ask({ responseType: 'choices', choices: ['S', ' M ', 'S', ''] }));
		expect(question(choices)).toMatchObject({ form: { type: 'choices', choices: ['S', 'M'] } });
	});

	test.each([
		['={{ "S, M; L" }}', ['S', 'M', 'L']],
		['={{ \'["S, small", "M"]\' }}', ['S, small', 'M']],
		['={{ [1, 2] }}', ['1', '2']],
		['={{ "S" }}', ['S']],
	])('reads the choices of an expression as tags are read: %s', async (choices, expected) => {
		const { run } = await workspaceWithAnn();
		const result = await run(ask({ responseType: '={{ " Choices " }}', choices }));
		expect(result.error?.message).toBeUndefined();
		expect(question(result)).toMatchObject({ form: { type: 'choices', choices: expected } });
	});

	test('refuses half an emoji, which nobody could read', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const result = await run(ask({ message: '={{ "Ship it? \ud83d" }}' }));
		expect(shownOf(result)).toContain(
			'Message must not contain half a character (a lone surrogate)',
		);
		expect((await workspace.journal()).requests).toEqual([]);
	});

	test('hints that the contact cannot open a private address of n8n', async () => {
		const { run } = await workspaceWithAnn();
		const { hints } = await run(ask());
		expect(hints).toEqual([
			'The contact cannot open http://127.0.0.1:5678, because it is an address inside your network. Set N8N_WEBHOOK_URL to the public address of n8n.',
		]);
	});

	test('says that an agent that calls its tools itself cannot wait', async () => {
		const { workspace } = await workspaceWithAnn();
		await expect(toolOf(workspace, ask({ contact: 'ann@example.com' }))()).rejects.toThrow(
			'This agent cannot wait for an answer. Use version 3 or newer of the AI Agent node',
		);
		expect((await workspace.journal()).messages).toEqual([]);
	});

	test('waits as a tool of an agent that n8n runs as a node', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const result = await run(ask({ contact: 'ann@example.com' }), [{}], { node: TOOL });
		expect(result.error).toBeUndefined();
		expect(waitOf(result)).toBeDefined();
		expect((await workspace.journal()).messages).toHaveLength(1);
	});
});

describe('as a human review', () => {
	const message = '=Run {{ $json.tool }}?\n{{ $json.toolParameters }}';
	const call = {
		tool: 'Send',
		toolParameters: { Contact: 'ann@example.com', Tags: ['VIP'], Text: 'Hi $&' },
	};
	const name = `${TOOL.name.slice(0, -4)}HitlTool`;

	test('the message shows what the agent wants to do, instead of [object Object]', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const result = await run(ask({ message, contact: 'ann@example.com' }), [call], {
			node: { ...TOOL, name },
		});
		expect(result.error).toBeUndefined();
		expect((await workspace.journal()).messages[0].text).toMatch(
			/^Run Send\?\nContact: ann@example\.com\nTags: \["VIP"\]\nText: Hi \$&\n\nhttp/,
		);
	});

	test.each([
		[
			'nobody has the email',
			{ contact: 'nobody@example.com' },
			/^Nobody could decide: No contact has the email nobody@example\.com\. Nothing was sent\./,
		],
		[
			'the message is too long',
			{ contact: 'ann@example.com', message: 'a'.repeat(2000) },
			/^Nobody could decide: Message must have at most /,
		],
		[
			'it would wait without an end in the chat',
			{
				...{ contact: 'ann@example.com', answer: 'chat' },
				...limitWait({ limitType: 'noLimit' }),
			},
			/^Nobody could decide: Answers in the chat need a limit/,
		],
	])('the agent gets to know why nobody was asked: %s', async (_, parameters, reason) => {
		const { run, workspace } = await workspaceWithAnn({ service: 'newer' });
		const result = await run(ask({ message, ...parameters }), [call], {
			node: { ...TOOL, name },
		});
		expect(result.error).toBeUndefined();
		expect(waitOf(result)).toBeUndefined();
		const data = { approved: false, chatInput: expect.stringMatching(reason) as string };
		expect(result.json).toEqual([{ data }]);
		expect((await workspace.journal()).messages).toEqual([]);
	});

	test.each([
		[message, '{"firstName":"Ann","lastName":"Lee"}', 'Ann Lee, type yes or no.'],
		[message, '{"firstName":null,"lastName":null}', 'Type yes or no.'],
		[`${message}\nPlease type yes or no.`, '{"firstName":"Ann"}', 'Please type yes or no.'],
		// The name no longer fits.
		[`${message} ${'a'.repeat(920)}`, '{"firstName":"Ann","lastName":"Lee"}', 'Type yes or no.'],
	])(
		'the message in the chat says who is asked and how to approve, once (case %#)',
		async (text, names, end) => {
			const { run, workspace, ann } = await workspaceWithAnn({ service: 'newer' });
			const changes = JSON.parse(names) as IDataObject;
			await workspace.changeContacts([{ identifier: `id:${ann.id}`, changes }]);
			await run(ask({ message: text, contact: 'ann@example.com', answer: 'chat' }), [call], {
				node: { ...TOOL, name },
				onStarted: (cancel) => void setTimeout(cancel, 3000),
			});
			const [sent] = (await workspace.journal()).messages;
			expect(sent.text).toContain('Run Send?');
			expect(sent.text).toMatch(new RegExp(`\\n${end}$`));
			expect(sent.text!.split(/yes or no\./)).toHaveLength(2);
		},
	);

	test('elsewhere a message with [object Object] is refused before it is sent', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const { error } = await run(ask({ message }), [call]);
		expect(error?.message).toContain(
			'Message contains [object Object]. Point the expression at one of its fields',
		);
		expect((await workspace.journal()).requests).toEqual([]);
	});
});

describe('if the answer to the sending is lost', () => {
	test('the contact gets one link, and the execution waits for its answer', async () => {
		const { run, workspace } = await workspaceWithAnn();
		await workspace.faults({ dropAfter: { times: 1 } });
		const result = await run(ask());
		expect(result.error).toBeUndefined();
		expect(waitOf(result)).toBeDefined();
		const { requests, messages } = await workspace.journal();
		expect(requests).toHaveLength(2);
		expect(requests[1].body).toEqual(requests[0].body);
		expect(messages).toHaveLength(1);
		expect(messages[0].text).toContain(`question=${String(question(result)?.id)}`);
	});

	test('the execution does not wait if the outcome stays unknown, and the error says so', async () => {
		const { run, workspace } = await workspaceWithAnn();
		await workspace.faults({ dropAfter: {} });
		const result = await run(ask(once));
		expect(shownOf(result)).toContain('This may or may not have gone through');
		expect(waitOf(result)).toBeUndefined();
	});

	test('"Retry On Fail" with Always sends the same link again, so that the service delivers it once', async () => {
		const { run, workspace } = await workspaceWithAnn();
		await workspace.faults({ dropAfter: { times: 1 } });
		const always = { maxRetries: 0, retryWhenOutcomeUnknown: 'always' };
		const result = await run(ask({ requestOptions: always }), [{}], {
			retryOnFail: { maxTries: 2, waitBetweenTries: 10 },
		});
		expect(waitOf(result)).toBeDefined();
		const { requests, messages } = await workspace.journal();
		expect(requests[1].body).toEqual(requests[0].body);
		expect(messages).toHaveLength(1);
	});

	test('the error output gets the item, and the execution does not wait', async () => {
		const { run, workspace } = await workspaceWithAnn();
		await workspace.faults({ fail: [{ status: 404 }] });
		const result = await run(ask(), [{}], { onError: 'continueErrorOutput' });
		expect(waitOf(result)).toBeUndefined();
		expect(result.outputs[1]).toHaveLength(1);
	});
});
