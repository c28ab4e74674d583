import type { z } from 'zod/v4';
import { labelAt } from './labels';
import type { Labels } from './labels';

const SHOWN_CHARACTERS = 60;

/**
 * Says in one sentence what is wrong with a request: the field's label, the rule, and the value.
 * For example: `Phone Number must be 10 to 20 digits, with an optional leading +, but is "12ab"`.
 */
export function validationMessage(issue: z.core.$ZodIssue, request: unknown, labels: Labels): string {
	if (issue.code === 'unrecognized_keys') {
		return `The API does not know the field "${labelAt([issue.keys[0]], labels)}" here`;
	}
	// A rule about a whole entry of a list says more with the list's own label.
	const value = issue.path.reduce<unknown>(
		(at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step],
		request,
	);
	const sentence = `${issue.path.length === 0 ? 'The update' : labelAt(issue.path, labels)} ${issue.message}`;
	if (issue.code === 'custom') return sentence;
	return `${sentence}, but ${describeValue(value, issue)}`;
}

function describeValue(value: unknown, issue: z.core.$ZodIssue): string {
	if (value === undefined || value === null || value === '') return 'is empty';
	if (Array.isArray(value)) return `has ${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
	if (typeof value === 'object') return 'is an object';
	if (typeof value === 'string' && (issue.code === 'too_big' || issue.code === 'too_small')) {
		return `has ${value.length} characters`;
	}
	const isId = issue.code === 'invalid_type' && issue.expected === 'string';
	if (isId && Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return `is the number ${String(value)}, whose digits are not exact; give it as text`;
	}
	return `is ${quoted(String(value))}`;
}

/** A text in quotation marks, shortened to what fits into a sentence. */
export function quoted(text: string): string {
	return `"${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}"`;
}
