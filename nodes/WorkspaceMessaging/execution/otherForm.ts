import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import { isRefusal, isUnsupported, recover, rejected } from '../transport/errors/ApiError';
import type { ApiError } from '../transport/errors/ApiError';
import { rowsOf } from '../transport/pagination';
import type { Requester } from '../transport/request';
import { comparableIdentifier } from '../validation/identifier';
import { comparablePhoneNumber } from '../validation/phoneNumber';

/** Contacts that one search by keyword returns at most. */
const PER_PAGE = 50;

/**
 * Finds the contact whose email or phone number is the same in another form, for a service that compares them letter by
 * letter and did not find it. Takes one search by keyword.
 *
 * Returns its ID, or undefined if there is none. Throws an `ApiError` if there are several.
 *
 * @param identifier the contact as the service was asked for it
 */
export async function idInOtherForm(requester: Requester, identifier: string): Promise<string | undefined> {
	const [, kind, value] = /^(email|phone):(.+)$/s.exec(identifier) ?? [];
	if (kind === undefined) return undefined;
	const key = comparableIdentifier(identifier);
	const field = kind === 'email' ? 'email' : 'phoneNumber';
	const keyword = kind === 'email' ? value : comparablePhoneNumber(value);
	const query = { keyword, perPage: PER_PAGE };
	const hasNoSearch = (error: ApiError) => isUnsupported(error) || isRefusal(error);
	const list = requester.request(contactApi.listContacts, { query }).catch(recover(hasNoSearch, () => []));
	const found = rowsOf(await list);
	const same = found.filter(
		(contact: IDataObject) => comparableIdentifier(`${kind}:${String(contact[field])}`) === key,
	);
	// The service knows this one, so it did not find something else.
	if (same.some((contact) => contact[field] === value)) return undefined;
	if (same.length > 1) {
		const ids = same.map(({ id }) => String(id)).join(', ');
		const [name, forms] =
			kind === 'email' ? ['email', 'in upper or lower case'] : ['phone number', 'with or without +'];
		throw rejected(
			`${same.length} contacts have the ${name} ${value} ${forms}, so n8n can't tell which one to use.`,
			`Select the contact by ID (IDs: ${ids}).`,
		);
	}
	return same[0] && String(same[0].id);
}
