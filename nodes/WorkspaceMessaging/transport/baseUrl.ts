/** A host, perhaps with a port, and perhaps with more behind it. */
const WITHOUT_SCHEME = /^[^:/?#@]+(?::\d+)?(?:[/?#]|$)/;

/**
 * Brings the credential's Base URL into the form that paths are appended to.
 *
 * Takes what people paste: an address without https://, trailing slashes, `/api` or `/api/v1` behind it, the path prefix of
 * a self-hosted instance.
 * Returns it without any of the former, such as `https://chat.example.com/prefix`.
 * Throws an error that says what is wrong when it is not http(s) or holds a user, a query or a fragment (part 1).
 */
export function normalizeBaseUrl(value: unknown): string {
	const given = typeof value === 'string' ? value.trim() : '';
	if (given === '')
		throw new Error(
			'The Base URL in the credential is empty. Enter the address of your workspace, such as https://chat.example.com.',
		);
	// A URL parser would quietly read these as something else.
	if (/[\\\s\p{Cc}]/u.test(given))
		throw new Error('The Base URL in the credential must not contain spaces, line breaks or backslashes.');

	const text = WITHOUT_SCHEME.test(given) ? `https://${given}` : given;
	if (!/^https?:\/\//i.test(text))
		throw new Error('The Base URL in the credential must start with https:// or http://.');
	if (!URL.canParse(text))
		throw new Error(
			'The Base URL in the credential is not a valid address. Enter it like https://chat.example.com.',
		);
	const url = new URL(text);
	if (url.username || url.password)
		throw new Error('The Base URL in the credential must not contain a user name or password.');
	if (text.includes('?'))
		throw new Error('The Base URL in the credential must not contain a query (the part from the ? on).');
	if (text.includes('#'))
		throw new Error('The Base URL in the credential must not contain a fragment (the part from the # on).');

	const path = url.pathname
		.replace(/\/+$/, '')
		.replace(/\/api(\/v1)?$/, '')
		.replace(/\/+$/, '');
	return url.origin + path;
}
