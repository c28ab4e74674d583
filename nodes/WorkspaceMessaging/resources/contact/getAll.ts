import { listContacts, sortOrders } from '../../contract';
import type { Operation } from '../../execution/operation';
import { inQuery, optional, optionsOf, pageOptions, returnAllOrLimit, simplify } from '../shared/fields';
import { conditionFields } from '../shared/conditionFields';
import { readContacts } from '../../contacts/list/contactList';
import { contactFilters } from '../shared/contactFilters';
import { buildQuery } from '../../contacts/list/contactQuery';
import { simpleContact, simplifyContacts } from '../../contacts/simplify';

/** What a list of contacts can sensibly be sorted by; the reference does not say which of it a service sorts. */
const sortFields = [
	{ name: 'City', value: 'city' },
	{ name: 'Country', value: 'country' },
	{ name: 'Created', value: 'createdAt' },
	{ name: 'Email', value: 'email' },
	{ name: 'First Name', value: 'firstName' },
	{ name: 'Full Name', value: 'fullName' },
	{ name: 'Gender', value: 'gender' },
	{ name: 'ID', value: 'id' },
	{ name: 'Language', value: 'locale' },
	{ name: 'Last Name', value: 'lastName' },
	{ name: 'Last Read', value: 'lastReadAt' },
	{ name: 'Phone Number', value: 'phoneNumber' },
	{ name: 'Subscribed', value: 'subscribedAt' },
	{ name: 'Updated', value: 'updatedAt' },
];

const sort = inQuery({
	displayName: 'Sort',
	name: 'sort',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	description: 'The most important first',
	options: [
		{
			displayName: 'Fields',
			name: 'fields',
			values: [
				{
					displayName: 'Field',
					name: 'field',
					type: 'options',
					options: sortFields,
					default: 'createdAt',
					description: 'An expression can name other fields of the API',
				},
				{
					displayName: 'Order',
					name: 'order',
					type: 'options',
					options: optionsOf(sortOrders),
					default: 'desc',
				},
			],
		},
	],
});

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many contacts',
	description: 'Get many contacts, optionally only those that match conditions or filters',
	endpoint: listContacts,
	fields: [
		...returnAllOrLimit,
		simplify,
		...conditionFields,
		contactFilters,
		optional('options', [...pageOptions, sort]),
	],
	output: simpleContact,
	async run(item) {
		const { query, segment } = await buildQuery(item);
		const contacts = await readContacts(item, query, item.limit, segment);
		return item.isSimplified ? await simplifyContacts(contacts, item) : contacts;
	},
};
