import type { IDataObject } from 'n8n-workflow';
import { listCustomFields } from '../contract';
import { simplifyContact } from '../resources/contact/simplify';
import { callOf } from './shim';
import type { Caller } from './shim';
import { readList } from './shim';

/** Makes output items of contacts; each is a new object, to which more can be added. */
export type Shape = (contacts: IDataObject[]) => Promise<IDataObject[]>;

/**
 * The form in which contacts are put out: as the service has them, or simplified as by the operations of a contact, with
 * custom field values by the fields' names. These are read only when one of the contacts has a value.
 */
export function contactShape(caller: Caller, simplify: boolean): Shape {
	return async (contacts) => {
		if (!simplify) return contacts.map((contact) => ({ ...contact }));
		const hasValues = contacts.some(
			({ contactCustomFields: values }) => Array.isArray(values) && values.length > 0,
		);
		const names = hasValues ? await customFieldNames(caller) : new Map<string, string>();
		return contacts.map((contact) => simplifyContact(contact, names));
	};
}

/** Names of the custom fields by their IDs; none where they cannot be read. */
async function customFieldNames(caller: Caller): Promise<Map<string, string>> {
	const definitions = await readList(caller, callOf(listCustomFields)).catch((): IDataObject[] => []);
	return new Map(definitions.map(({ id, name }) => [String(id), String(name)]));
}
