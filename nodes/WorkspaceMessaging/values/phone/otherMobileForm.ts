import type { IDataObject } from 'n8n-workflow';
import { refusedError } from '../../transport/errors/ApiError';
import { idsOf } from '../../transport/guards';

/*
 * In three countries, a mobile number has two forms: with a digit that only callers from abroad or
 * only newer numbers have, and without it. WhatsApp has people in either form.
 */

/** Each form, with the digit that the other one has between the two groups. */
const mobileForms: Array<[form: RegExp, addedDigit: string]> = [
	// Mexico: 1 before the number.
	[/^(52)1(\d{10})$/, ''],
	[/^(52)([2-9]\d{9})$/, '1'],
	// Brazil: 9 behind the two digits of the area. Mobiles began with 6 to 9 before.
	[/^(55[1-9]\d)9([6-9]\d{7})$/, ''],
	[/^(55[1-9]\d)([6-9]\d{7})$/, '9'],
	// Argentina: 9 before the number.
	[/^(54)9(\d{10})$/, ''],
	[/^(54)([1-3]\d{9})$/, '9'],
];

/**
 * Returns the other form of a mobile number; undefined if it has none.
 *
 * @param digits with the country code, without a +
 */
export function otherMobileForm(digits: string): string | undefined {
	for (const [form, addedDigit] of mobileForms) {
		const match = form.exec(digits);
		if (match) return match[1] + addedDigit + match[2];
	}
	return undefined;
}

/** Takes note of the phone numbers that found a contact by their other form. */
export interface OtherNumbers {
	noteOtherNumber(entered: string, found: string): void;
}

/**
 * Returns the contact with the other form of a mobile number, for which nobody has exactly this
 * one, and takes note of that; undefined if there is none. Throws an `ApiError` if there are several.
 *
 * @param contacts those with the other form
 */
export function useOtherNumber(
	numbers: OtherNumbers,
	contacts: IDataObject[],
	entered: string,
): IDataObject | undefined {
	const [contact] = contacts;
	if (!contact) return undefined;
	if (contacts.length > 1) {
		const ids = idsOf(contacts).join(', ');
		throw refusedError(
			`No contact has the phone number ${entered}, but ${contacts.length} contacts have the other form of this mobile number, so n8n can't tell which one to use.`,
			`Select the contact by ID (IDs: ${ids}).`,
		);
	}
	numbers.noteOtherNumber(entered, String(contact.phoneNumber));
	return contact;
}
