import type { IDataObject } from 'n8n-workflow';
import { Ledger } from './ledger';
import type { StoredLedger } from './ledger';
import type { Watch } from './watch';

/** What is watched, and how it is put out. */
interface Watched {
	/** Reads all records that are watched; `isFirst` when nothing is remembered yet. */
	read(isFirst: boolean): Promise<IDataObject[]>;
	statusOf(record: IDataObject): string;
	/** Whether it is news that a record has this status now; `previous` is null for a record that was not there. */
	isNews(status: string, previous: string | null): boolean;
	toItem(record: IDataObject, previous: string | null): IDataObject;
}

/** Watches the status of records (part 3) by comparing it with the one that each had at the last poll. */
export function watchStatuses({ read, statusOf, isNews, toItem }: Watched): Watch<StoredLedger> {
	return {
		async poll(memory) {
			const ledger = new Ledger(memory);
			const items: IDataObject[] = [];
			let mustKeep = false;
			for (const record of await read(!memory)) {
				const status = statusOf(record);
				const change = ledger.enter(String(record.id), [status]);
				if (!memory || !change || change.added.length === 0) continue;
				const previous = change.removed[0] ?? null;
				if (isNews(status, previous)) items.push(toItem(record, previous));
				// It is news when the record comes back to the status that it has left now.
				else if (previous !== null && isNews(previous, status)) mustKeep = true;
			}
			return { items, memory: ledger.close(), mustKeep };
		},

		async sample() {
			const records = await read(true);
			const record = records.find((each) => isNews(statusOf(each), null)) ?? records[0];
			return record && toItem(record, null);
		},
	};
}
