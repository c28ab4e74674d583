/** Names a field of the API at a path of a request in the user's words. */
export type FieldLabel = (path: readonly PropertyKey[]) => string;

/** One thing that a service finds wrong with a request, in the forms in use. */
interface Issue {
	code?: unknown;
	path?: unknown;
	field?: unknown;
	message?: unknown;
	/** Of a value that fits none of several forms: what each of them finds wrong. */
	errors?: unknown;
	unionErrors?: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const DEEPEST = 5;
/** Of a long list, these say enough. */
const MOST_ENTRIES = 50;

/** A field that a service finds something wrong with, and what. */
export interface FieldIssue {
	/** Where the field is in the request; empty for the request as a whole. */
	path: Array<string | number>;
	message: string;
	/** Whether the service wants the field and did not get it. */
	isMissing: boolean;
}

/** The issues that the body of an answer names, in any of the forms in use; none where there are none. */
export function issuesOf(body: Record<string, unknown>, textOf: (issue: unknown) => string): FieldIssue[] {
	for (const holder of [body.data, body.error, body].filter(isObject)) {
		const list = holder.issues ?? holder.errors;
		if (Array.isArray(list)) return list.slice(0, MOST_ENTRIES).flatMap((issue) => issueOf(issue, textOf));
	}
	return isObject(body.data) ? nestedErrors(body.data, []) : [];
}

function issueOf(issue: unknown, textOf: (issue: unknown) => string, depth = 0): FieldIssue[] {
	const { code, path, field, errors, unionErrors }: Issue = isObject(issue) ? issue : {};
	const steps = stepsOf(Array.isArray(path) ? path : [path ?? field]);
	if (code === 'invalid_union' && depth < DEEPEST) {
		const forms = formsOf(errors ?? unionErrors).map((form) =>
			form.flatMap((inner) => issueOf(inner, textOf, depth + 1)),
		);
		const inner = mostUseful(forms);
		// Version 3 of the library that such services are built on gives the whole path inside, version 4 the rest of it.
		const outer = unionErrors === undefined ? steps : [];
		if (inner) return inner.map((each) => ({ ...each, path: [...outer, ...each.path] }));
	}
	const message = textOf(issue);
	if (message === '') return [];
	return [{ path: steps, message, isMissing: /received undefined$|^required$/i.test(message) }];
}

/** What each form of a union finds wrong: a list of issues, or an object that has them. */
function formsOf(forms: unknown): unknown[][] {
	return (Array.isArray(forms) ? forms : []).slice(0, MOST_ENTRIES).map((form: unknown) => {
		const issues = isObject(form) ? form.issues : form;
		return Array.isArray(issues) ? issues.slice(0, MOST_ENTRIES) : [];
	});
}

/** What is wrong by the form that was most likely meant: where nothing is missing, else where least is wrong. */
function mostUseful(forms: FieldIssue[][]): FieldIssue[] | undefined {
	const missing = (form: FieldIssue[]) => form.filter(({ isMissing }) => isMissing).length;
	return forms
		.filter((form) => form.length > 0)
		.sort((a, b) => missing(a) - missing(b) || a.length - b.length)[0];
}

/** The form `{ _errors: […], field: { _errors: […] } }`; what is said of fields says more than what is said of them all. */
function nestedErrors(
	{ _errors, ...fields }: Record<string, unknown>,
	path: Array<string | number>,
): FieldIssue[] {
	const inner = Object.entries(fields)
		.slice(0, MOST_ENTRIES)
		.flatMap(([name, value]) =>
			isObject(value) && path.length < DEEPEST
				? nestedErrors(value, [...path, ...stepsOf([/^\d+$/.test(name) ? Number(name) : name])])
				: [],
		);
	if (inner.length > 0 || !Array.isArray(_errors)) return inner;
	return _errors
		.filter((message): message is string => typeof message === 'string')
		.map((message) => ({ path, message, isMissing: /received undefined$|^required$/i.test(message) }));
}

/** The steps of a path that say something: names of fields and numbers of entries. */
function stepsOf(path: unknown[]): Array<string | number> {
	return path.filter(
		(step): step is string | number =>
			typeof step === 'number' || (typeof step === 'string' && step !== 'body' && step !== 'query'),
	);
}

/** An issue in words, with the label of its field; a field that the panel lacks goes by its name in the API. */
export function describeIssue({ path, message, isMissing }: FieldIssue, label: FieldLabel): string {
	if (path.length === 0) return plainWords(message);
	const name = label(path);
	if (!isMissing) return `${name}: ${plainWords(message)}`;
	return isInPanel(path, label)
		? `${name} is missing, and this service needs it`
		: `this service also needs "${name}", for which there is no field here`;
}

/** Whether the panel has a field, and so a label that is not just its name in the API. */
export function isInPanel(path: FieldIssue['path'], label: FieldLabel): boolean {
	const field = path.findLast((step) => typeof step === 'string');
	return field !== undefined && label([field]) !== field;
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

/** Says in plain words what libraries that check input say in their own; other texts stay as they are. */
function plainWords(message: string): string {
	const [, expected] = /^Invalid input: expected (\w+)/.exec(message) ?? [];
	if (expected) return types.has(expected) ? `must be ${types.get(expected)}` : 'has the wrong form';
	if (message === 'Invalid input') return 'is not accepted';
	const [, options] = /^Invalid option: expected one of (.+)$/.exec(message) ?? [];
	if (options) return `must be one of ${options.replaceAll('"', '').replaceAll('|', ', ')}`;
	const [, verb, sign, number, unit = ''] =
		/^Too (?:big|small): expected \w+ to (have|be) ([<>]=?)(\S+)( \w+)?$/.exec(message) ?? [];
	return sign ? `must ${verb} ${bounds[sign]} ${number}${unit}` : message;
}

const bounds: Record<string, string> = {
	'<=': 'at most',
	'>=': 'at least',
	'<': 'less than',
	'>': 'more than',
};
