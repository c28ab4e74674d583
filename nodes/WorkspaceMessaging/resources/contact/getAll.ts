import type { INodeProperties } from 'n8n-workflow';
import { contactChannels, listContacts, sortOrders } from '../../contract';
import { route } from '../../routing/operation';
import { inQuery, keywordFilter, optional, optionsOf, showFor } from '../shared/fields';
import { pageOptions } from '../shared/lists';
import { simplifyContacts } from './simplify';

export const channelOptions = optionsOf(contactChannels, {
	smtp: 'SMTP',
	tiktok: 'TikTok',
	whatsapp: 'WhatsApp',
});

const orderNames = { asc: 'Ascending', desc: 'Descending' };

export const getAllFields: INodeProperties[] = showFor('contact', 'getAll', [
	optional('filters', [
		inQuery({
			displayName: 'Channel Types',
			name: 'channels',
			type: 'multiOptions',
			options: channelOptions,
			default: [],
			description: 'Only contacts that are on one of these types of channel',
		}),
		inQuery({
			displayName: 'Channel Names or IDs',
			name: 'inboxIds',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getChannels' },
			default: [],
			description:
				'Only contacts of these channels. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
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
	]),
	optional('options', [
		...pageOptions,
		inQuery({
			displayName: 'Sort',
			name: 'sort',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			description: 'What to sort by, the most important first',
			options: [
				{
					displayName: 'Fields',
					name: 'fields',
					values: [
						{
							displayName: 'Field',
							name: 'field',
							type: 'string',
							default: 'createdAt',
							description: 'Name of the field in the API, such as createdAt',
						},
						{
							displayName: 'Order',
							name: 'order',
							type: 'options',
							options: optionsOf(sortOrders, orderNames),
							default: 'desc',
							description: 'From low to high, or from high to low',
						},
					],
				},
			],
		}),
	]),
]);

export const getAllRouting = route(listContacts, getAllFields, { simplify: simplifyContacts });
