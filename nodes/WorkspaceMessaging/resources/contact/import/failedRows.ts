import type { IDataObject } from 'n8n-workflow';
import { endSentence, joinSentences } from '../../../transport/errors/sentences';
import { objectsIn } from '../../../transport/guards';
import { counted } from '../../../values/labels';
import { joinNames } from '../../../values/names';
import type { Item } from '../../../run/item';
import { getValues, type Table } from './itemsToCsv';

/*
 * What the rows of an import that the service did not import mean to somebody who has never seen
 * its reasons. Services list the first of them only.
 */

/** What was set for an import. */
interface ImportSettings {
	/** Type of the channel. */
	channel?: unknown;
	countryCode?: unknown;
}

/** The rows of an import that were not imported. */
export interface SkippedRows {
	/** How many contacts were on the channel already; undefined if the service does not say. */
	existingCount?: number;
	/** Their rows, as far as the service lists them; undefined if it does not say. */
	existingSample?: IDataObject[];
	/** How many rows failed. */
	failedCount: number;
	/** The failed rows that the service lists. */
	errorSample: IDataObject[];
	/** How many rows that were not imported it lists. */
	listedCount: number;
}

const EXISTS = /\balready exists\b|\balready (?:in|on) (?:this|the)\b/i;
const IS_PHONE = /\bphone\b/i;
const IS_IDENTITY = /\bmissing identity\b/i;

/** Reasons of failed rows that a text lists at most. */
const REASONS_SHOWN = 3;

/**
 * Counts the contacts that were on the channel already apart from the rows that failed: importing a
 * file again is no failure. If the service lists only some rows, they are counted if all of these
 * are such contacts.
 *
 * @param record of an import that has ended
 */
export function separateExisting({ failedCount, errorSample }: IDataObject): SkippedRows {
	const skipped = Number(failedCount) || 0;
	const listed = objectsIn(errorSample);
	const failures = listed.filter((entry) => !isExisting(entry));
	const listedCount = listed.length;
	const hasExisting = failures.length < listedCount;
	const isCertain = failures.length === 0 || listedCount >= skipped;
	if (!hasExisting || !isCertain) return { failedCount: skipped, errorSample: listed, listedCount };
	const existingCount = skipped - failures.length;
	const existingSample = listed.filter(isExisting);
	return {
		existingCount,
		existingSample,
		failedCount: failures.length,
		errorSample: failures,
		listedCount,
	};
}

/** Whether a row was not imported because the contact is on the channel already. */
const isExisting = ({ reason }: IDataObject) => EXISTS.test(String(reason ?? ''));

/** Says how many contacts were on the channel already, and what that means. */
export function describeExisting({ existingCount = 0, failedCount, listedCount }: SkippedRows) {
	const [were, keep] = existingCount === 1 ? ['was', 'keeps its'] : ['were', 'keep their'];
	const isAssumed = listedCount < existingCount + failedCount;
	return joinSentences(
		`${counted(existingCount, 'contact')} ${were} on the channel already and ${keep} data.`,
		isAssumed ? `The service lists only ${listedCount} of them.` : undefined,
		'To change contacts, use Create or Update.',
	);
}

/**
 * Says how many rows failed and why: `2 of 10 rows were not imported: Invalid phone (rows 3 and
 * 7).`
 */
export function describeFailedRows(skipped: SkippedRows, totalCount: unknown): string {
	const { failedCount } = skipped;
	const reasons = listReasons(skipped);
	const why = reasons === '' ? '.' : `: ${endSentence(reasons)}`;
	const were = failedCount === 1 ? 'was' : 'were';
	const count = failedCount.toLocaleString('en-US');
	const all = counted(Number(totalCount), 'row');
	return `${count} of ${all} ${were} not imported${why}`;
}

/** Lists why rows failed, each reason once with its rows; empty if the service says nothing. */
function listReasons({ errorSample, failedCount }: SkippedRows) {
	const isComplete = errorSample.length >= failedCount;
	const rowsByReason = new Map<string, IDataObject[]>();
	for (const entry of errorSample) {
		const reason = String(entry.reason ?? '').replace(/\.$/, '');
		if (reason === '') continue;
		const rows = rowsByReason.get(reason) ?? [];
		rows.push(entry);
		rowsByReason.set(reason, rows);
	}
	const reasons = [...rowsByReason].map(([reason, rows]) => {
		const names = nameRows(rows);
		if (names === '') return reason;
		return `${reason} (${isComplete ? '' : 'such as '}${names})`;
	});
	const shown = reasons.slice(0, REASONS_SHOWN);
	if (reasons.length > REASONS_SHOWN) shown.push('and more');
	return shown.join('; ');
}

/** Names rows by their items if these are known, or else as the service counts them. */
function nameRows(rows: IDataObject[]) {
	const key = rows.every(({ item }) => item !== undefined) ? 'item' : 'row';
	const numbers = rows.map((entry) => entry[key]).filter((number) => number !== undefined);
	if (numbers.length === 0) return '';
	const noun = numbers.length === 1 ? key : `${key}s`;
	return `${noun} ${joinNames(numbers.map(String))}`;
}

/** Explains two reasons that say too little: those about phone numbers and "missing identity". */
export function explainFailedRows(
	{ errorSample }: SkippedRows,
	{ channel, countryCode }: ImportSettings,
): string {
	const reasons = errorSample.map(({ reason }) => String(reason ?? ''));
	const isAboutPhone = reasons.some((reason) => IS_PHONE.test(reason));
	const lacksCode = isAboutPhone && !countryCode;
	const identity = channel === 'whatsapp' ? 'phone number' : 'ID on the channel';
	const isAboutIdentity = reasons.some((reason) => IS_IDENTITY.test(reason));
	return joinSentences(
		lacksCode
			? 'If phone numbers lack their country code, add the option Default Country Code, such as +49.'
			: undefined,
		isAboutIdentity ? `"Missing identity" means that a row has no ${identity}.` : undefined,
	);
}

/**
 * Adds the item and its values to rows that were not imported, if it is certain which rows they are. The API does
 * not say how it counts rows: a number beyond the last row proves that the header is row 1, unless
 * the service could also count the lines of a cell.
 */
export function linkRowsToItems(item: Item, listed: IDataObject[], { rows }: Table): IDataObject[] {
	if (listed.length === 0) return listed;
	if (!isHeaderCounted(listed, rows)) {
		if (!listed.every(isExisting)) item.hint("Row numbers in errorSample are the service's own.");
		return listed;
	}
	return listed.map((entry) => {
		const row = rows[Number(entry.row) - 2];
		if (!row) return entry;
		return { ...entry, item: row.item, values: getValues(row) };
	});
}

/** Whether it is certain that the service counts the header as row 1. */
function isHeaderCounted(listed: IDataObject[], rows: Table['rows']) {
	const texts = rows.flatMap((row) => Object.values(getValues(row)));
	const hasLineBreak = texts.some((text) => /[\r\n]/.test(text));
	return !hasLineBreak && listed.some(({ row }) => row === rows.length + 1);
}
