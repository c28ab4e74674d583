import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { importContacts, limits, rules } from '../../contract';
import type { Operation } from '../../execution/operation';
import { inBody, optional } from '../shared/fields';
import { locator } from '../shared/locators';
import { pickLists } from '../shared/pickLists';
import { channelOptions } from './filters';

const column = (displayName: string, name: string, example: string, holds: string): INodeProperties =>
	inBody({
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
		description: `Name of the column that holds ${holds}, up to ${limits.columnName.max} characters`,
	});

export const importMany: Operation = {
	name: 'Import',
	value: 'import',
	action: 'Import contacts',
	description: 'Start a bulk import of contacts from a file that was uploaded before',
	endpoint: importContacts,
	fields: [
		inBody({
			displayName: 'File ID',
			name: 'fileId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 4711',
			description: 'ID of the file to import, which must have been uploaded to the workspace before',
		}),
		inBody({
			displayName: 'Channel Type',
			name: 'channel',
			type: 'options',
			options: channelOptions,
			default: 'omnichannel',
			required: true,
			description: 'Type of the channel that the contacts belong to',
		}),
		locator(pickLists.channels, {
			displayName: 'Channel',
			name: 'inboxId',
			required: true,
			description: 'The channel (inbox) that the contacts belong to',
		}),
		optional('options', [
			column(
				'Contact ID Column',
				'contactId',
				'External ID',
				'the identifier of the contact in another system',
			),
			inBody({
				displayName: 'Country Code',
				name: 'countryCode',
				type: 'string',
				default: '',
				placeholder: 'e.g. +49',
				description: `Put in front of phone numbers that have none: ${rules.countryCode}`,
			}),
			inBody({
				displayName: 'Custom Field Columns',
				name: 'fieldMapping',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Column',
				default: {},
				description: `Which columns go into which custom fields, at most ${limits.fieldMapping.max}`,
				options: [
					{
						displayName: 'Columns',
						name: 'columns',
						values: [
							{
								displayName: 'Column',
								name: 'column',
								type: 'string',
								default: '',
								placeholder: 'e.g. Birthday',
								description: 'Name of the column as it stands in the file',
							},
							{
								displayName: 'Custom Field Name or ID',
								name: 'customFieldId',
								type: 'options',
								typeOptions: { loadOptionsMethod: pickLists.customFields.optionsMethod },
								default: '',
								description:
									'What the column goes into. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
							},
						],
					},
				],
			}),
			column('Email Column', 'email', 'Email', 'the email address'),
			column('First Name Column', 'firstName', 'First name', 'the first name'),
			column('Last Name Column', 'lastName', 'Last name', 'the last name'),
			column('Phone Number Column', 'phoneNumber', 'Phone', 'the phone number'),
			locator(pickLists.tags, {
				displayName: 'Tag',
				name: 'tagId',
				description: 'A tag for every imported contact',
			}),
		]),
	],
	output: z.object({
		success: z.literal(true),
		started: z.literal(true),
		fileId: z.string(),
		importId: z.string().optional(),
	}),

	async run(item) {
		const { fileId } = item.body as { fileId: string };
		// The reference has no body here; services that can tell how an import goes give the ID to ask by.
		const answer = (await item.request(importContacts, { body: item.body })) as IDataObject | undefined;
		return [{ success: true, started: true, fileId, ...(answer?.importId && { importId: answer.importId }) }];
	},
};
