import { createHash } from 'node:crypto';

/** A snapshot as it is remembered; some 8 characters a record, because there can be 100,000 of them. */
export interface StoredSnapshot {
	/** All values in use, sorted. */
	values: string[];
	/**
	 * Keys of records, one behind the other, by what the records have in common: the places of their values in `values`
	 * ("0 3"), and since which day they have not been in the list ("0 3@20410").
	 */
	records: Record<string, string>;
}

/** What is remembered of one record. */
interface Entry {
	values: string[];
	/** The day since which it has not been in the list, counted from 1970. */
	missingSince?: number;
}

/** How the values of a record have changed. */
export interface Change {
	added: string[];
	removed: string[];
}

/** Characters by which a record is known: 48 bits of a hash of its ID. */
const KEY_LENGTH = 8;

/** How long a record is remembered that is not in the list: a page can be misread, a filter can come and go. */
const FORGET_AFTER_DAYS = 30;

const today = () => Math.floor(Date.now() / 86_400_000);

/** Which values the records of a list have (contacts their tags, broadcasts their status), compared with the last poll. */
export class Snapshot {
	private readonly before: Map<string, Entry>;

	private readonly now = new Map<string, Entry>();

	constructor(stored?: StoredSnapshot) {
		this.before = stored ? decode(stored) : new Map<string, Entry>();
	}

	/** Adds a record of the list, and says how its values have changed; undefined if it was added already. */
	add(id: string, values: string[]): Change | undefined {
		const key = createHash('sha256').update(id).digest('base64url').slice(0, KEY_LENGTH);
		if (this.now.has(key)) return undefined;
		this.now.set(key, { values });
		const old = this.before.get(key)?.values ?? [];
		return {
			added: values.filter((value) => !old.includes(value)),
			removed: old.filter((value) => !values.includes(value)),
		};
	}

	/**
	 * What to remember after all records of the list were added. A list that is empty says nothing: it may only be out of
	 * reach, for however long.
	 */
	toStored(): StoredSnapshot {
		if (this.now.size === 0) return encode(this.before);
		const entries = new Map(this.now);
		for (const [key, { values, missingSince = today() }] of this.before) {
			if (!this.now.has(key) && today() - missingSince < FORGET_AFTER_DAYS)
				entries.set(key, { values, missingSince });
		}
		return encode(entries);
	}
}

function encode(entries: Map<string, Entry>): StoredSnapshot {
	const values = [...new Set([...entries.values()].flatMap((entry) => entry.values))].sort();
	const places = new Map(values.map((value, place) => [value, place]));
	const groups = new Map<string, string[]>();
	for (const [key, entry] of entries) {
		// A record without values is the same as none.
		if (entry.values.length === 0) continue;
		const own = entry.values.map((value) => places.get(value)!).sort((a, b) => a - b);
		const group = own.join(' ') + (entry.missingSince === undefined ? '' : `@${entry.missingSince}`);
		if (!groups.get(group)?.push(key)) groups.set(group, [key]);
	}
	const records = [...groups].map(([group, keys]) => [group, keys.sort().join('')] as const);
	return { values, records: Object.fromEntries(records.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function decode({ values, records }: StoredSnapshot): Map<string, Entry> {
	const entries = new Map<string, Entry>();
	for (const [group, keys] of Object.entries(records)) {
		const [places, day] = group.split('@');
		const own = places.split(' ').map((place) => values[Number(place)]);
		const entry: Entry = { values: own, ...(day && { missingSince: Number(day) }) };
		for (let at = 0; at < keys.length; at += KEY_LENGTH) entries.set(keys.slice(at, at + KEY_LENGTH), entry);
	}
	return entries;
}
