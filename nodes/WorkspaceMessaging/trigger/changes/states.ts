import type { IDataObject } from 'n8n-workflow';
import type { Watcher } from '../types';
import type { Rows } from '../../service/lists/repeatedReadings';
import { compareWithSnapshot, type Snapshot } from './snapshot';

/** Records with a state, and which changes of it are events. */
interface States {
	/** Reads the records; `isFirst` if there was no poll before. */
	read(isFirst: boolean): AsyncIterable<Rows>;
	getState(record: IDataObject): string;
	/** Whether it is an event that a record gets a state; `previous` is null for a new record. */
	isEvent(state: string, previous: string | null): boolean;
	makeItem(record: IDataObject, previous: string | null): IDataObject;
}

/** Compares the state of each record (part 3) with its state at the last poll. */
export function watchStates({ read, getState, isEvent, makeItem }: States): Watcher {
	return {
		async poll(memory: Snapshot | undefined) {
			const readAll = () => read(!memory);
			const getValues = (record: IDataObject) => [getState(record)];
			const { changes, snapshot } = await compareWithSnapshot(readAll, getValues, memory);
			const items: IDataObject[] = [];
			let mustSave = false;
			for (const { record, added, removed } of changes) {
				const [state] = added;
				const [previous = null] = removed;
				if (isEvent(state, previous)) items.push(makeItem(record, previous));
				// The return of a record to its previous state can be an event.
				else mustSave ||= previous !== null && isEvent(previous, state);
			}
			return { items, memory: snapshot, mustSave };
		},

		async sample() {
			let first: IDataObject | undefined;
			for await (const { rows } of read(true)) {
				const found = rows.find((record) => isEvent(getState(record), null));
				if (found) return makeItem(found, null);
				first ??= rows[0];
			}
			return first && makeItem(first, null);
		},
	};
}
