import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { isObject } from '../transport/guards';
import type { Item } from '../run/item';
import { hasIdentifier, parseIdentifier, showIdentifier } from '../values/identifier';
import { string } from '../contract/values';

/** The output of an operation that changes a contact; see `describeContact`. */
export const contactOutput = z.object({
	success: z.literal(true),
	contact: string,
	fullName: string.optional(),
	contactId: string.optional(),
	email: string.optional(),
	phoneNumber: string.optional(),
});

/** What tells who a contact is. */
type ContactRef = Omit<z.output<typeof contactOutput>, 'success' | 'contact'>;

/**
 * Returns who the contact of an item is, for the output. It sends no request, but uses the
 * identifier, what the item has read, and its input.
 *
 * @param contact as the operation has read it
 */
export function describeContact(
	item: Item<{ identifier: string }, object>,
	contact?: IDataObject,
): ContactRef & { contact: string } {
	const { identifier } = item.params;
	const parsed = parseIdentifier(identifier);
	const read = contact ?? item.knownContacts.get(identifier);
	const found = {
		...inputRef(item.input.json, identifier),
		...(parsed && showIdentifier(parsed)),
		...(read && recordRef(read)),
	};
	return { contact: identifier, ...pickTexts(found) };
}

/** The fields that every contact of the API has. Records of other apps hardly have them all. */
const ownFields = ['id', 'fullName', 'firstName', 'lastName', 'email', 'phoneNumber', 'updatedAt'];

/** Returns what the input says about a contact if the input is that contact. */
function inputRef(input: IDataObject, identifier: string): ContactRef {
	const { contact } = input;
	// The output of this node.
	if (contact === identifier) return pickTexts(input);
	// An item of a trigger has the contact inside.
	let json = input;
	if (isObject(contact)) json = contact as IDataObject;
	if (!hasIdentifier(json, identifier)) return {};
	const isRecordOfContact = ownFields.every((field) => field in json);
	if (isRecordOfContact) return recordRef(json);
	const parsed = parseIdentifier(identifier);
	// The ID and the phone number in a record of another app can be others than those of the contact.
	if (parsed?.kind !== 'id') return {};
	const { email, phoneNumber, fullName } = json;
	return pickTexts({ email, phoneNumber, fullName });
}

const recordRef = ({ id, ...contact }: IDataObject): ContactRef =>
	pickTexts({ ...contact, contactId: String(id) });

/** Returns the fields that hold a text, the name first. */
function pickTexts({ contactId, email, phoneNumber, fullName }: IDataObject): ContactRef {
	const fields = Object.entries({ fullName, contactId, email, phoneNumber });
	return Object.fromEntries(
		fields.filter(
			(entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
		),
	);
}
