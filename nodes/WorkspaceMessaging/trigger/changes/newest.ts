import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import type { Requester } from '../../transport/request';
import { parseTime } from '../../values/dates';
import { readNewest } from './newestRecords';
import type { TimedRecord } from './timedRecords';
import { chooseWatermark } from './watermark';

/** Of how many of the newest records a trigger keeps fingerprints. */
const FINGERPRINTS = 500;
/**
 * The most entries if records are deleted all the time, so that no reading is known to be complete.
 */
const MOST_ENTRIES = 10_000;

/** A list whose newest records are events. */
export interface TimedList {
	endpoint: Endpoint;
	filters: IDataObject;
	/**
	 * The field with the time. It comes from the service's clock, so the trigger never compares it
	 * with n8n's.
	 */
	field: string;
	/** Finds out what `makeFingerprint` has to know about the records of a poll. */
	prepare?(records: IDataObject[]): Promise<void>;
	/** Shows whether a record changed at the same time. Without it, only new records are events. */
	makeFingerprint?(record: IDataObject): string;
}

/** What the trigger remembers of a record. */
type Entry = [id: string, at: number, fingerprint?: string];

/** What the trigger knows of a list after a poll. */
export interface NewestMemory {
	/** Records of this time or older are no events; 0 if all unknown records are. */
	watermark: number;
	/**
	 * The watermark from the next poll on. Until then this poll's records are read again, as some
	 * appear late.
	 */
	next: number;
	/** All records above the watermark and some older ones, newest first. */
	entries: Entry[];
}

/** Before the first poll: no record is an event for it. */
const NOTHING: NewestMemory = { watermark: Infinity, next: 0, entries: [] };

/**
 * Polls a list. The watermark is a time that follows the newest records at a distance. Events are
 * the records above it that the memory does not have with their time, oldest first; without a
 * memory there are none.
 */
export async function pollNewest(
	client: Requester,
	list: TimedList,
	memory?: NewestMemory,
): Promise<{ found: TimedRecord[]; memory: NewestMemory }> {
	const isFirst = memory === undefined;
	const last = memory ?? NOTHING;
	const { endpoint, filters, field, makeFingerprint } = list;
	const atLeast = makeFingerprint && isFirst ? FINGERPRINTS : 1;
	const known = last.entries.filter(([, at]) => at > last.watermark).length;
	const { watermark: downTo } = last;
	const wanted = { client, endpoint, filters, field, atLeast, isFirst, downTo, known };
	const { rows, maxAbove, isAll, isComplete } = await readNewest(wanted);
	await list.prepare?.(rows.map(({ record }) => record));
	const entries = makeEntries(list, rows, last);
	const times = entries.map(([, at]) => at);
	const next = chooseWatermark(times, maxAbove, isAll);
	const mayRise = isComplete || entries.length > MOST_ENTRIES;
	const watermark = isFirst ? next : raiseWatermark(last, mayRise);
	const fingerprints = makeFingerprint ? FINGERPRINTS : 0;
	const kept = entries.filter(([, at], index) => at > watermark || index < fingerprints);
	const found = findEvents(list, rows, last);
	return { found, memory: { watermark, next, entries: kept } };
}

function raiseWatermark({ watermark, next }: NewestMemory, mayRise: boolean) {
	return mayRise ? Math.max(watermark, next) : watermark;
}

/** Returns the records that are events, oldest first, with their last fingerprints. */
function findEvents(list: TimedList, rows: TimedRecord[], last: NewestMemory) {
	const known = getEntriesById(last);
	const events: TimedRecord[] = [];
	for (const row of rows) {
		const entry = known.get(row.id);
		if (!isEvent(list, row, last, entry)) continue;
		const fingerprint = entry?.[2];
		events.push({ ...row, fingerprint });
	}
	return events.reverse();
}

function isEvent(
	{ makeFingerprint }: TimedList,
	{ at, record }: TimedRecord,
	last: NewestMemory,
	entry?: Entry,
) {
	if (at <= last.watermark) return false;
	if (!makeFingerprint) return entry === undefined;
	// An update of an unknown record is later than its creation.
	if (!entry) return at > parseTime(record.createdAt);
	const [, time, fingerprint] = entry;
	if (at !== time) return at > time;
	// If a service rounds its times, a record can change twice at the same time.
	const isNewest = at === last.entries[0][1];
	if (!isNewest || fingerprint === undefined) return false;
	return fingerprint !== makeFingerprint(record);
}

/**
 * Returns entries for the records of this poll and of the last one, newest first. A record that is
 * not in the list stays: the reading may have missed it, or it may match the filters again later.
 *
 * @param rows newest first
 */
function makeEntries(
	{ makeFingerprint }: TimedList,
	rows: TimedRecord[],
	last: NewestMemory,
): Entry[] {
	const entries = getEntriesById(last);
	for (const [index, { id, at, record }] of rows.entries()) {
		const entry: Entry = [id, at];
		const isAmongNewest = index < FINGERPRINTS;
		if (makeFingerprint && isAmongNewest) entry.push(makeFingerprint(record));
		entries.set(id, entry);
	}
	const all = [...entries.values()];
	return all.sort(([, a], [, b]) => b - a);
}

/** Returns the entries of the last poll by the IDs of their records. */
const getEntriesById = ({ entries }: NewestMemory) =>
	new Map(entries.map((entry) => [entry[0], entry]));
