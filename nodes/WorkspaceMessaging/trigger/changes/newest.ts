import type { IDataObject } from 'n8n-workflow';
import { ApiError, isRefusal, onApiError } from '../../transport/errors/ApiError';
import { allowedReadings, readUntilAgreed } from '../../service/lists/repeatedReadings';
import { readPages } from '../../service/lists/pages';
import type { ReadOptions } from '../../service/lists/pages';
import type { Requester } from '../../transport/request';
import type { Endpoint } from '../../contract/endpoint';
import type { SortField } from '../../service/sortOrder';
import { getSortForms, rememberSortForm } from '../../service/contactSort';
import type { SortForm } from '../../service/capabilities';
import { isNotAfter, sortNewest } from './timedRecords';
import type { TimedRecord } from './timedRecords';
import { chooseWatermark } from './watermark';
import { limitWholeListReadings, WHOLE } from './wholeLists';
import { parseTime } from '../../values/dates';

/** How the trigger reads the newest records. Some services return no more than 50 per page. */
const NEWEST = { perPage: 50, ahead: 4 };
/** Records to request in the opposite order, to check whether the service sorts. */
const SORT_CHECK = { perPage: 10 };
/**
 * The newest records to keep of an unsorted list besides those above the watermark, and to keep
 * fingerprints of.
 */
const KEPT = 500;
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

/** The newest records of a list. */
interface Newest {
	/** All records above the watermark and some older ones, newest first. */
	rows: TimedRecord[];
	/** How many records may stay above the watermark without making polls more expensive. */
	maxAbove: number;
	/** Whether the list has no other records. */
	isAll: boolean;
	/** Whether no record above the watermark can be missing. */
	isComplete: boolean;
}

/**
 * One poll of a list. The watermark is a time that follows the newest records at a distance. Events
 * are the records above it that the memory does not have with their time.
 *
 * The reference does not say by which fields a service can sort (part 4.1; difference 15). So this
 * requests the newest and then the oldest records: if both come as requested, the service sorts,
 * and reading ends at the watermark. If not, this reads the whole list.
 */
export class NewestPoll {
	/** Records of this time or older do not matter. */
	private readonly watermark: number;

	constructor(
		private readonly client: Requester,
		private readonly list: TimedList,
		private readonly last?: NewestMemory,
	) {
		this.watermark = last?.watermark ?? Infinity;
	}

	/** Finds the events since the last poll, oldest first; without a last poll there are none. */
	async run(): Promise<{ found: TimedRecord[]; memory: NewestMemory }> {
		const { rows, maxAbove, isAll, isComplete } = await this.read();
		await this.list.prepare?.(rows.map(({ record }) => record));
		const entries = this.makeEntries(rows);
		const times = entries.map(([, at]) => at);
		const next = chooseWatermark(times, maxAbove, isAll);
		const mayRise = isComplete || entries.length > MOST_ENTRIES;
		const watermark = this.chooseNextWatermark(next, mayRise);
		const kept = this.chooseEntries(entries, watermark);
		const memory = { watermark, next, entries: kept };
		const found = this.findEvents(rows);
		return { found, memory };
	}

	/** Chooses the entries above the watermark, and the newest others if they have fingerprints. */
	private chooseEntries(entries: Entry[], watermark: number): Entry[] {
		const fingerprints = this.list.makeFingerprint ? KEPT : 0;
		return entries.filter(([, at], index) => {
			const isAbove = at > watermark;
			return isAbove || index < fingerprints;
		});
	}

	/** @param first the watermark after the first poll */
	private chooseNextWatermark(first: number, mayRise: boolean): number {
		if (!this.last) return first;
		const { watermark, next } = this.last;
		if (!mayRise) return watermark;
		return Math.max(watermark, next);
	}

	/** Reads all records above the watermark. */
	private async read(): Promise<Newest> {
		const entries = this.last?.entries ?? [];
		const known = entries.filter(([, at]) => at > this.watermark).length;
		for (const form of getSortForms(this.client)) {
			const newest = await this.readSortedUntilAgreed(form, known);
			if (newest) return newest;
		}
		const most = known < KEPT ? 1 : 2;
		return await this.readUnsorted(most);
	}

	/**
	 * Reads as `readSorted`. If too many records are known, the watermark has to rise, and no record
	 * above it may be missing: then this reads a list of several pages twice.
	 */
	private async readSortedUntilAgreed(form: SortForm, known: number): Promise<Newest | undefined> {
		let newest: Newest | undefined;
		const limit = limitWholeListReadings(2);
		for (const count of allowedReadings(limit)) {
			const ifRefused = onApiError(isRefusal, () => undefined);
			const reading = await this.readSorted(form).catch(ifRefused);
			if (newest && count > 0) return this.addReading(newest, reading?.rows ?? []);
			newest = reading;
			if (!newest || newest.isComplete) break;
			if (known < newest.maxAbove) break;
		}
		return newest;
	}

	/**
	 * Adds the rows of a second reading. If it has all records above the watermark of the first one,
	 * none can be missing.
	 */
	private addReading(newest: Newest, again: TimedRecord[]): Newest {
		const ids = new Set(again.map(({ id }) => id));
		const isComplete = newest.rows.every(({ id, at }) => {
			const isBelow = at <= this.watermark;
			return isBelow || ids.has(id);
		});
		const rows = sortNewest([...newest.rows, ...again]);
		return { ...newest, rows, isComplete };
	}

