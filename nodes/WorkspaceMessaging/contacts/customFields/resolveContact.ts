import { rejected } from '../../transport/errors/errors';
import type { ApiError } from '../../transport/errors/errors';
import { limits } from '../../contract';
import type { Endpoint } from '../../contract';
import type { Item } from '../../execution/item';
import { customFieldChoice } from '../../validation/identifier';
import { quoted } from '../../validation/messages';
import { contactsWith, hasOtherForms } from './contactsWithValue';
import { customFieldNamed } from './definitions';
import type { CustomFieldDefinition } from './definitions';
import { storedForm } from './value';

/** IDs of contacts that an error shows at most. */
const MOST_SHOWN = 5;

/**
 * Finds the contact of an item that is chosen by the value of a custom field, and gives the item its ID in place of that
 * choice. It must be the only contact with this value. With Ignore If Already Gone, the choice stays where nobody has it.
 *
 * Text must be the same letter by letter, upper and lower case included, because it tells people apart. Numbers, dates and
 * yes/no may be written in other ways: where nobody has the very text, whoever has the same number, moment or answer is
 * meant.
 *
 * The service looks for it where it can. Elsewhere the list of contacts is read, once for all items of the run.
 *
 * Throws an `ApiError` where there is no such field, or not exactly one such contact.
 *
 * @param endpoint what the item is going to ask for
 */
export async function findChosenContact(item: Item, endpoint: Endpoint): Promise<void> {
	const choice = customFieldChoice(String(item.params.identifier ?? ''));
	if (!choice) return;
	const field = await customFieldNamed(item, choice.field);
	const value = storedForm(item, field, choice.value);
	const ids = await item.run.once(`contacts with ${field.id}=${value}`, async () => {
		return await contactsWith(item, field, value);
	});
	const subject = `${field.name} = ${quoted(choice.value).slice(1, -1)}`;
	if (ids.length === 0 && ignoresMissing(item)) return;
	if (ids.length === 0) throw noContact(subject, field, endpoint);
	if (ids.length > 1) throw severalContacts(ids, subject, endpoint);
	item.params = { ...item.params, identifier: `id:${ids[0]}` };
}

/** Whether the item's contact was looked for by a custom field, and that there is none is no error. */
export function isGone({ params }: Item): boolean {
	return customFieldChoice(String(params.identifier)) !== undefined;
}

/** Whether the user has turned that on in an operation that has it. */
function ignoresMissing(item: Item): boolean {
	return 'ignoreMissing' in item.run.labels && item.parameter('options.ignoreMissing', false) === true;
}

function noContact(subject: string, field: CustomFieldDefinition, endpoint: Endpoint): ApiError {
	const rule = hasOtherForms(field) ? '' : 'Upper and lower case count.';
	return rejected(`There is no contact with ${subject}.`, rule, { endpoint, status: 404 });
}

function severalContacts(ids: string[], subject: string, endpoint: Endpoint): ApiError {
	const { max } = limits.foundContacts;
	const count = ids.length < max ? ids.length : `${max} or more`;
	const shown = ids.slice(0, MOST_SHOWN).join(', ');
	return rejected(
		`There are ${count} contacts with ${subject}, so it is not known which one is meant.`,
		`Choose it by ID, email or phone (IDs: ${shown}${ids.length > MOST_SHOWN ? ', …' : ''}), or by a custom field of which each contact has another value.`,
		{ endpoint },
	);
}
