import type { IDataObject } from 'n8n-workflow';
import { mergeValues, writeValues } from '../../../contacts/customFields/contactValues';
import { lookUpContact } from '../../../contacts/findByIdentifier';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import { readRecord } from '../../../service/lists/records';
import {
	isDuplicate,
	isNotFound,
	onApiError,
	partiallyDoneError,
	unsupportedError,
	type ApiError,
	ignore,
} from '../../../transport/errors/ApiError';
import { apiRequest } from '../../../transport/request';
import { formatIdentifier, toIdentifierParams, type Identifier } from '../../../values/identifier';
import { withCountryCodeAdvice } from '../../../values/phone/phoneNumber';
import { createOrFind } from '../../shared/createOrFind';
import type { ContactCache } from './contactCache';
import {
	makePlan,
	pickUpdatable,
	planUpdate,
	planUpdateError,
	type ContactInput,
	type UpsertPlan,
	type UpsertRow,
} from './plan';

/* Carries out the plan for a contact, also if an answer gets lost or somebody else was faster. */

/** What Create or Update has done with an item. */
export interface UpsertResult extends Pick<UpsertPlan, 'contact' | 'changes'> {
	outcome: UpsertPlan['outcome'] | 'createdOrUpdated';
}

/**
 * Updates a contact as Create or Update has planned.
 *
 * @param done what the item has done to it before
 */
export async function updateAsPlanned(
	{ item }: UpsertRow,
	contact: IDataObject,
	{ outcome, fields, values, changes }: UpsertPlan,
	done?: 'created' | 'created or updated',
): Promise<UpsertResult> {
	const params = toIdentifierParams(contact.id);
	let current = contact;
	const hasFields = Object.keys(fields).length > 0;
	if (hasFields) {
		const addCreated = (error: ApiError) => {
			const rest = values.length > 0 ? 'avatar and custom fields were' : 'avatar was';
			const what = `The contact ${params.identifier} was created, but its ${rest} not set.`;
			throw partiallyDoneError(error, what);
		};
		await item
			.request(contactApi.updateContact, { params, body: fields })
			.catch(onApiError(() => done === 'created', addCreated));
		const updated = { ...contact, ...fields };
		current = await readRecord(item, contactApi.getContact, { params }).catch(() => updated);
	}
	const doneBefore = done ?? (hasFields ? 'updated' : undefined);
	await writeValues(item, params.identifier, values, { done: doneBefore });
	return { outcome, contact: mergeValues(current, values), changes };
}

/**
 * Creates a contact as planned, and writes what it lacks then. If somebody else has just created it,
 * updates it.
 */
export async function createAsPlanned(
	row: UpsertRow,
	cache: ContactCache,
	{ fields, changes }: UpsertPlan,
): Promise<UpsertResult> {
	const { item, identifiers, values } = row;
	const { outcome, record } = await createOrFind(item, {
		create: () => createOnService(item, identifiers[0], fields),
		// The service may have it in another form than the item.
		find: () => cache.find(item, identifiers, lookUpContact),
		explain: (error) => explainTaken(error, fields),
	});
	// Creating takes no avatar.
	const { avatar } = fields;
	const rest =
		outcome === 'made'
			? planUpdate(record, { fields: { avatar }, values })
			: await makePlan(row, cache, record);
	cache.forget(record);
	if (outcome === 'found') return await updateAsPlanned(row, record, rest);
	const result = await updateAsPlanned(row, record, rest, 'created');
	return { ...result, outcome: 'created', changes: { ...changes, ...result.changes } };
}

/**
 * Lets the service create or update a contact. If the answer gets lost, asks once more if that
 * cannot create the contact twice.
 */
export async function upsertInOneRequest(row: UpsertRow): Promise<IDataObject> {
	const { item, identifiers, fields } = row;
	const [identifier] = identifiers;
	const { record } = await createOrFind(item, {
		create: () => requestUpsert(item, identifier, fields),
		find: () => lookUpContact(item, formatIdentifier(identifier)),
		changes: true,
	});
	return record;
}

/**
 * Services that add a country code know the contact by another number (difference 20). Those that
 * hide why they refuse a contact answer 500.
 */
function explainTaken(error: ApiError, { phoneNumber }: ContactInput) {
	const { status = 0 } = error.details;
	const isTaken = status >= 500 || isDuplicate(error);
	return isTaken ? withCountryCodeAdvice(error, phoneNumber) : error;
}

/**
 * Whether the service of a run only creates contacts on a channel; known after its first refusal.
 */
const channelRule = oncePerRun<Item, [], { isRequired: boolean }>(() => ({ isRequired: false }));

/** The fields that a service complains about if it requires a channel. */
const CHANNEL_FIELDS = ['inboxId', 'channel'];

/**
 * Creates a contact. If the service requires a channel and the item has none, the service's own
 * upsert puts it on web chat.
 */
async function createOnService(
	item: Item,
	identifier: Identifier,
	{ avatar, ...body }: ContactInput,
): Promise<IDataObject> {
	const rule = channelRule(item);
	const hasChannel = (body.inboxId ?? body.channel) !== undefined;
	if (hasChannel || !rule.isRequired) {
		const lacksChannel = ({ details }: ApiError) => {
			if (hasChannel) return false;
			const { fields = [] } = details;
			return CHANNEL_FIELDS.some((field) => fields.includes(field));
		};
		const tryUpsert = ignore(lacksChannel);
		const parts = { body, isLookedFor: true };
		const created = await readRecord(item, contactApi.createContact, parts).catch(tryUpsert);
		if (created) return created;
		rule.isRequired = true;
	}
	const created = await requestUpsert(item, identifier, { avatar, ...body });
	item.hint(
		'No channel was set, so new contacts were created on web chat. To change this, add Channel under Additional Fields.',
	);
	return created;
}

/**
 * Lets the service create or update a contact. It creates one that it does not find, unless the
 * identifier is an ID.
 */
async function requestUpsert(
	item: Item,
	identifier: Identifier,
	fields: ContactInput,
): Promise<IDataObject> {
	const parts = {
		params: { identifier: formatIdentifier(identifier) },
		body: pickUpdatable(fields),
		isLookedFor: true,
	};
	return await readRecord(item, contactApi.upsertContact, parts).catch(
		onApiError(isNotFound, (error) => {
			if (error.details.reason === 'objectMissing') {
				const missing = planUpdateError(identifier);
				throw error.what === missing.what ? missing : error;
			}
			throw identifier.kind === 'id'
				? error
				: unsupportedError(apiRequest(contactApi.upsertContact, parts), error);
		}),
	);
}
