import type { IDataObject } from 'n8n-workflow';
import type { AnyItem } from '../../../run/item';
import { isObject } from '../../../transport/guards';
import { toFieldId, type Parameter } from '../../../templates/parameters';
import type { FoundTemplate } from '../../../templates/find';
import type { Values } from '../../../templates/message';
import { readMoment } from '../../../values/dates';
import { quoted } from '../../../values/labels';

/* What the user fills into a template. */

const MEDIA = ['image', 'video', 'document'];

/** Whether a parameter is a file. */
export const isMedia = ({ kind }: Parameter) => MEDIA.includes(kind);

/** Whether a text is an address that WhatsApp can read a file from. */
export const isWebAddress = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:';

/**
 * Returns the values of an item by the keys of its template's parameters. Throws an error that names a place by the words
 * around it if its value is missing or not valid, or if the template has no such parameter.
 */
export function readValues(item: AnyItem, { template, parameters }: FoundTemplate): Values {
	const { entered, isComplete } = readEntered(item);
	const values: Values = {};
	for (const parameter of parameters) {
		const { key, label, isRequired } = parameter;
		const text = toText(entered[toFieldId(key)] ?? entered[key], parameter, item);
		if (text !== '') values[key] = text;
		else if (isRequired) throw new Error(`${quoted(label)} of the template must not be empty`);
	}
	const known = parameters.flatMap(({ key }) => [key, toFieldId(key)]);
	const unknown = Object.keys(entered).find((name) => !known.includes(name));
	if (isComplete && unknown !== undefined) {
		const keys = parameters.map(({ key }) => key).join(', ') || 'none';
		throw new Error(
			`The template ${quoted(String(template.name))} has no parameter ${quoted(unknown)}. Its parameters are: ${keys}`,
		);
	}
	return values;
}

/** Returns what the user entered; `isComplete` if nothing else can be in it, unlike in an item. */
function readEntered(item: AnyItem): { entered: IDataObject; isComplete: boolean } {
	if (item.run.isTool) return { entered: readObject(item.parameter('templateValues', {})), isComplete: true };
	const mapper = readObject(item.parameter('templateParams', {}));
	if (mapper.mappingMode === 'autoMapInputData') return { entered: item.input.json, isComplete: false };
	const value = readObject(mapper.value);
	const filled = Object.entries(value).filter(([, each]) => each !== null && each !== '');
	return { entered: Object.fromEntries(filled), isComplete: true };
}

/** Returns an object, also from JSON. */
function readObject(value: unknown): IDataObject {
	const object = typeof value === 'string' && value.trim() !== '' ? parseJson(value) : value;
	if (typeof value === 'string' && value.trim() !== '' && !isObject(object))
		throw new Error('Template Parameters must be a JSON object, such as {"body.1": "Ann"}');
	return isObject(object) ? (object as IDataObject) : {};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function toText(value: unknown, { kind, label }: Parameter, item: AnyItem): string {
	if (value === undefined || value === null) return '';
	if (isObject(value) || Array.isArray(value))
		throw new Error(`${quoted(label)} of the template must be text, but is an object`);
	const text = String(value).trim();
	if (text === '' || kind !== 'expiration_ms' || /^\d{12,}$/.test(text)) return text;
	const moment = readMoment(text, item.run.context.getTimezone());
	if (moment === undefined || moment <= Date.now())
		throw new Error(`${quoted(label)} of the template must be a time in the future, but is ${quoted(text)}`);
	return String(moment);
}
