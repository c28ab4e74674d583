import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { choices } from '../contract/limits';
import { kinds } from '../contract/values';
import { describeInexact, isExactNumber, isInexact, toNumber } from './numbers';
import { FieldError } from './fieldError';
import { fromJson, toList } from './list';
import { counted, labelAt, quoted } from './labels';
import { describeNoText } from './expressions/leftovers';
import { foldName } from './names';
import { normalizePhoneNumber, type ReadPhoneNumber } from './phone/phoneNumber';
import { cleanText, readCell, readEmail, trimText } from './blankText';
import { checkRequest } from './checkValue';
import { refuseWhatsAppAddress } from './phone/whatsappAddress';
import { isObjectOrList } from '../transport/guards';

/**
 * A schema for each part of a request; a part without one is empty. An endpoint is such an object.
 */
export interface RequestSchema {
	params?: z.ZodType;
	query?: z.ZodType;
	body?: z.ZodType;
}

type Schema = z.core.$ZodType;

/** The type of a part of a request that one of these schemas has validated. */
export type ValidPart<Name extends keyof RequestSchema, Schemas> =
	Schemas extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : IDataObject;

/**
 * Converts the values of a request to the form of the contract and validates them (part 4).
 * Throws an error that names the field by its label, the rule and the value.
 */
export function validate<Schemas extends RequestSchema>(
	schemas: Schemas,
	input: Partial<Record<keyof RequestSchema, unknown>>,
	labels: Record<string, string>,
	readPhoneNumber: ReadPhoneNumber = normalizePhoneNumber,
) {
	const part = <Name extends keyof RequestSchema>(name: Name) => {
		const isBody = name === 'body';
		const schema = schemas[name];
		let data: unknown = isBody ? undefined : {};
		if (schema) {
			const value = normalizeInput(schema, input[name] ?? {}, labels, readPhoneNumber);
			checkRequest(isBody ? 'json' : 'url', value, labels);
			const result = schema.safeParse(value);
			if (!result.success) throw validationError(result.error.issues[0], value, labels);
			data = result.data;
		}
		return data as ValidPart<Name, Schemas>;
	};
	return { params: part('params'), query: part('query'), body: part('body') };
}

/** A field of the panel with a rule for its value. */
export interface RuledField<Value> {
	name: string;
	displayName: string;
	rule?: z.ZodType<Value>;
}

/**
 * Converts and validates the value of a field by its rule, as `validate` does with one of a request.
 * National phone numbers are not completed. Throws an error that names the field by its label.
 */
export function readByRule<Value>(field: RuledField<Value>, entered: unknown): Value {
	const { displayName: label, rule } = field;
	const value = normalizeValue(rule!, entered, label, normalizePhoneNumber);
	return readValue(rule!, value, label);
}

/** Validates one value as it is. Throws an error that names it by its label, as `validate` does. */
export function readValue<Value>(schema: z.ZodType<Value>, value: unknown, label: string): Value {
	const { data, error } = schema.safeParse(value);
	if (!error) return data;
	const [issue] = error.issues;
	const path = ['value', ...issue.path];
	throw validationError({ ...issue, path }, { value }, { value: label });
}

const genderWords: Record<string, string> = { m: 'male', f: 'female' };

/**
 * Brings what people and expressions enter into the form that the schema asks for, if only one form
 * can be right. Other values stay unchanged for validation.
 *
 * - `undefined` is left out; so are `null` and an empty text where an optional field does not accept
 *   them.
 * - An empty text becomes null where only null is valid: that moves something out of its folder.
 * - A number becomes text, such as an ID from a spreadsheet; text becomes a number, or a choice in
 *   its own spelling.
 * - Text becomes a list, see `toList`. JSON becomes an object with any keys.
 * - The value of a fixed collection of n8n, `{ entries: [...] }`, becomes its list.
 * - Email addresses, phone numbers and genders are read as people write them, names and other cells
 *   as they look, without blanks at their ends; the contract marks them with their kind. See
 *   `readCell` for lists.
 *
 * Throws an error that names the field if a phone number cannot be sent, or if an email is an
 * address of WhatsApp.
 */
