import type { INodeProperties } from 'n8n-workflow';
import { contactChannels } from '../../contract';
import { inQuery, keywordFilter, optional, optionsOf } from '../shared/fields';
import { pickLists } from '../shared/pickLists';

/** The types of channel by their names. */
export const channelOptions = optionsOf(contactChannels, {
	smtp: 'SMTP',
	tiktok: 'TikTok',
	whatsapp: 'WhatsApp',
});

/** Which contacts are meant, for lists of contacts and for the trigger (part 4.1). */
export const contactFilters: INodeProperties = optional('filters', [
	inQuery({
		displayName: 'Channel Types',
		name: 'channels',
		type: 'multiOptions',
		options: channelOptions,
		default: [],
		description: 'Only contacts that are on one of these types of channel. Empty means any.',
	}),
	inQuery({
		displayName: 'Channel Names or IDs',
		name: 'inboxIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: pickLists.channels.optionsMethod },
		default: [],
		description:
			'Only contacts of these channels; empty means any. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	inQuery({
		displayName: 'Contact Filter',
		name: 'contactFilter',
		type: 'json',
		default: '{}',
		description:
			'Advanced filter by tag, custom field value, subscription status and more, as a JSON object. The API does not document what is inside; what you enter is sent as it is.',
	}),
	keywordFilter('e.g. nathan', 'Only contacts whose name, email or phone number matches this text'),
]);
