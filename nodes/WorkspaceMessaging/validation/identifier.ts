import { z } from 'zod/v4';
import { patterns, rules } from '../contract/limits';
import { quoted } from './labels';
import { comparablePhoneNumber, trimmed } from './phoneNumber';
import type { ReadPhoneNumber } from './phoneNumber';

/** Patterns of what users enter, in the editor and in a run. */
export const forms = {
	/**
	 * An email address that finds a contact. The API is stricter with new addresses (part 4.1), but a workspace may have others
	 * from elsewhere.
	 */
	email: '[^\\s@]+@[^\\s@]+',
	/** A custom field and its value, `Order No = 4711`. */
	customField: '[^=\\s][^=]*=\\s*\\S[^]*',
};

const isEmail = new RegExp(`^${forms.email}$`);

const choiceRule = 'must name a contact by ID, email or phone';

/**
 * A contact as the user chooses it: an identifier of the API (part 4), or `customField:Order No=4711`, which the node
 * looks up before it sends the request.
 */
export const contactChoice = z.string(choiceRule).regex(/^(id|email|phone|customField):[^]+$/, choiceRule);

/**
 * Reads a choice of the form `customField:…`: the name or ID of the field, and the value. Returns undefined for other
 * choices, and if the field or the value is missing. The value may contain =; a field with = in its name needs its ID.
 */
export function customFieldChoice(choice: string): { field: string; value: string } | undefined {
	const [, text] = /^customField:([^]*)$/.exec(choice) ?? [];
	const end = text?.indexOf('=') ?? -1;
	if (end === -1) return undefined;
	const field = trimmed(text.slice(0, end));
	const value = trimmed(text.slice(end + 1));
	return field === '' || value === '' ? undefined : { field, value };
}

/**
 * Turns the value of a contact's resource locator into the identifier of the API (part 4), `id:…`, `email:…` or `phone:…`,
 * or into `customField:…`. A value with one of these prefixes keeps it in every mode. In the modes for IDs, which also get
 * dragged fields and the text of agents, a value with an @ is an email address and one with a leading + a phone number.
 * An empty value becomes an empty text; a value that is no text stays unchanged for validation.
 */
export function toIdentifier(locator: unknown): unknown {
	const { mode, value } =
		typeof locator === 'object' && locator !== null
			? (locator as { mode?: string; value?: unknown })
			: { mode: '', value: locator };
	const input = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	if (typeof input !== 'string') return input;
	const text = trimmed(input);
	const [prefix] = /^(id|email|phone|customField):/.exec(text) ?? [];
	if (prefix) return prefix + trimmed(text.slice(prefix.length));
	if (text === '') return text;
	if (mode === 'email' || mode === 'phone' || mode === 'customField') return `${mode}:${text}`;
	if (text.includes('@')) return `email:${text}`;
	return text.startsWith('+') ? `phone:${text}` : `id:${text}`;
}

/**
 * Reads the identifier of a contact from its resource locator and checks its form. Throws an error that names the field and
 * the forms that it accepts.
 *
 * @param label the field's name in errors
 */
export function readIdentifier(locator: unknown, label: string, readPhoneNumber: ReadPhoneNumber): unknown {
	const identifier = toIdentifier(locator);
	if (typeof identifier !== 'string') return identifier;
	const [, kind, value] = /^(id|email|phone|customField):([^]+)$/.exec(identifier) ?? [];
	const mustBe = (rule: string): never => {
		throw new Error(`${label} must be ${rule}, but is ${quoted(value)}`);
	};
	switch (kind) {
		case 'id':
			return patterns.numericId.test(value)
				? identifier
				: mustBe('an ID made of digits, an email address, or a phone number with its leading +');
		case 'email':
			return isEmail.test(value) ? identifier : mustBe('an email address, such as nathan@example.com');
		case 'phone': {
			const number = readPhoneNumber(value, label);
			if (!patterns.phoneNumber.test(number)) mustBe(`a phone number of ${rules.phoneNumber}`);
			return `phone:${number}`;
		}
		case 'customField': {
			const choice = customFieldChoice(identifier);
			return choice
				? `customField:${choice.field}=${choice.value}`
				: mustBe('the name of a custom field, = and its value, such as Order No = 4711');
		}
		default:
			return identifier;
	}
}

/** Returns the form in which identifiers (API §4) are compared: emails in lower case, phone numbers by their digits. */
export function comparableIdentifier(identifier: string): string {
	if (identifier.startsWith('email:')) return identifier.toLowerCase();
	if (!identifier.startsWith('phone:')) return identifier;
	return `phone:${comparablePhoneNumber(identifier.slice('phone:'.length))}`;
}
