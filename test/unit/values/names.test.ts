import { normalizeText } from '../../../nodes/WorkspaceMessaging/transport/normalizeText';
import {
	containsKeyword,
	findByName,
	foldName,
	indexByName,
	readNames,
} from '../../../nodes/WorkspaceMessaging/values/names';

const INVISIBLE = [
	...['\u00ad', '\u061c', '\u200b', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d'],
	...['\u202e', '\u2060', '\u2066', '\u2067', '\u2068', '\u2069', '\ufeff'],
];

test('normalizeText leaves out each character that nobody sees, wherever it is', () => {
	for (const character of INVISIBLE)
		expect(normalizeText(`${character}V${character}IP${character}`)).toBe('VIP');
});

test('normalizeText makes one character of a letter and its accent', () => {
	expect(normalizeText('Ko\u0308ln')).toBe('K\u00f6ln');
	expect(normalizeText('Ko\u200b\u0308ln')).toBe('K\u00f6ln');
});

test('normalizeText keeps joiners, which change what people see, and white space', () => {
	for (const text of ['👩‍👩‍👧', 'می\u200cخواهم', ' a\u00a0b ', 'ﬁ', '①'])
		expect(normalizeText(text)).toBe(text);
});

test('foldName compares names as they look, whatever their case and the white space around them', () => {
	expect(foldName(' KO\u0308LN\u200b ')).toBe('k\u00f6ln');
	expect(foldName('\u200b \ufeff')).toBe('');
});

test.each([
	['findByName', findByName],
	['indexByName', (all: string[], name: string) => indexByName(all, (each) => [each])(name)],
] as const)(
	'%s prefers the exact name, then one that looks the same, then one in another case',
	(_, f) => {
		const find = (all: string[], name: string) => f(all, name, (each) => [each]);
		expect(find(['vip', 'VIP', 'VIP\u200b'], 'VIP\u200b')).toEqual(['VIP\u200b']);
		expect(find(['vip', 'VIP'], 'VIP\u200b')).toEqual(['VIP']);
		expect(find(['vip', 'Vip'], 'VIP\u200b')).toEqual(['vip', 'Vip']);
		expect(find(['vip'], 'VI')).toEqual([]);
	},
);

test('containsKeyword compares as names look', () => {
	expect(containsKeyword('Team K\u00f6ln', 'KO\u0308')).toBe(true);
	expect(containsKeyword('Team Ko\u0308ln\u200b', 'm k\u00f6ln')).toBe(true);
	expect(containsKeyword('Team Koln', 'k\u00f6')).toBe(false);
});

test('readNames keeps names as they are, without those that have nothing to see', () => {
	expect(readNames('VIP\u200b, \u200b , \ufeff;K\u00f6ln')).toEqual(['VIP\u200b', 'K\u00f6ln']);
});
