import type { IDataObject } from 'n8n-workflow';
import type { Watch } from './types';
import { Snapshot } from './snapshot';
import type { StoredSnapshot } from './snapshot';

/** What is watched, and how it is put out. */
export interface Watched {
	/** Reads all records that are watched; `isFirst` when nothing is remembered yet. */
	read(isFirst: boolean): Promise<IDataObject[]>;
	stateOf(record: IDataObject): string;
	/** Whether it is news that a record has this state now; `previous` is null for a record that was not there. */
	isNews(state: string, previous: string | null): boolean;
	toItem(record: IDataObject, previous: string | null): IDataObject;
}

/** Watches the state of records (part 3) by comparing it with the one that each had at the last poll. */
export function watchStatus({ read, stateOf, isNews, toItem }: Watched): Watch {
	return {
		async poll(memory: StoredSnapshot | undefined) {
			const snapshot = new Snapshot(memory);
			const items: IDataObject[] = [];
			let mustPersist = false;
			for (const record of await read(!memory)) {
				const state = stateOf(record);
				const change = snapshot.add(String(record.id), [state]);
				if (!memory || !change || change.added.length === 0) continue;
				const previous = change.removed[0] ?? null;
				if (isNews(state, previous)) items.push(toItem(record, previous));
				// It is news when the record comes back to the state that it has left now.
				else if (previous !== null && isNews(previous, state)) mustPersist = true;
			}
			return { items, memory: snapshot.toStored(), mustPersist };
		},

		async sample() {
			const records = await read(true);
			const record = records.find((each) => isNews(stateOf(each), null)) ?? records[0];
			return record && toItem(record, null);
		},
	};
}
