import { isObject, toObject, isObjectOrList } from '../transport/guards';
import { toList } from '../values/list';
import { isEmptyCell, isNothing } from '../values/blankText';
import { hasExpression } from '../values/expressions/expression';
import { FieldError } from '../values/fieldError';
import { foldName } from '../values/names';
import {
	getGroups,
	getInnerFields,
	isFromModel,
	listEntered,
	unwrapLocator,
	type EnteredField,
} from './fieldValues';
import type { Field } from './operation';

/*
 * An expression that returns nothing is an error in a list, a choice, a filter, an option and the
 * number of a group, unless the field is required (its schema refuses it) or empty has a meaning
 * there (`canBeEmpty`). Otherwise a filter would list everybody, and a choice would fall back to one
 * that nobody made.
 */

/** What the user entered in a panel. */
export interface EnteredPanel {
	/** The fields that the panel shows. */
	fields: Field[];
	/** Their values, with the expressions. */
	parameters: Record<string, unknown>;
	/** Returns the value of a field, or of one inside a collection (`filters.keyword`). */
	read(path: string): unknown;
	/** Whether a model fills in fields. It can leave none out, so it leaves an optional one empty. */
	isTool: boolean;
}

/** Throws an error that names the first field whose expression returns nothing; see above. */
export function refuseEmpty(entered: EnteredPanel): void {
	const { fields, parameters, read, isTool } = entered;
	for (const field of fields) {
		if (!isAskedFor(field, entered)) continue;
		const { name } = field;
		const raw = parameters[name];
		if (field.type !== 'collection') {
			refuseIfEmpty(field, raw, () => read(name));
			continue;
		}
		if (field.canBeEmpty || !isObject(raw)) continue;
		for (const inner of getInnerFields(field)) {
			const own = raw[inner.name];
			if (isTool && isFromModel(own)) continue;
			refuseIfEmpty(inner, own, () => read(`${name}.${inner.name}`), field);
		}
	}
}

/**
 * If an error is about a field whose expression returns nothing, returns one that blames the
 * expression. Returns other errors unchanged.
 */
export function explainEmpty(entered: EnteredPanel, error: Error): Error {
	if (!(error instanceof FieldError)) return error;
	const { label, rule, found } = error;
	const all = listEntered(entered.fields, entered.parameters);
	const ofLabel = all.filter(({ field }) => field.displayName === label);
	if (!ofLabel.some((entry) => isExpressionOfNothing(entry, entered))) return error;
	if (found === undefined) return nothingError(label);
	return new FieldError(label, rule, `its expression ${RETURNS_NOTHING}`);
}

const RETURNS_NOTHING = 'returns nothing for this item';

const nothingError = (label: string) => new Error(`The expression of ${label} ${RETURNS_NOTHING}.`);

/** Whether an expression of the user, not of a model, returns no value. */
function isExpressionOfNothing({ path, raw }: EnteredField, { read, isTool }: EnteredPanel) {
	if (!hasExpression(raw)) return false;
	if (isTool && isFromModel(raw)) return false;
	const value = unwrapLocator(read(path));
	// A list or a record without entries is something.
	const isRecord = isObjectOrList(value);
	return !isRecord && isNothing(value);
}

/**
 * Whether a value is nothing for its field: a list of nothing, and the text of an empty list, are
 * nothing for a list.
 */
export function isNothingFor(field: Field, entered: unknown): boolean {
	const value = unwrapLocator(entered);
	if (isNothing(value)) return true;
	if (field.type === 'json') {
		if (typeof value !== 'string') return false;
		return /^\s*(?:\[\s*\]|\{\s*\})\s*$/.test(value);
	}
	if (isEmptyCell(value)) return true;
	if (!isList(field)) return false;
	const list = toList(value);
	return Array.isArray(list) && list.every(isNothing);
}

/**
 * Whether a field is shown to the user. If an expression decides that, n8n shows the field in any
 * case.
 */
export function isAskedFor({ displayOptions }: Field, { parameters, read }: EnteredPanel): boolean {
	const fold = (value: unknown) => foldName(String(value));
	const rules = Object.entries(displayOptions?.show ?? {});
	return rules.every(([name, values = []]) => {
		const isExpression = hasExpression(parameters[name]);
		// n8n itself compares what the user chose.
		if (!isExpression) return true;
		const chosen = fold(read(name));
		return values.some((value) => fold(value) === chosen);
	});
}

/** @param collection what the field is in, if it is in one */
function refuseIfEmpty(field: Field, raw: unknown, read: () => unknown, collection?: Field): void {
	if (!hasExpression(raw) || field.required || field.canBeEmpty) return;
	if (field.type === 'fixedCollection') {
		refuseEmptyGroups(field, raw, read());
		return;
	}
	if (isNumberOfGroup(field, collection)) {
		if (isNothing(read())) throw nothingError(field.displayName);
		return;
	}
	const mustHaveValue = isListOrChoice(field) || isFilters(collection) || isOptions(collection);
	if (!mustHaveValue) return;
	const value = read();
	if (isNothingFor(field, value)) throw new Error(describeEmpty(field, collection));
}

/** The fields of groups without rows. Each row is complete, or refused where it is read. */
function refuseEmptyGroups(field: Field, raw: unknown, value: unknown): void {
	const entered = toObject(raw);
	const evaluated = toObject(value);
	for (const group of getGroups(field)) {
		const own = entered[group.name];
		const found = evaluated[group.name];
		if (!isObject(own) || !isObject(found)) continue;
		for (const inner of group.values) {
			const { name } = inner;
			refuseIfEmpty(inner, own[name], () => found[name], field);
		}
	}
}

/** The number of a group, such as how long to wait, would fall back to its default. */
const isNumberOfGroup = ({ type }: Field, collection?: Field) =>
	type === 'number' && collection?.type === 'fixedCollection';

const isFilters = (collection?: Field) => collection?.name === 'filters';

/** Who adds an option wants it: without its Client ID, for example, a message could arrive twice. */
const isOptions = (collection?: Field) => collection?.name === 'options';

const isList = ({ type, typeOptions }: Field) =>
	type === 'multiOptions' || typeOptions?.multipleValues === true;

const isListOrChoice = (field: Field) =>
	isList(field) || ['options', 'resourceLocator', 'json'].includes(field.type);

/** Returns one sentence: what is empty, and what to do. */
function describeEmpty({ displayName, type, options = [] }: Field, collection?: Field): string {
	if (isFilters(collection)) return `${displayName} is empty. Remove it to list all.`;
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	if (type === 'options' && choices.length > 0) {
		const names = choices.join(', ');
		return `${displayName} must be one of ${names}, but is empty`;
	}
	if (collection) return `${displayName} is empty. Remove it, or enter a value.`;
	// Only triggers have such lists that are not required.
	if (type === 'multiOptions')
		return `${displayName} is empty. To watch all, delete the expression.`;
	return `${displayName} must have at least one entry`;
}
