import type { IDataObject } from 'n8n-workflow';
import type { Question } from '../../nodes/WorkspaceMessaging/resources/message/question/webhook';
import { openPage } from '../support/engine/answerPage';

/**
 * Everything that arrives at the answer page comes from the open internet, and what it shows comes
 * from other people.
 */

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;

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
		expect(html).toContain(POLICY);
		expect(html).not.toMatch(/https?:|<script|<link|url\(/);
	});

	test('allows no script in the thank-you either, into whose header n8n puts a policy that allows some', async () => {
		const { headers, html } = await openPage({}, { body: { approved: 'true' } });
		expect(headers['Content-Type']).toBe('text/html; charset=utf-8');
		expect(html).toContain('Thank you.');
		expect(html).toContain(POLICY);
	});

	test.each<[string, Partial<Question>['form'], unknown]>([
		['nothing', undefined, undefined],
		['an empty object', undefined, {}],
		['a list', undefined, [1]],
		['text instead of fields', undefined, 'approved=true'],
		['another word', undefined, { approved: 'yes' }],
		['a list of answers', undefined, { approved: ['true', 'false'] }],
		[
			'Decline where there is no such button',
			{ type: 'approval', approve: 'Yes' },
			{ approved: 'false' },
		],
		['no text', { type: 'freeText', button: 'Send' }, { text: '  \r\n ' }],
		['an object that has no text', undefined, { approved: { toString: null } }],
		[
			'a choice that has no text',
			{ type: 'choices', choices: ['S', 'M'] },
			{ choice: { toString: 1, valueOf: 1 } },
		],
		['an object as text', { type: 'freeText', button: 'Send' }, { text: { a: 1 } }],
		['1,001 characters', { type: 'freeText', button: 'Send' }, { text: 'a'.repeat(1001) }],
		['10 MB', { type: 'freeText', button: 'Send' }, { text: 'a'.repeat(10_000_000) }],
		['a choice that does not exist', { type: 'choices', choices: ['S', 'M'] }, { choice: '2' }],
		['a choice by a negative number', { type: 'choices', choices: ['S', 'M'] }, { choice: '-1' }],
		['a key of objects', { type: 'choices', choices: ['S', 'M'] }, { choice: 'length' }],
	])('refuses %s as an answer and shows the question again', async (_what, form, body) => {
		const { status, html, output, isSentByN8n } = await openPage(form ? { form } : {}, { body });
		expect([status, output, isSentByN8n]).toEqual([400, undefined, false]);
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
});