export function normalizeInput(
	schema: z.ZodType,
	input: object,
	labels: Record<string, string>,
	readPhoneNumber: ReadPhoneNumber,
): Record<string, unknown> {
	const shape: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {};
	const normalized: Record<string, unknown> = {};
	for (const [name, entered] of Object.entries(input)) {
		const field = shape[name];
		const label = labelAt([name], labels);
		const value = field ? normalizeValue(field, entered, label, readPhoneNumber) : entered;
		if (value !== undefined) normalized[name] = value;
	}
	return normalized;
}

/** Brings one value into the form of its schema; undefined if it is left out. */
function normalizeValue(
	schema: z.ZodType,
	entered: unknown,
	label: string,
	readPhoneNumber: ReadPhoneNumber,
): unknown {
	const read = readKind(schema, entered, label, readPhoneNumber);
	const value = convert(schema, read);
	const isEmpty = value === null || value === '';
	if (!isEmpty || acceptsEmpty(schema, value)) return value;
	if (acceptsEmpty(schema, null)) return null;
	return acceptsEmpty(schema, undefined) ? undefined : value;
}

function readKind(
	field: z.ZodType,
	entered: unknown,
	label: string,
	readPhoneNumber: ReadPhoneNumber,
) {
	const kind = kinds.get(unwrap(field))?.kind;
	// A list of names is no name of a tag.
	const cell = kind === 'name' ? entered : readCell(entered);
	const text = Number.isSafeInteger(cell) ? String(cell) : cell;
	if (kind === undefined || typeof text !== 'string') return entered;
	if (kind === 'phoneNumber') return readPhoneNumber(text, label);
	if (kind === 'name' || kind === 'cell') return cleanText(text);
	if (kind === 'gender') return readGender(trimText(text));
	const address = readEmail(text);
	refuseWhatsAppAddress(address, label);
	return address;
}

function readGender(text: string) {
	const lower = text.toLowerCase();
	const word = genderWords[lower] ?? lower;
	return choices.genders.find((gender) => gender === word) ?? text;
}

/**
 * Converts a value to the type of its schema; only copies what it changes, because other nodes may
 * read the rest.
 */
function convert(schema: Schema, value: unknown): unknown {
	const isEmpty = value === null || value === '';
	if (isEmpty || accepts(schema, value)) return value;
	const type = unwrap(schema);
	if (type instanceof z.ZodObject) return convertFields(type, value);
	if (type instanceof z.ZodArray) return convertEntries(type, value);
	if (type instanceof z.ZodNumber) return toNumber(value);
	if (type instanceof z.ZodEnum) return toChoice(type, value);
	if (type instanceof z.ZodString) {
		const isNumber = isExactNumber(value);
		return isNumber ? String(value) : value;
	}
	if (type instanceof z.ZodRecord && typeof value === 'string') return fromJson(value);
	return value;
}

function convertFields({ shape }: z.ZodObject, value: unknown): unknown {
	if (typeof value !== 'object') return value;
	const fields: Record<string, Schema | undefined> = shape;
	const converted: Record<string, unknown> = { ...value };
	for (const [name, inner] of Object.entries(converted)) {
		const field = fields[name];
		if (field) converted[name] = convert(field, inner);
	}
	return converted;
}

function convertEntries({ element }: z.ZodArray, value: unknown): unknown {
	const list = toList(value);
	return Array.isArray(list) ? list.map((entry) => convert(element, entry)) : list;
}

const accepts = (schema: Schema, value: unknown) => z.safeParse(schema, value).success;

/** Which empty values a schema accepts. Most fields of most items are empty, and a no takes long. */
const acceptedEmpties = new WeakMap<Schema, Map<unknown, boolean>>();

