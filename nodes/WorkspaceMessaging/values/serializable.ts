import { isN8nFile } from '../transport/guards';
import { labelAt } from './labels';
import { trimText } from './blankText';

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

/** The rule for text: all of it is sent in UTF-8. */
const NOT_BROKEN = 'must not contain half a character (a lone surrogate)';

/** What JavaScript makes of an object in a text; nobody means to send it. */
export const OBJECT_IN_TEXT = '[object Object]';

const HAS_OBJECT = `contains ${OBJECT_IN_TEXT}. Point the expression at one of its fields.`;

/** Databases cannot store it, and services that do not check for it fail. */
const NUL = '\0';

const HAS_NUL = "contains the character NUL (U+0000), which services can't store";

/** Keys that programs on the way could take for something other than data. */
const UNSAFE_KEYS = ['__proto__', 'constructor', 'prototype'];

/**
 * Returns the first value that a request cannot carry, although the API has no rule against it:
 * without this check, the service would receive something else, or nothing. A query cannot express
 * null, an empty list or a key with brackets; UTF-8 cannot hold half a character, such as half an
 * emoji; databases cannot store NUL; a URL is limited; only a form can carry a file of n8n; an object in the middle of a text
 * is lost.
 *
 * @param form how the request carries the values
 * @returns one sentence; undefined if the request can carry everything
 */
export function serializationProblem(
	form: 'json' | 'url',
	fields: Record<string, unknown>,
	labels: Record<string, string>,
): string | undefined {
	let left = MAX_IN_URL;
	for (const [name, value] of Object.entries(fields)) {
		const problem = findProblem(value, form, labels.attachments);
		if (problem) return `${labelAt([name], labels)} ${problem}`;
		if (form !== 'url') continue;
		left -= lengthInUrl(value, name);
		if (left < 0) return `${labelAt([name], labels)} must be shorter: it does not fit into a URL`;
	}
	return undefined;
}

/**
 * Characters that a value takes in a URL, with the path to each of its parts, as a query has it.
 */
function lengthInUrl(value: unknown, path: string): number {
	if (value === undefined) return 0;
	if (typeof value !== 'object' || value === null) {
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

function findProblem(
	field: unknown,
	form: 'json' | 'url',
	attachments: string | undefined,
): string | undefined {
	const isInUrl = form === 'url';
	// A list instead of recursion, because the value may be nested too deeply for it.
	const waiting = [{ value: field, depth: 0 }];
	for (let at = waiting.pop(); at; at = waiting.pop()) {
		const { value, depth } = at;
		if (isN8nFile(value)) {
			const advice = attachments
				? `. To send a file, enter the name of its field in ${attachments}`
				: '';
			return `can't hold binary data${advice}`;
		}
		const problem = findProblemOfText(value);
		if (problem) return problem;
		if (isInUrl && depth > 0 && value === null)
			return 'must not contain null, which a query cannot express';
		if (typeof value !== 'object' || value === null) continue;

		if (depth === MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} levels deep`;
		const entries = Object.entries(value);
		if (isInUrl && depth > 0 && entries.length === 0)
			return 'must not contain an empty list or object, which a query cannot express';
		for (const [key, inner] of entries) {
			if (UNSAFE_KEYS.includes(key)) return `must not contain the key "${key}"`;
			if (isInUrl && (key === '' || /[[\]]/.test(key) || isBroken(key)))
				return `must not contain the key "${key}", which a query cannot express`;
			waiting.push({ value: inner, depth: depth + 1 });
		}
	}
	return undefined;
}

/** Throws an error if a text has half a character, NUL, or an object in it. */
export function refuseUnreadable(label: string, text: string) {
	const problem = findProblemOfText(text);
	if (problem) throw new Error(`${label} ${problem}`);
}

function findProblemOfText(value: unknown): string | undefined {
	if (isBroken(value)) return NOT_BROKEN;
	if (hasNul(value)) return HAS_NUL;
	return typeof value === 'string' && value.includes(OBJECT_IN_TEXT) ? HAS_OBJECT : undefined;
}

/** Whether a value is text with the character NUL. */
export const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes(NUL);

/** Throws an error if there is NUL inside a text of a field, however deep the text is in its value. */
export function refuseNul(label: string, field: unknown) {
	const waiting = [{ value: field, depth: 0 }];
	for (let at = waiting.pop(); at; at = waiting.pop()) {
		const { value, depth } = at;
		// Around a text, it goes away with the white space.
		if (typeof value === 'string' && hasNul(value) && hasNul(trimText(value)))
			throw new Error(`${label} ${HAS_NUL}`);
		if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) continue;
		for (const inner of Object.values(value)) waiting.push({ value: inner, depth: depth + 1 });
	}
}

/** Whether a value is text with half a character, which UTF-8 cannot express. */
function isBroken(value: unknown): boolean {
	return typeof value === 'string' && /\p{Surrogate}/u.test(value);
}
