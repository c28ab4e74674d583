import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { hintAtDoubledName, withNameParts } from '../../contacts/fullName';
import { simpleContact } from '../../contacts/simplify';
import { anyChanges, contactApi, createContactOnChannel } from '../../contract/contact';
import { refuseInexactText } from '../../run/fieldValues';
import type { Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import {
	contactChoice,
	getIdentifiers,
	parseIdentifier,
	readIdentifier,
} from '../../values/identifier';
import { trimText, isFilledCell } from '../../values/blankText';
import { optional, simplify, defaultCountryCode } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { contactText, exceptForTools, forTools } from '../../panel/toolFields';
import { withCustomFields } from '../../panel/customFields';
import { withWrittenValues } from '../../contacts/customFields/contactValues';
import { readValuesToSet } from '../../contacts/customFields/mappedValues';
import { contactFields } from '../../panel/contactFields';
import { createOrUpdate, previewCreateOrUpdate, upsertOnService } from './upsert/createOrUpdate';
import type { ContactInput, UpsertRow } from './upsert/plan';
import { describePlan, isPreview, planInvalidRow, previewOutcomes } from './upsert/preview';
import { strings } from '../../contract/values';
import { filterValues, unique } from '../../transport/guards';

const { avatar, channel, contactId, email, firstName, fullName, ...others } = contactFields;
const { gender, inboxId, lastName, phoneNumber } = others;

export const upsert = defineOperation({
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update contact',
	description: 'Create a new contact, or update the current one if it already exists (upsert)',
	endpoint: contactApi.createContact,
	fields: [
		forTools(contactText),
		{
			...email,
			hint: 'Finds the contact. A new one needs an email and a phone number, or a channel.',
		},
		{
			...phoneNumber,
			hint: 'Finds the contact if the email does not',
			description: 'The contact then gets the email. Leave empty to keep the current number.',
		},
		{
			...optional(
				'additionalFields',
				[
					avatar,
					inboxId,
					channel,
					contactId,
					firstName,
					fullName,
					{ ...gender, description: 'A new contact without it gets Unknown' },
					lastName,
				],
				'Empty values, such as empty cells of a spreadsheet, change nothing',
			),
			canBeEmpty: true,
		},
		...withCustomFields,
		simplify,
		optional('options', [
			exceptForTools({
				...contactLocator,
				required: false,
				hint: 'Not needed if Email or Phone Number finds the contact',
				canBeEmpty: true,
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
					"Whether to create or update in one request. The service compares emails and numbers letter by letter then, and the output can't tell created from updated. Not available on every service.",
			},
		]),
	],
	output: simpleContact.extend({
		outcome: z.enum(['created', 'updated', 'unchanged', 'createdOrUpdated', ...previewOutcomes]),
		changedFields: strings,
	}),
	schema: {
		params: z.strictObject({ identifier: contactChoice.optional() }),
		body: createContactOnChannel.body.extend(anyChanges.shape).partial(),
	},

	normalize({ body }, item) {
		const chosen = item.parameter('options.identifier', '');
		const label = item.run.labels.identifier;
		refuseInexactText(item, 'options.identifier', label);
		const identifier = readIdentifier(chosen, label, item.readPhoneNumber);
		const filled = filterValues(body, isFilledCell);
		const fields = withNameParts(filled, item.value(fullName));
		return { params: { identifier }, body: fields };
	},

	validate({ params, body }) {
		const isNobody = !params.identifier && !body.email && !body.phoneNumber;
		if (isNobody) throw new Error('Enter an email or a phone number');
	},

	reportInvalid: (item, error) => (isPreview(item) ? planInvalidRow(item, error) : undefined),

	async run(item) {
		const { params, body } = item;
		const chosen = parseIdentifier(params.identifier);
		// Before anything is changed, because the values may not be valid. A row without values must
		// not overtake the others.
		const values = await item.run.inOrder(() => readValuesToSet(item));
		const row = {
			item,
			fields: body,
			fullName: item.value(fullName),
			identifiers: chosen ? [chosen] : findIdentifiers(item, body),
			values: values ?? [],
		};
		if (isPreview(item)) {
			const plan = await previewCreateOrUpdate(row);
			hintAtDoubled(row, plan.contact);
			return [describePlan(item, plan)];
		}
		const apply = item.isOn('options.serverUpsert') ? upsertOnService : createOrUpdate;
		const { contact, outcome, changes } = await apply(row);
		hintAtDoubled(row, contact);
		const shown = await withWrittenValues(item, contact, values);
		return [{ ...shown, outcome, changedFields: Object.keys(changes) }];
	},
});

/** Looks at the name of a contact if the row has a part of it. */
function hintAtDoubled({ item, fields, fullName: name }: UpsertRow, contact: IDataObject) {
	const hasPart = fields.firstName !== undefined || fields.lastName !== undefined;
	if (hasPart && name === '') hintAtDoubledName(item, contact);
}

/**
 * Returns what finds the contact of a row: the email, and then the phone number. An email that n8n
 * sends in another form than it was typed also finds a contact that has it as typed.
 */
function findIdentifiers(item: Item, { email, phoneNumber }: ContactInput) {
	const typed = trimText(String(item.parameter('email', '') ?? ''));
	const emails = unique([email, typed]);
	return [...emails.map((each) => ({ email: each })), { phoneNumber }].flatMap(getIdentifiers);
}
