import type { Field } from '../../execution/operation';
import { contactChannels } from '../../contract';
import { inQuery, keywordFilter, optional, optionsOf } from './fields';
import { multiSelect } from './lookupFields';
import { lookups } from './lookups';

/** The types of channel by their names. */
export const channelOptions = optionsOf(contactChannels);

/** Which contacts are meant, for lists of contacts and for the trigger (part 4.1). */
export const contactFilters: Field = optional('filters', [
	inQuery({
		displayName: 'Channel Types',
		name: 'channels',
		type: 'multiOptions',
		options: channelOptions,
		default: [],
		description: 'Leave empty for any',
	}),
	inQuery(multiSelect(lookups.channels, 'inboxIds', { description: 'Leave empty for any.' })),
	inQuery({
		displayName: 'Contact Filter',
		name: 'contactFilter',
		type: 'json',
		default: '{}',
		description: 'JSON object for what Conditions cannot say, sent as it is',
	}),
	keywordFilter('e.g. nathan', 'Part of a name, email or phone number'),
]);
