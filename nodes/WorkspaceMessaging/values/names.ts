/* The names of records, such as tags, as people type them. */

/** Whether a name contains a text, in upper or lower case. */
export function containsKeyword(name: string, text: string): boolean {
	return name.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}
