import { listContacts, sortOrders } from '../../contract';
import type { Operation } from '../../execution/operation';
import { inQuery, optional, optionsOf } from '../shared/fields';
import { pageOptions, returnAllOrLimit } from '../shared/lists';
import { simplify } from '../shared/simplifyField';
import { contactFilters } from './filters';
import { simpleContact, simplifyContacts } from './simplify';

const orderNames = { asc: 'Ascending', desc: 'Descending' };

const sort = inQuery({
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
});

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many contacts',
	description: 'Get many contacts, optionally only those that match filters',
	endpoint: listContacts,
	fields: [...returnAllOrLimit, simplify, contactFilters, optional('options', [...pageOptions, sort])],
	output: simpleContact,
	simplify: simplifyContacts,
};
