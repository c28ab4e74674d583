import { isN8nFile } from '../transport/n8nFiles';
import { labelAt } from './labels';
import type { Labels } from './labels';

/** Deeper than any filter or list of files; what is nested thousands of levels deep would exhaust the stack. */
const DEEPEST = 100;

/**
 * Characters that a value in the path, or a whole query, may take as it is written into the address. A filter by a hundred
 * tags takes about half of it. Servers read 16 KB with all headers (Node.js) or 8 KB without (nginx, Apache) unless they
 * are told otherwise, and what they then answer says little.
 */
const LONGEST_IN_ADDRESS = 12_000;

/** Keys that programs on the way could take for something other than data. */
const NO_DATA = ['__proto__', 'constructor', 'prototype'];

/**
 * Says what cannot be sent as it was given, although the API itself has no rule against it. Without this the service
 * would receive something else, or nothing: a query has no way to write null, an empty list or a key with brackets in it,
 * and an address none to write half of a character, or any number of them; and of a file of n8n, JSON can only tell where
 * n8n keeps it.
 *
 * @returns the first problem in one sentence; undefined when there is none
 */
export function serializationProblem(
	part: 'params' | 'query' | 'body',
	fields: Record<string, unknown>,
	labels: Labels,
): string | undefined {
	let room = LONGEST_IN_ADDRESS;
	for (const [name, value] of Object.entries(fields)) {
		const problem = problemOf(value, part, labels);
		if (problem) return `${labelAt([name], labels)} ${problem}`;
		if (part === 'body') continue;
		room -= lengthInAddress(value, name);
		if (room < 0) return `${labelAt([name], labels)} must be shorter: it does not fit into an address`;
	}
	return undefined;
}

/** Characters that a value takes in an address, with the path to each of its parts, as a query writes it. */
function lengthInAddress(value: unknown, path: string): number {
	if (value === undefined) return 0;
	if (typeof value !== 'object' || value === null)
		return encodeURIComponent(path).length + encodeURIComponent(String(value)).length + 2;
	return Object.entries(value).reduce(
		(length, [key, inner]) => length + lengthInAddress(inner, `${path}[${key}]`),
		0,
	);
}

function problemOf(
	field: unknown,
	part: 'params' | 'query' | 'body',
	{ attachments }: Labels,
): string | undefined {
	const inAddress = part !== 'body';
	// A list of its own instead of recursion: the depth is what is in question.
	const waiting = [{ value: field, depth: 0 }];
	for (let at = waiting.pop(); at; at = waiting.pop()) {
		const { value, depth } = at;
		if (isN8nFile(value)) {
			const instead = attachments ? `: name its field in ${attachments} instead` : '';
			return `must not hold a file of n8n (binary data)${instead}`;
		}
		if (inAddress && isBroken(value)) return 'must not hold half of a character (a lone surrogate)';
		if (inAddress && depth > 0 && value === null)
			return 'must not hold null, which cannot be written into a query';
		if (typeof value !== 'object' || value === null) continue;

		if (depth === DEEPEST) return `must not be nested more than ${DEEPEST} levels deep`;
		const entries = Object.entries(value);
		if (inAddress && depth > 0 && entries.length === 0)
			return 'must not hold an empty list or object, which cannot be written into a query';
		for (const [key, inner] of entries) {
			if (NO_DATA.includes(key)) return `must not hold the key "${key}"`;
			if (inAddress && (key === '' || /[[\]]/.test(key) || isBroken(key)))
				return `must not hold the key "${key}", which cannot be written into a query`;
			waiting.push({ value: inner, depth: depth + 1 });
		}
	}
	return undefined;
}

function isBroken(value: unknown): boolean {
	return typeof value === 'string' && /\p{Surrogate}/u.test(value);
}
