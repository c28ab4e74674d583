import type { HttpResponse } from '../http';
import { describeIssue, issuesOf } from './issues';
import type { FieldIssue, FieldLabel } from './issues';

/** The name of a field where nobody gives it another. */
const byPath: FieldLabel = (path) => path.join('.');

const LONGEST = 300;
const MOST_ISSUES = 5;

/** A key of the service's translations, which it sends where a sentence should be: `validation.maxItemsReached (max=20)`. */
const TRANSLATION_KEY = /^[a-z]\w*(\.\w+)+( \([^()]*\))?$/i;

/**
 * What the service itself said in an answer that is not a success (part 7: the shape of such a body is not documented), as
 * one line of plain text: issues with the labels of their fields, never HTML, never an object's dump. Empty where it said
 * nothing that can be read.
 */
export function serverMessageOf(response: HttpResponse, label: FieldLabel = byPath): string {
	const issues = fieldIssuesOf(response).map((issue) => describeIssue(issue, label));
	const message = clip(issues.length > 0 ? [...new Set(issues)].join('; ') : textOf(response.body));
	return TRANSLATION_KEY.test(message) ? `"${message}"` : message;
}

/** The first of the issues that an answer names. */
export function fieldIssuesOf({ body }: HttpResponse): FieldIssue[] {
	return isObject(body) ? issuesOf(body, textOf).slice(0, MOST_ISSUES) : [];
}

/** The code by which services name what is wrong, besides the status. */
export function codeOf({ body }: HttpResponse): string | undefined {
	return isObject(body) && typeof body.code === 'string' ? body.code : undefined;
}

/** All that an answer says: its message, and what it says of single fields. */
export function textsOf(response: HttpResponse): string[] {
	const { body } = response;
	const own = isObject(body) && typeof body.message === 'string' ? [body.message] : [];
	return [...own, textOf(body), ...fieldIssuesOf(response).map(({ message }) => message)];
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a message in whatever it is wrapped in; empty for HTML. */
function textOf(value: unknown, depth = 0): string {
	if (typeof value === 'string') return /<[a-z!/]/i.test(value) ? '' : value;
	if (typeof value !== 'object' || value === null || depth > 3) return '';
	if (Array.isArray(value)) {
		return value
			.slice(0, MOST_ISSUES)
			.map((entry) => textOf(entry, depth + 1))
			.filter((text) => text !== '')
			.join('; ');
	}
	const holder = value as Record<string, unknown>;
	for (const key of ['message', 'error', 'detail', 'title', 'description', 'reason']) {
		const text = textOf(holder[key], depth + 1);
		if (text !== '') return text;
	}
	return '';
}

function clip(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
