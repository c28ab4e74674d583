import type { IDataObject } from 'n8n-workflow';
import { readUntilAgreed, type Rows } from '../../service/lists/repeatedReadings';
import { hashId, ID_HASH_LENGTH } from './fingerprints';
import { FIRST_READINGS, limitReadings } from './wholeLists';

/** A snapshot as JSON; about 8 characters per record, because there can be 100,000 of them. */
export interface Snapshot {
	/** All values in use, sorted. */
	values: string[];
	/**
	 * The keys of records, joined, by what these records have in common: the places of their values
	 * in `values` ("0 3"), and the day since which the list lacks them ("0 3@20410").
	 */
	records: Record<string, string>;
}

/** What the trigger remembers of one record. */
interface Remembered {
	values: string[];
	/** The day since which the list lacks the record; days since 1970. */
	missingSince?: number;
}

/** A record that got or lost values since the last snapshot. */
interface Change {
	record: IDataObject;
	added: string[];
	removed: string[];
}

/**
 * How long to remember a record that the list lacks: a reading can miss it, and filters can match
 * it again.
 */
const FORGET_AFTER_DAYS = 30;

/**
 * Reads a list and compares the values of its records (a contact's tags, a broadcast's status) with
 * the last snapshot.
 *
 * @param read reads the list
 * @param last the last snapshot; without it, nothing has changed
 */
export async function compareWithSnapshot(
	read: () => AsyncIterable<Rows>,
	getValues: (record: IDataObject) => string[],
	last?: Snapshot,
): Promise<{ changes: Change[]; snapshot: Snapshot }> {
	const before = last ? decode(last) : new Map<string, Remembered>();
	const now = new Map<string, Remembered>();
	const changes: Change[] = [];
	const compare = (record: IDataObject) => {
		const key = hashId(record.id);
		// The list has a record twice if it moves to another page meanwhile.
		if (now.has(key)) return;
		const values = getValues(record);
		now.set(key, { values });
		if (!last) return;
		const old = before.get(key)?.values ?? [];
		const change = findChange(record, old, values);
		if (change) changes.push(change);
	};
	const compareAll = (rows: IDataObject[]) => {
		for (const row of rows) compare(row);
	};
	const limit = limitReadings(last ? 1 : FIRST_READINGS);
	await readUntilAgreed(read, compareAll, limit);
	const remembered = addMissing(before, now);
	return { changes, snapshot: encode(remembered) };
}

/** Returns which values a record got and lost; undefined if they are the same. */
function findChange(record: IDataObject, old: string[], values: string[]): Change | undefined {
	const added = values.filter((value) => !old.includes(value));
	const removed = old.filter((value) => !values.includes(value));
	const isSame = added.length === 0 && removed.length === 0;
	if (isSame) return undefined;
	return { record, added, removed };
}

/**
 * Adds the records that the list lacks. An empty list proves nothing: it may only be out of reach,
 * for however long.
 */
function addMissing(
	before: Map<string, Remembered>,
	now: Map<string, Remembered>,
): Map<string, Remembered> {
	if (now.size === 0) return before;
	const today = Math.floor(Date.now() / 86_400_000);
	const entries = new Map(now);
	for (const [key, { values, missingSince = today }] of before) {
		if (now.has(key)) continue;
		const daysMissing = today - missingSince;
		if (daysMissing < FORGET_AFTER_DAYS) entries.set(key, { values, missingSince });
	}
	return entries;
}

/** Writes a snapshot. All is sorted, so that the same list always gives the same text. */
function encode(entries: Map<string, Remembered>): Snapshot {
	const inUse = new Set<string>();
	for (const entry of entries.values()) {
		for (const value of entry.values) inUse.add(value);
	}
	const values = [...inUse].sort();
	const places = new Map(values.map((value, place) => [value, place]));
	const keysByGroup: Record<string, string> = {};
	const keys = [...entries.keys()].sort();
	for (const key of keys) {
		const entry = entries.get(key)!;
		const group = encodeGroup(entry, places);
		// The next comparison takes a record without values for a new one, so it need not be here.
		if (group === undefined) continue;
		// All keys have the same length, so they need no separator.
		const others = keysByGroup[group] ?? '';
		keysByGroup[group] = others + key;
	}
	return { values, records: keysByGroup };
}

/** Returns what a record has in common with others; undefined if it has no values. */
function encodeGroup(
	{ values, missingSince }: Remembered,
	places: Map<string, number>,
): string | undefined {
	if (values.length === 0) return undefined;
	const ownPlaces = values.map((value) => places.get(value)!);
	ownPlaces.sort((a, b) => a - b);
	const joined = ownPlaces.join(' ');
	if (missingSince === undefined) return joined;
	return `${joined}@${missingSince}`;
}

function decode({ values, records }: Snapshot): Map<string, Remembered> {
	const entries = new Map<string, Remembered>();
	for (const [group, keys] of Object.entries(records)) {
		const entry = decodeGroup(group, values);
		for (let at = 0; at < keys.length; at += ID_HASH_LENGTH) {
			const key = keys.slice(at, at + ID_HASH_LENGTH);
			entries.set(key, entry);
		}
	}
	return entries;
}

function decodeGroup(group: string, values: string[]): Remembered {
	const [places, day] = group.split('@');
	const ownPlaces = places.split(' ');
	const own = ownPlaces.map((place) => values[Number(place)]);
	if (!day) return { values: own };
	return { values: own, missingSince: Number(day) };
}
