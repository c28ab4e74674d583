import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { patterns, rules } from '../contract/limits';
import { isObject } from '../transport/guards';
import { normalizeText } from '../transport/normalizeText';
import { FieldError } from './fieldError';
import { quoted } from './labels';
import { foldName } from './names';
import { otherMobileForm } from './phone/otherMobileForm';
import { comparablePhoneNumber, type ReadPhoneNumber } from './phone/phoneNumber';
import { toPlainLetters, trimText } from './blankText';
import { isWhatsAppAddress, refuseUserId, refuseWhatsAppAddress } from './phone/whatsappAddress';

const identifierTypes = ['id', 'email', 'phone', 'customField'] as const;

/**
 * What finds a contact: its ID, email or phone number (part 4), or `Order No=4711` for a custom
 * field, which the node looks up before it sends the request. Paths of requests, fields of the
 * panel and outputs have it as a text; see `formatIdentifier`.
 */
export interface Identifier {
	kind: (typeof identifierTypes)[number];
	value: string;
}

/** Returns an identifier as a text, such as `email:nathan@example.com`. */
export const formatIdentifier = ({ kind, value }: Identifier): string => `${kind}:${value}`;

/** Reads an identifier from its text; returns undefined if the text has another form. */
export function parseIdentifier(input: unknown): Identifier | undefined {
	const text = String(input);
	const kind = identifierTypes.find((each) => text.startsWith(`${each}:`));
	return kind && { kind, value: text.slice(kind.length + 1) };
}

/**
 * Returns a key that identifiers share if they mean the same: emails in any case, in full-width
 * letters too, and with or without invisible characters; phone numbers with the same digits.
 */
export function identifierKey({ kind, value }: Identifier): string {
	if (kind === 'email') return formatIdentifier({ kind, value: foldName(toPlainLetters(value)) });
	if (kind === 'phone') return formatIdentifier({ kind, value: comparablePhoneNumber(value) });
	return formatIdentifier({ kind, value });
}

/**
 * Returns the key of the other form of a mobile number, for the countries where a person can have
 * either; undefined for any other identifier.
 */
export function otherFormKey({ kind, value }: Identifier): string | undefined {
	if (kind !== 'phone') return undefined;
	const other = otherMobileForm(comparablePhoneNumber(value));
	return other && formatIdentifier({ kind, value: other });
}

/** Returns the keys of everything that can mean the same contact; see `identifierKey`. */
export function sameContactKeys(identifier: Identifier): string[] {
	const other = otherFormKey(identifier);
	const key = identifierKey(identifier);
	return other ? [key, other] : [key];
}

/** Returns everything in a record, or in the fields of one, that finds the contact. */
export function getIdentifiers({ id, email, phoneNumber }: IDataObject): Identifier[] {
	const identifiers: Identifier[] = [];
	if (id) identifiers.push({ kind: 'id', value: String(id) });
	if (email) identifiers.push({ kind: 'email', value: String(email) });
	if (phoneNumber) identifiers.push({ kind: 'phone', value: String(phoneNumber) });
	return identifiers;
}

/** Returns the keys of everything in a record that finds the contact; see `identifierKey`. */
export const identifierKeys = (record: IDataObject): string[] =>
	getIdentifiers(record).map(identifierKey);

/**
 * Whether a record of the input is the contact with this identifier, or a conversation with that
 * contact.
 */
export function hasIdentifier(
	{ id, contactId, email, phoneNumber }: IDataObject,
	text: string,
): boolean {
	const identifier = parseIdentifier(text);
	if (!identifier) return false;
	const keys = identifierKeys({ id: contactId ?? id, email, phoneNumber });
	return keys.includes(identifierKey(identifier));
}

/**
 * Returns an ID, email or phone number as a field of the output, so that the next nodes can use it.
 */
export function showIdentifier({ kind, value }: Identifier) {
	switch (kind) {
		case 'id':
			return { contactId: value };
		case 'email':
			return { email: value };
		case 'phone':
			return { phoneNumber: value };
		case 'customField':
			return {};
	}
}

/** Returns the path parameter of a request about the contact with an ID. */
export const toIdentifierParams = (id: unknown) => ({
	identifier: formatIdentifier({ kind: 'id', value: String(id) }),
});

const ID_RULE = 'an ID made of digits, an email address, or a phone number with its leading +';

const choiceRule = 'must name a contact by ID, email or phone';

/** A contact as the user chooses it: the text of an identifier of any kind. */
export const contactChoice = z.string(choiceRule).regex(/^\w+:[^]+$/, choiceRule);

/**
 * Returns the name or ID of the custom field and the value in an identifier; undefined in one of
 * another kind, and if the field or the value is missing. The value may contain =; a field with =
 * in its name needs its ID.
 */
export function readCustomFieldIdentifier(
	identifier?: Identifier,
): { field: string; value: string } | undefined {
	if (identifier?.kind !== 'customField') return undefined;
	const [name, ...parts] = identifier.value.split('=');
	const field = trimText(name);
	const value = trimText(parts.join('='));
	if (field === '' || value === '') return undefined;
	return { field, value };
}

/**
 * Reads the identifier of a contact from its resource locator, and checks its form. Takes the
 * record of a contact in place of a text. Throws an error that names the field and the forms that
 * it accepts, also for a list. An empty value becomes an empty text; any other value that is no
 * text stays unchanged for validation.
 *
 * @param label the field's name in errors
 */
