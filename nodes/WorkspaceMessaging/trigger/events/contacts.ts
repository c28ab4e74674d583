import { z } from 'zod/v4';
import type { Requester } from '../../transport/request';
import { conditionFields, contactFilters } from '../../resources/shared/contactFilters';
import { simpleContact } from '../../contacts/simplify';
import { simplify } from '../../resources/shared/fields';
import { findContact, matching, toItems } from '../contacts';
import type { Settings, TriggerEvent, Watch } from '../types';
import { changedFields, fingerprintOf } from '../fingerprint';
import { NEWEST, readNewest, timeOf } from '../newest';
import type { Row } from '../newest';

const common = { fields: [], sharedFields: [...conditionFields, contactFilters, simplify] };

export const contactCreated: TriggerEvent = {
	option: {
		name: 'Contact Created',
		value: 'contactCreated',
		description: 'When a contact is new in the workspace',
	},
	...common,
	output: simpleContact,
	watch: (client, settings) => watchContacts(client, settings, false),
};

export const contactUpdated: TriggerEvent = {
	option: {
		name: 'Contact Updated',
		value: 'contactUpdated',
		description: 'When a contact was changed, with the names of the fields that changed where they are known',
	},
	...common,
	output: simpleContact.extend({ changedFields: z.array(z.string()) }),
	watch: (client, settings) => watchContacts(client, settings, true),
};

/** A contact as it is remembered: its ID, its time, and what its fields looked like. */
type Entry = [id: string, at: number, fingerprint?: string];

/** What is known of the contacts after a poll. */
export interface ContactMemory {
	/** Contacts of this time or older are no news, remembered or not; 0 when all that are not remembered are news. */
	watermark: number;
	/** The watermark from the next poll on. What has just been read is read once more, for contacts that come late. */
	next: number;
	/** All contacts above the watermark, newest first; older ones may follow. */
	entries: Entry[];
}

/** Contacts whose fields are remembered, so that it can be said what changed. */
const FINGERPRINTS = 500;
/** Contacts that are remembered at most where so many are deleted all the time that no reading is known to be complete. */
const MOST_ENTRIES = 10_000;

/**
 * Watches for contacts that were created or updated (part 2.1). The watermark is a time that follows the newest contacts at
 * a distance. News is what is above it and is not remembered with its time.
 *
 * A contact that is new to an update's watcher counts as updated if it was updated after it was created.
 */
function watchContacts(client: Requester, settings: Settings, isUpdates: boolean): Watch {
	const { filters, simplify: isSimplified } = settings;
	const field = isUpdates ? 'updatedAt' : 'createdAt';
	const fingerprints = isUpdates ? FINGERPRINTS : 0;

	return {
		async poll(memory: ContactMemory | undefined) {
			const { watermark: old = Infinity, next = 0, entries = [] } = memory ?? {};
			const known = entries.filter(([, at]) => at > old).length;
			const atLeast = memory ? 1 : Math.max(NEWEST.perPage, fingerprints);
			const newest = await readNewest(client, { filters, field, watermark: old, known, atLeast });

			const found = memory ? newsIn(newest.rows, memory, isUpdates) : [];
			const contacts = await matching(
				client,
				settings,
				found.map(({ contact }) => contact),
			);
			const news = found.filter(({ contact }) => contacts.includes(contact));
			const items = await toItems(
				client,
				news.map(({ contact }) => contact),
				isSimplified,
			);
			if (isUpdates) {
				const before = new Map(entries.map(([id, , fingerprint]) => [id, fingerprint]));
				for (const [index, { id, contact }] of news.entries()) {
					const fingerprint = before.get(id);
					items[index].changedFields =
						fingerprint === undefined ? [] : changedFields(fingerprint, fingerprintOf(contact));
				}
			}

			const all = entriesOf(newest.rows, entries, fingerprints);
			const candidate = watermarkFor(
				all.map(([, at]) => at),
				newest.room,
				newest.isAll,
			);
			const mayRise = newest.isComplete || all.length > MOST_ENTRIES;
			const watermark = memory ? Math.max(old, mayRise ? next : 0) : candidate;
			const kept = all.filter(([, at], index) => at > watermark || index < fingerprints);
			const remembered: ContactMemory = { watermark, next: candidate, entries: kept };
			// What was passed over would come after a restart, once time alone has made it meet the conditions.
			return { items, memory: remembered, mustPersist: news.length < found.length };
		},

		async sample() {
			// Not only the newest: it may be on a channel that is not wanted, or not meet the conditions.
			const contact = await findContact(client, settings, field, { pages: 5, perPage: NEWEST.perPage });
			if (!contact) return undefined;
			const [item] = await toItems(client, [contact], isSimplified);
			return isUpdates ? { ...item, changedFields: [] } : item;
		},
	};
}

/** The contacts that are news, oldest first. */
function newsIn(rows: Row[], { watermark, entries }: ContactMemory, isUpdates: boolean): Row[] {
	const known = new Map(entries.map((entry) => [entry[0], entry]));
	const newestTime = entries[0]?.[1];
	const isNews = ({ id, at, contact }: Row): boolean => {
		const entry = known.get(id);
		if (at <= watermark || (entry && !isUpdates)) return false;
		if (!entry) return !isUpdates || at > timeOf(contact.createdAt);
		const [, time, fingerprint] = entry;
		// Where times are coarse, a contact can change twice within one.
		const isSameTime = at === time && at === newestTime && fingerprint !== undefined;
		return at > time || (isSameTime && fingerprint !== fingerprintOf(contact));
	};
	return rows.filter(isNews).reverse();
}

/**
 * All contacts that are known, newest first. One that is not in the list any more stays: it may only have been missed, or
 * come to match the filters again.
 *
 * @param fingerprints how many of the newest are remembered with their fields
 */
function entriesOf(rows: Row[], entries: Entry[], fingerprints: number): Entry[] {
	const here = new Set(rows.map(({ id }) => id));
	const gone = entries.filter(([id]) => !here.has(id));
	const found = rows.map(
		({ id, at, contact }, index): Entry =>
			index < fingerprints ? [id, at, fingerprintOf(contact)] : [id, at],
	);
	return [...found, ...gone].sort((a, b) => b[1] - a[1]);
}

/**
 * Chooses a watermark. Half of the contacts that have room stay above it and are compared one by one: so one is found that
 * becomes visible late or has the same time as others. Contacts of one time are never parted. If there is no room for them,
 * they go below, so that polls do not have to read all of them for ever.
 *
 * @param times the times of the newest contacts, newest first
 * @param room how many can stay above it
 * @param isAll whether there are no others
 */
export function watermarkFor(times: number[], room: number, isAll: boolean): number {
	const size = Math.min(room, times.length);
	if (size === 0) return 0;
	for (let index = Math.max(1, Math.floor(size / 2)); index < size; index++) {
		if (times[index] < times[index - 1]) return times[index];
	}
	return isAll && times.length === size ? 0 : times[size - 1];
}
