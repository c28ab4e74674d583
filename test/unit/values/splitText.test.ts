import { splitText } from '../../../nodes/WorkspaceMessaging/values/splitText';

const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}';
const flag = '\u{1F1EA}\u{1F1FA}';
const thumb = '\u{1F44D}\u{1F3FD}';
const accented = 'e\u0301';

describe('splitText', () => {
	test.each([
		['nowhere if it is short enough', 'Hello', 5, ['Hello']],
		['after a sentence', 'One two. Three four five', 12, ['One two.', 'Three four', 'five']],
		[
			'after a sentence without a space',
			'一二三。四五六！七八九？',
			7,
			['一二三。', '四五六！', '七八九？'],
		],
		[
			'after a line rather than a sentence',
			'One. two\nthree. four',
			12,
			['One. two', 'three. four'],
		],
		['between characters', 'abcdefgh', 3, ['abc', 'def', 'gh']],
	])('cuts a text %s', (_, text, max, parts) => {
		expect(splitText(text, max)).toEqual(parts);
	});

	test.each([
		['families', family],
		['flags', flag],
		['skin tones', thumb],
		['accents', accented],
		['Korean letters', '\u1112\u1161\u11AB'],
	])('keeps %s whole, wherever the limit is', (_, character) => {
		for (let max = character.length; max < character.length * 3; max++) {
			for (let before = 0; before <= character.length; before++) {
				const text = 'x'.repeat(before) + character.repeat(7);
				const parts = splitText(text, max);
				expect(parts.join('')).toBe(text);
				for (const part of parts) {
					expect(part.length).toBeLessThanOrEqual(max);
					expect(part.replace(/^x*/, '').length % character.length).toBe(0);
				}
			}
		}
	});

	test('does not cut an accent off its space', () => {
		const parts = splitText(`aaaa \u0301bbbb`, 6);
		expect(parts).toEqual(['aaaa \u0301', 'bbbb']);
	});

	test('cuts a single character that is longer than the limit between code points', () => {
		const text = `a${'\u0301'.repeat(25)}${'\u{1F3FD}'.repeat(5)}`;
		const parts = splitText(text, 10);
		expect(parts.join('')).toBe(text);
		for (const part of parts) {
			expect(part.length).toBeLessThanOrEqual(10);
			expect(part).not.toMatch(/\p{Surrogate}/u);
		}
	});
});
