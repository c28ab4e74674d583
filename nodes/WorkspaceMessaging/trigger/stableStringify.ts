/** A value as JSON text that does not depend on the order in which entries of lists and keys of objects come. */
export function stableStringify(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(stableStringify).sort().join()}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
	const entries = Object.entries(value).map(
		([key, entry]) => `${JSON.stringify(key)}:${stableStringify(entry)}`,
	);
	return `{${entries.sort().join()}}`;
}
