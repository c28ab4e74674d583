import type { Field } from '../../execution/operation';
import { rethrow } from '../../transport/rethrow';
import type { Item } from '../../execution/item';
import { optional } from './fields';
import { defaultCountryCode } from './locators';
import { MissingError } from './unsupported';

const ignoreMissing: Field = {
	displayName: 'Ignore If Already Gone',
	name: 'ignoreMissing',
	type: 'boolean',
	default: false,
	description: 'Whether it counts as done if it is gone',
};

/** The options of everything that deletes. */
export const deleteOptions = optional('options', [ignoreMissing]);

/** The options of everything that deletes something of a contact. */
export const contactDeleteOptions = optional('options', [defaultCountryCode, ignoreMissing]);

/**
 * Deletes something, or finds it gone where the user wants that to count as done.
 *
 * @returns whether there was something to delete
 */
export async function deleted(item: Item, request: Promise<unknown>): Promise<boolean> {
	return await request.then(
		() => true,
		async (error: unknown) => {
			const isIgnored = item.parameter('options.ignoreMissing', false) === true;
			return isIgnored && error instanceof MissingError ? false : await rethrow(error);
		},
	);
}
