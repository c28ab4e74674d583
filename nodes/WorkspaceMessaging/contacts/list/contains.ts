/** Whether a name contains a text, in upper or lower case. */
export function contains(name: string, text: string): boolean {
	return name.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}
