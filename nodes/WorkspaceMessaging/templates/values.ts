import type { IDataObject } from 'n8n-workflow';
import { limits } from '../contract/limits';
import { getEnteredMapping } from '../run/fieldValues';
import type { AnyItem } from '../run/item';
import { noteLeftoversIn } from '../run/leftoverHints';
import { oncePerRun } from '../run/run';
import { noteUsedColumns } from '../run/unusedColumns';
import { isObject, toObject, filterValues } from '../transport/guards';
import { readMoment } from '../values/dates';
import { trimText } from '../values/blankText';
import { counted, nameItems, quoted } from '../values/labels';
import { checkText } from '../values/checkValue';
import { hasExpression } from '../values/expressions/expression';
import { isInvalidDate } from '../values/expressions/leftovers';
import type { FoundTemplate } from './find';
import { getTemplateName } from './template';
import { checkAddressEnd, isWebAddress, readAddress } from './addresses';
import { fillInPlaceholders, findButtonStart, getParameterTexts } from './placeholders';
import { isMediaParameter, toParameterInputId, type Parameter } from './parameters';

/* What the user fills into a template. */

/** The field that fills in a template. */
const MAPPER = 'templateParams';

/** The values of a template by the keys of its parameters. */
export type Values = Record<string, string>;

/** What the user filled in: texts by key, and the files of the input among them. */
export interface EnteredValues {
	/** Until a file of the input has its address, its name or the word "file" is in its place. */
	values: Values;
	/** The files of the input, by key: the name of one, or its data. */
	files: Record<string, unknown>;
	/** Whether white space that WhatsApp refuses became a space. */
	hasLostSpace: boolean;
}

/**
 * Returns the values of an item by the keys of its template's parameters, with white space as
 * WhatsApp takes it. Throws an error that names a place by the words around it if its value is
 * missing or not valid, or if the template has no such parameter.
 */
export function readTemplateValues(
	item: AnyItem,
	{ template, parameters }: FoundTemplate,
): EnteredValues {
	const { entered, source } = readFilled(item);
	if (source === 'item') {
		refuseMissing(entered, template, parameters);
		noteUsedFields(item, parameters);
	} else {
		refuseUnknown(entered, template, parameters);
	}
	const values: Values = {};
	const files: Record<string, unknown> = {};
	let hasLostSpace = false;
	for (const parameter of parameters) {
		const { key } = parameter;
		const label = namePlace(parameter, source);
		refusePastedVariable(item, key, label);
		const value = findEntered(entered, key);
		const isMedia = isMediaParameter(parameter);
		if (isMedia && isObject(value)) {
			files[key] = value;
			values[key] = 'file';
			continue;
		}
		const text = toParameterText(value, parameter, label, item);
		if (parameter.kind === 'url_suffix')
			checkAddressEnd(text, findButtonStart(template, key), label);
		noteLeftoversInPlace(item, parameter, label, value);
		if (text === '') continue;
		if (isMedia && !isWebAddress(text)) files[key] = text;
		values[key] = toSentText(text, parameter, label);
		hasLostSpace ||= parameter.kind === 'text' && values[key] !== text;
	}
	refuseLongHeader(template, values);
	return { values, files, hasLostSpace };
}

/** Names a place in an error. An agent, or who maps columns, has to write the key. */
function namePlace({ key, label }: Parameter, source: Filled['source']) {
	const keyInLabel = source === 'panel' ? '' : ` (${key})`;
	return `${quoted(label)}${keyInLabel} of the template`;
}

/** A variable of the service, which is nothing in an expression of n8n: there, names begin with $. */
const PASTED_VARIABLE = /\{\{\s*[a-z]\w*\s*\}\}/i;

/** Throws an error if a variable of the service was pasted, which makes an expression of the field. */
function refusePastedVariable(item: AnyItem, key: string, label: string): void {
	const { [toParameterInputId(key)]: own } = getEnteredMapping(item, MAPPER);
	if (!hasExpression(own)) return;
	const variable = PASTED_VARIABLE.exec(String(own))?.[0];
	if (variable === undefined) return;
	throw new Error(
		`${label} must not have the expression ${variable}, which n8n can't fill in. If the service replaces it, set the field to Fixed`,
	);
}

function noteLeftoversInPlace(
	item: AnyItem,
	{ key, kind }: Parameter,
	label: string,
	value: unknown,
) {
	const { isTool, entered } = item.run;
	const ofPanel = getEnteredMapping(item, MAPPER)[toParameterInputId(key)];
	const own = isTool ? entered.templateValues : ofPanel;
	noteLeftoversIn(item, label, value, own, kind === 'url_suffix');
}

/** Returns what the user entered for a parameter: an agent names it by its key, the panel by an ID. */
const findEntered = (entered: IDataObject, key: string) =>
	entered[toParameterInputId(key)] ?? entered[key];

/** Returns a text as WhatsApp takes it in its place. */
function toSentText(text: string, parameter: Parameter, label: string) {
	if (parameter.kind === 'text') return withAllowedSpace(text);
	const isAddress = isMediaParameter(parameter) && isWebAddress(text);
	return isAddress ? readAddress(text, label) : text;
}