function acceptsEmpty(schema: Schema, value: '' | null | undefined) {
	let known = acceptedEmpties.get(schema);
	if (!known) {
		known = new Map();
		acceptedEmpties.set(schema, known);
	}
	if (!known.has(value)) known.set(value, accepts(schema, value));
	return known.get(value)!;
}

/**
 * The schema of a field without `optional`, `nullable` and `default`, and before it is transformed.
 */
function unwrap(schema: Schema): Schema {
	if (schema instanceof z.ZodPipe) return unwrap(schema.in);
	const isWrapper =
		schema instanceof z.ZodOptional ||
		schema instanceof z.ZodNullable ||
		schema instanceof z.ZodDefault ||
		schema instanceof z.ZodPrefault;
	return isWrapper ? unwrap(schema.unwrap()) : schema;
}

/**
 * Finds the choice that a text means, whatever its case and the white space around it; returns
 * anything else unchanged.
 */
function toChoice({ options }: z.ZodEnum, value: unknown) {
	if (isObjectOrList(value)) return value;
	const text = foldName(String(value));
	return options.find((option) => foldName(String(option)) === text) ?? value;
}

/**
 * Returns the error for a problem with a request. Its message names the field, the rule and the
 * value: `Phone Number must be 10 to 20 digits, with an optional leading +, but is "12ab"`.
 */
export function validationError(
	issue: z.core.$ZodIssue,
	request: unknown,
	labels: Readonly<Record<string, string>>,
): Error {
	if (issue.code === 'unrecognized_keys') {
		const [name] = issue.keys;
		const label = labelAt([name], labels);
		return new Error(`The API has no field "${label}" here`);
	}
	const { path, message } = issue;
	const label = labelAt(path, labels);
	// The message of a rule about the whole request is a sentence without a label.
	const isAboutRequest = path.length === 0;
	const rule = isAboutRequest ? message : `${label} ${message}`;
	if (issue.code === 'custom' && !issue.params?.showsValue) {
		const field: unknown = issue.params?.field;
		return new FieldError(field ? labelAt([String(field)], labels) : label, rule);
	}
	const value = path.reduce<unknown>((at, step) => Object(at)[step], request);
	const noText = takesText(issue) && describeNoText(value);
	if (noText) return new FieldError(label, `${label} must be text`, noText);
	const description = describeInvalidValue(value, issue);
	const advice = adviseField(value, issue);
	return new FieldError(label, rule, `${description}${advice}`);
}

/** Returns which field of an object to use, after "is an object", if the field takes a text. */
function adviseField(value: unknown, issue: z.core.$ZodIssue) {
	if (!takesText(issue)) return '';
	if (typeof value !== 'object' || value === null) return '';
	// The fields of a list are numbers.
	if (Array.isArray(value)) return '';
	const texts = Object.entries(value).filter(([, field]) => typeof field === 'string');
	const names = texts.map(([name]) => name);
	const example = names.includes('text') ? 'text' : names[0];
	if (example === undefined) return '';
	return `. Drag one of its fields, such as ${example}.`;
}

/** Describes a value that breaks a rule, after "but": `is empty`, `is an object`. */
export function describeInvalidValue(value: unknown, issue?: z.core.$ZodIssue): string {
	if (Array.isArray(value)) {
		const entries = counted(value.length, 'entry', 'entries');
		return `has ${entries}`;
	}
	if (isObjectOrList(value)) return 'is an object';
	const text = String(value ?? '');
	if (text === '') return 'is empty';
	const isAboutLength = issue?.code === 'too_big' || issue?.code === 'too_small';
	if (typeof value === 'string' && isAboutLength) {
		const characters = counted(text.length, 'character');
		return `has ${characters}`;
	}
	if (issue && takesText(issue) && isInexact(value)) return `is ${describeInexact(value)}`;
	return `is ${quoted(text)}`;
}

const takesText = (issue: z.core.$ZodIssue) =>
	issue.code === 'invalid_type' && issue.expected === 'string';
