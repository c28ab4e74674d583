import type { Field } from '../run/operation';
import { lookups } from './lookups';
import { locator } from './lookups/locators';

/**
 * The channel to send on; without it the contact's last active channel is used (part 4.1), or its
 * first one.
 */
export const sendingChannel: Field = {
	...locator(lookups.channels, 'inboxId', {
		hint: 'To answer a message, drag its "channel". If empty, the service usually takes the last active channel.',
	}),
	canBeEmpty: true,
};
