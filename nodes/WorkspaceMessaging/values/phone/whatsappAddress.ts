import { quoted } from '../labels';

/*
 * Addresses of WhatsApp, as programs that talk to it write them: a number or an ID, and what it
 * belongs to behind an @. They look like emails, but nobody gets mail there.
 */

/** The address of a person, also on one of several devices: `5511999999999:12@s.whatsapp.net`. */
const PERSON = /^\+?(\d{5,20})(?:[._]\d+)?(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/i;
const OTHERS = /^(?:status|[\d.:-]+)@(lid|g\.us|newsletter|broadcast)$/i;

/** What others than persons are, by the end of their address. */
const addressKinds: Record<string, string> = {
	lid: 'a WhatsApp ID that hides the phone number',
	'g.us': 'a WhatsApp group',
	newsletter: 'a WhatsApp channel',
	broadcast: 'a WhatsApp broadcast list',
};

/** Whether a text is an address of WhatsApp, of a person or of anything else. */
export const isWhatsAppAddress = (text: string) => PERSON.test(text) || OTHERS.test(text);

/**
 * Returns the phone number in the WhatsApp address of a person, with a +; undefined if the text is
 * no address of WhatsApp. Throws an error that says what the address is if it is not a person's.
 *
 * @param label the field's name in errors
 */
export function readWhatsAppNumber(text: string, label: string): string | undefined {
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
	if (!isWhatsAppAddress(text)) return;
	const [, end = ''] = OTHERS.exec(text) ?? [];
	const kind = addressKinds[end.toLowerCase()] ?? 'a WhatsApp number; enter it as the phone number';
	throw new Error(`${label} must be an email address, but is ${quoted(text)}, ${kind}`);
}
