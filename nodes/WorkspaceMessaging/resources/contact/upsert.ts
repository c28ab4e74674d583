import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { anyChanges, createContact } from '../../contract';
import { createContactOnChannel } from '../../contract/undocumented';
import { defineOperation } from '../../execution/operation';
import { contactChoice, readIdentifier } from '../../validation/identifier';
import { optional, simplify } from '../shared/fields';
import { contactLocator, defaultCountryCode } from '../shared/locators';
import { contactText } from '../shared/toolFields';
import { channelFields } from './upsert/contactChannel';
import { ContactCache } from './upsert/contactCache';
import { withCustomFields } from './customFields/fields';
import { valuesByName, valuesBeside } from './customFields/values';
import { findOrCreate, serviceUpsert } from './upsert/findOrCreate';
import type { UpsertJob, Wanted } from './upsert/findOrCreate';
import { avatar, email, firstName, gender, lastName, phoneNumber } from './shared/personFields';
import { simpleContact, simplifyContacts } from '../../contacts/simplify';

/** A contact may be chosen, but need not be. */
const optionalContact = z.strictObject({ identifier: contactChoice.optional() });

/** What a contact is to be like, new or not. */
const writableContact = createContactOnChannel.body.extend(anyChanges.shape).partial();

export const upsert = defineOperation({
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update contact',
	description: 'Create a new contact, or update the current one if it already exists (upsert)',
	endpoint: createContact,
	fields: [
		contactText,
		{
			...email,
			description:
				'Finds the contact. If there is none, it is created, which needs email and phone number, or a channel. Empty changes nothing.',
		},
		{
			...phoneNumber,
			description:
				'Finds the contact where the email does not, and gives it the new email. Empty changes nothing.',
		},
		optional(
			'additionalFields',
			[
				avatar,
				...channelFields,
				firstName,
				{ ...gender, description: 'Unknown for a new contact without it' },
				lastName,
			],
			'Empty ones, such as an empty cell of a spreadsheet, change nothing',
		),
		...withCustomFields,
		simplify,
		optional('options', [
			{
				...contactLocator,
				required: false,
				hint: 'Not needed: Email and Phone Number find the contact',
			},
			defaultCountryCode,
			{
				displayName: 'Preview',
				name: 'preview',
				type: 'boolean',
				default: true,
				description: 'Whether to write nothing, and only tell what would change; off unless added',
			},
			{
				displayName: 'Use Upsert of the Service',
				name: 'serverUpsert',
				type: 'boolean',
				default: false,
				description:
					'Whether to let the service do it in one request, without telling which of the two. Not available on every service.',
			},
		]),
	],
	output: simpleContact.extend({
		outcome: z.enum(['created', 'updated', 'unchanged', 'createdOrUpdated']),
		changedFields: z.array(z.string()),
	}),

	schema: { params: optionalContact, body: writableContact },

	normalize({ body }, item) {
		const chosen = item.parameter('options.identifier', '');
		const identifier = readIdentifier(chosen, item.run.labels.identifier, item.readPhoneNumber) as string;
		return { params: { identifier }, body: withoutEmpty(body) };
	},

	validate({ params, body }) {
		const isNobody = !params.identifier && !body.email && !body.phoneNumber;
		if (isNobody) throw new Error('Enter an email or a phone number');
	},

	async run(item) {
		const wanted = item.body;
		const identifiers = identifiersOf(item.params.identifier, wanted);
		const useService = item.parameter('options.serverUpsert', false) === true;
		const isPreview = item.parameter('options.preview', false) === true;

		// Rows that mean the same contact wait for each other, so that two of them do not create two contacts.
		const names = [...identifiers, ...identifiersOf(undefined, wanted)].map(ContactCache.keyOf);
		const { contact, outcome, changes, values } = await item.run.runExclusive(names, async () => {
			// Checked first: what is not valid must not come out when the contact has been changed.
			const checked = await valuesBeside(item);
			const job: UpsertJob = { item, wanted, identifiers, values: checked ?? [], isPreview };
			const done = useService && !isPreview ? await serviceUpsert(job) : await findOrCreate(job);
			return { ...done, values: checked };
		});
		const changedFields = Object.keys(changes);
		if (isPreview) {
			const { email: address = null, phoneNumber: number = null } = contact;
			return [{ email: address, phoneNumber: number, outcome, changedFields, changes, preview: true }];
		}
		const customFields = valuesByName(values ?? []);
		if (!item.isSimplified) return [{ ...contact, ...(values && { customFields }), outcome, changedFields }];
		const [shown] = await simplifyContacts([contact], item);
		const all = { ...(shown.customFields as IDataObject), ...customFields };
		return [{ ...shown, customFields: all, outcome, changedFields }];
	},
});

function withoutEmpty(body: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

function identifiersOf(chosen: string | undefined, wanted: Wanted): string[] {
	if (chosen !== undefined) return [chosen];
	return [
		wanted.email && `email:${wanted.email}`,
		wanted.phoneNumber && `phone:${wanted.phoneNumber}`,
	].filter((identifier): identifier is string => Boolean(identifier));
}
