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
	const descriptions = readIssues(response).map((issue) => describeIssue(issue, label));
	const different = new Set(descriptions);
	const text = different.size > 0 ? [...different].join('; ') : findText(response.body);
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length > LONGEST_MESSAGE) {
		const beginning = line.slice(0, LONGEST_MESSAGE);
		return `${beginning}…`;
	}
	const isKey = TRANSLATION_KEY.test(line);
	return isKey ? `"${line}"` : line;
}

/** Returns the first issues that an answer names, in any of the known forms (difference 26). */
export function readIssues({ body }: HttpResponse): FieldIssue[] {
	if (!isObject(body)) return [];
	const places = [body.data, body.error, body];
	for (const place of places) {
		if (!isObject(place)) continue;
		const list = place.issues ?? place.errors;
		if (!Array.isArray(list)) continue;
		const first: unknown[] = list.slice(0, MOST_ISSUES);
		// One entry can hold several issues.
		const issues = first.flatMap((issue) => readIssue(issue));
		return issues.slice(0, MOST_ISSUES);
	}
	const nested = readNestedIssues(body.data, []);
	return nested.slice(0, MOST_ISSUES);
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

/** Returns the text of a message, also if it is wrapped several times; empty for HTML. */
function findText(value: unknown, depth = 0): string {
	if (typeof value === 'string') {
		const isHtml = /<[a-z!/]/i.test(value);
		return isHtml ? '' : value;
	}
	if (depth > DEEPEST_TEXT) return '';
	const findTexts = (values: unknown[]) => {
		const texts = values.map((each) => findText(each, depth + 1));
		return texts.filter(Boolean);
	};
	if (Array.isArray(value)) {
		const texts = findTexts(value.slice(0, MOST_ISSUES));
		return texts.join('; ');
	}
	if (!isObject(value)) return '';
	const candidates = TEXT_KEYS.map((key) => value[key]);
	const [text = ''] = findTexts(candidates);
	return text;
}

/**
 * Reads an issue: a text, or an object with a text and a path. A value that fits none of several
 * forms has the issues of the first one.
 */
function readIssue(issue: unknown, depth = 0): FieldIssue[] {
	const { code, path, field, errors } = toObject(issue);
	const fullPath = Array.isArray(path) ? path : [path ?? field];
	const steps = usefulSteps(fullPath);
	const isUnion = code === 'invalid_union' && depth < DEEPEST;
	if (isUnion) {
		const inner = readFirstForm(errors, depth + 1);
		// Their paths begin at this issue.
		if (inner?.length) return inner.map((each) => ({ ...each, path: [...steps, ...each.path] }));
	}
	const message = findText(issue);
	if (message === '') return [];
	return [createIssue(steps, message)];
}

/**
 * If a value has to match one of several forms, returns the issues of the first one, which is the
 * most common. What is missing may belong to another form.
 */
function readFirstForm(forms: unknown, depth: number): FieldIssue[] | undefined {
	if (!Array.isArray(forms)) return undefined;
	const [form]: unknown[] = forms;
	if (!Array.isArray(form) || form.length === 0) return undefined;
	const first: unknown[] = form.slice(0, MOST_ISSUES);
	const issues = first.flatMap((each) => readIssue(each, depth));
	const wrong = issues.filter(({ isMissing }) => !isMissing);
	if (wrong.length > 0) return wrong;
	return issues;
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
	const inner = Object.entries(fields).flatMap(([name, field]) => {
		const fieldPath = [...path, toStep(name)];
		return readNestedIssues(field, fieldPath);
	});
	if (inner.length > 0) return inner;
	if (!Array.isArray(own)) return [];
	const texts = own.filter((text) => typeof text === 'string');
	const steps = usefulSteps(path);
	return texts.map((text) => createIssue(steps, text));
}

const toStep = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);

/** Keeps the useful steps of a path: names of fields and positions in lists. */
function usefulSteps(path: unknown[]) {
	return path.filter(
		(step): step is string | number =>
			typeof step === 'number' || (typeof step === 'string' && step !== 'body' && step !== 'query'),
	);
}

/**
 * Puts an issue into words, with the label of its field; a field that the node lacks goes by its
 * name in the API.
 */
function describeIssue(issue: FieldIssue, label: FieldLabel) {
	const { path, message, isMissing } = issue;
	if (path.length === 0) return plainWords(message);
	const field = label(path);
	if (!isMissing) return `${field}: ${plainWords(message)}`;
	if (serverIssueHasLabel(issue, label)) return `this service needs ${field}`;
	return `this service also needs "${field}", which this node has no field for`;
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
function plainWords(message: string) {
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
	if (!sign) return message;
	const bound = bounds[sign];
	return `must ${verb} ${bound} ${number}${unit}`;
}
