/* The names of records, such as tags, as people type them. */

/** Whether a name contains a text, in upper or lower case. */
export function containsKeyword(name: string, text: string): boolean {
	return name.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Sorts by name, as people do: "Flow 9" before "Flow 10". */
export const compareByName = (a: { name: string }, b: { name: string }) =>
	collator.compare(a.name, b.name);

/** The maximum number of columns, and of fields, that an error lists. */
const NAMES_SHOWN = 20;

/** Returns names as a list for an error, not longer than an error can show. */
export function joinNames(names: string[]): string {
	const shown = names.slice(0, NAMES_SHOWN).join(', ');
	const hidden = names.length - NAMES_SHOWN;
	return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

/** Returns a name in the form in which names are compared, whatever its case and white space. */
export const foldName = (name: string) => name.trim().toLocaleLowerCase();

/**
 * Returns names as a list, without white space around them and without empty ones. Text is a JSON
 * list, or names separated by commas or semicolons; a name can begin with a bracket, too.
 */
export function readNames(input: unknown): string[] {
	const entered = typeof input === 'string' ? namesInText(input) : input;
	const all: unknown[] = [entered].flat();
	const names = all.map((name) => {
		if (typeof name !== 'string') return name;
		return name.trim();
	});
	return names.filter((name): name is string => name !== '' && name !== null && name !== undefined);
}

function namesInText(text: string): unknown[] {
	try {
		const parsed: unknown = JSON.parse(text);
		if (Array.isArray(parsed)) return parsed;
	} catch {
		// It is not JSON.
	}
	return text.split(/[,;]/);
}
