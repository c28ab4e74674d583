import type { IDataObject } from 'n8n-workflow';
import { withChannelType } from '../../../channels/list';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import {
	isDuplicate,
	isNotFound,
	mayExist,
	partiallyDoneError,
	onApiError,
	rejectedError,
	unsupportedError,
} from '../../../transport/errors/ApiError';
import type { ApiError } from '../../../transport/errors/ApiError';
import { readRecord } from '../../../transport/lists/records';
import { apiRequest } from '../../../transport/request';
import {
	toIdentifierParams,
	formatIdentifier,
	identifierKey,
	identifierKeys,
} from '../../../values/identifier';
import type { Identifier } from '../../../values/identifier';
import { withCountryCodeAdvice } from '../../../values/phoneNumber';
import { mergeValues, writeValues } from '../../../contacts/customFields/contactValues';
import { ContactCache, lookUpOnce } from './contactCache';
import { hasPlannedValue, planUpdateError, planCreation, planUpdate, pickUpdatable } from './plan';
import type { ContactInput, Plan, Row } from './plan';

/** What Create or Update has done with an item. */
export interface UpsertResult extends Pick<Plan, 'contact' | 'changes'> {
	outcome: Plan['outcome'] | 'createdOrUpdated';
}

/**
 * Finds the contact and updates what differs, or creates it. Uses documented endpoints if they are
 * enough.
 */
export async function createOrUpdate(row: Row): Promise<UpsertResult> {
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
export async function previewCreateOrUpdate(row: Row): Promise<Plan> {
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
export async function upsertOnService(row: Row): Promise<UpsertResult> {
	const { item, identifiers, fields, values } = row;
	return await runInLine(row, undefined, async () => {
		const contact = await requestUpsert(item, identifiers[0], fields);
		const plan = planUpdate(contact, { fields: {}, values });
		const result = await updateAsPlanned(row, contact, plan, 'created or updated');
		return { ...result, outcome: 'createdOrUpdated' };
	});
}

/**
 * Finds the contact of a row and runs work about it, after the earlier rows about the same contact.
 */
async function runAfterEarlierRows<T>(
	row: Row,
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
	{ item, identifiers, fields }: Row,
	known: IDataObject | undefined,
	work: (hasWaited: boolean) => Promise<T>,
): Promise<T> {
	const keys = [
		...identifiers.map(identifierKey),
		...identifierKeys(fields),
		...identifierKeys(known ?? {}),
	];
	const queues = keys.map((key) => `upsert ${key}`);
	return await item.run.runExclusive(queues, work);
}

/**
 * Plans what to do, with what the service has to say first: who has the phone number, and the type
 * of the channel.
 */
async function makePlan(row: Row, cache: ContactCache, found?: IDataObject): Promise<Plan> {
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
async function refuseTakenNumber({ item, fields }: Row, cache: ContactCache, contact: IDataObject) {
	const { phoneNumber } = fields;
	if (phoneNumber === undefined) return;
	const isKept = hasPlannedValue(contact, 'phoneNumber', phoneNumber);
	if (isKept) return;
	const owner = await cache.find(item, [{ kind: 'phone', value: phoneNumber }]);
	if (!owner || owner.id === contact.id) return;
	const ids = `${String(owner.id)}, ${String(contact.id)}`;
	throw rejectedError(
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
	{ item }: Row,
	contact: IDataObject,
	{ outcome, fields, values, changes }: Plan,
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
 * after all.
 */
async function createAsPlanned(row: Row, cache: ContactCache, plan: Plan): Promise<UpsertResult> {
	const { item, identifiers, values } = row;
	const { fields } = plan;
	const complete = async (contact: IDataObject) => {
		// Creating takes no avatar.
		const left = { fields: { avatar: fields.avatar }, values };
		const rest = planUpdate(contact, left);
		return await completeCreation(row, contact, rest, plan);
	};
	const goOn = async (error: ApiError) => await goOnWithExisting(row, cache, plan, error);
	const [identifier] = identifiers;
	const created = createOnService(item, identifier, fields);
	return await created.then(complete, onApiError(mayExist, goOn));
}

/**
 * Goes on with a contact that exists although the request to create it failed: completes it if that
 * request has created it, or else updates it.
 */
async function goOnWithExisting(
	row: Row,
	cache: ContactCache,
	plan: Plan,
	error: ApiError,
): Promise<UpsertResult> {
	const { item, identifiers } = row;
	const found = await cache.find(item, identifiers);
	if (!found) throw explainTaken(error, plan.fields);
	const rest = await makePlan(row, cache, found);
	cache.forget(found);
	const isNew = error.details.outcome === 'unknown';
	if (isNew) return await completeCreation(row, found, rest, plan);
	return await updateAsPlanned(row, found, rest);
}

/** Writes what a contact that this item has created lacks. */
async function completeCreation(
	row: Row,
	contact: IDataObject,
	rest: Plan,
	plan: Plan,
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
		const tryUpsert = onApiError(lacksChannel, () => undefined);
		const created = await readRecord(item, contactApi.createContact, { body }).catch(tryUpsert);
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
