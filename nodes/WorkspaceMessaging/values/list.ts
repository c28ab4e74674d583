/**
 * Converts text to its list, JSON or entries separated by commas or semicolons; returns anything
 * else unchanged.
 */
export function toList(value: unknown): unknown {
	if (typeof value === 'string') {
		const text = value.trim();
		if (!text.startsWith('[') && !text.startsWith('{')) {
			return text
				.split(/[,;]/)
				.map((entry) => entry.trim())
				.filter((entry) => entry !== '');
		}
		const parsed = fromJson(text);
		return typeof parsed === 'object' && !Array.isArray(parsed) ? [parsed] : parsed;
	}
	if (typeof value === 'number') return [value];
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		const entries = Object.values(value);
		if (entries.length === 0) return [];
		const isCollection = entries.length === 1 && Array.isArray(entries[0]);
		return isCollection ? entries[0] : [value];
	}
	return value;
}

/** Returns what JSON says; other text unchanged. */
export function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
