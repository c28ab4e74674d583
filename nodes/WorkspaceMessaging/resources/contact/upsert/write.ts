import type { IDataObject } from 'n8n-workflow';
import { mergeValues, writeValues } from '../../../contacts/customFields/contactValues';
import { lookUpContact } from '../../../contacts/findByIdentifier';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../run/item';
import { readRecord } from '../../../service/lists/records';
import {
	ApiError,
	isDuplicate,
	mayExist,
	onApiError,
	partiallyDoneError,
} from '../../../transport/errors/ApiError';
import { formatIdentifier, toIdentifierParams } from '../../../values/identifier';
import { withCountryCodeAdvice } from '../../../values/phone/phoneNumber';
import type { ContactCache } from './contactCache';
import { makePlan, planUpdate } from './plan';
import type { ContactInput, UpsertPlan, UpsertRow } from './plan';
import { createOnService, requestUpsert } from './requests';

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
		const addCreated = (error: ApiError): never => {
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
 * Creates a contact as planned. If that fails because it exists, or may exist, finds and updates it
 * after all. If it does not exist, and the request that failed can't create it any more, creates it
 * once more.
 *
 * @param isRepeated whether this is the second time
 */
export async function createAsPlanned(
	row: UpsertRow,
	cache: ContactCache,
	plan: UpsertPlan,
	isRepeated = false,
): Promise<UpsertResult> {
	const { item, identifiers, values } = row;
	const [identifier] = identifiers;
	const created = await createOnService(item, identifier, plan.fields).catch(
		onApiError(mayExist, (error) => error),
	);
	if (!(created instanceof ApiError)) {
		// Creating takes no avatar.
		const { avatar } = plan.fields;
		const rest = planUpdate(created, { fields: { avatar }, values });
		return await completeCreation(row, created, rest, plan);
	}
	const error = created;
	// The service may have it in another form than the item.
	const existing = await lookAgain(
		item,
		error,
		async () => await cache.find(item, identifiers, lookUpContact),
	);
	if (existing) {
		const rest = await makePlan(row, cache, existing);
		cache.forget(existing);
		const isOwn = isRepeated || isOutcomeUnknown(error);
		return isOwn
			? await completeCreation(row, existing, rest, plan)
			: await updateAsPlanned(row, existing, rest);
	}
	const mayRepeat = !isRepeated && (await item.findRepeatReason(contactApi.createContact, error));
	if (!mayRepeat) throw explainTaken(error, plan.fields);
	return await createAsPlanned(row, cache, plan, true);
}

/** Writes what a contact that this item has created lacks. */
async function completeCreation(
	row: UpsertRow,
	contact: IDataObject,
	rest: UpsertPlan,
	plan: UpsertPlan,
): Promise<UpsertResult> {
	const result = await updateAsPlanned(row, contact, rest, 'created');
	const changes = { ...plan.changes, ...result.changes };
	return { ...result, outcome: 'created', changes };
}

/**
 * Lets the service create or update a contact. If the answer gets lost, asks once more if that
 * cannot create the contact twice.
 */
export async function upsertInOneRequest(row: UpsertRow): Promise<IDataObject> {
	const { item, identifiers, fields } = row;
	const [identifier] = identifiers;
	const contact = await requestUpsert(item, identifier, fields).catch(
		onApiError(isOutcomeUnknown, (error) => error),
	);
	if (!(contact instanceof ApiError)) return contact;
	const error = contact;
	const found = await lookAgain(
		item,
		error,
		async () => await lookUpContact(item, formatIdentifier(identifier)),
	);
	// If it exists, the request changes it, and twice does the same as once.
	const endpoint = { ...contactApi.upsertContact, idempotent: found !== undefined };
	if (!(await item.findRepeatReason(endpoint, error))) throw error;
	return await requestUpsert(item, identifier, fields);
}

/**
 * Looks for a contact after a request about it has failed; if the answer got lost, when the service
 * answers again. Throws the error if the outcome is unknown and stays so.
 */
async function lookAgain<T>(item: Item, error: ApiError, look: () => Promise<T>): Promise<T> {
	if (!isOutcomeUnknown(error)) return await look();
	const { loss } = error.details;
	// Other failures are answers of the service itself.
	const isAway = loss !== undefined && loss !== 'failure';
	if (isAway && !(await item.isServiceBack())) throw error;
	try {
		return await look();
	} catch (failure) {
		throw failure instanceof ApiError ? error : failure;
	}
}

const isOutcomeUnknown = ({ details }: ApiError) => details.outcome === 'unknown';

/**
 * Services that add a country code know the contact by another number (difference 20). Those that
 * hide why they refuse a contact answer 500.
 */
function explainTaken(error: ApiError, { phoneNumber }: ContactInput): ApiError {
	const { status = 0 } = error.details;
	const isTaken = status >= 500 || isDuplicate(error);
	return isTaken ? withCountryCodeAdvice(error, phoneNumber) : error;
}
