import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import type { SortForm } from '../../service/capabilities';
import { getSortForms, rememberSortForm } from '../../service/sortForm';
import { readUntilAgreed } from '../../service/lists/repeatedReadings';
import { readPages, type ReadOptions } from '../../service/lists/pages';
import type { SortField } from '../../service/contactOrder';
import { ApiError, isRefusal, ignore } from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { parseTime } from '../../values/dates';
import { isNotAfter, mergeNewest, type TimedRecord } from './timedRecords';
import { ALL_READINGS_MS, FIRST_READINGS, limitReadings, WHOLE } from './wholeLists';

/** How the trigger reads the newest records. Some services return no more than 50 per page. */
const NEWEST = { perPage: 50, ahead: 4 };
/** Records to request in the opposite order, to check whether the service sorts. */
const SORT_CHECK = { perPage: 10 };
/** The newest records to keep of an unsorted list besides those above the watermark. */
const KEPT = 500;

/** What to read of a list. */
export interface Wanted {
	client: Requester;
	endpoint: Endpoint;
	filters: IDataObject;
	/** The field with the time. */
	field: string;
	/** How many of the newest records the poll needs at least. */
	atLeast: number;
	/** Whether watching begins, so that the newest records are enough. */
	isFirst: boolean;
	/** Down to which time to read: the watermark. */
	downTo: number;
	/** How many records above the watermark are known. With too many, it has to rise. */
	known: number;
}

/** The newest records of a list. */
export interface Newest {
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
 * Reads all records above the watermark, and some older ones.
 *
 * The reference does not say by which fields a service can sort (part 4.1; difference 15). So this
 * requests the newest and then the oldest records: if both come as requested, the service sorts,
 * and reading ends at the watermark. If not, this reads the whole list.
 */
export async function readNewest(wanted: Wanted): Promise<Newest> {
	for (const form of getSortForms(wanted.client)) {
		const newest = await readSorted(wanted, form);
		if (newest) return newest;
	}
	return await readWhole(wanted);
}

/**
 * Reads down to the watermark; returns undefined if the service does not sort. A reading of several
 * pages misses a record if another one is deleted meanwhile. So if the watermark has to rise, this
 * reads them twice: a record is missed only if another one is deleted, which the second reading then
 * lacks. If it has all records of the first one, none is missing.
 */
async function readSorted(wanted: Wanted, form: SortForm): Promise<Newest | undefined> {
	const ifRefused = ignore(isRefusal);
	const startedAt = performance.now();
	const first = await readDown(wanted, form).catch(ifRefused);
	if (!first || first.isComplete) return first;
	const firstMs = performance.now() - startedAt;
	const hasTime = 2 * firstMs < ALL_READINGS_MS;
	const mustRise = wanted.known >= first.maxAbove;
	if (!mustRise || !hasTime) return first;
	const second = await readDown(wanted, form).catch(ifRefused);
	return addReading(first, second?.rows ?? [], wanted.downTo);
}

/** Adds the records of a second reading, which shows whether the first one missed any. */
function addReading(first: Newest, again: TimedRecord[], downTo: number) {
	const ids = new Set(again.map(({ id }) => id));
	const above = first.rows.filter(({ at }) => at > downTo);
	const isComplete = above.every(({ id }) => ids.has(id));
	const rows = mergeNewest([...first.rows, ...again]);
	return { ...first, rows, isComplete };
}

/** Reads down to the watermark once; returns undefined if the service does not sort. */
async function readDown(wanted: Wanted, form: SortForm): Promise<Newest | undefined> {
	const { client, field, atLeast, isFirst, downTo } = wanted;
	const pages = (size: number) => (isFirst ? Math.ceil(atLeast / size) : Infinity);
	const rows: TimedRecord[] = [];
	let maxAbove = 0;
	for await (const page of readSortedPages(wanted, form, 'desc', { ...NEWEST, pages })) {
		// New records push others to the next page. Those come twice, which says nothing about the
		// order.
		const fresh = addTimes(page.fresh, field);
		const last = rows.slice(-1);
		const isInOrder = [...last, ...fresh].every(isNotAfter);
		if (!isInOrder) return undefined;
		rows.push(...fresh);
		const isFirstPage = page.number === 1;
		if (isFirstPage) {
			maxAbove = rows.length;
			const isSorted = await hasOldestFirst(wanted, form, rows);
			if (!isSorted) return undefined;
		}
		// A first page of one record is the whole list.
		const isAll = page.isLast || rows.length === 1;
		const isBelow = rows[rows.length - 1]?.at <= downTo;
		const isDown = isBelow && rows.length >= atLeast;
		if (!isAll && !isDown) continue;
		rememberSortForm(client, form, field);
		return { rows: mergeNewest(rows), maxAbove, isAll, isComplete: isFirstPage };
	}
	return undefined;
}

/**
 * Whether the oldest records come first on request. A list that is only by chance newest first
 * fails here.
 */
async function hasOldestFirst(wanted: Wanted, form: SortForm, newestFirst: TimedRecord[]) {
	if (newestFirst.length < 2) return true;
	const pages = readSortedPages(wanted, form, 'asc', SORT_CHECK);
	const { value: page } = await pages.next();
	if (!page) return false;
	const rows = addTimes(page.rows, wanted.field);
	if (rows.length === 0) return false;
	const [oldest] = rows;
	const [newest] = newestFirst;
	if (oldest.at >= newest.at) return false;
	return rows.reverse().every(isNotAfter);
}

function readSortedPages(
	{ client, endpoint, filters, field }: Wanted,
	form: SortForm,
	order: SortField['order'],
	options: ReadOptions,
) {
	const query = { ...filters, ...form([{ field, order }]) };
	return readPages(client, endpoint, { query }, options);
}

/**
 * Reads the whole list, and keeps the records above the watermark and the newest others. If the
 * watermark has to rise, this reads a list of several pages twice.
 */
async function readWhole(wanted: Wanted): Promise<Newest> {
	const { client, endpoint, filters, field, isFirst, downTo, known } = wanted;
	let kept: TimedRecord[] = [];
	let isAll = true;
	const keep = (records: IDataObject[]) => {
		const rows = mergeNewest([...kept, ...addTimes(records, field)]);
		kept = rows.filter(({ at }, index) => index < KEPT || at > downTo);
		if (kept.length < rows.length) isAll = false;
	};
	const mustRise = known >= KEPT;
	const readings = mustRise ? 2 : 1;
	const limit = limitReadings(isFirst ? FIRST_READINGS : readings);
	const read = () => readPages(client, endpoint, { query: filters }, WHOLE);
	const isComplete = await readUntilAgreed(read, keep, limit);
	return { rows: kept, maxAbove: KEPT, isAll, isComplete };
}

/** Adds their times to records, in the same order. */
function addTimes(records: IDataObject[], field: string): TimedRecord[] {
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
