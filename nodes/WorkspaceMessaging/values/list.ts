import { isBlank } from './blankText';
import { isObject, isObjectOrList } from '../transport/guards';

/* Lists of names and IDs as people, spreadsheets and programs write them into one text. */

/**
 * Converts text to its list; see `readList`. JSON of an object becomes a list of it. Returns anything
 * else unchanged, also the beginning of a list.
 */
export function toList(value: unknown): unknown {
	if (typeof value === 'string') {
		const trimmed = value.trim();
		const parsed = fromJson(trimmed);
		if (isObject(parsed)) return [parsed];
		// A name can begin with a brace; a file or an ID cannot.
		const list = trimmed.startsWith('{') ? readBrackets(trimmed) : readList(trimmed);
		return list ?? value;
	}
	if (typeof value === 'number') return [value];
	if (isObject(value)) {
		const entries = Object.values(value);
		if (entries.length === 0) return [];
		const isCollection = entries.length === 1 && Array.isArray(entries[0]);
		return isCollection ? entries[0] : [value];
	}
	return value;
}

/**
 * Returns names as a list, without white space around them and without blank ones; undefined for
 * the beginning of a list. Text is read as `readList` does.
 */
export function readNames(input: unknown): string[] | undefined {
	const entered = typeof input === 'string' ? readList(input) : input;
	if (typeof input === 'string' && !entered) return undefined;
	const all: unknown[] = [entered].flat();
	const names = all.map((name) => (typeof name === 'string' ? name.trim() : name));
	const isName = (name: unknown) =>
		typeof name === 'string' ? !isBlank(name) : name !== null && name !== undefined;
	return names.filter((name): name is string => isName(name));
}

/** Returns what JSON says; other text unchanged. */
export function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** What only a list or an object begins with, even if it has no end. */
const LIST_START = /^(?:\[\s*(?:["'“„‘«{]|\d+\s*(?:,|$))|\{\s*["'])/;

/**
 * Reads a list in a text: JSON; `['a', 'b']`, `{a,b}`; or entries separated by commas, semicolons (of
 * any script), tabs or line breaks, in quotation marks if one has a comma, or each line with a dash
 * before it. A single name can begin with a bracket or a dash. Returns undefined if the text is only
 * the beginning of a list, or an object.
 */
function readList(text: string): unknown[] | undefined {
	const trimmed = text.trim();
	const once = fromJson(trimmed);
	// Models encode lists twice.
	const parsed = typeof once === 'string' ? fromJson(once) : once;
	if (isObjectOrList(parsed)) return Array.isArray(parsed) ? parsed : undefined;
	const inBrackets = readBrackets(trimmed);
	if (inBrackets) return inBrackets;
	if (LIST_START.test(trimmed)) return undefined;
	return splitList(withoutDashes(trimmed)).map(({ name }) => name);
}

/** Reads a list in brackets that is no JSON; undefined for a name in brackets. */
function readBrackets(text: string) {
	const match = /^[[{(]([^]*)[\]})]$/.exec(text);
	if (!match) return undefined;
	const entries = splitList(match[1]);
	const isPlain =
		entries.length > 1 && entries.every(({ name }) => !/[[\](){}]|["']\s*:/.test(name));
	const isList = isPlain || entries.every(({ isQuoted }) => isQuoted);
	return isList ? entries.map(({ name }) => name) : undefined;
}

/** Removes the dash or bullet before each line of several. */
function withoutDashes(text: string) {
	const lines = text.split(/[\n-\r\x85\u2028\u2029]+/).filter((line) => line.trim() !== '');
	const isDashed = lines.length > 1 && lines.every((line) => DASH.test(line));
	return isDashed ? lines.map((line) => line.replace(DASH, '')).join('\n') : text;
}

const DASH = /^\s*[-–—*+•·‣▪◦]\s+/;

/**
 * An entry: in quotation marks, up to the next separator, or without them. In quotation marks it has
 * at most as many characters as a name, so that a mark that is none costs little time.
 */
const ENTRY =
	/(?<quoted>"(?:""|[^"]){0,255}"|'[^]{0,255}?'|[“„][^]{0,255}?[“”]|‘[^]{0,255}?’|«[^]{0,255}?»)(?=[^\S\r\n]*(?:[,;，；、،؛\t-\r\x85\u2028\u2029]|$))|[^,;，；、،؛\s\x85][^,;，；、،؛\t-\r\x85\u2028\u2029]*/g;

/** Splits a text at separators outside quotation marks; without the blank entries. */
function splitList(text: string) {
	const entries = [...text.matchAll(ENTRY)].map(([entry, quoted]) => {
		if (quoted === undefined) return { name: entry.trim(), isQuoted: false };
		// As CSV files have a quotation mark inside a text.
		return { name: quoted.slice(1, -1).replaceAll('""', '"').trim(), isQuoted: true };
	});
	return entries.filter(({ name }) => name !== '');
}
