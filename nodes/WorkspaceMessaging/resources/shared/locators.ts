import type { INodeProperties } from 'n8n-workflow';
import { patterns, rules } from '../../contract';
import type { PickList } from './pickLists';
import { pickLists } from './pickLists';

/** Digits only, as the API wants its IDs (part 4). */
const numericIdRule = {
	type: 'regex' as const,
	properties: { regex: patterns.numericId.source, errorMessage: `Enter ${rules.numericId}` },
};

/** Chooses a contact: from the list, or by ID, email or phone number. */
export const contactLocator: INodeProperties = {
	displayName: 'Contact',
	name: 'identifier',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The contact to work with',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a contact…',
			typeOptions: { searchListMethod: pickLists.contacts.searchMethod, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 4711',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^((id|email|phone):)?.+$',
						errorMessage: 'Enter the ID of a contact',
					},
				},
			],
		},
		{
			displayName: 'By Email',
			name: 'email',
			type: 'string',
			placeholder: 'e.g. nathan@example.com',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^\\s*((id|phone):.+|(email:\\s*)?[^\\s@]+@[^\\s@]+\\s*)$',
						errorMessage: 'Enter an email address, such as nathan@example.com',
					},
				},
			],
		},
		{
			displayName: 'By Phone',
			name: 'phone',
			type: 'string',
			placeholder: 'e.g. +4915112345678',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `^\\s*((id|email):.+|(phone:\\s*)?${patterns.phoneNumber.source.slice(1, -1)}\\s*)$`,
						errorMessage: `Enter ${rules.phoneNumber}`,
					},
				},
			],
		},
	],
};

interface Choice {
	displayName: string;
	name: string;
	description: string;
	/** Whether it is a parameter of the path, and not a field of the body. */
	inPath?: boolean;
	/** Whether any text is an ID, and not digits only. */
	anyId?: boolean;
	required?: boolean;
}

/** A field that chooses one thing of the workspace: from its list, or by its ID. Goes into the body by its name. */
export function locator(
	{ thing, searchMethod }: PickList,
	{ inPath, anyId, ...field }: Choice,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${thing}…`,
				typeOptions: { searchListMethod: searchMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 4711',
				validation: anyId ? undefined : [numericIdRule],
			},
		],
		routing: inPath ? undefined : { send: { type: 'body', property: field.name } },
	};
}

/** The channel to send on; without it the contact's last active channel is used (part 4.1). */
export const sendingChannel = locator(pickLists.channels, {
	displayName: 'Channel',
	name: 'inboxId',
	description:
		'The channel (inbox) to send on. When left out, the channel on which the contact was last active is used.',
});
