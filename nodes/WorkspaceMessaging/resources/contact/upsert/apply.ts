import type { IDataObject } from 'n8n-workflow';
import { withChannelType } from '../../../channels/list';
import { lookUpContact } from '../../../contacts/findByIdentifier';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../run/item';
import {
	isDuplicate,
	mayExist,
	partiallyDoneError,
	onApiError,
	refusedError,
} from '../../../transport/errors/ApiError';
import type { ApiError } from '../../../transport/errors/ApiError';
import { readRecord } from '../../../service/lists/records';
import {
	toIdentifierParams,
	formatIdentifier,
	getIdentifiers,
	identifierKeys,
	sameContactKeys,
} from '../../../values/identifier';
import type { Identifier } from '../../../values/identifier';
import { withCountryCodeAdvice } from '../../../values/phone/phoneNumber';
import { mergeValues, writeValues } from '../../../contacts/customFields/contactValues';
import { ContactCache, lookUpOnce } from './contactCache';
import { hasPlannedValue, planCreation, planUpdate } from './plan';
import type { ContactInput, UpsertPlan, UpsertRow } from './plan';
import { createOnService, requestUpsert } from './requests';

/** What Create or Update has done with an item. */
export interface UpsertResult extends Pick<UpsertPlan, 'contact' | 'changes'> {
	outcome: UpsertPlan['outcome'] | 'createdOrUpdated';
}

/**
 * Finds the contact and updates what differs, or creates it. Uses documented endpoints if they are
 * enough.
 */
export async function createOrUpdate(row: UpsertRow): Promise<UpsertResult> {
	return await runAfterEarlierRows(row, async (cache, found) => {
		const plan = await makePlan(row, cache, found);
		// If this fails, its state is unknown, so the next item reads it again.
		if (found) cache.forget(found);
		const result = found
			? await updateAsPlanned(row, found, plan)
			: await createAsPlanned(row, cache, plan);
		cache.add(result.contact);
		return result;
	});
}

/**
 * Returns what `createOrUpdate` would do, and lets the later rows find the contact as it would be
 * then.
 */
export async function previewCreateOrUpdate(row: UpsertRow): Promise<UpsertPlan> {
	const [plan] = await runAfterEarlierRows(row, async (cache, found) => {
		const planned = makePlan(row, cache, found).then((made) => {
			if (!found && made.fields.channel === undefined) row.item.hint(CHANNEL_HINT);
			cache.addPlanned(made.contact);
			return made;
		});
		// A row that the real run would refuse must not stop the preview.
		return await Promise.allSettled([planned]);
	});
	if (plan.status === 'rejected') throw plan.reason;
	return plan.value;
}

/** A preview cannot find out whether the service requires a channel. */
const CHANNEL_HINT =
	'New contacts have no channel. If the service requires one, it creates them on web chat. To change this, add Channel under Additional Fields.';

/**
 * Creates or updates a contact in one request. The service does not say which of the two it did
 * (API §4.6).
 */
export async function upsertOnService(row: UpsertRow): Promise<UpsertResult> {
	const { item, identifiers, fields, values } = row;
	return await runInLine(row, undefined, async () => {
		const [identifier] = identifiers;
		const send = async () => await requestUpsert(item, identifier, fields);
		const contact = await send().catch(
			onApiError(isOutcomeUnknown, async (error) => {
				const found = await lookAgain(
					item,
					error,
					async () => await lookUpIdentifier(item, identifier),
				);
				// Then it changes the contact, and twice does the same as once.
				const endpoint = { ...contactApi.upsertContact, idempotent: found !== undefined };
				if (!(await item.findRepeatReason(endpoint, error))) throw error;
				return await send();
			}),
		);
		const plan = planUpdate(contact, { fields: {}, values });
		const result = await updateAsPlanned(row, contact, plan, 'created or updated');
		return { ...result, outcome: 'createdOrUpdated' };
	});
}

/**
 * Finds the contact of a row and runs work about it, after the earlier rows about the same contact.
 */
async function runAfterEarlierRows<T>(
	row: UpsertRow,
	work: (cache: ContactCache, found?: IDataObject) => Promise<T>,
): Promise<T> {
	const { item, identifiers } = row;
	const cache = await ContactCache.of(item);
	// No row has changed anything yet, so rows about the same contact share this look-up.
	const known = await item.run.inOrder(async () => await cache.find(item, identifiers, lookUpOnce));
	return await runInLine(row, known, async (hasWaited) => {
		const found = hasWaited ? await cache.find(item, identifiers) : known;
		return await work(cache, found);
	});
}

/**
 * Runs work after that of earlier items about the same contact, however they name it. So they do
 * not create it twice, and the last one wins.
 */
async function runInLine<T>(
	{ item, identifiers, fields }: UpsertRow,
	known: IDataObject | undefined,
	work: (hasWaited: boolean) => Promise<T>,
): Promise<T> {
	const keys = [
		...identifiers.flatMap(sameContactKeys),
		...getIdentifiers(fields).flatMap(sameContactKeys),
		...identifierKeys(known ?? {}),
	];
	const queues = keys.map((key) => `upsert ${key}`);
	return await item.run.runExclusive(queues, work);
}

