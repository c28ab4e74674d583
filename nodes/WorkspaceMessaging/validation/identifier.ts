/**
 * Turns the value of a locator of contacts into the API's identifier (part 4): `id:…`, `email:…` or `phone:…`.
 * A value that already has one of these prefixes keeps it in every mode. White space at the ends, which copying brings
 * along, belongs to no identifier. An empty value gives an empty string; what is no text stays as it is, for the check to
 * name.
 */
export function toIdentifier(locator: unknown): unknown {
	const { mode, value } =
		typeof locator === 'object' && locator !== null
			? (locator as { mode?: string; value?: unknown })
			: { mode: '', value: locator };
	const given = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	if (typeof given !== 'string') return given;
	const text = given.trim();
	const [prefix] = /^(id|email|phone):/.exec(text) ?? [];
	if (prefix) return prefix + text.slice(prefix.length).trim();
	if (text === '') return text;
	if (mode === 'email' || mode === 'phone') return `${mode}:${text}`;
	return mode === 'list' || mode === 'id' ? `id:${text}` : text;
}
