import { contactApi } from '../../contract/contact';
import { choices } from '../../contract/limits';
import { defineOperation } from '../../run/operation';
import {
	inQuery,
	optional,
	toNamedOptions,
	toSortedOptions,
	pageOptions,
	returnAllOrLimit,
	simplify,
} from '../../panel/fields';
import { conditionFields, contactFilters } from '../../panel/contactFilters';
import { buildListQuery, readContacts } from '../../contacts/list';
import { simpleContact, simplifyContacts } from '../../contacts/simplify';

/**
 * Fields that people sort contacts by. The reference does not say by which of them a service sorts.
 */
const sortFields = toNamedOptions({
	city: 'City',
	country: 'Country',
	createdAt: 'Created',
	email: 'Email',
	firstName: 'First Name',
	fullName: 'Full Name',
	gender: 'Gender',
	id: 'ID',
	locale: 'Language',
	lastName: 'Last Name',
	lastReadAt: 'Last Read',
	phoneNumber: 'Phone Number',
	subscribedAt: 'Subscribed',
	updatedAt: 'Updated',
});

const sortField = inQuery({
	displayName: 'Sort',
	name: 'sort',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	description: 'The first field has priority',
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
					description: 'For other fields of the API, use an expression',
				},
				{
					displayName: 'Order',
					name: 'order',
					type: 'options',
					options: toSortedOptions(choices.sortOrders),
					default: 'desc',
				},
			],
		},
	],
});

export const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many contacts',
	description: 'Get many contacts, all or those that match conditions or filters',
	endpoint: contactApi.listContacts,
	fields: [
		...returnAllOrLimit,
		simplify,
		...conditionFields,
		contactFilters,
		optional('options', [...pageOptions, sortField]),
	],
	output: simpleContact,
	simplify: simplifyContacts,
	run: async (item) => await readContacts(item, await buildListQuery(item), item.limit),
});
