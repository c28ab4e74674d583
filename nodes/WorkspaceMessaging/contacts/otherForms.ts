import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import type { AnyItem } from '../run/item';
import {
	ApiError,
	isNotFound,
	isUnsupportedOrRefused,
	onApiError,
	rejectedError,
} from '../transport/errors/ApiError';
import { notFoundSentence } from '../transport/errors/sentences';
import { readRecords } from '../transport/lists/records';
import type { RequestParts, Requester } from '../transport/request';
import {
	toIdentifierParams,
	getIdentifiers,
	findIdentifierPath,
	formatIdentifier,
	identifierKey,
	identifierKeys,
	parseIdentifier,
} from '../values/identifier';
import type { Identifier } from '../values/identifier';
import { normalizeText } from '../transport/normalizeText';
import { comparablePhoneNumber, withCountryCodeAdvice } from '../values/phoneNumber';
import { getLookedUpContact, rememberLookedUpContact } from './lookUp';

/**
 * Returns a requester that also finds the contact of an item if the service has its email or phone
 * number in another form. If nobody has it, the error says what to check.
 */
export function withOtherForms(requester: Requester, item: AnyItem): Requester {
	return {
		service: requester.service,
		async request(endpoint, parts = {}) {
			const text = String(parts.params?.identifier);
			const known = getLookedUpContact(item, text);
			if (known) {
				const knownParts = withContact(parts, known);
				return await requester.request(endpoint, knownParts);
			}
			const findAndRepeat = async (error: ApiError) => {
				const contact = await findOrExplain(requester, item, parts, error);
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
	item: AnyItem,
	{ params, isExact }: RequestParts,
	error: ApiError,
): Promise<IDataObject> {
	const text = String(params?.identifier);
	const identifier = parseIdentifier(text);
	const contact = isExact ? undefined : await findInOtherForm(requester, identifier);
	if (!contact) throw explainNobody(error, identifier, item.input.json);
	rememberLookedUpContact(item, text, contact);
	return contact;
}

/** Returns parts of a request with the ID of a contact. */
const withContact = (parts: RequestParts, { id }: IDataObject): RequestParts => ({
	...parts,
	params: { ...parts.params, ...toIdentifierParams(id) },
});

/** Adds advice to an error that says that nobody has a phone number or an ID. */
function explainNobody(
	error: ApiError,
	identifier: Identifier | undefined,
	input: IDataObject,
): ApiError {
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
	const advice = `It is the ID in "${field}" of this item. Drag "contact" instead.`;
	return new ApiError(error.what, { ...error.details, advice });
}

/** The maximum number of contacts that one search by keyword returns. */
const MAX_FOUND = 50;

/**
 * Finds the contact whose email or phone number is the same in another form, for a service that
 * compares them letter by letter and did not find it (difference 19). Takes one search by keyword.
 *
 * Returns undefined if there is none. Throws an `ApiError` if there are several.
 *
 * @param identifier the contact as the service was asked for it
 */
async function findInOtherForm(
	requester: Requester,
	identifier?: Identifier,
): Promise<IDataObject | undefined> {
	if (identifier?.kind !== 'email' && identifier?.kind !== 'phone') return undefined;
	const { kind, value } = identifier;
	const keyword = kind === 'email' ? normalizeText(value) : comparablePhoneNumber(value);
	const query = { keyword, perPage: MAX_FOUND };
	const list = await requester
		.request(contactApi.listContacts, { query })
		.catch(onApiError(isUnsupportedOrRefused, () => []));
	const key = identifierKey(identifier);
	const same = readRecords(list).filter((row) => {
		const keys = identifierKeys(row);
		return keys.includes(key);
	});
	// The service knows this one, so it did not find something else.
	const asEntered = formatIdentifier(identifier);
	const shown = same.flatMap(getIdentifiers).map(formatIdentifier);
	if (shown.includes(asEntered)) return undefined;
	if (same.length > 1) throw severalFormsError(identifier, same);
	return same[0];
}

function severalFormsError({ kind, value }: Identifier, contacts: IDataObject[]): ApiError {
	const ids = contacts.map(({ id }) => String(id)).join(', ');
	let forms = `email ${value} in upper or lower case`;
	if (kind === 'phone') forms = `phone number ${value} with or without +`;
	return rejectedError(
		`${contacts.length} contacts have the ${forms}, so n8n can't tell which one to use.`,
		`Select the contact by ID (IDs: ${ids}).`,
	);
}
