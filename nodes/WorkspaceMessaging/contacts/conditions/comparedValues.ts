import { z } from 'zod/v4';
import { getChannelType } from '../../channels/channel';
import { patterns } from '../../contract/limits';
import { checkValue } from '../../values/checkValue';
import { readTime, toDateText } from '../../values/dates';
import { quoted } from '../../values/labels';
import { toList } from '../../values/list';
import { foldName } from '../../values/names';
import { units, type Condition } from './condition';
import { fieldRows, spanOperators, type FieldName, type Operator } from './conditionFields';
import { isObjectOrList } from '../../transport/guards';

/*
 * What conditions compare with: a schema for each input of the panel. The message of a schema is the
 * advice after "The condition on Email has no value."
 */

/** One value as text. Dates of JavaScript become ISO 8601, as n8n's own dates do. */
export const singleText = z.preprocess(
	toDateText,
	z.string('Enter a single value, not an object or a list'),
);

const filled = singleText.refine(
	(text) => text.trim() !== '',
	'To find contacts without one, select Is Empty',
);
const aNumber = filled.refine((text) => Number.isFinite(Number(text)), 'Enter a number');
const aDate = filled.refine(
	(text) => readTime(text) !== undefined,
	'Enter a date, such as 2026-12-31',
);
const anAmount = singleText.refine(
	(text) => /^\d+$/.test(text),
	'Enter a whole number of minutes, hours, days or weeks',
);
const aUnit = singleText.refine(
	(text) => Object.hasOwn(units, text),
	`Select a unit: ${Object.keys(units).join(', ')}`,
);
const yesOrNo = singleText
	.refine((text) => /^\s*(true|false)\s*$/i.test(text), 'Select true or false')
	.transform((text) => text.trim().toLowerCase());

type Compared = z.ZodType<string | string[]>;

/** What a condition compares with in each input of the panel, by the kind of its field. */
const inputs: Record<string, Record<string, Compared>> = {
	text: { text: filled },
	number: { number: aNumber, numberTo: aNumber },
	date: { date: aDate, dateTo: aDate },
	boolean: { isTrue: yesOrNo },
	span: { amount: anAmount, unit: aUnit },
};

/**
 * Returns the schema of the entries of a list. No contact has entries of another form, so everyone
 * would meet a negative condition with one.
 */
function entriesOf(field: FieldName): Compared {
	const { lookup, form = patterns.numericId, rule } = fieldRows[field];
	const advice = rule ?? `the IDs of ${lookup}, made of digits only`;
	const entry = singleText
		.transform((text) => normalizeEntry(field, text.trim()))
		.refine((text) => form.test(text), `Enter ${advice}`);
	return z.preprocess(readEntries, z.array(entry).min(1, 'Select at least one'));
}

/** Reads a list, or text as other lists are read, without the empty entries. */
function readEntries(value: unknown): unknown[] {
	const list = isObjectOrList(value) ? value : toList(String(value ?? ''));
	const entries: unknown[] = [list].flat();
	return entries.map((entry) => entry ?? 'null').filter((entry) => String(entry).trim() !== '');
}

/** Brings an entry into the form that n8n compares: channels have types with several names. */
function normalizeEntry(field: FieldName, entry: string) {
	if (field !== 'channels') return entry;
	return getChannelType({ channel: foldName(entry) }) ?? entry;
}

/**
 * Returns the inputs that an operator takes, with the schemas of their values. Other inputs still
 * hold what was entered before.
 */
export function getComparedInputs(
	{ field, type }: Pick<Condition, 'field' | 'type'>,
	operator: Operator,
): Array<[input: string, schema: Compared]> {
	if (operator === 'isEmpty' || operator === 'isNotEmpty') return [];
	if (type === 'list' && typeof field === 'string')
		return [[fieldRows[field].input, entriesOf(field)]];
	const isSpan = spanOperators.includes(operator);
	const all = Object.entries(inputs[isSpan ? 'span' : type]);
	return isSpan || operator === 'isBetween' ? all : all.slice(0, 1);
}

/**
 * Reads a value by its schema. Throws a sentence if n8n cannot compare with it.
 *
 * @param label what errors call the condition
 */
export function readCompared<Value>(
	schema: z.ZodType<Value>,
	value: unknown,
	label: string,
): Value {
	checkValue(`The ${label}`, [value], { takesFiles: true, isTrimmed: true, getSources: () => [] });
	const { data, error } = schema.safeParse(value, { reportInput: true });
	if (!error) return data;
	const [{ input, message }] = error.issues;
	const text = typeof input === 'object' ? JSON.stringify(input) : String(input ?? '');
	const isEmpty = ['', '[]'].includes(text.trim());
	const problem = isEmpty ? 'has no value' : `has the value ${quoted(text)}`;
	throw new Error(`The ${label} ${problem}. ${message}`);
}
