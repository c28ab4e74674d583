import { normalizeText } from '../transport/normalizeText';

/* The names of records, such as tags, as people type them. */

/** Whether a name contains a text, in upper or lower case. */
export function containsKeyword(name: string, text: string): boolean {
	return foldCase(name).includes(foldCase(text));
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

const foldCase = (text: string) => normalizeText(text).toLowerCase();

/**
 * Returns a name in the form in which names are compared: as it looks, whatever its case and the
 * white space around it.
 */
export const foldName = (name: string) => foldCase(name).trim();

/** The same, without any white space: the names of custom fields become columns of files. */
export const foldNameAndSpaces = (name: string) => foldName(name).replace(/\s/g, '');

/** Returns a text with one space for each run of white space. */
export const withSingleSpaces = (text: string): string => text.replace(/\s+/g, ' ');

/** Returns the longest word of a text, the first of several. */
export const findLongestWord = (text: string): string =>
	text.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest));

/** Returns a text without what people leave out when they type in a hurry: case and accents. */
export function foldAccents(text: string): string {
	const letters = normalizeText(text)
		.normalize('NFKD')
		.replace(/[\u0300-\u036f]/g, '');
	return withSingleSpaces(letters.toLowerCase()).trim();
}

/** Whether two names look the same. */
export const looksLike = (one: string, other: string) =>
	normalizeText(one) === normalizeText(other);

/** Finds the records that a name fits. */
type FindNamed<T> = (name: string) => T[];

/** The finders of lists of records; a long run looks for thousands of names in one list. */
const finders = new WeakMap<object, FindNamed<unknown>>();

/**
 * Returns the records that a name fits: those with exactly this name; else those whose name looks
 * the same; else those whose name is the same once it is folded. Where several fit, the caller
 * chooses none of them; see `describeSeveral`.
 *
 * @param all a list that no longer changes
 * @param namesOf returns all names of a record; the same ones with each call for this list
 * @param fold returns a name without what makes no difference
 */
export function findByName<T>(
	all: Iterable<T> & object,
	name: string,
	namesOf: (record: T) => string[],
	fold = foldName,
): T[] {
	const find = (finders.get(all) as FindNamed<T> | undefined) ?? indexByName(all, namesOf, fold);
	finders.set(all, find);
	return find(name);
}

function indexByName<T>(
	all: Iterable<T>,
	namesOf: (record: T) => string[],
	fold: (name: string) => string,
): FindNamed<T> {
	const forms = [(name: string) => name, normalizeText, fold];
	const indexes = forms.map((toForm) => ({ toForm, found: new Map<string, T[]>() }));
	for (const record of all) {
		for (const { toForm, found } of indexes) {
			for (const key of new Set(namesOf(record).map(toForm)))
				found.set(key, [...(found.get(key) ?? []), record]);
		}
	}
	return (name) => {
		for (const { toForm, found } of indexes) {
			const records = found.get(toForm(name));
			if (records) return records;
		}
		return [];
	};
}
