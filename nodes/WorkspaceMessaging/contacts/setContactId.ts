import type { Endpoint } from '../contract/endpoint';
import type { Item } from '../run/item';
import { oncePerRun } from '../run/run';
import { parseIdentifier, readCustomFieldIdentifier } from '../values/identifier';
import { findIdByCustomField } from './findByCustomField';
import { lookUpContact } from './findByIdentifier';

/**
 * Sets the item's identifier to the ID of the contact if the user selects it by a custom field, or
 * if the items of a run that changes contacts name them in different ways: only the ID shows that
 * two items are about the same contact.
 *
 * Throws an `ApiError` if there is no such field, or not exactly one such contact.
 *
 * @param endpoint what the item is going to request
 */
export async function setContactId(item: Item, endpoint: Endpoint): Promise<void> {
	const choice = readCustomFieldIdentifier(parseIdentifier(item.params.identifier));
	if (choice) {
		const id = await findIdByCustomField(item, endpoint, choice);
		if (id !== undefined) item.useContactId(id);
		return;
	}
	if (!needsContactId(item, endpoint)) return;
	const entered = String(item.params.identifier);
	const { needsExactNumber } = endpoint;
	const contact = await findContactBy(item, entered, { needsExactNumber });
	// If there is none, the operation says so in its own words.
	if (!contact) return;
	item.useContactId(contact.id);
	// Now the identifier is the ID.
	const identifier = String(item.params.identifier);
	item.knownContacts.set(identifier, contact);
}

/**
 * Whether requests to an endpoint change the contact that an item names. Create or Update keeps the
 * order by itself: its rows also name the contact in other fields.
 */
export const changesNamedContact = ({ method, params }: Endpoint): boolean =>
	method !== 'GET' && params !== undefined && 'identifier' in params.shape;

/** Whether only the ID shows which items of the run change the same contact. */
function needsContactId(item: Item, endpoint: Endpoint) {
	const { kind } = parseIdentifier(item.params.identifier) ?? {};
	if (kind !== 'email' && kind !== 'phone') return false;
	if (!changesNamedContact(endpoint)) return false;
	const kinds = readKindsInRun(item);
	return kinds.size > 1;
}

/** The ways in which the items of a run name contacts; a custom field leads to an ID. */
const readKindsInRun = oncePerRun(({ run }: Item) => {
	const identifiers = run.items.flatMap(({ params }) => parseIdentifier(params.identifier) ?? []);
	return new Set(identifiers.map(({ kind }) => (kind === 'customField' ? 'id' : kind)));
});

const findContactBy = oncePerRun(lookUpContact);

/** Whether the user selected a contact by a custom field, and no contact was found. */
export function foundNoContact({ params }: Item): boolean {
	return parseIdentifier(params.identifier)?.kind === 'customField';
}
