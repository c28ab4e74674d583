import type { IDataObject } from 'n8n-workflow';
import { limits } from '../contract/limits';
import type { AnyItem } from '../run/item';
import { oncePerRun } from '../run/run';
import { cleanText, isEmptyCell } from '../values/blankText';
import { counted, quoted } from '../values/labels';
import { foldName, withSingleSpaces } from '../values/names';

/* Full names. The API has first and last names, and computes the full name from them (part 2.1). */

/** Returns the first and the last name of a contact as one; empty if it has neither. */
export const joinNameParts = ({ firstName, lastName }: IDataObject): string =>
	[firstName, lastName].filter(Boolean).join(' ');

/** Returns the full name of a contact, made from its parts if the service shows only those. */
export const getFullName = (contact: IDataObject): string =>
	String(contact.fullName || joinNameParts(contact));

/** The fields of a contact that a full name fills. */
interface NameParts {
	firstName?: unknown;
	lastName?: unknown;
}

/**
 * Returns the fields of a contact with the parts of a full name: it is split at the last blank, and
 * one word is a first name. Throws an error if the fields have a name already, or if a part is too
 * long.
 */
export function withNameParts<Fields extends NameParts>(fields: Fields, fullName: string): Fields {
	if (fullName === '') return fields;
	const hasName = !isEmptyCell(fields.firstName) || !isEmptyCell(fields.lastName);
	if (hasName)
		throw new Error(
			'Remove Full Name, or First Name and Last Name: only one of these can have a value',
		);
	const blank = fullName.lastIndexOf(' ');
	if (blank < 0) return { ...fields, firstName: checkedPart('first', fullName) };
	const firstName = checkedPart('first', fullName.slice(0, blank));
	const lastName = checkedPart('last', fullName.slice(blank + 1));
	return { ...fields, firstName, lastName };
}

function checkedPart(which: string, name: string) {
	const { max } = limits.personName;
	if (name.length <= max) return name;
	const rule = `Full Name must be a first and a last name of at most ${max} characters each`;
	throw new Error(`${rule}, but the ${which} name has ${name.length}`);
}

/** Returns the fields to change, without the parts of a full name that the contact has already. */
export function withoutOwnName<Fields extends NameParts>(
	fields: Fields,
	fullName: string,
	contact: IDataObject,
): Fields {
	// However its parts are split.
	const own = withSingleSpaces(cleanText(joinNameParts(contact) || getFullName(contact)));
	if (fullName === '' || own !== fullName) return fields;
	const others = { ...fields };
	delete others.firstName;
	delete others.lastName;
	return others;
}

/** Counts an item for a hint if its first name already contains the last name. */
export function hintAtDoubledName(item: AnyItem, { firstName, lastName }: NameParts): void {
	const [first, last] = [firstName, lastName].map((name) => foldName(String(name ?? '')));
	const isDoubled = last !== '' && first !== last && ` ${first} `.includes(` ${last} `);
	if (isDoubled) doubledNames(item).set(item.index, `${String(firstName)} ${String(lastName)}`);
}

/** The doubled names of a run, by the numbers of their items. */
const doubledNames = oncePerRun((item: AnyItem) => {
	const names = new Map<number, string>();
	item.hint(() => {
		const [name] = names.values();
		const items = counted(names.size, 'item');
		return `First Name contains the last name already, for ${items}: ${quoted(name)}. For a whole name, use Full Name.`;
	});
	return names;
});
