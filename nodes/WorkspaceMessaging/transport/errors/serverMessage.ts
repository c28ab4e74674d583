import { isObject } from '../guards';
import type { HttpResponse } from '../http';

/** Returns the user's name for the field at a path of a request. */
export type FieldLabel = (path: readonly PropertyKey[]) => string;

/** A field that a service rejects, and why. */
export interface FieldIssue {
	/** Where the field is in the request; empty for the request as a whole. */
	path: Array<string | number>;
	message: string;
	/** Whether the service needs the field and did not get it. */
	isMissing: boolean;
}

const LONGEST_MESSAGE = 300;
/** So many issues of a long list say enough. */
const MOST_ISSUES = 5;
const DEEPEST = 5;

/**
 * A key of the service's translations, which it sends in place of a sentence:
 * `validation.maxItemsReached (max=20)`.
 */
const TRANSLATION_KEY = /^[a-z]\w*(\.\w+)+( \([^()]*\))?$/i;

/** Names a field by its path in the API. */
export const byPath: FieldLabel = (path) => path.join('.');

/**
 * Returns what the service said in an answer that is not a success, as one line of plain text:
 * issues with the labels of their fields, never HTML, never an object's dump. Empty if it said
 * nothing readable. The reference doesn't show such bodies (part 7).
 */
export function readServerMessage(response: HttpResponse, label: FieldLabel = byPath): string {
	const issues = readIssues(response).map((issue) => describeIssue(issue, label));
	const text = issues.length > 0 ? [...new Set(issues)].join('; ') : findText(response.body);
	const line = text.replace(/\s+/g, ' ').trim();
	const message = line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
	return TRANSLATION_KEY.test(message) ? `"${message}"` : message;
}

/** Returns the first issues that an answer names, in any of the known forms (difference 26). */
export function readIssues({ body }: HttpResponse): FieldIssue[] {
	if (!isObject(body)) return [];
	const lists = [body.data, body.error, body]
		.filter(isObject)
		.map(({ issues, errors }) => issues ?? errors)
		.filter((list) => Array.isArray(list));
	const issues =
		lists.length > 0
			? lists[0].slice(0, MOST_ISSUES).flatMap((issue) => readIssue(issue))
			: readNestedIssues(body.data, []);
	return issues.slice(0, MOST_ISSUES);
}

/** Returns the code that a service sends beside the status; empty if there is none. */
export function readCode({ body }: HttpResponse): string {
	return isObject(body) && typeof body.code === 'string' ? body.code : '';
}

/** Returns all texts of an answer: its message and those about single fields. */
export function readTexts(response: HttpResponse): string[] {
	const { body } = response;
	const own = isObject(body) && typeof body.message === 'string' ? [body.message] : [];
	return [...own, findText(body), ...readIssues(response).map(({ message }) => message)];
}

/** Whether the node has a field for it, and so a label other than its name in the API. */
export function hasFieldLabel(path: FieldIssue['path'], label: FieldLabel): boolean {
	const field = path.findLast((step) => typeof step === 'string');
	return field !== undefined && label([field]) !== field;
}

/** Returns the text of a message, however deep it is wrapped; empty for HTML. */
function findText(value: unknown, depth = 0): string {
	if (typeof value === 'string') return /<[a-z!/]/i.test(value) ? '' : value;
	if (typeof value !== 'object' || value === null || depth > 3) return '';
	const texts = (values: unknown[]) =>
		values.map((each) => findText(each, depth + 1)).filter(Boolean);
	if (Array.isArray(value)) return texts(value.slice(0, MOST_ISSUES)).join('; ');
	const { message, error, detail, title, description, reason }: Record<string, unknown> = {
		...value,
	};
	return texts([message, error, detail, title, description, reason])[0] ?? '';
}

/** Reads an issue: a text, or an object with a text and a path. */
function readIssue(issue: unknown, depth = 0): FieldIssue[] {
	const { code, path, field, errors }: Record<string, unknown> = isObject(issue) ? issue : {};
	const steps = usefulSteps(Array.isArray(path) ? path : [path ?? field]);
	// If a value has to match one of several forms, the issues of the first one, which is the most
	// common, are inside.
	const [form] = code === 'invalid_union' && Array.isArray(errors) ? errors : [];
	if (Array.isArray(form) && form.length > 0 && depth < DEEPEST) {
		const inner = form.slice(0, MOST_ISSUES).flatMap((each) => readIssue(each, depth + 1));
		const wrong = inner.filter(({ isMissing }) => !isMissing);
		// What is missing may belong to another form.
		return (wrong.length > 0 ? wrong : inner).map((each) => ({
			...each,
			path: [...steps, ...each.path],
		}));
	}
	const message = findText(issue);
	return message === '' ? [] : [createIssue(steps, message)];
}

const createIssue = (path: FieldIssue['path'], message: string): FieldIssue => ({
	path,
	message,
	isMissing: /received undefined$|^required$/i.test(message),
});

/**
 * Reads the form `{ _errors: […], field: { _errors: […] } }`; errors of fields are more useful than
 * those of the whole.
 */
function readNestedIssues(value: unknown, path: FieldIssue['path']): FieldIssue[] {
	if (!isObject(value) || path.length > DEEPEST) return [];
	const { _errors, ...fields } = value;
	const inner = Object.entries(fields).flatMap(([name, field]) =>
		readNestedIssues(field, [...path, /^\d+$/.test(name) ? Number(name) : name]),
	);
	if (inner.length > 0 || !Array.isArray(_errors)) return inner;
	return _errors
		.filter((text) => typeof text === 'string')
		.map((text) => createIssue(usefulSteps(path), text));
}

/** Keeps the useful steps of a path: names of fields and positions in lists. */
function usefulSteps(path: unknown[]): FieldIssue['path'] {
	return path.filter(
		(step): step is string | number =>
			typeof step === 'number' || (typeof step === 'string' && step !== 'body' && step !== 'query'),
	);
}

/**
 * Puts an issue into words, with the label of its field; a field that the node lacks goes by its
 * name in the API.
 */
function describeIssue({ path, message, isMissing }: FieldIssue, label: FieldLabel): string {
	if (path.length === 0) return plainWords(message);
	if (!isMissing) return `${label(path)}: ${plainWords(message)}`;
	return hasFieldLabel(path, label)
		? `this service needs ${label(path)}`
		: `this service also needs "${label(path)}", which this node has no field for`;
}

const types = new Map([
	['string', 'text'],
	['number', 'a number'],
	['int', 'a whole number'],
	['boolean', 'true or false'],
	['array', 'a list'],
	['object', 'an object'],
	['date', 'a date'],
]);

const bounds: Record<string, string> = {
	'<=': 'at most',
	'>=': 'at least',
	'<': 'less than',
	'>': 'more than',
};

/** Rewrites the messages of validation libraries in plain words; keeps all other texts. */
function plainWords(message: string): string {
	const [, expected] = /^Invalid input: expected (\w+)/.exec(message) ?? [];
	if (expected)
		return types.has(expected) ? `must be ${types.get(expected)}` : 'has the wrong form';
	if (message === 'Invalid input') return 'is not accepted';
	const [, options] = /^Invalid option: expected one of (.+)$/.exec(message) ?? [];
	if (options) return `must be one of ${options.replaceAll('"', '').replaceAll('|', ', ')}`;
	const [, verb, sign, number, unit = ''] =
		/^Too (?:big|small): expected \w+ to (have|be) ([<>]=?)(\S+)( \w+)?$/.exec(message) ?? [];
	return sign ? `must ${verb} ${bounds[sign]} ${number}${unit}` : message;
}
