/** A value as text that does not depend on the order in which entries and keys come. */
export function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
	const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`);
	return `{${entries.sort().join()}}`;
}