export function readIdentifier(
	locator: unknown,
	label: string,
	readPhoneNumber: ReadPhoneNumber,
): unknown {
	const { mode, value } =
		isObject(locator) && 'mode' in locator ? locator : { mode: '', value: locator };
	if (Array.isArray(value)) {
		throw new Error(`${label} is a list, but must be one contact. Drag "contact"`);
	}
	if (isObject(value)) {
		const id = readRecordId(value, label);
		return formatIdentifier({ kind: 'id', value: id });
	}
	const input = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	if (typeof input !== 'string') return input;
	const text = trimText(input);
	if (text === '') return text;
	const identifier = toIdentifier(text, mode);
	if (identifier.value === '') return formatIdentifier(identifier);
	// What a tool gets has no mode, and no list.
	if (mode === 'id' && isName(identifier)) throw new Error(nameInIdError(label, text));
	const checked = checkedValue(identifier, label, readPhoneNumber);
	return formatIdentifier({ ...identifier, value: checked });
}

/** A number in the form of the API with its country code; it need not exist. */
const STORED_NUMBER = /^\+\d{10,20}$/;

/** Whether an ID looks like the name of a person. */
const isName = ({ kind, value }: Identifier) =>
	kind === 'id' && /^(?!undefined$|null$|NaN$)\p{L}[\p{L}\p{M}\s.'’-]*$/u.test(value);

const nameInIdError = (label: string, text: string) =>
	`${label} must be ${ID_RULE}, but is ${quoted(text)}. To find a contact by name, choose From list.`;

/**
 * Returns the ID of the contact in a record. Messages, channels and orders have an `id`, too, so
 * those are refused.
 */
function readRecordId(record: Record<string, unknown>, label: string) {
	const { contactId, id } = record;
	const ids = hasContactFields(record) ? [contactId, id] : [contactId];
	const found = ids.find(isRecordId);
	if (found !== undefined) return String(found);
	const isExample = String(id).startsWith('example');
	throw new Error(
		isExample
			? `${label} is the example of a trigger, and nobody real. Choose a real contact`
			: `${label} is a record, but not of a contact. Drag "contact"`,
	);
}

/** Whether a record has the fields that every contact has, even if they are empty. */
const hasContactFields = (record: object) =>
	['fullName', 'email', 'phoneNumber'].every((field) => field in record);

function isRecordId(value: unknown) {
	if (typeof value === 'string') return patterns.numericId.test(value);
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * Finds out whether an item has an ID that is not the contact's, such as that of a message or a
 * channel.
 *
 * @returns the path of its field, such as `conversation.id`; undefined if the item has no such
 * field
 */
export function findIdentifierPath(item: IDataObject, id: string): string | undefined {
	const find = (record: object) => {
		const isContact = hasContactFields(record);
		const isOther = ([key, value]: [string, unknown]) => {
			if (key.endsWith('contactId') || (isContact && key === 'id')) return false;
			return /id$/i.test(key) && String(value) === id;
		};
		return Object.entries(record).find(isOther)?.[0];
	};
	const own = find(item);
	if (own) return own;
	for (const [name, value] of Object.entries(item)) {
		const inner = isObject(value) && find(value);
		if (inner) return `${name}.${inner}`;
	}
	return undefined;
}

/**
 * Returns what a text that the user entered identifies. A prefix such as `email:` wins in every
 * mode. An address of WhatsApp is a phone number. In the modes for IDs, which also get dragged fields
 * and the text of agents, a value with an @ is an email address, and one with a leading + is a phone
 * number.
 */
function toIdentifier(text: string, mode: unknown): Identifier {
	const prefixed = parseIdentifier(text);
	if (prefixed) return { ...prefixed, value: trimText(prefixed.value) };
	if (mode !== 'customField' && isWhatsAppAddress(text)) return { kind: 'phone', value: text };
	if (mode === 'email' || mode === 'phone' || mode === 'customField')
		return { kind: mode, value: text };
	if (/[@＠]/.test(text)) return { kind: 'email', value: text };
	if (text.startsWith('+')) return { kind: 'phone', value: text };
	return { kind: 'id', value: text };
}

/**
 * Returns the value of an identifier as the service has it. Throws an error if it has another form
 * than its kind.
 */
function checkedValue(identifier: Identifier, label: string, readPhoneNumber: ReadPhoneNumber) {
	const { kind, value } = identifier;
	const check = (isValid: boolean, rule: string) => {
		if (isValid) return;
		throw new FieldError(label, `${label} must be ${rule}`, `is ${quoted(value)}`);
	};
	switch (kind) {
		case 'id':
			refuseUserId(value, label);
			check(patterns.numericId.test(value), ID_RULE);
			return value;
		case 'email': {
			const address = toPlainLetters(value);
			refuseWhatsAppAddress(address, label);
			check(
				patterns.emailIdentifier.test(normalizeText(address)),
				'an email address, such as nathan@example.com',
			);
			return address;
		}
		case 'phone': {
			// The service may have stored it like this.
			if (STORED_NUMBER.test(value)) return value;
			const number = readPhoneNumber(value, label);
			check(patterns.phoneNumber.test(number), `a phone number of ${rules.phoneNumber}`);
			return number;
		}
		case 'customField': {
			const choice = readCustomFieldIdentifier(identifier);
			check(
				choice !== undefined,
				'the name of a custom field, = and its value, such as Order No = 4711',
			);
			return `${choice!.field}=${choice!.value}`;
		}
	}
}
