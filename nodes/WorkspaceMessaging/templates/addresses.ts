import { quoted } from '../values/labels';

/* The addresses in a template: of its files, and of its buttons. */

/** Whether a text is an address that WhatsApp can read a file from. */
export const isWebAddress = (text: string) =>
	URL.canParse(text) && new URL(text).protocol === 'https:';

/**
 * Returns the address of a file as WhatsApp can read it. Throws an error if it is not one address,
 * or has no value in a part.
 */
export function readAddress(text: string, label: string): string {
	checkAddress(text, label);
	// A comma is a part of many addresses.
	if (/[\s,;]https?:/i.test(text))
		throw new Error(`${label} must be one address, but is ${quoted(text)}`);
	return text.replace(/\s/g, encodeURIComponent);
}

/** Returns an address from the name of its site on: people write it in all of these ways. */
const withoutScheme = (address: string) =>
	address.replace(/^(?:https?:)?\/{0,2}(?:www\.)?/i, '').toLowerCase();

/**
 * Throws an error if a value is a whole address, but the address of its button has the beginning.
 *
 * @param start the address of the button as far as the value; empty if it is not known
 */
export function checkAddressEnd(text: string, start: string, label: string): void {
	checkAddress(`/${text}`, label);
	if (start === '') return;
	const repeatsStart = withoutScheme(text).startsWith(withoutScheme(start));
	// In a query, a value can be an address.
	const isInPath = !start.includes('?');
	if (!repeatsStart && !(isInPath && /^https?:\/\//i.test(text))) return;
	throw new Error(
		`${label} must be only what comes behind ${start} in the address, but is ${quoted(text)}`,
	);
}

/**
 * What an expression without a value leaves in an address, as a folder, a file or a value of the
 * query.
 */
const NO_VALUE = /[/=](undefined|null|NaN|%5Bobject(?: |%20|\+)Object%5D)(?:\.\w+)?(?=[/?#&]|$)/;

/** Throws an error if an address, or a part of one, would lead somewhere else than meant. */
function checkAddress(address: string, label: string) {
	// `URL` drops them.
	if (/[\t\r\n]/.test(address))
		throw new Error(`${label} must be one address, but has a line break`);
	const [, found] = NO_VALUE.exec(address) ?? [];
	if (found)
		throw new Error(
			`${label} has "${found}" in the address. Point the expression at a field that has a value.`,
		);
}