/** White space in one piece. */
const SPACE = /[\s\u0085]+/g;
const TAB_OR_LINE_BREAK = /[\t\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Returns a value without white space that WhatsApp refuses in texts, without an error that anybody
 * sees: line breaks, tabs and long runs of spaces become one space.
 */
function withAllowedSpace(text: string) {
	const { max } = limits.spacesInTemplateValue;
	return text.replace(SPACE, (space) => {
		const isRefused = space.length > max || TAB_OR_LINE_BREAK.test(space);
		return isRefused ? ' ' : space;
	});
}

/** Says in a hint, once a run, in which items the values of the template lost white space. */
export function hintAtLostSpace(item: AnyItem): void {
	itemsThatLostSpace(item).push(item.index);
}

const itemsThatLostSpace = oncePerRun((item: AnyItem) => {
	const { max } = limits.spacesInTemplateValue;
	const items: number[] = [];
	item.hint(() => {
		const found = nameItems(items.sort((one, other) => one - other));
		return `WhatsApp refuses line breaks, tabs and more than ${max} spaces in a row in the values of a template, so n8n replaced them with one space (${found}).`;
	});
	return items;
});

/** What the service replaces with something about the contact, such as `{{first_name}}`. */
const VARIABLE = /\{\{[^{}]+\}\}/;

/** Throws an error if the header is too long with its values, which WhatsApp only says later. */
function refuseLongHeader(template: IDataObject, values: Values) {
	const header = getParameterTexts(template).find(({ part }) => part === 'header');
	if (!header) return;
	const filled = fillInPlaceholders(header, (key) => values[key] ?? '');
	// Only the service knows how long its variables are.
	if (filled === header.text || VARIABLE.test(filled)) return;
	const { length } = [...filled];
	const { max } = limits.templateHeader;
	if (length <= max) return;
	throw new Error(
		`The header of the template must have at most ${counted(max, 'character')} when it is filled in, but has ${length}: ${quoted(filled)}`,
	);
}

function refuseUnknown(entered: IDataObject, { name }: IDataObject, parameters: Parameter[]) {
	const known = new Set<string>();
	for (const { key } of parameters) {
		known.add(key);
		known.add(toParameterInputId(key));
	}
	const unknown = Object.keys(entered).find((each) => !known.has(each));
	if (unknown === undefined) return;
	const template = quoted(String(name));
	const keys = parameters.map(({ key }) => key);
	const listed = keys.join(', ') || 'none';
	throw new Error(
		`The template ${template} has no parameter ${quoted(unknown)}. Its parameters are: ${listed}`,
	);
}

/** Throws an error that says which fields of the items a template takes, if one has no value. */
function refuseMissing(entered: IDataObject, template: IDataObject, parameters: Parameter[]) {
	const required = parameters.filter(({ isRequired }) => isRequired);
	const keys = required.map(({ key }) => key);
	const missing = keys.find((key) => isNothingFilledIn(findEntered(entered, key)));
	if (missing === undefined) return;
	const name = getTemplateName(template);
	const fields = keys.join(', ');
	throw new Error(
		`The template ${name} takes the input fields ${fields}, but ${missing} is empty or missing`,
	);
}

/** Notes which fields of an item fill in a template; a hint names the others. */
function noteUsedFields(item: AnyItem, parameters: Parameter[]) {
	const names = parameters.flatMap(({ key }) => [toParameterInputId(key), key]);
	const used = names.filter((name) => name in item.input.json);
	noteUsedColumns(item, used, 'used in the template');
}

const isNothingFilledIn = (value: unknown) =>
	value === undefined || value === null || String(value).trim() === '';

/** What the user entered. */
interface Filled {
	entered: IDataObject;
	/** Who names places by their keys: an agent, or an item, which can have other fields, too. */
	source: 'agent' | 'item' | 'panel';
}

function readFilled(item: AnyItem): Filled {
	if (item.run.isTool) {
		const entered = readObject(item.parameter('templateValues', {}));
		return { entered, source: 'agent' };
	}
	const mapper = readObject(item.parameter(MAPPER, {}));
	const isMappedByName = mapper.mappingMode === 'autoMapInputData';
	if (isMappedByName) return { entered: item.input.json, source: 'item' };
	const fields = readObject(mapper.value);
	const filled = filterValues(fields, (value) => value !== null && value !== '');
	return { entered: filled, source: 'panel' };
}

/** Returns an object, also from JSON. */
function readObject(value: unknown) {
	if (typeof value !== 'string' || value.trim() === '') return toObject(value);
	const object = parseJson(value);
	if (isObject(object)) return toObject(object);
	throw new Error('Template Parameters must be a JSON object, such as {"body.1": "Ann"}');
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function toParameterText(
	value: unknown,
	{ kind, isRequired }: Parameter,
	label: string,
	item: AnyItem,
) {
	const text = templateValueToText(item, value, label);
	if (text === '' && isRequired) throw new Error(`${label} must not be empty`);
	checkCoordinate(text, kind, label);
	if (kind === 'coupon_code' && /\s/.test(text))
		throw new Error(`${label} must not contain white space, but is ${quoted(text)}`);
	if (kind !== 'expiration_ms' || text === '') return text;
	const isTimestamp = /^\d{12,}$/.test(text);
	if (isTimestamp) return text;
	const moment = readMoment(text, item.run.timezone);
	if (moment === undefined || moment <= Date.now())
		throw new Error(`${label} must be a time in the future, but is ${quoted(text)}`);
	return String(moment);
}

/** Throws an error if a place of a location is none on earth. */
function checkCoordinate(text: string, kind: string, label: string) {
	if (kind !== 'latitude' && kind !== 'longitude') return;
	const { max } = limits[kind];
	if (/^[+-]?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= max) return;
	throw new Error(
		`${label} must be a number from -${max} to ${max}, such as 52.52, but is ${quoted(text)}`,
	);
}

/**
 * Returns a value as text. Throws an error that names it by its label if it is an object, or a text
 * made of one, or a number whose digits are not exact.
 */
function templateValueToText(item: AnyItem, value: unknown, label: string): string {
	const isDate = value instanceof Date && !isInvalidDate(value);
	const text = isDate ? value.toISOString() : value;
	checkText(label, text, { getSources: item.getSources });
	return trimText(String(text ?? ''));
}