/**
 * Plans what to do, with what the service has to say first: who has the phone number, and the type
 * of the channel.
 */
async function makePlan(
	row: UpsertRow,
	cache: ContactCache,
	found?: IDataObject,
): Promise<UpsertPlan> {
	if (found) {
		await refuseTakenNumber(row, cache, found);
		return planUpdate(found, row);
	}
	const plan = planCreation(row);
	const fields = await withChannelType(row.item, plan.fields);
	return { ...plan, fields };
}

/**
 * Throws if the item would give the contact a phone number that another contact has, in whatever
 * form. Services refuse that, but not in every form.
 */
async function refuseTakenNumber(
	{ item, fields }: UpsertRow,
	cache: ContactCache,
	contact: IDataObject,
) {
	const { phoneNumber } = fields;
	if (phoneNumber === undefined) return;
	const isKept = hasPlannedValue(contact, 'phoneNumber', phoneNumber);
	if (isKept) return;
	const owner = await cache.find(item, [{ kind: 'phone', value: phoneNumber }]);
	if (!owner || owner.id === contact.id) return;
	const ids = `${String(owner.id)}, ${String(contact.id)}`;
	throw refusedError(
		`The phone number ${phoneNumber} belongs to a different contact from the one to update (IDs: ${ids}).`,
		'Correct the row, or select the contact by ID.',
	);
}

/**
 * Updates a contact as planned.
 *
 * @param done what the item has done to it before
 */
async function updateAsPlanned(
	{ item }: UpsertRow,
	contact: IDataObject,
	{ outcome, fields, values, changes }: UpsertPlan,
	done?: 'created' | 'created or updated',
): Promise<UpsertResult> {
	const params = toIdentifierParams(contact.id);
	let current = contact;
	const hasFields = Object.keys(fields).length > 0;
	if (hasFields) {
		await item.request(contactApi.updateContact, { params, body: fields }).catch(
			onApiError(
				() => done === 'created',
				(error) => {
					const rest = values.length > 0 ? 'avatar and custom fields were' : 'avatar was';
					const what = `The contact ${params.identifier} was created, but its ${rest} not set.`;
					throw partiallyDoneError(error, what);
				},
			),
		);
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
async function createAsPlanned(
	row: UpsertRow,
	cache: ContactCache,
	plan: UpsertPlan,
	isRepeated = false,
): Promise<UpsertResult> {
	const { item, identifiers, values } = row;
	const { fields } = plan;
	const complete = async (contact: IDataObject) => {
		// Creating takes no avatar.
		const left = { fields: { avatar: fields.avatar }, values };
		const rest = planUpdate(contact, left);
		return await completeCreation(row, contact, rest, plan);
	};
	const goOn = async (error: ApiError) => {
		const isNew = isRepeated || isOutcomeUnknown(error);
		const existing = await goOnWithExisting(row, cache, plan, { error, isNew });
		if (existing) return existing;
		const { createContact } = contactApi;
		const reason = isRepeated ? undefined : await item.findRepeatReason(createContact, error);
		if (!reason) throw explainTaken(error, fields);
		return await createAsPlanned(row, cache, plan, true);
	};
	const [identifier] = identifiers;
	const created = createOnService(item, identifier, fields);
	return await created.then(complete, onApiError(mayExist, goOn));
}

/**
 * Goes on with a contact that exists although the request to create it failed: completes it if this
 * item has created it, or else updates it. Returns undefined if it does not exist.
 */
async function goOnWithExisting(
	row: UpsertRow,
	cache: ContactCache,
	plan: UpsertPlan,
	{ error, isNew }: { error: ApiError; isNew: boolean },
): Promise<UpsertResult | undefined> {
	const { item, identifiers } = row;
	// The service may have it in another form than the item.
	const look = async () => await cache.find(item, identifiers, lookUpContact);
	const found = await lookAgain(item, error, look);
	if (!found) return undefined;
	const rest = await makePlan(row, cache, found);
	cache.forget(found);
	if (isNew) return await completeCreation(row, found, rest, plan);
	return await updateAsPlanned(row, found, rest);
}

const isOutcomeUnknown = ({ details }: ApiError) => details.outcome === 'unknown';

const lookUpIdentifier = async (item: Item, identifier: Identifier) =>
	await lookUpContact(item, formatIdentifier(identifier));

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
	return await look().catch(
		onApiError(
			() => true,
			() => {
				throw error;
			},
		),
	);
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
 * Services that add a country code know the contact by another number (difference 20). Those that
 * hide why they refuse a contact answer 500.
 */
function explainTaken(error: ApiError, { phoneNumber }: ContactInput): ApiError {
	const { status = 0 } = error.details;
	const isTaken = status >= 500 || isDuplicate(error);
	return isTaken ? withCountryCodeAdvice(error, phoneNumber) : error;
}
