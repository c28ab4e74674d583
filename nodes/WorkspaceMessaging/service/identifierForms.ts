import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import { limits } from '../contract/limits';
import {
	addAdvice,
	type ApiError,
	isNotFound,
	isUnsupportedOrRefused,
	onApiError,
	refusedError,
} from '../transport/errors/ApiError';
import { notFoundSentence } from '../transport/errors/sentences';
import { readRecords } from './lists/records';
import type { RequestParts, Requester } from '../transport/request';
import {
	toIdentifierParams,
	getIdentifiers,
	findIdentifierPath,
	formatIdentifier,
	identifierKey,
	identifierKeys,
	otherFormKey,
	parseIdentifier,
	type Identifier,
} from '../values/identifier';
import { normalizeText } from '../transport/normalizeText';
import {
	otherMobileForm,
	useOtherNumber,
	type OtherNumbers,
} from '../values/phone/otherMobileForm';
import { comparablePhoneNumber, withCountryCodeAdvice } from '../values/phone/phoneNumber';
import { idsOf } from '../transport/guards';

/** What is known about the contacts of one item. */
export interface ContactMemory extends OtherNumbers {
	/**
	 * The contacts that were read, by the identifier that they were asked for with; the service may
	 * have them in another form.
	 */
	readonly knownContacts: Map<string, IDataObject>;
	/** The input, which may have what people took for the ID of a contact. */
	readonly input: { json: IDataObject };
}

/**
 * Returns a requester that also finds a contact if the service has its email or phone number in
 * another form (difference 19), or the other form of its mobile number. If nobody has it, the error says
 * what to check.
 */
export function withOtherForms(requester: Requester, memory: ContactMemory): Requester {
	return {
		service: requester.service,
		async request(endpoint, parts = {}) {
			const text = String(parts.params?.identifier);
			const known = memory.knownContacts.get(text);
			if (known) {
				const knownParts = withContact(parts, known);
				return await requester.request(endpoint, knownParts);
			}
			const findAndRepeat = async (error: ApiError) => {
				const needsExactNumber = parts.needsExactNumber ?? endpoint.needsExactNumber;
				const own = { ...parts, needsExactNumber };
				const contact = await findOrExplain(requester, memory, own, error);
				const foundParts = withContact(parts, contact);
				return await requester.request(endpoint, foundParts);
			};
			return await requester.request(endpoint, parts).catch(onApiError(isNotFound, findAndRepeat));
		},
	};
}

/** Finds the contact of a request in another form. If nobody has it, the error says what to check. */
async function findOrExplain(
	requester: Requester,
	memory: ContactMemory,
	{ params, isExact, needsExactNumber }: RequestParts,
	error: ApiError,
) {
	const text = String(params?.identifier);
	const identifier = parseIdentifier(text);
	let contact: IDataObject | undefined;
	if (identifier && !isExact) {
		const rows = await searchForms(requester, identifier);
		contact = findInOtherForm(rows, identifier);
		if (!contact && !needsExactNumber) contact = findByOtherNumber(memory, rows, identifier);
	}
	if (!contact) throw explainNobody(error, identifier, memory.input.json);
	memory.knownContacts.set(text, contact);
	return contact;
}

/** Returns parts of a request with the ID of a contact. */
const withContact = (parts: RequestParts, { id }: IDataObject): RequestParts => ({
	...parts,
	params: { ...parts.params, ...toIdentifierParams(id) },
});

/** Adds advice to an error that says that nobody has a phone number or an ID. */
function explainNobody(error: ApiError, identifier: Identifier | undefined, input: IDataObject) {
	const { subject = '' } = error.details;
	const isAboutContact = error.what.startsWith(notFoundSentence(subject));
	if (!isAboutContact || !identifier) return error;
	const { kind, value } = identifier;
	if (kind === 'phone') return withCountryCodeAdvice(error, value);
	// Such as the ID of a message: then the item also has the contact.
	const mayBeOther = kind === 'id' && 'contact' in input;
	if (!mayBeOther) return error;
	const field = findIdentifierPath(input, value);
	if (field === undefined) return error;
	return addAdvice(error, `It is the ID in "${field}" of this item. Drag "contact" instead.`);
}

/**
 * Searches for the contacts whose email or phone number may be the same in another form, for a
 * service that compares them letter by letter and did not find it (difference 19). Takes one search
 * by keyword, which finds both forms of a mobile number.
 */
async function searchForms(requester: Requester, identifier: Identifier) {
	const { kind, value } = identifier;
	if (kind !== 'email' && kind !== 'phone') return [];
	const keyword = kind === 'email' ? normalizeText(value) : getCommonDigits(value);
	const query = { keyword, perPage: limits.searchedContacts.max };
	const list = await requester
		.request(contactApi.listContacts, { query })
		.catch(onApiError(isUnsupportedOrRefused, () => []));
	return readRecords(list);
}

/** Returns the last digits of a phone number, those that both forms of a mobile number have. */
function getCommonDigits(number: string) {
	const digits = comparablePhoneNumber(number);
	const other = otherMobileForm(digits) ?? digits;
	let length = 0;
	while (length < digits.length && digits.at(-length - 1) === other.at(-length - 1)) length++;
	return digits.slice(-length);
}

/**
 * Returns the contact whose email or phone number is the same in another form; undefined if there
 * is none. Throws an `ApiError` if there are several.
 *
 * @param identifier the contact as the service was asked for it
 */
function findInOtherForm(rows: IDataObject[], identifier: Identifier) {
	const same = withKey(rows, identifierKey(identifier));
	// The service knows this one, so it did not find something else.
	const asEntered = formatIdentifier(identifier);
	const shown = same.flatMap(getIdentifiers).map(formatIdentifier);
	if (shown.includes(asEntered)) return undefined;
	if (same.length > 1) throw severalFormsError(identifier, same);
	return same[0];
}

/** Returns the contact with the other form of a mobile number; see `useOtherNumber`. */
function findByOtherNumber(memory: ContactMemory, rows: IDataObject[], identifier: Identifier) {
	const isKnown = withKey(rows, identifierKey(identifier)).length > 0;
	const otherKey = otherFormKey(identifier);
	if (isKnown || otherKey === undefined) return undefined;
	return useOtherNumber(memory, withKey(rows, otherKey), identifier.value);
}

const withKey = (rows: IDataObject[], key: string) =>
	rows.filter((row) => identifierKeys(row).includes(key));

function severalFormsError({ kind, value }: Identifier, contacts: IDataObject[]) {
	const ids = idsOf(contacts).join(', ');
	let forms = `email ${value} in upper or lower case`;
	if (kind === 'phone') forms = `phone number ${value} with or without +`;
	return refusedError(
		`${contacts.length} contacts have the ${forms}, so n8n can't tell which one to use.`,
		`Select the contact by ID (IDs: ${ids}).`,
	);
}
