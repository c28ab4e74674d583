import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { simpleContact, simplifyContacts } from '../../contacts/simplify';
import { anyChanges, contactApi } from '../../contract/contact';
import { undocumentedApi } from '../../contract/undocumented';
import { defineOperation } from '../../execution/operation';
import { contactChoice, readIdentifier } from '../../validation/identifier';
import { optional, simplify } from '../shared/fields';
import { contactLocator, defaultCountryCode } from '../shared/locators';
import { contactText, exceptForTools } from '../shared/toolFields';
import { withCustomFields } from './customFields/fields';
import { valuesBeside, valuesByName } from './customFields/values';
import { contactFields } from './shared/contactFields';
import { findOrCreate, serviceUpsert } from './upsert/findOrCreate';
import { invalidRow, isPreview, previewOutcomes, previewRow } from './upsert/preview';

const { avatar, channel, contactId, email, firstName, gender, inboxId, lastName, phoneNumber } =
	contactFields;

export const upsert = defineOperation({
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update contact',
	description: 'Create a new contact, or update the current one if it already exists (upsert)',
	endpoint: contactApi.createContact,
	fields: [
		contactText,
		{
			...email,
			description: 'Used to find the contact. To create one, also enter a phone number or a channel.',
		},
		{
			...phoneNumber,
			description:
				'Used if no contact has this email; that contact then gets it. Leave empty to keep the current value.',
		},
		optional(
			'additionalFields',
			[
				avatar,
				inboxId,
				channel,
				contactId,
				firstName,
				{ ...gender, description: 'A new contact without it gets Unknown' },
				lastName,
			],
			'Empty values, such as empty cells of a spreadsheet, change nothing',
		),
		...withCustomFields,
		simplify,
		optional('options', [
			exceptForTools({
				...contactLocator,
				required: false,
				hint: 'Not needed if Email or Phone Number finds the contact',
			}),
			defaultCountryCode,
			{
				displayName: 'Preview',
				name: 'preview',
				type: 'boolean',
				default: true,
				description: 'Whether to return what would change without saving it',
			},
			{
				displayName: "Use the Service's Own Upsert",
				name: 'serverUpsert',
				type: 'boolean',
				default: false,
				description:
					"Whether to create or update in one request; the output can't tell created from updated. Not available on every service.",
			},
		]),
	],
	output: simpleContact.extend({
		outcome: z.enum(['created', 'updated', 'unchanged', 'createdOrUpdated', ...previewOutcomes]),
		changedFields: z.array(z.string()),
	}),
	schema: {
		params: z.strictObject({ identifier: contactChoice.optional() }),
		body: undocumentedApi.createContactOnChannel.body.extend(anyChanges.shape).partial(),
	},

	normalize({ body }, item) {
		const chosen = item.parameter('options.identifier', '');
		const identifier = readIdentifier(chosen, item.run.labels.identifier, item.readPhoneNumber) as string;
		const filled = Object.entries(body).filter(([, value]) => value !== '');
		return { params: { identifier }, body: Object.fromEntries(filled) };
	},

	validate({ params, body }) {
		const isNobody = !params.identifier && !body.email && !body.phoneNumber;
		if (isNobody) throw new Error('Enter an email or a phone number');
	},

	reportInvalid: (item, error) => (isPreview(item) ? invalidRow(item, error) : undefined),

	async run(item) {
		const { params, body } = item;
		const reach = [body.email && `email:${body.email}`, body.phoneNumber && `phone:${body.phoneNumber}`];
		const ownIdentifiers = reach.filter((identifier) => identifier !== undefined);
		const identifiers = params.identifier === undefined ? ownIdentifiers : [params.identifier];
		const previews = isPreview(item);
		const useService = !previews && item.parameter('options.serverUpsert', false) === true;

		// Before anything is changed, because the values may not be valid.
		const values = await valuesBeside(item);
		const job = { item, fields: body, identifiers, values: values ?? [], isPreview: previews };
		const result = await (useService ? serviceUpsert(job) : findOrCreate(job));
		if (previews) return [previewRow(item, result)];
		const { contact, outcome, changes } = result;
		const changedFields = Object.keys(changes);
		const customFields = valuesByName(values ?? []);
		if (!item.isSimplified) return [{ ...contact, ...(values && { customFields }), outcome, changedFields }];
		const [shown] = await simplifyContacts([contact], item);
		const all = { ...(shown.customFields as IDataObject), ...customFields };
		return [{ ...shown, customFields: all, outcome, changedFields }];
	},
});
