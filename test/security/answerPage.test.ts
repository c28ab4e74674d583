import type { IDataObject } from 'n8n-workflow';
import type { Question } from '../../nodes/WorkspaceMessaging/resources/contact/ask/webhook';
import { openPage } from '../support/answerPage';

/** Everything that arrives at the answer page comes from the open internet, and what it shows comes from other people. */

describe('The answer page', () => {
	const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&';

	test.each<[string, Partial<Question>]>([
		['message', { message: hostile }],
		['title', { title: hostile }],
		['button', { form: { type: 'approval', approve: hostile, decline: hostile } }],
		['choice', { form: { type: 'choices', choices: [hostile] } }],
		['label of the text field', { form: { type: 'freeText', button: hostile } }],
	])('shows HTML in the %s as text', async (_where, waiting) => {
		const { html } = await openPage(waiting, { method: 'GET' });
		expect(html).toContain('&lt;script&gt;');
		expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>"/);
	});

	test('allows no script, no outside resource and no caching', async () => {
		const { headers, html } = await openPage({}, { method: 'GET' });
		expect(headers['Content-Security-Policy']).toBe(
			"sandbox allow-forms; default-src 'none'; style-src 'unsafe-inline'",
		);
		expect(headers['Cache-Control']).toBe('no-store');
		expect(html).not.toMatch(/https?:|<script|<link|url\(/);
	});

	test.each<[string, Partial<Question>['form'], unknown]>([
		['nothing', undefined, undefined],
		['an empty object', undefined, {}],
		['a list', undefined, [1]],
		['text instead of fields', undefined, 'approved=true'],
		['another word', undefined, { approved: 'yes' }],
		['a list of answers', undefined, { approved: ['true', 'false'] }],
		['Decline where there is no such button', { type: 'approval', approve: 'Yes' }, { approved: 'false' }],
		['no text', { type: 'freeText', button: 'Send' }, { text: '  \r\n ' }],
		['an object as text', { type: 'freeText', button: 'Send' }, { text: { a: 1 } }],
		['1,001 characters', { type: 'freeText', button: 'Send' }, { text: 'a'.repeat(1001) }],
		['10 MB', { type: 'freeText', button: 'Send' }, { text: 'a'.repeat(10_000_000) }],
		['a choice that does not exist', { type: 'choices', choices: ['S', 'M'] }, { choice: '2' }],
		['a choice by a negative number', { type: 'choices', choices: ['S', 'M'] }, { choice: '-1' }],
		['a key of objects', { type: 'choices', choices: ['S', 'M'] }, { choice: 'length' }],
	])('refuses %s as an answer and shows the question again', async (_what, form, body) => {
		const { status, html, output, noWebhookResponse } = await openPage(form ? { form } : {}, { body });
		expect([status, output, noWebhookResponse]).toEqual([400, undefined, true]);
		expect(html).toContain('May we ship on Friday?');
		expect(html.length).toBeLessThan(10_000);
	});

	test('accepts an answer of 1,000 characters', async () => {
		const text = 'ä'.repeat(1000);
		const { status, output } = await openPage(
			{ form: { type: 'freeText', button: 'Send' } },
			{ body: { text } },
		);
		expect([status, (output?.data as IDataObject).text]).toEqual([200, text]);
	});

	test('reads nothing but the answer from a posted form', async () => {
		const body = {
			approved: 'true',
			contact: 'id:2',
			contactId: '2',
			data: { approved: false },
			respondedAt: 'never',
			__proto__: { admin: true },
		};
		const { output } = await openPage({}, { body });
		expect(output).toEqual({
			contact: 'id:1',
			contactId: '1',
			data: { approved: true, respondedAt: expect.stringMatching(/^\d{4}-/) },
		});
	});

	test.each<['GET' | 'POST', string]>([
		['GET', '4712'],
		['POST', '4712'],
		['POST', ''],
	])('ignores a %s with the link of another question ("%s")', async (method, link) => {
		const { status, html, output } = await openPage({}, { method, link, body: { approved: 'true' } });
		expect([status, output]).toEqual([410, undefined]);
		expect(html).toContain('This link belongs to an earlier question.');
		expect(html).not.toContain('May we ship');
	});

	test('ignores an answer if no question waits', async () => {
		const { status, output } = await openPage(undefined, { body: { approved: 'true' } });
		expect([status, output]).toEqual([410, undefined]);
	});
});
