import type { INodeProperties } from 'n8n-workflow';
import { listContacts, sortOrders } from '../../contract';
import { route } from '../../routing/operation';
import { inQuery, optional, optionsOf, showFor } from '../shared/fields';
import { pageOptions } from '../shared/lists';
import { contactFilters } from './filters';
import { simplifyContacts } from './simplify';

const orderNames = { asc: 'Ascending', desc: 'Descending' };

export const getAllFields: INodeProperties[] = showFor('contact', 'getAll', [
	contactFilters,
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
