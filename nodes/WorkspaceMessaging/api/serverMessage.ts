import type { HttpResponse } from './http';

/** Names a field of the API at a path of a request in the user's words. */
export type FieldLabel = (path: readonly PropertyKey[]) => string;

/** The name of a field where nobody gives it another. */
const byPath: FieldLabel = (path) => path.join('.');

const LONGEST = 300;
const MOST_ISSUES = 5;

/**
 * What the service itself said in an answer that is not a success (part 7: the shape of such a body is not documented), as
 * one line of plain text: issues with the labels of their fields, never HTML, never an object's dump. Empty where it said
 * nothing that can be read.
 */
export function serverMessageOf({ body }: HttpResponse, label: FieldLabel = byPath): string {
	if (typeof body !== 'object' || body === null) return clip(textOf(body));
	const issues = issuesOf(body as Record<string, unknown>, label);
	return clip(issues.length > 0 ? issues.join('; ') : textOf(body));
}

function issuesOf(body: Record<string, unknown>, label: FieldLabel): string[] {
	const holders = [body.data, body.error, body] as Array<Record<string, unknown> | undefined>;
	const list = holders.map((holder) => holder?.issues ?? holder?.errors).find(Array.isArray);
	return (list ?? [])
		.slice(0, MOST_ISSUES)
		.map((issue: unknown) => {
			const text = textOf(issue);
			const { path, field } = (typeof issue === 'object' && issue !== null ? issue : {}) as {
				path?: unknown;
				field?: unknown;
			};
			const steps = (Array.isArray(path) ? path : [path ?? field]).filter(
				(step): step is string | number =>
					(typeof step === 'string' && step !== 'body' && step !== 'query') || typeof step === 'number',
			);
			return steps.length > 0 ? `${label(steps)}: ${text}` : text;
		})
		.filter((text) => text !== '');
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
