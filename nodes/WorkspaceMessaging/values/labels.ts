import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';

const SHOWN_CHARACTERS = 60;

/** Returns the labels of fields and of all fields inside them, by the fields' names. */
export function labelsOf(fields: INodeProperties[]): Record<string, string> {
	const labels: Record<string, string> = {};
	const visit = (entries: NonNullable<INodeProperties['options']>) => {
		for (const entry of entries) {
			if (!('displayName' in entry)) continue;
			if ('values' in entry) {
				visit(entry.values);
			} else {
				labels[entry.name] = entry.displayName;
				visit(entry.options ?? []);
			}
		}
	};
	visit(fields);
	return labels;
}

/**
 * The label of the field at a path of a request, such as `fieldMapping › 2 › column`: "Column of
 * Field Mapping 3".
 */
export function labelAt(
	path: readonly PropertyKey[],
	labels: Readonly<Record<string, string>>,
): string {
	const names = path
		.filter((step) => typeof step !== 'number')
		.map((step) => labels[String(step)] ?? String(step));
	if (names.length === 0) return 'The request';
	const [first, ...others] = names;
	const position = path.find((step) => typeof step === 'number');
	const outer = position === undefined ? first : `${first} ${position + 1}`;
	const inner = others.at(-1);
	return inner === undefined ? outer : `${inner} of ${outer}`;
}

/**
 * Returns one sentence about a problem with a request: the field's label, the rule, and the value.
 * For example: `Phone Number must be 10 to 20 digits, with an optional leading +, but is "12ab"`.
 */
export function validationMessage(
	issue: z.core.$ZodIssue,
	request: unknown,
	labels: Readonly<Record<string, string>>,
): string {
	if (issue.code === 'unrecognized_keys') {
		return `The API has no field "${labelAt([issue.keys[0]], labels)}" here`;
	}
	const value = issue.path.reduce<unknown>((at, step) => Object(at)[step], request);
	// The message of a rule about the whole request is a sentence without a label.
	const sentence =
		issue.path.length === 0 ? issue.message : `${labelAt(issue.path, labels)} ${issue.message}`;
	if (issue.code === 'custom') return sentence;
	return `${sentence}, but ${describeValue(value, issue)}`;
}

/** Describes a value that breaks a rule, after "but": `is empty`, `is an object`. */
export function describeValue(value: unknown, issue?: z.core.$ZodIssue): string {
	if (Array.isArray(value)) {
		const entries = counted(value.length, 'entry', 'entries');
		return `has ${entries}`;
	}
	if (typeof value === 'object' && value !== null) return 'is an object';
	const text = String(value ?? '');
	if (text === '') return 'is empty';
	const isAboutLength = issue?.code === 'too_big' || issue?.code === 'too_small';
	if (typeof value === 'string' && isAboutLength) return `has ${counted(text.length, 'character')}`;
	const isId = issue?.code === 'invalid_type' && issue.expected === 'string';
	const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value);
	if (isId && isInexact)
		return `is the number ${text}, whose digits are not exact; enter it as text`;
	return `is ${quoted(text)}`;
}

/** A number with its noun: `1 item`, `1,000 items`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
	return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
}

/** A text in quotation marks, cut to what fits into a sentence. */
export function quoted(text: string): string {
	if (text.length <= SHOWN_CHARACTERS) return `"${text}"`;
	return `"${text.slice(0, SHOWN_CHARACTERS)}…"`;
}
