import { z } from 'zod/v4';
import { numericId } from '../contract/values';
import { conditionFields, contactFilters } from '../panel/contactFilters';
import { simplify } from '../panel/fields';
import { multiSelectLocator } from '../panel/lookups/locators';
import { lookups } from '../panel/lookups';
import type { Field } from '../run/operation';

/*
 * The fields that polling events of several files have. The panel shows one field for all of them,
 * because it is one object.
 */

/**
 * Which contacts start the workflow, and how the items show them; `ContactItems` does what they
 * say.
 */
export const contactEventFields: Field[] = [...conditionFields, contactFilters, simplify];

/** The channels to watch. */
export const inboxIdsField = multiSelectLocator(lookups.channels, 'inboxIds', {
	description: 'Channels to watch. Leave empty to watch all.',
});

/** The value of this field. */
export const inboxIds = z.array(numericId, 'must be a list of channel IDs').default([]);
