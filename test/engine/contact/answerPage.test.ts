import type { INodeParameters } from 'n8n-workflow';
import { openLink, openPage } from '../../support/engine/answerPage';
import { by } from '../../support/engine/helpers';
import { workspaceWithAnn } from '../../support/engine/workspace';

/*
 * What attackers could try is in test/security/answerPage.test.ts, what n8n does in
 * test/e2e/send-and-wait.e2e.ts.
 */

/** Asks Ann a question in an execution of its own, which waits then. */
async function askAnn(more: INodeParameters = {}, executionId = '1') {
	const { run, workspace } = await workspaceWithAnn();
	const identifier = by('email', 'ann@example.com');
	const message = 'May we ship on Friday?';
	const parameters = {
		resource: 'message',
		operation: 'sendAndWait',
		identifier,
		message,
		...more,
	};
	const execution = await run(parameters, [{}], { executionId });
	expect(execution.error).toBeUndefined();
	const [{ text }] = (await workspace.journal()).messages;
	return { execution, link: /http\S+/.exec(text!)![0] };
}

const yes = { body: { approved: 'true' } };

describe('The link of a question', () => {
	test('decides nothing if somebody or a preview opens it, however often', async () => {
		const { execution, link } = await askAnn();
		for (let times = 0; times < 3; times++) {
			const { status, html, output } = await openLink(execution, link, { method: 'GET' });
			expect([status, output]).toEqual([200, undefined]);
			expect(html).toContain('May we ship on Friday?');
		}
		const { output } = await openLink(execution, link, yes);
		expect(output).toMatchObject({ data: { approved: true } });
	});

	test.each(['GET', 'POST'] as const)(
		'decides nothing if it belongs to another question (%s)',
		async (method) => {
			const { execution } = await askAnn({}, '1');
			const other = await askAnn({}, '2');
			expect(await openLink(other.execution, other.link, yes)).toMatchObject({ status: 200 });
			const { status, html, output } = await openLink(execution, other.link, { method, ...yes });
			expect([status, output]).toEqual([410, undefined]);
			expect(html).toContain('This link belongs to an earlier question.');
			expect(html).not.toContain('May we ship');
		},
	);

	test.each(['', '4712'])('decides nothing if it names the question "%s"', async (link) => {
		const { status, output } = await openPage({}, { link, ...yes });
		expect([status, output]).toEqual([410, undefined]);
	});

	test('decides nothing if no question waits', async () => {
		const { status, output } = await openPage(undefined, yes);
		expect([status, output]).toEqual([410, undefined]);
	});
});

describe.each([
	'}}',
	'{{ $json }}',
	'a\u2028b\u2029c',
	'constructor',
	'prototype',
	'toString',
	'hasOwnProperty',
	'__proto__',
	'.constructor',
	'"quoted" \'name\' `here`',
	'back\\slash\\u0041',
	'line\nbreak',
	'😀 ß',
	'Send message',
])('The question of a node called %j', (name) => {
	test('has its page, and its answer continues the workflow', async () => {
		const { status, html } = await openPage({}, { name, method: 'GET' });
		expect([status, html]).toEqual([200, expect.stringContaining('May we ship on Friday?')]);
		const { output } = await openPage({}, { name, ...yes });
		expect(output).toMatchObject({ contactId: '1', data: { approved: true } });
		const other = await openPage({}, { name, link: '4712', ...yes });
		expect([other.status, other.output]).toEqual([410, undefined]);
	});
});

test('n8n sends the thank-you after it has accepted the answer', async () => {
	const thanks = await openPage({}, yes);
	expect(thanks).toMatchObject({ isSentByN8n: true, html: expect.stringContaining('Thank you.') });
});

test.each([
	['the question', { method: 'GET' }],
	['an answer that lacks a value', { body: {} }],
	['an answer by the link of another question', { link: '1', ...yes }],
] as const)('The node sends the page after %s', async (_, request) => {
	expect(await openPage({}, request)).toMatchObject({ isSentByN8n: false, output: undefined });
});

test('A page that fails asks to try again later, and the execution goes on waiting', async () => {
	const { status, html, output, isSentByN8n, log } = await openPage({ form: null as never }, yes);
	expect([status, output, isSentByN8n]).toEqual([503, undefined, false]);
	expect(html).toContain('This page cannot be shown now. Please try again later.');
	expect(log).toEqual(['The answer page of "Ask" failed']);
});

describe('The page of a message that consists of the link alone', () => {
	test('shows Page Title as the question, once', async () => {
		const { execution, link } = await askAnn({
			message: ' {link} ',
			options: { pageTitle: 'Your order' },
		});
		const { html } = await openLink(execution, link, { method: 'GET' });
		expect(html).toContain('<p dir="auto" id="question">Your order</p>');
		expect(html).not.toContain('<h1');
	});

	test('asks to answer if there is no title', async () => {
		const { execution, link } = await askAnn({ message: '{link}', responseType: 'freeText' });
		const { html } = await openLink(execution, link, { method: 'GET' });
		expect(html).toContain('<p dir="auto" id="question">Please answer.</p>');
		expect(html).toContain('<title>Please answer.</title>');
	});
});
