import { patterns, rules } from '../contract';
import { quoted } from './messages';
import { trimmed } from './phoneNumber';
import type { ReadPhoneNumber } from './phoneNumber';

/**
 * The form of an email address that a contact is found by, in the editor and at run time. It is not as strict as the API is
 * with new addresses (part 4.1): the workspace may have others from elsewhere.
 */
export const emailForm = '[^\\s@]+@[^\\s@]+';

const isEmail = new RegExp(`^${emailForm}$`);

/**
 * Turns the value of a locator of contacts into the API's identifier (part 4): `id:…`, `email:…` or `phone:…`.
 * A value that already has one of these prefixes keeps it in every mode. Where an ID is asked for, which is also where
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
	const [prefix] = /^(id|email|phone):/.exec(text) ?? [];
	if (prefix) return prefix + trimmed(text.slice(prefix.length));
	if (text === '') return text;
	if (mode === 'email' || mode === 'phone') return `${mode}:${text}`;
	if (text.includes('@')) return `email:${text}`;
	return text.startsWith('+') ? `phone:${text}` : `id:${text}`;
}

/**
 * Reads the identifier of a contact out of its locator, and checks its form: an ID is made of digits, an email address has
 * an @, and a phone number is one as people write them.
 * Throws an error that names the field and what it can hold.
 *
 * @param label what errors call the field
 */
export function readIdentifier(locator: unknown, label: string, readPhoneNumber: ReadPhoneNumber): unknown {
	const identifier = toIdentifier(locator);
	if (typeof identifier !== 'string') return identifier;
	const [, kind, value] = /^(id|email|phone):([^]+)$/.exec(identifier) ?? [];
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
		default:
			return identifier;
	}
}
