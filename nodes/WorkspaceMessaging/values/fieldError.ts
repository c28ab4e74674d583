/**
 * An error about the value of one field. It carries the label of the field, so that `explainEmpty`
 * can tell whether an expression left that field empty.
 */
export class FieldError extends Error {
	/**
	 * @param label of the field
	 * @param rule what the field takes: `Name must be text`
	 * @param found what it has instead, after "but": `is empty`; undefined if the rule says so already
	 */
	constructor(
		readonly label: string,
		readonly rule: string,
		readonly found?: string,
	) {
		super(found === undefined ? rule : `${rule}, but ${found}`);
	}
}

/** Throws an error if a field that is required is empty. */
export function requireField(label: string, value: unknown): void {
	if (value === undefined) throw new FieldError(label, `${label} must not be empty`);
}
