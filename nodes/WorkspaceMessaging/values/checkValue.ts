import { isN8nFile, isObjectOrList } from '../transport/guards';
import { trimText } from './blankText';
import { refuseNoText } from './expressions/leftovers';
import { describeInexact, isInexact } from './numbers';
import { labelAt } from './labels';

/*
 * The gate for a value: what n8n refuses in every field, mapper, template and item of an import,
 * although the API has no rule against it. Without it, the service would receive something else, or
 * nothing.
 */

/**
 * Deeper than any filter or list of files; a value that is nested thousands of levels deep would
 * exhaust the stack.
 */
const MAX_DEPTH = 100;

/**
 * Characters of a path value, or of a whole query, in the URL. A filter by a hundred tags takes
 * about half of it. By default, servers read 16 KB with all headers (Node.js) or 8 KB without
 * (nginx, Apache), and their errors say little.
 */
const MAX_IN_URL = 12_000;

/** What JavaScript makes of an object in a text; nobody means to send it. */
export const OBJECT_IN_TEXT = '[object Object]';

/** What a text must not have in it, with the problem after the label of the field. */
const textRules: Array<[text: RegExp, problem: string]> = [
	// All text is sent in UTF-8.
	[/\p{Surrogate}/u, 'must not contain half a character (a lone surrogate)'],
	// Databases cannot store it, and services that do not check for it fail.
	[/\0/, "contains the character NUL (U+0000), which services can't store"],
	[/\[object Object\]/, `contains ${OBJECT_IN_TEXT}. Point the expression at one of its fields.`],
];

/** Keys that programs on the way could take for something other than data. */
const UNSAFE_KEYS = ['__proto__', 'constructor', 'prototype'];

/** So many digits that a number may have lost some. */
const MANY_DIGITS = /\d{16,}/g;

/** What n8n is going to do with a value. */
interface Use {
	/** How a request carries it. */
	form?: 'json' | 'url';
	/** The label of the field that sends files, if there is one. */
	attachments?: string;
	/** Whether the value can be a file. */
	takesFiles?: boolean;
	/** Whether n8n removes what is blank around a text. */
	isTrimmed?: boolean;
	/**
	 * Returns what the user may have made a text from: `No {{ $json.no }}` no longer shows that it
	 * was a number. Without it, the schema of the field refuses numbers that are not exact.
	 */
	getSources?: () => unknown[];
}

/** A value, or something inside it, such as a key. */
interface Place {
	value: unknown;
	depth: number;
	isKey?: true;
}

/** Returns what is wrong with a value, without what is in it; undefined if nothing is wrong. */
function findProblem(place: Place, use: Use) {
	const { value, depth, isKey } = place;
	if (!use.takesFiles && isN8nFile(value)) {
		const { attachments } = use;
		const advice = attachments
			? `. To send a file, enter the name of its field in ${attachments}`
			: '';
		return `can't hold binary data${advice}`;
	}
	if (typeof value === 'string') {
		const text = use.isTrimmed ? trimText(value) : value;
		const broken = textRules.find(([pattern]) => pattern.test(text));
		if (broken) return broken[1];
	}
	const inexact = use.getSources && findInexact(place, use.getSources);
	if (inexact) return inexact;
	const isUnsafe = isKey && UNSAFE_KEYS.includes(String(value));
	if (isUnsafe) return `must not contain the key "${String(value)}"`;
	if (depth === MAX_DEPTH && isObjectOrList(value))
		return `must not be nested more than ${MAX_DEPTH} levels deep`;
	const foreign = use.form === 'url' && depth > 0 && findNoQuery(place);
	return foreign ? `must not contain ${foreign}, which a query cannot express` : undefined;
}

/** Returns what is inside a value and cannot be in a query. */
function findNoQuery({ value, isKey }: Place) {
	if (value === null) return 'null';
	if (isKey) return /^$|[[\]]/.test(String(value)) ? `the key "${String(value)}"` : undefined;
	const isEmpty = isObjectOrList(value) && Object.keys(value).length === 0;
	return isEmpty ? 'an empty list or object' : undefined;
}

/**
 * Returns what is wrong if a value, or what it was made from, has a number whose digits are not exact;
 * undefined if nothing is wrong.
 */
function findInexact({ value, depth }: Place, getSources: () => unknown[]) {
	if (isInexact(value)) return `${depth === 0 ? 'is' : 'contains'} ${describeInexact(value)}`;
	const digits = typeof value === 'string' ? value.match(MANY_DIGITS) : null;
	if (!digits) return undefined;
	for (const { value: source } of walk(getSources()))
		if (isInexact(source) && digits.includes(String(source)))
			return `contains ${describeInexact(source)}`;
	return undefined;
}

/**
 * Visits a value and all that is in it, keys before what they hold. Dates, which become text, have
 * nothing in them.
 */
function* walk(root: unknown): Generator<Place> {
	// A list instead of recursion, because the value may be nested too deeply for it.
	const waiting: Place[] = [{ value: root, depth: 0 }];
	const seen = new Set<object>();
	for (let at = waiting.pop(); at; at = waiting.pop()) {
		yield at;
		const { value, depth } = at;
		if (!isObjectOrList(value) || seen.has(value) || depth === MAX_DEPTH) continue;
		seen.add(value);
		if ('toJSON' in value && typeof value.toJSON === 'function') continue;
		const isList = Array.isArray(value);
		for (const [key, inner] of Object.entries(value)) {
			waiting.push({ value: inner, depth: depth + 1 });
			if (!isList) waiting.push({ value: key, depth: depth + 1, isKey: true });
		}
	}
}

/** Returns why n8n must not use a value, after the label of its field; undefined if it can. */
export function findValueProblem(value: unknown, use: Use): string | undefined {
	for (const place of walk(value)) {
		const problem = findProblem(place, use);
		if (problem) return problem;
	}
	return undefined;
}

/** Throws an error of one sentence if n8n must not use a value; it names the field by its label. */
export function checkValue(label: string, value: unknown, use: Use = {}): void {
	const problem = findValueProblem(value, use);
	if (problem) throw new Error(`${label} ${problem}`);
}

/** Throws an error also if a value is no text; a number becomes one. */
export function checkText(label: string, value: unknown, use?: Use): void {
	refuseNoText(label, value);
	checkValue(label, value, use);
	if (!isObjectOrList(value)) return;
	const what = Array.isArray(value) ? 'a list' : 'an object';
	throw new Error(`${label} must be text, but is ${what}`);
}

/** Throws an error if a request cannot carry one of the values of its fields. */
export function checkRequest(
	form: 'json' | 'url',
	fields: Record<string, unknown>,
	labels: Record<string, string>,
): void {
	let left = MAX_IN_URL;
	for (const [name, value] of Object.entries(fields)) {
		const label = labelAt([name], labels);
		checkValue(label, value, { form, attachments: labels.attachments });
		if (form === 'url') left -= lengthInUrl(value, name);
		if (left < 0) throw new Error(`${label} must be shorter: it does not fit into a URL`);
	}
}

/**
 * Characters that a value takes in a URL, with the path to each of its parts, as a query has it.
 */
function lengthInUrl(value: unknown, path: string) {
	if (value === undefined) return 0;
	if (!isObjectOrList(value)) {
		const name = encodeURIComponent(path);
		const text = encodeURIComponent(String(value));
		// With = between them and & before the next one.
		return name.length + text.length + 2;
	}
	let length = 0;
	for (const [key, inner] of Object.entries(value)) {
		length += lengthInUrl(inner, `${path}[${key}]`);
	}
	return length;
}
