import { normalizeText } from '../../../nodes/WorkspaceMessaging/transport/normalizeText';
import {
	containsKeyword,
	findByName,
	foldName,
	foldNameAndSpaces,
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

const find = (all: string[], name: string) => findByName(all, name, (each) => [each]);

test('findByName prefers the exact name, then one that looks the same, then one in another case', () => {
	expect(find(['vip', 'VIP', 'VIP\u200b'], 'VIP\u200b')).toEqual(['VIP\u200b']);
	expect(find(['vip', 'VIP'], 'VIP\u200b')).toEqual(['VIP']);
	expect(find(['vip', 'Vip'], 'VIP\u200b')).toEqual(['vip', 'Vip']);
	expect(find(['vip'], 'VI')).toEqual([]);
});

test('findByName looks for any number of names in one list, and for each by all names of a record', () => {
	const all = [['Ann', 'ann@example.com'], ['Bob'], ['bob', 'BOB']];
	const named = (name: string) => findByName(all, name, (names) => names);
	expect(named('ANN@example.com')).toEqual([all[0]]);
	expect(named('Bob')).toEqual([all[1]]);
	expect(named('bOB')).toEqual([all[1], all[2]]);
});

test('findByName ignores white space inside names only for those who ask for that', () => {
	const all = ['Order No', 'Order  No 2'];
	expect(find(all, 'orderno')).toEqual([]);
	const fresh = [...all];
	const named = (name: string) => findByName(fresh, name, (each) => [each], foldNameAndSpaces);
	expect(named('orderno')).toEqual(['Order No']);
	expect(named('ORDER NO2')).toEqual(['Order  No 2']);
});

test('containsKeyword compares as names look', () => {
	expect(containsKeyword('Team K\u00f6ln', 'KO\u0308')).toBe(true);
	expect(containsKeyword('Team Ko\u0308ln\u200b', 'm k\u00f6ln')).toBe(true);
	expect(containsKeyword('Team Koln', 'k\u00f6')).toBe(false);
});
