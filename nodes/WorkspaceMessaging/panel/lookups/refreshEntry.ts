import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { listEntered } from '../../run/fieldValues';
import type { Field } from '../../run/operation';
import { hasExpression } from '../../values/expressions/expression';
import { isObjectOrList } from '../../transport/guards';

/*
 * n8n asks for the entries of a dropdown before it has chosen the credential of a new node, and does
 * not ask again by itself. Then the list has an entry that says how to get the others. An error
 * would disable the dropdown instead.
 */

const NOTE = 'To see the list, choose ⋮ → Refresh List';

/**
 * Returns what a dropdown offers without a credential: the note, and the values that its field has,
 * because n8n marks those that a list lacks.
 *
 * @param names of the fields that have this list
 */
export function entriesWithoutCredential(
	context: ILoadOptionsFunctions,
	names: string[],
): INodePropertyOptions[] {
	// The field is beside others in a collection, or at the top.
	const read = (name: string): unknown =>
		context.getCurrentNodeParameter(`&${name}`) ?? context.getCurrentNodeParameter(name);
	const values = names.map(read).flat().map(String);
	const own = values.filter(
		(value) => value !== NOTE && !['', 'undefined'].includes(value) && !hasExpression(value),
	);
	const entries = own.map((value) => ({ name: value, value }));
	return [{ name: NOTE, value: NOTE }, ...entries];
}

/**
 * Throws an error if a field has the note as its value, or as one of them.
 *
 * @param parameters the values of the fields as the user entered them
 */
export function refuseNote(fields: Field[], parameters: Record<string, unknown>): void {
	const chosen = listEntered(fields, parameters).filter(({ raw }) => hasNote(raw));
	// The last one is the innermost.
	const label = chosen.at(-1)?.field.displayName;
	if (label)
		throw new Error(
			`"${NOTE}" in ${label} is only a note. Remove it, refresh the list, and choose from it.`,
		);
}

const hasNote = (value: unknown) => {
	if (typeof value === 'string') return value.includes(NOTE);
	return isObjectOrList(value) && Object.values(value).some(hasNote);
};
