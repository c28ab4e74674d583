import { quoted } from '../labels';

/*
 * Addresses of WhatsApp, as programs that talk to it write them: a number or an ID, and what it
 * belongs to behind an @. They look like emails, but nobody gets mail there.
 */

/** The address of a person, also on one of several devices: `5511999999999:12@s.whatsapp.net`. */
const PERSON = /^\+?(\d{5,20})(?:[._]\d+)?(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/i;
/**
 * The ID of a person in a business, which WhatsApp shows in place of the phone number of people with
 * a user name: a country, and letters and digits.
 */
const USER_ID = /^[a-z]{2}\.(?:ENT\.)?(?=[a-z]*\d)[a-z\d]{10,128}$/i;
const OTHERS = /^(?:status|[\d.:-]+)@(lid|g\.us|newsletter|broadcast)$/i;

/** What others than persons are, by the end of their address. */
const addressKinds: Record<string, string> = {
	lid: 'a WhatsApp ID that hides the phone number',
	'g.us': 'a WhatsApp group',
	newsletter: 'a WhatsApp channel',
	broadcast: 'a WhatsApp broadcast list',
};

/** Whether a text is an address or an ID of WhatsApp, of a person or of anything else. */
export const isWhatsAppAddress = (text: string) =>
	[PERSON, OTHERS, USER_ID].some((form) => form.test(text));

/**
 * Throws an error if a text is the WhatsApp ID of a person without a phone number.
 *
 * @param label the field's name in errors
 */
export function refuseUserId(text: string, label: string): void {
	if (!USER_ID.test(text)) return;
	throw new Error(
		`${label} is ${quoted(text)}, the WhatsApp ID of a person who shows no phone number. Find this contact by its own ID (drag "contact"), or by a custom field`,
	);
}

/**
 * Returns the phone number in the WhatsApp address of a person, with a +; undefined if the text is
 * no address of WhatsApp. Throws an error that says what the address is if it has no number.
 *
 * @param label the field's name in errors
 */
export function readWhatsAppNumber(text: string, label: string): string | undefined {
	refuseUserId(text, label);
	const [, digits] = PERSON.exec(text) ?? [];
	if (digits !== undefined) return `+${digits}`;
	const [, end] = OTHERS.exec(text) ?? [];
	if (end === undefined) return undefined;
	throw new Error(
		`${label} must be a phone number, but is ${quoted(text)}, ${addressKinds[end.toLowerCase()]}`,
	);
}

/**
 * Throws an error if an email is an address of WhatsApp.
 *
 * @param label the field's name in errors
 */
export function refuseWhatsAppAddress(text: string, label: string): void {
	refuseUserId(text, label);
	if (!isWhatsAppAddress(text)) return;
	const [, end = ''] = OTHERS.exec(text) ?? [];
	const kind = addressKinds[end.toLowerCase()] ?? 'a WhatsApp number; enter it as the phone number';
	throw new Error(`${label} must be an email address, but is ${quoted(text)}, ${kind}`);
}
