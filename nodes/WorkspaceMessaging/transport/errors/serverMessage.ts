import { isObject, toObject } from '../guards';
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
/** So deep is a text wrapped at most. */
const DEEPEST_TEXT = 3;

/** Where services put a text, the best place first. */
const TEXT_KEYS = ['message', 'error', 'detail', 'title', 'description', 'reason'];

/**
 * A key of the service's translations, which it sends in place of a sentence:
 * `validation.maxItemsReached (max=20)`.
 */
const TRANSLATION_KEY = /^[a-z]\w*(\.\w+)+( \([^()]*\))?$/i;

/** Names a field by its path in the API. */
export const labelServerField: FieldLabel = (path) => path.join('.');

/**
 * Returns what the service said in an answer that is not a success, as one line of plain text:
 * issues with the labels of their fields, never HTML, never an object's dump. Empty if it said
 * nothing readable. The reference doesn't show such bodies (part 7).
 */
export function readServerMessage(
	response: HttpResponse,
	label: FieldLabel = labelServerField,
): string {
	const issues = new Set(readIssues(response).map((issue) => describeIssue(issue, label)));
	const text = issues.size > 0 ? [...issues].join('; ') : findText(response.body);
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length > LONGEST_MESSAGE) return `${line.slice(0, LONGEST_MESSAGE)}…`;
	return TRANSLATION_KEY.test(line) ? `"${line}"` : line;
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
export function readServerTexts(response: HttpResponse): string[] {
	const { body } = response;
	const own = isObject(body) && typeof body.message === 'string' ? [body.message] : [];
	return [...own, findText(body), ...readIssues(response).map(({ message }) => message)];
}

/**
 * Whether the node has a field for what the service complains about, and so a label other than its
 * name in the API.
 */
export function serverIssueHasLabel({ path }: FieldIssue, label: FieldLabel): boolean {
	const field = path.findLast((step) => typeof step === 'string');
	return field !== undefined && label([field]) !== field;
}

/** Returns the text of a message, however deep it is wrapped; empty for HTML. */
function findText(value: unknown, depth = 0): string {
	if (typeof value === 'string') return /<[a-z!/]/i.test(value) ? '' : value;
	if (depth > DEEPEST_TEXT) return '';
	const findTexts = (values: unknown[]) =>
		values.map((each) => findText(each, depth + 1)).filter(Boolean);
	if (Array.isArray(value)) return findTexts(value.slice(0, MOST_ISSUES)).join('; ');
	if (!isObject(value)) return '';
	const [text = ''] = findTexts(TEXT_KEYS.map((key) => value[key]));
	return text;
}

/** Reads an issue: a text, or an object with a text and a path. */
function readIssue(issue: unknown, depth = 0): FieldIssue[] {
	const { code, path, field, errors } = toObject(issue);
	const steps = usefulSteps(Array.isArray(path) ? path : [path ?? field]);
	const isUnion = code === 'invalid_union' && depth < DEEPEST;
	const inner = isUnion ? readFirstForm(errors, depth + 1) : undefined;
	if (inner) return inner.map((each) => ({ ...each, path: [...steps, ...each.path] }));
	const message = findText(issue);
	return message === '' ? [] : [createIssue(steps, message)];
}

/**
 * If a value has to match one of several forms, returns the issues of the first one, which is the
 * most common. What is missing may belong to another form.
 */
function readFirstForm(forms: unknown, depth: number): FieldIssue[] | undefined {
	const [form]: unknown[] = Array.isArray(forms) ? forms : [];
	if (!Array.isArray(form) || form.length === 0) return undefined;
	const issues = form.slice(0, MOST_ISSUES).flatMap((each) => readIssue(each, depth));
	const wrong = issues.filter(({ isMissing }) => !isMissing);
	return wrong.length > 0 ? wrong : issues;
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
	const { _errors: own, ...fields } = value;
	const inner = Object.entries(fields).flatMap(([name, field]) =>
		readNestedIssues(field, [...path, toStep(name)]),
	);
	if (inner.length > 0 || !Array.isArray(own)) return inner;
	const texts = own.filter((text) => typeof text === 'string');
	return texts.map((text) => createIssue(usefulSteps(path), text));
}

const toStep = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);

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
function describeIssue(issue: FieldIssue, label: FieldLabel): string {
	const { path, message, isMissing } = issue;
	if (path.length === 0) return plainWords(message);
	if (!isMissing) return `${label(path)}: ${plainWords(message)}`;
	return serverIssueHasLabel(issue, label)
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

const OUT_OF_BOUNDS = /^Too (?:big|small): expected \w+ to (have|be) ([<>]=?)(\S+)( \w+)?$/;

/** Rewrites the messages of validation libraries in plain words; keeps all other texts. */
function plainWords(message: string): string {
	if (message === 'Invalid input') return 'is not accepted';
	const [, expected] = /^Invalid input: expected (\w+)/.exec(message) ?? [];
	if (expected) {
		const type = types.get(expected);
		return type ? `must be ${type}` : 'has the wrong form';
	}
	const [, options] = /^Invalid option: expected one of (.+)$/.exec(message) ?? [];
	if (options) {
		const list = options.replaceAll('"', '').replaceAll('|', ', ');
		return `must be one of ${list}`;
	}
	const [, verb, sign, number, unit = ''] = OUT_OF_BOUNDS.exec(message) ?? [];
	return sign ? `must ${verb} ${bounds[sign]} ${number}${unit}` : message;
}