	/** Reads down to the watermark, newest first; returns undefined if the service does not sort. */
	private async readSorted(form: SortForm): Promise<Newest | undefined> {
		const atLeast = this.list.makeFingerprint && !this.last ? KEPT : 1;
		const pages = (size: number) => {
			if (this.last) return Infinity;
			return Math.ceil(atLeast / size);
		};
		const rows: TimedRecord[] = [];
		let maxAbove = 0;
		for await (const page of this.readSortedPages(form, 'desc', { ...NEWEST, pages })) {
			// New records push others to the next page. Those come twice, which says nothing about the
			// order.
			const fresh = this.addTimes(page.fresh);
			const last = rows.slice(-1);
			const isInOrder = [...last, ...fresh].every(isNotAfter);
			if (!isInOrder) return undefined;
			rows.push(...fresh);
			const isFirstPage = page.number === 1;
			if (isFirstPage) {
				maxAbove = rows.length;
				const isSorted = await this.hasOldestFirst(form, rows);
				if (!isSorted) return undefined;
			}
			// A first page of one record is the whole list.
			const isAll = page.isLast || rows.length === 1;
			const isBelow = rows[rows.length - 1]?.at <= this.watermark;
			const isDown = isBelow && rows.length >= atLeast;
			if (!isAll && !isDown) continue;
			rememberSortForm(this.client, form, this.list.field);
			return { rows: sortNewest(rows), maxAbove, isAll, isComplete: isFirstPage };
		}
		return undefined;
	}

	/**
	 * Whether the oldest records come first on request. A list that is only by chance newest first
	 * fails here.
	 */
	private async hasOldestFirst(form: SortForm, newestFirst: TimedRecord[]): Promise<boolean> {
		if (newestFirst.length < 2) return true;
		const pages = this.readSortedPages(form, 'asc', SORT_CHECK);
		const { value: page } = await pages.next();
		if (!page) return false;
		const rows = this.addTimes(page.rows);
		if (rows.length === 0) return false;
		const [oldest] = rows;
		const [newest] = newestFirst;
		if (oldest.at >= newest.at) return false;
		return rows.reverse().every(isNotAfter);
	}

	private readSortedPages(form: SortForm, order: SortField['order'], options: ReadOptions) {
		const { endpoint, filters, field } = this.list;
		return readPages(
			this.client,
			endpoint,
			{ query: { ...filters, ...form([{ field, order }]) } },
			options,
		);
	}

	/** Reads the whole list, and keeps the records above the watermark and the newest others. */
	private async readUnsorted(most: number): Promise<Newest> {
		const { endpoint, filters } = this.list;
		const newest: Newest = { rows: [], maxAbove: KEPT, isAll: true, isComplete: false };
		const keep = (records: IDataObject[]) => {
			const added = this.addTimes(records);
			const rows = sortNewest([...newest.rows, ...added]);
			newest.rows = rows.filter(({ at }, index) => {
				const isAbove = at > this.watermark;
				return isAbove || index < KEPT;
			});
			const hasOthers = newest.rows.length < rows.length;
			if (hasOthers) newest.isAll = false;
		};
		const read = () => readPages(this.client, endpoint, { query: filters }, WHOLE);
		const mostReadings = this.last && most;
		const limit = limitWholeListReadings(mostReadings);
		newest.isComplete = await readUntilAgreed(read, keep, limit);
		return newest;
	}

	/** Adds their times to records, in the same order. */
	private addTimes(records: IDataObject[]): TimedRecord[] {
		const { field } = this.list;
		const rows = records.map((record) => ({
			id: String(record.id),
			at: parseTime(record[field]),
			record,
		}));
		if (rows.length === 0 || rows.some(({ at }) => at > 0)) return rows;
		throw new ApiError(
			`This service lists records without "${field}", so the trigger cannot see which are new.`,
			{ outcome: 'refused', advice: 'Choose another event.' },
		);
	}

	private findEvents(rows: TimedRecord[]): TimedRecord[] {
		const known = this.getEntriesById();
		const events: TimedRecord[] = [];
		for (const row of rows) {
			const entry = known.get(row.id);
			if (!this.isEvent(row, entry)) continue;
			const fingerprint = entry?.[2];
			events.push({ ...row, fingerprint });
		}
		return events.reverse();
	}

	private isEvent({ at, record }: TimedRecord, entry?: Entry): boolean {
		const { makeFingerprint } = this.list;
		if (at <= this.watermark) return false;
		if (!makeFingerprint) return entry === undefined;
		// An update of an unknown record is later than its creation.
		if (!entry) return at > parseTime(record.createdAt);
		const [, time, fingerprint] = entry;
		if (at !== time) return at > time;
		// If a service rounds its times, a record can change twice at the same time.
		const isNewest = at === this.last?.entries[0][1];
		if (!isNewest) return false;
		if (fingerprint === undefined) return false;
		return fingerprint !== makeFingerprint(record);
	}

	/**
	 * Returns entries for all known records, newest first. A record that is not in the list stays:
	 * the reading may have missed it, or it may match the filters again later.
	 */
	private makeEntries(rows: TimedRecord[]): Entry[] {
		const { makeFingerprint } = this.list;
		const entries = this.getEntriesById();
		for (const [index, row] of rows.entries()) {
			const { id, at, record } = row;
			const entry: Entry = [id, at];
			const isKept = index < KEPT;
			if (makeFingerprint && isKept) entry.push(makeFingerprint(record));
			entries.set(id, entry);
		}
		const all = [...entries.values()];
		return all.sort(([, a], [, b]) => b - a);
	}

	/** Returns the entries of the last poll by the IDs of their records. */
	private getEntriesById(): Map<string, Entry> {
		const entries = this.last?.entries ?? [];
		const byId = new Map<string, Entry>();
		for (const entry of entries) {
			const [id] = entry;
			byId.set(id, entry);
		}
		return byId;
	}
}
