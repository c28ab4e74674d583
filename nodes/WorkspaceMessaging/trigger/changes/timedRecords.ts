import type { IDataObject } from 'n8n-workflow';

/** A record with its time. */
export interface TimedRecord {
	id: string;
	/** Milliseconds since 1970. */
	at: number;
	record: IDataObject;
	/**
	 * Its fingerprint after the last poll, if it has an event and was among the newest records then.
	 */
	fingerprint?: string;
}

/** Whether a record of a list is not newer than the one before it. */
export function isNotAfter({ at }: TimedRecord, index: number, rows: TimedRecord[]): boolean {
	if (index === 0) return true;
	return at <= rows[index - 1].at;
}

/**
 * Sorts records, newest first, each once. Of a record that comes twice, because it moved, the latest
 * state counts.
 */
export function mergeNewest(rows: TimedRecord[]): TimedRecord[] {
	const latest = new Map<string, TimedRecord>();
	for (const row of rows) {
		const timeOfOther = latest.get(row.id)?.at ?? 0;
		if (row.at >= timeOfOther) latest.set(row.id, row);
	}
	const sorted = [...latest.values()];
	return sorted.sort((a, b) => b.at - a.at);
}
