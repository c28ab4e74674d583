import { z } from 'zod/v4';
import { patterns, rules } from '../contract';
import { quoted } from './messages';
import { trimmed } from './phoneNumber';
import type { ReadPhoneNumber } from './phoneNumber';

/**
 * The form of an email address that a contact is found by, in the editor and at run time. It is not as strict as the API is
 * with new addresses (part 4.1): the workspace may have others from elsewhere.
 */
export const emailForm = '[^\\s@]+@[^\\s@]+';

const choiceRule = 'must name a contact by ID, email or phone';

const isEmail = new RegExp(`^${emailForm}$`);

/** The name or ID of a custom field, = and a value, in the editor. */
export const customFieldForm = '[^=\\s][^=]*=\\s*\\S[^]*';

/**
 * A way to name a contact: an identifier of the API (part 4), or `customField:Order No=4711`, which the API does not have:
 * the contact is looked for before anything is asked about it.
 */
export const contactChoice = z.string(choiceRule).regex(/^(id|email|phone|customField):[^]+$/, choiceRule);

/** A contact by the value of a custom field. */
export interface CustomFieldChoice {
	/** Name or ID of the field. */
	field: string;
	value: string;
}

/**
 * Reads a choice of the form `customField:…`; undefined for one of the others, and where the field or the value is missing.
 * The value may hold an =; a field whose name holds one is meant by its ID.
 */
export function customFieldChoice(choice: string): CustomFieldChoice | undefined {
	const [, text] = /^customField:([^]*)$/.exec(choice) ?? [];
	const end = text?.indexOf('=') ?? -1;
	if (end === -1) return undefined;
	const field = trimmed(text.slice(0, end));
	const value = trimmed(text.slice(end + 1));
	return field === '' || value === '' ? undefined : { field, value };
}

/**
 * Turns the value of a locator of contacts into the API's identifier (part 4), `id:…`, `email:…` or `phone:…`, or into
 * `customField:…`. A value that already has one of these prefixes keeps it in every mode. Where an ID is asked for, which is also where
 * dragging a field and agents put what they have, a value with an @ is an email address and one with a leading + a phone
 * number. White space and invisible characters at the ends, which copying brings along, belong to no identifier. An empty
 * value gives an empty string; what is no text stays as it is, for the check to name.
 */
export function toIdentifier(locator: unknown): unknown {
	const { mode, value } =
		typeof locator === 'object' && locator !== null
			? (locator as { mode?: string; value?: unknown })
			: { mode: '', value: locator };
	const given = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	if (typeof given !== 'string') return given;
	const text = trimmed(given);
	const [prefix] = /^(id|email|phone|customField):/.exec(text) ?? [];
	if (prefix) return prefix + trimmed(text.slice(prefix.length));
	if (text === '') return text;
	if (mode === 'email' || mode === 'phone' || mode === 'customField') return `${mode}:${text}`;
	if (text.includes('@')) return `email:${text}`;
	return text.startsWith('+') ? `phone:${text}` : `id:${text}`;
}

/**
 * Reads the identifier of a contact out of its locator, and checks its form: an ID is made of digits, an email address has
 * an @, a phone number is one as people write them, and a custom field has a name and a value.
 * Throws an error that names the field and what it can hold.
 *
 * @param label what errors call the field
 */
export function readIdentifier(locator: unknown, label: string, readPhoneNumber: ReadPhoneNumber): unknown {
	const identifier = toIdentifier(locator);
	if (typeof identifier !== 'string') return identifier;
	const [, kind, value] = /^(id|email|phone|customField):([^]+)$/.exec(identifier) ?? [];
	const refuse = (rule: string): never => {
		throw new Error(`${label} must be ${rule}, but is ${quoted(value)}`);
	};
	switch (kind) {
		case 'id':
			return patterns.numericId.test(value)
				? identifier
				: refuse('an ID made of digits, an email address, or a phone number with its leading +');
		case 'email':
			return isEmail.test(value) ? identifier : refuse('an email address, such as nathan@example.com');
		case 'phone': {
			const number = readPhoneNumber(value, label);
			if (!patterns.phoneNumber.test(number)) refuse(`a phone number of ${rules.phoneNumber}`);
			return `phone:${number}`;
		}
		case 'customField': {
			const choice = customFieldChoice(identifier);
			return choice
				? `customField:${choice.field}=${choice.value}`
				: refuse('the name of a custom field, = and its value, such as Order No = 4711');
		}
		default:
			return identifier;
	}
}
