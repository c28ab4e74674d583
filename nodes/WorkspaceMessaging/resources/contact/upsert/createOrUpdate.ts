import type { IDataObject } from 'n8n-workflow';
import { lookUpContact } from '../../../contacts/findByIdentifier';
import { getIdentifiers, identifierKeys, sameContactKeys } from '../../../values/identifier';
import { ContactCache, lookUpOnce } from './contactCache';
import { makePlan, planUpdate, type UpsertPlan, type UpsertRow } from './plan';
import { createAsPlanned, updateAsPlanned, upsertInOneRequest, type UpsertResult } from './write';

/* The three ways in which Create or Update runs a row, each after the earlier rows. */

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

/** A preview cannot find out whether the service requires a channel. */
const CHANNEL_HINT =
	'New contacts have no channel. If the service requires one, it creates them on web chat. To change this, add Channel under Additional Fields.';

/**
 * Returns what `createOrUpdate` would do, and lets the later rows find the contact as it would be
 * then.
 */
export async function previewCreateOrUpdate(row: UpsertRow): Promise<UpsertPlan> {
	const plan = await runAfterEarlierRows(row, async (cache, found) => {
		try {
			const made = await makePlan(row, cache, found);
			if (!found && made.fields.channel === undefined) row.item.hint(CHANNEL_HINT);
			cache.addPlanned(made.contact);
			return made;
		} catch (error) {
			// Not thrown in here: a row that the real run would refuse must not stop the preview.
			return error as Error;
		}
	});
	if (plan instanceof Error) throw plan;
	return plan;
}

/**
 * Creates or updates a contact in one request. The service does not say which of the two it did
 * (part 4.6). It compares letter by letter, so the run itself updates a contact that it has written
 * before: the service would create one more if the row writes its email or number in another way.
 */
export async function upsertOnService(row: UpsertRow): Promise<UpsertResult> {
	const { item, identifiers, fields, values, fullName } = row;
	const cache = ContactCache.ofWritten(item);
	return await runInLine(row, undefined, async () => {
		// A contact with the full name keeps its parts, so somebody has to look at it first.
		const known = fullName
			? await cache.find(item, identifiers, lookUpContact)
			: await cache.findWritten(item, identifiers);
		const contact = known ?? (await upsertInOneRequest(row));
		const rest = known ? fields : {};
		const plan = planUpdate(contact, { fields: rest, values, fullName });
		// If this fails, its state is unknown.
		cache.forget(contact);
		const done = known ? undefined : 'created or updated';
		const result = await updateAsPlanned(row, contact, plan, done);
		const { contact: current, changes } = result;
		cache.add(current);
		return {
			contact: current,
			changes,
			outcome: 'createdOrUpdated',
		};
	});
}

/**
 * Finds the contact of a row and runs work about it, after the earlier rows about the same contact.
 */
async function runAfterEarlierRows<T>(
	row: UpsertRow,
	work: (cache: ContactCache, found?: IDataObject) => Promise<T>,
) {
	const { item, identifiers } = row;
	const cache = await ContactCache.of(item);
	// No row has changed anything yet, so rows about the same contact share this look-up.
	const known = await item.run.inOrder(() => cache.find(item, identifiers, lookUpOnce));
	return await runInLine(row, known, async (hasWaited) => {
		const found = await item.findBefore(async () =>
			hasWaited ? await cache.find(item, identifiers) : known,
		);
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
) {
	const keys = [
		...identifiers.flatMap(sameContactKeys),
		...getIdentifiers(fields).flatMap(sameContactKeys),
		...identifierKeys(known ?? {}),
	];
	const queues = keys.map((key) => `upsert ${key}`);
	return await item.run.runExclusive(queues, work);
}
