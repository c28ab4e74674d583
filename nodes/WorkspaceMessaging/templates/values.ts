import type { IDataObject } from 'n8n-workflow';
import type { AnyItem } from '../run/item';
import { isObject, toObject } from '../transport/guards';
import { readMoment } from '../values/dates';
import { quoted } from '../values/labels';
import { refuseHalfCharacters } from '../values/serializable';
import type { FoundTemplate } from './find';
import { isMedia, toFieldId, type Parameter } from './parameters';

/* What the user fills into a template. */

/** The values of a template by the keys of its parameters. */
export type Values = Record<string, string>;

/** What the user filled in: texts by key, and the files of the input among them. */
export interface EnteredValues {
	/** A file of the input has its name here until it has an address. */
	values: Values;
	/** What names or is a file of the input, by key. */
	files: Record<string, unknown>;
}

/**
 * Returns the values of an item by the keys of its template's parameters. Throws an error that
 * names a place by the words around it if its value is missing or not valid, or if the template has
 * no such parameter.
 */
export function readTemplateValues(
	item: AnyItem,
	{ template, parameters }: FoundTemplate,
): EnteredValues {
	const { entered, isComplete, hasKeys } = readFilled(item);
	const known = parameters.flatMap(({ key }) => [key, toFieldId(key)]);
	const unknown = Object.keys(entered).find((name) => !known.includes(name));
	if (isComplete && unknown !== undefined) {
		const keys = parameters.map(({ key }) => key).join(', ') || 'none';
		throw new Error(
			`The template ${quoted(String(template.name))} has no parameter ${quoted(unknown)}. Its parameters are: ${keys}`,
		);
	}
	const values: Values = {};
	const files: Record<string, unknown> = {};
	for (const parameter of parameters) {
		const { key, isRequired } = parameter;
		// Who fills in by key must learn the key.
		const label = `${quoted(parameter.label)}${hasKeys ? ` (${key})` : ''} of the template`;
		const value = entered[toFieldId(key)] ?? entered[key];
		if (isMedia(parameter) && isObject(value)) {
			files[key] = value;
			values[key] = 'file';
			continue;
		}
		const text = toParameterText(value, parameter, label, item);
		if (text === '' && isRequired) throw new Error(`${label} must not be empty`);
		if (text === '') continue;
		values[key] = text;
		if (parameter.kind === 'url_suffix') checkAddress(`/${text}`, label);
		if (!isMedia(parameter)) continue;
		if (isWebAddress(text)) values[key] = readAddress(text, label);
		else files[key] = text;
	}
	return { values, files };
}

/** What the user entered. */
interface Filled {
	entered: IDataObject;
	/** Whether nothing else can be in it, unlike in an item. */
	isComplete: boolean;
	/** Whether the user names places by their keys. */
	hasKeys: boolean;
}

function readFilled(item: AnyItem): Filled {
	if (item.run.isTool) {
		const entered = readObject(item.parameter('templateValues', {}));
		return { entered, isComplete: true, hasKeys: true };
	}
	const mapper = readObject(item.parameter('templateParams', {}));
	if (mapper.mappingMode === 'autoMapInputData')
		return { entered: item.input.json, isComplete: false, hasKeys: true };
	const value = readObject(mapper.value);
	const filled = Object.entries(value).filter(([, each]) => each !== null && each !== '');
	return { entered: Object.fromEntries(filled), isComplete: true, hasKeys: false };
}

/** Returns an object, also from JSON. */
function readObject(value: unknown): IDataObject {
	const object = typeof value === 'string' && value.trim() !== '' ? parseJson(value) : value;
	if (typeof value === 'string' && value.trim() !== '' && !isObject(object))
		throw new Error('Template Parameters must be a JSON object, such as {"body.1": "Ann"}');
	return toObject(object);
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
	{ kind }: Parameter,
	label: string,
	item: AnyItem,
): string {
	if (value === undefined || value === null) return '';
	const text = readPlainText(value, label);
	if (text === '' || kind !== 'expiration_ms' || /^\d{12,}$/.test(text)) return text;
	const moment = readMoment(text, item.run.context.getTimezone());
	if (moment === undefined || moment <= Date.now())
		throw new Error(`${label} must be a time in the future, but is ${quoted(text)}`);
	return String(moment);
}

/**
 * Returns a value as text. Throws an error that names it by its label if it is an object, or a text
 * made of one.
 */
export function readPlainText(value: unknown, label: string): string {
	if (value instanceof Date) return value.toISOString();
	if (typeof value === 'object' && value !== null)
		throw new Error(
			`${label} must be text, but is ${Array.isArray(value) ? 'a list' : 'an object'}`,
		);
	const text = String(value ?? '').trim();
	if (text.includes('[object Object]'))
		throw new Error(
			`${label} contains [object Object]. Point the expression at one of its fields.`,
		);
	refuseHalfCharacters(label, text);
	return text;
}

/** Whether a text is an address that WhatsApp can read a file from. */
const isWebAddress = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:';

/**
 * Returns the address of a file as WhatsApp can read it. Throws an error if it is not one address,
 * or has no value in a part.
 */
function readAddress(text: string, label: string): string {
	checkAddress(text, label);
	// A comma is a part of many addresses.
	if (/[\s,;]https?:/i.test(text))
		throw new Error(`${label} must be one address, but is ${quoted(text)}`);
	return text.replace(/\s/g, encodeURIComponent);
}

/**
 * What an expression without a value leaves in an address, as a folder, a file or a value of the
 * query.
 */
const NO_VALUE = /[/=](undefined|null|NaN|%5Bobject(?: |%20|\+)Object%5D)(?:\.\w+)?(?=[/?#&]|$)/;

/** Throws an error if an address, or a part of one, would lead somewhere else than meant. */
function checkAddress(address: string, label: string): void {
	// `URL` drops them.
	if (/[\t\r\n]/.test(address))
		throw new Error(`${label} must be one address, but has a line break`);
	const [, found] = NO_VALUE.exec(address) ?? [];
	if (found)
		throw new Error(
			`${label} has "${found}" in the address. Point the expression at a field that has a value.`,
		);
}
