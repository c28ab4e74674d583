import fc from 'fast-check';
import { fitLines, toLine } from '../../../nodes/WorkspaceMessaging/conversations/transcript';
import { anyText, isWhole, samples } from '../../support/engine/arbitrary';

const names = { contact: 'Ann', users: new Map([['7', 'Maja']]) };
const line = (message: object) => toLine({ text: 'Hi', ...message }, names);

test.each([
	[{ senderType: 'contact', senderId: '1' }, 'Ann: Hi'],
	[{ senderType: 'user', senderId: '7' }, 'Maja: Hi'],
	[{ senderType: 'user', senderId: '8' }, 'Person: Hi'],
	[{ senderType: 'bot', senderId: null }, 'Bot: Hi'],
	[{ senderType: 'api' }, 'API: Hi'],
	[{ senderType: 'system' }, 'System: Hi'],
	[{ senderType: 'contact', text: null, contentType: 'location' }, 'Ann: [location]'],
	[{ senderType: 'contact', text: null, attachments: [{ name: 'a.pdf' }] }, 'Ann: [attachments: a.pdf]'],
])('%j becomes "%s"', (message, expected) => {
	expect(line(message)).toBe(expected);
});

test('A message is one line, or goes on indented, whatever it says', () => {
	for (const text of samples(anyText())) {
		const [, ...others] = line({ senderType: 'contact', text }).split(/[\r\n\u2028\u2029]/);
		expect([text, others.every((each) => each.startsWith('  '))]).toEqual([text, true]);
	}
});

test('The last lines that fit are whole, and a line that does not fit is cut', () => {
	const lines = fc.array(anyText(), { maxLength: 8 });
	for (const [these, length] of samples(fc.tuple(lines, fc.integer({ min: 30, max: 300 })))) {
		const { text, count } = fitLines(these, length);
		expect(JSON.stringify(text).length).toBeLessThanOrEqual(length);
		if (these.length > 0) expect(count).toBeGreaterThan(0);
		const isCut = text.endsWith('…') && text !== these.slice(-1).join('\n');
		if (!isCut) expect(text).toBe(these.slice(these.length - count).join('\n'));
		else if (these.every(isWhole)) expect(isWhole(text)).toBe(true);
	}
	expect(fitLines([], 30)).toEqual({ text: '', count: 0 });
});
